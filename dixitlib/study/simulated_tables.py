"""Counterfactual tables by players whose every skill is known.

Everybody votes on everybody's clue to every card, as in `counterfactual`, and the players are
those of `simulator`: a clue's and a card's plainness and a listener's skill add up to what
the target gains, and a vote is a conditional logit among four cards.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dixitlib.seeds import place
from dixitlib.study.expected import added
from dixitlib.study.simulator import Setting, SimulatedPlayer

OPTIONS = 4


def vote(
    players: Sequence[SimulatedPlayer], number: int, *, seed: int, setting: Setting
) -> pd.DataFrame:
    """Return one row a vote: table, target, storyteller, listener, own_clue, correct, n_candidates.

    Parameters
    ----------
    players
        Who tells and listens. Liking for a place is left out.
    number, seed
        Which study this is of those with one seed.
    setting
        Of it, the number of cards and how much they differ in plainness.
    """
    rng, several = place(seed, "simulated tables", number), len(players)
    clarity, spread = np.array([(player.clarity, player.spread) for player in players]).T
    clues = clarity + spread * rng.standard_normal((setting.cards, several))
    cards = setting.card_spread * rng.standard_normal((setting.cards, 1))
    appeal = (clues + cards)[..., None] + added(players)
    noise = rng.gumbel(size=(*appeal.shape, OPTIONS))
    hits = appeal + noise[..., 0] > noise[..., 1:].max(axis=-1)
    card, teller, listener = np.indices(hits.shape).reshape(3, -1)
    names = np.array([player.name for player in players])
    return pd.DataFrame(
        {
            "table": card,
            "target": card,
            "storyteller": names[teller],
            "listener": names[listener],
            "own_clue": teller == listener,
            "correct": hits.ravel(),
            "n_candidates": OPTIONS,
        }
    )
