"""Players that are made when they are first asked.

Waking the local players takes seconds: libraries are loaded, the bank of clues is read, their
scales are set. A person need not wait for that before it sees its hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from dixitlib import paths
from dixitlib.models.sentences import default_encoder
from dixitlib.records import Card, Move

if TYPE_CHECKING:
    from dixitlib.study.players import Participant


@dataclass
class Waking:
    """A player of `study.players` under its name, not made yet.

    Its first move raises ValueError if there is no player of that name.
    """

    name: str

    def tell(self, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        return self._awake.tell(hand, rng)

    def submit(self, clue: str, hand: Sequence[Card], rng: np.random.Generator) -> Move:
        return self._awake.submit(clue, hand, rng)

    def vote(self, clue: str, candidates: Sequence[Card], rng: np.random.Generator) -> Move:
        return self._awake.vote(clue, candidates, rng)

    @cached_property
    def _awake(self) -> Participant:
        # Imported here because it loads torch: whoever looks at its first hand shouldn't wait.
        from dixitlib.study import players

        bank = tuple(pd.read_csv(paths.data("clues", "bank.csv"))["clue"])
        return players.make([self.name], players.Setting(bank, default_encoder()))[0]
