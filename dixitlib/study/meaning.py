"""What analysis needs of meaning, measured while the models are at hand.

Analysis loads no model, so a played run keeps, beside its rounds, how near each clue is
to the cards on the table. The measure is the text encoder's, on literal captions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from dixitlib.models.sentences import Encoder, similarities
from dixitlib.records import Round

COLUMNS = ("match", "phase", "round", "similarity", "nearest", "margin", "words")
DECIMALS = 6


def measure(rounds: Iterable[Round], captions: Mapping[str, str], encoder: Encoder) -> pd.DataFrame:
    """Measure the clues of a run against the cards on the table.

    Parameters
    ----------
    rounds
        Rounds; void ones have no row.
    captions
        Literal caption of each card by its id.
    encoder
        Turns clues and captions into vectors.

    Returns
    -------
    DataFrame
        One row a round: match, phase, round; similarity (cosine of the clue to the target's
        caption), nearest (the highest to a distractor's), margin (similarity - nearest) and
        words (length of the clue).
    """
    played = [r for r in rounds if r.outcome is not None]
    cards = list(captions)
    place = {card: index for index, card in enumerate(cards)}
    clues = encoder.encode([r.clue for r in played])
    cosines = similarities(clues, encoder.encode([captions[card] for card in cards]))
    rows = [_row(r, c, place) for r, c in zip(played, cosines, strict=True)]
    return pd.DataFrame(rows, columns=list(COLUMNS)).round(DECIMALS)


def _row(played: Round, cosines: np.ndarray, place: Mapping[str, int]) -> tuple:
    similarity = cosines[place[played.target]]
    distractors = [card for card in played.submissions if card != played.target]
    nearest = max(cosines[place[card]] for card in distractors)
    key = (played.match, played.phase, played.round)
    return (*key, similarity, nearest, similarity - nearest, len(played.clue.split()))
