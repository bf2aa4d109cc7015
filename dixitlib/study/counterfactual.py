"""Counterfactual tables: every listener votes on every storyteller's clue, over the same cards.

A round robin confounds three things: how well a player listens, how well its opponents
tell, and how much the two have in common; two players that share weak eyes understand each
other well. Here the tables are laid before anybody speaks, a target and three distractors
drawn by seed, and nothing but the storyteller and the listener changes. Storytellers hold
one card, so the target is forced.

All four cards may be voted for. In the arena a listener's own card is left out, so three
listeners choose from three sets; here nobody laid a card, and all choose from the same
four, which is what pairs the votes exactly. So chance is 1/4, not the arena's 1/3, and
since no distractor was laid to suit the clue, tables are easier than the arena's.

Each listener sees a table in an order of its own, the same whoever tells: what positions
do to a listener is then the same for all storytellers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from dixitlib.models.sentences import Encoder
from dixitlib.records import Card, Move, Player
from dixitlib.seeds import place
from dixitlib.study.checks import ParamsError

FILE = "counterfactual.csv"
DISTRACTORS = 3
DECIMALS = 4
COLUMNS = [
    "table", "target", "storyteller", "listener", "own_clue", "clue", "choice", "correct",
    "target_position", "choice_position", "n_candidates", "status",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """A target and its distractors, under a number from 0."""

    number: int
    target: Card
    distractors: tuple[Card, ...]


def lay(deck: Sequence[Card], seed: int, tables: int | None = None) -> list[Table]:
    """Lay a table for each card of a deck, or for the first so many.

    Raises
    ------
    ParamsError
        If the deck has too few cards for one table.
    """
    if len(deck) <= DISTRACTORS:
        raise ParamsError(
            f"a counterfactual table takes {1 + DISTRACTORS} cards, but the deck has {len(deck)}"
        )
    return [_laid(deck, number, seed) for number in range(len(deck))[:tables]]


def play(
    storytellers: Sequence[Player], listeners: Sequence[Player], seed: int, table: Table
) -> list[dict[str, object]]:
    """Let every storyteller tell a table's target, and every listener vote on every clue.

    A player's chances depend on its name and the table, never on the company.

    Returns
    -------
    list of dict
        One row a vote, see `COLUMNS`. Where a move failed, `status` says how, and there is
        no choice; where it was the storyteller's there is no clue either.
    """
    rows = []
    for teller in storytellers:
        told = teller.tell([table.target], place(seed, "tell", table.number, teller.name))
        vote = partial(_vote, seed, table, teller.name, told)
        rows += [vote(listener) for listener in listeners]
    return rows


def with_meaning(votes: pd.DataFrame, tables: Sequence[Table], encoder: Encoder) -> pd.DataFrame:
    """Add how near each clue is to the literal captions of its table, as `meaning.csv` has it.

    Returns
    -------
    DataFrame
        `votes` with similarity (cosine of the clue to the target's caption) and margin (by
        how much that exceeds the nearest distractor's).
    """
    keys = ["table", "clue"]
    told = votes[keys].dropna().drop_duplicates()
    encoder.encode(list(told["clue"]))  # all at once is faster than clue by clue
    by_number = {table.number: table for table in tables}
    nearness = [_nearness(clue, by_number[number], encoder) for number, clue in told.to_numpy()]
    told[["similarity", "margin"]] = np.round(nearness, DECIMALS).reshape(-1, 2)
    return votes.merge(told, how="left", on=keys, validate="many_to_one")


def _laid(deck: Sequence[Card], number: int, seed: int) -> Table:
    others = [*deck[:number], *deck[number + 1 :]]
    drawn = place(seed, "table", number).choice(len(others), DISTRACTORS, replace=False)
    return Table(number, deck[number], tuple(others[k] for k in drawn))


def _vote(seed: int, table: Table, teller: str, told: Move, listener: Player) -> dict[str, object]:
    shown = [table.target, *table.distractors]
    place(seed, "order", table.number, listener.name).shuffle(shown)
    row = {
        "table": table.number,
        "target": table.target.id,
        "storyteller": teller,
        "listener": listener.name,
        "own_clue": teller == listener.name,
        "clue": told.clue,
        "target_position": shown.index(table.target) + 1,
        "n_candidates": len(shown),
        "status": told.status,
    }
    if told.status != "ok":
        return row
    rng = place(seed, "vote", table.number, teller, listener.name)
    return row | _chosen(table, shown, listener.vote(told.clue, shown, rng))


def _chosen(table: Table, shown: Sequence[Card], vote: Move) -> dict[str, object]:
    if vote.status != "ok":
        return {"status": vote.status}
    card = shown[vote.choice]
    return {
        "choice": card.id,
        "correct": card == table.target,
        "choice_position": vote.choice + 1,
    }


def _nearness(clue: str, table: Table, encoder: Encoder) -> tuple[float, float]:
    cards = (table.target, *table.distractors)
    said, *seen = encoder.encode([clue, *(card.caption for card in cards)])
    target, *others = np.array(seen) @ said
    return target, target - max(others)
