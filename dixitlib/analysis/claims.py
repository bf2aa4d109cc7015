"""One row of a table of claims, also where a run can't speak to the claim.

A question that a run can't answer stands beside those that it can, without a number and with
the reason: one player has no slope over players, and a run without a match against others says
nothing about opponents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd


class Coefficient(NamedTuple):
    """One coefficient of a regression; without numbers, `note` says why."""

    estimate: float
    low: float
    high: float
    p: float
    note: str


def coefficient(
    model: Callable[..., pd.DataFrame],
    frame: pd.DataFrame,
    formula: str,
    cluster: str | tuple[str, str],
    term: str,
) -> Coefficient:
    """Return one coefficient; where the model refuses, NaN and what it lacked.

    For tables in which a question that a run can't answer should stand beside those that it
    can: one player has no slope over players.

    Parameters
    ----------
    model
        `linear`, `logistic` or `two_way` of `regression`.
    frame, formula, cluster
        As the model takes them.
    term
        The coefficient wanted.
    """
    try:
        row = model(frame, formula, cluster).set_index("term").loc[term]
    except ValueError as refusal:
        return Coefficient(*[np.nan] * 4, str(refusal))
    return Coefficient(*row[list(Coefficient._fields)])
