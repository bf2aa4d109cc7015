"""What analysis needs of meaning, measured while the models are at hand.

Analysis loads no model, so a played run keeps, beside its rounds, how near each clue is
to the cards on the table and to the storyteller's other clues, and what it gives away. The
measure is the text encoder's, on literal captions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from dixitlib.models.sentences import Encoder, similarities
from dixitlib.records import Card, Round
from dixitlib.study import leaks

COLUMNS = (
    *("match", "phase", "round", "similarity", "nearest", "margin", "words"),
    *("novelty", "leaks"),
)
DECIMALS = 6


def measure(rounds: Iterable[Round], cards: Mapping[str, Card], encoder: Encoder) -> pd.DataFrame:
    """Measure the clues of a run against the cards on the table.

    Parameters
    ----------
    rounds
        Rounds; void ones have no row.
    cards
        The deck by card id, with literal captions.
    encoder
        Turns clues and captions into vectors.

    Returns
    -------
    DataFrame
        One row a round: match, phase, round; similarity (cosine of the clue to the target's
        caption), nearest (the highest to a distractor's), margin (similarity - nearest),
        words (length of the clue), novelty (mean cosine distance to the other clues that
        its storyteller told in the run; missing if there are none) and leaks (content words
        of the clue that stand in the target's caption or name its scene).
    """
    played = [r for r in rounds if r.outcome is not None]
    place = {card: index for index, card in enumerate(cards)}
    clues = encoder.encode([r.clue for r in played])
    captions = encoder.encode([card.caption for card in cards.values()])
    rows = [_row(r, c, place) for r, c in zip(played, similarities(clues, captions), strict=True)]
    tellers = [r.players[r.storyteller] for r in played]
    frame = pd.DataFrame(rows, columns=list(COLUMNS[:-2])).assign(
        novelty=_novelty(clues, tellers), leaks=[_leaks(r, cards[r.target]) for r in played]
    )
    return frame.round(DECIMALS)


def _row(played: Round, cosines: np.ndarray, place: Mapping[str, int]) -> tuple:
    similarity = cosines[place[played.target]]
    distractors = [card for card in played.submissions if card != played.target]
    nearest = max(cosines[place[card]] for card in distractors)
    key = (played.match, played.phase, played.round)
    return (*key, similarity, nearest, similarity - nearest, len(played.clue.split()))


def _novelty(clues: np.ndarray, tellers: list[str]) -> np.ndarray:
    """Return each clue's mean distance to the other clues of the same storyteller."""
    same = np.equal.outer(tellers, tellers)
    np.fill_diagonal(same, False)
    with np.errstate(invalid="ignore"):  # nothing over nothing is NaN
        return np.where(same, 1 - clues @ clues.T, 0).sum(axis=1) / same.sum(axis=1)


def _leaks(played: Round, target: Card) -> int:
    return len(leaks.words(played.clue) & leaks.names(target))
