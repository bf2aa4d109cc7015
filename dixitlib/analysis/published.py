"""The figures that DixitWorld published, and what follows from them alone.

The tables lie in ``data/published/`` as they were transcribed, one row a published row.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from dixitlib import paths
from dixitlib.analysis.inference import UNDEFINED, wilson

ROUNDS_TOLD = 84  # by each model: 12 in each of five cross matches and 24 in self-play
HALF_A_DIGIT = 0.005  # percentages are printed with two decimals


def load(name: str, folder: Path | None = None) -> pd.DataFrame:
    """Return a published table, such as ``dixitworld_arena``.

    Raises
    ------
    FileNotFoundError
        If there is no such table; those there are are named.
    """
    folder = folder or paths.data("published")
    path = folder / f"{name}.csv"
    if not path.exists():
        known = ", ".join(sorted(table.stem for table in folder.glob("*.csv"))) or "none"
        raise FileNotFoundError(f"no published table {name!r} in {folder}; there are: {known}")
    return pd.read_csv(path)


def attainable_count(percentage: float, total: int) -> float:
    """Return the count of `total` that a percentage printed with two decimals stands for.

    NaN if no count rounds to it, or if nothing was printed.
    """
    if np.isnan(percentage):
        return np.nan
    count = round(percentage * total / 100)
    # The margin beyond half a digit is for the last bit of the division only.
    near = abs(100 * count / total - percentage) <= HALF_A_DIGIT + 1e-9
    return float(count) if near else np.nan


def arena_shares(arena: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Return the outcomes that a published storyteller score gives away.

    A storyteller wins its maximum in a partial round and nothing in any other, so its score
    is the share of partial rounds, a k/84. How the other rounds divide into all correct
    and all wrong does not follow from what was published.

    Parameters
    ----------
    arena
        The table ``dixitworld_arena``: model, storyteller_pct, ...
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        player, outcome (``partial``, ``not_partial``), rounds, share, low, high. The
        intervals are Wilson's, for independent rounds: matches are not published, so they
        are likely too narrow. A score that is no k/84 gives NaN.
    """
    rows = [
        row
        for model, percentage in arena[["model", "storyteller_pct"]].itertuples(index=False)
        for row in _shares(model, attainable_count(percentage, ROUNDS_TOLD), level)
    ]
    columns = ["player", "outcome", "rounds", "share", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _shares(model: str, partial: float, level: float) -> Iterator[tuple[object, ...]]:
    for outcome, count in (("partial", partial), ("not_partial", ROUNDS_TOLD - partial)):
        interval = UNDEFINED if np.isnan(count) else wilson(int(count), ROUNDS_TOLD, level)
        yield model, outcome, count, *interval
