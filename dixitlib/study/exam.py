"""A listening exam: all players vote on the same tables, on clues that none of them told.

A round robin confounds how well a player listens with how much it has in common with
those who tell: two players that share weak eyes understand each other well. Here every
listener hears the same clue over the same cards, so that differences are paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from dixitlib.records import Card, Player, Round
from dixitlib.seeds import place

COLUMNS = ["match", "phase", "round", "storyteller", "seat", "listener", "n_candidates", "correct"]


def sit(
    rounds: Iterable[Round],
    cards: Mapping[str, Card],
    listeners: Sequence[Player],
    seed: int,
) -> pd.DataFrame:
    """Let every listener vote in every listening seat of played rounds.

    Parameters
    ----------
    rounds
        Rounds told by players that are none of the listeners; void ones are passed over.
    cards
        The deck by card id.
    listeners
        Who votes, each on its own draw of chance.
    seed
        Of that chance.

    Returns
    -------
    DataFrame
        One row a vote: match, phase, round, storyteller, seat (whose candidates were
        shown), listener, n_candidates and correct.
    """
    rows = [
        row
        for played in rounds
        if played.outcome is not None
        for seat, shown in enumerate(played.candidates)
        if shown
        for row in _votes(played, seat, [cards[card] for card in shown], listeners, seed)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _votes(
    played: Round, seat: int, shown: list[Card], listeners: Sequence[Player], seed: int
) -> Iterable[tuple[object, ...]]:
    spot = (played.match, played.phase, played.round)
    for listener in listeners:
        rng = place(seed, "exam", listener.name, *spot, seat)
        move = listener.vote(played.clue, shown, rng)
        correct = None if move.choice is None else shown[move.choice].id == played.target
        teller = played.players[played.storyteller]
        yield (*spot, teller, seat, listener.name, len(shown), correct)
