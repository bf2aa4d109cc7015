"""Who listens well and who tells clearly, apart.

Whether a vote is correct depends on who listens and on who told:

    logit P(correct) = mean + skill[listener] + clarity[storyteller] + own_clue,

the last for listeners that hear their own model. Skill and clarity are identified only up to
a constant that moves into the mean; independent normal priors with mean 0 settle it, so both
sum to 0 over players, and pull what is hardly known towards the others. Estimates are the
mode of the posterior (ridge regression). The mean has a prior so wide that it matters only
where no vote, or every vote, is correct. Intervals are CR2 by match, as in `regression`, the
prior counting as data without a cluster.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats
from scipy.optimize import minimize
from scipy.special import expit

from dixitlib.analysis.regression import cr2

PRIOR_SD = 1.0  # of skill, clarity and own clue, in logits
MEAN_SD = 10.0


def skill_and_clarity(
    votes: pd.DataFrame,
    cluster: str = "match",
    *,
    prior_sd: float = PRIOR_SD,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return listeners' skill and storytellers' clarity; see the module for the model.

    Parameters
    ----------
    votes
        One row a vote: listener, storyteller, own_clue, correct. Missing votes are left out.
    cluster
        Column that says what belongs together: ``match``, or ``table`` for votes over
        counterfactual tables.
    prior_sd
        Standard deviation of the priors, in logits.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        term (``mean``, ``own_clue``, ``skill``, ``clarity``), player (none for the first two),
        votes, estimate, low, high, all in logits. There is no ``own_clue`` where all votes
        are on own clues, or none is. Without votes there are no rows.
    """
    known = votes.dropna(subset=["correct"])
    if known.empty:
        return pd.DataFrame(columns=["term", "player", "votes", "estimate", "low", "high"])
    cells = _Cells.of(known, cluster, prior_sd)
    mode = cells.mode()
    errors, df = cells.errors(mode)
    reach = stats.t.ppf((1 + level) / 2, df) * errors
    heard = (cells.design.T @ cells.counts[..., 0].sum(axis=0)).astype(int)
    found = pd.DataFrame(cells.terms, columns=["term", "player"])
    return found.assign(votes=heard, estimate=mode, low=mode - reach, high=mode + reach)


@dataclass(frozen=True, eq=False)
class _Cells:
    """Votes counted by listener and storyteller, and the model's columns for these cells.

    `counts` has shape (clusters, cells, 2): votes and correct ones.
    """

    terms: list[tuple[str, str | None]]
    design: np.ndarray
    precision: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, votes: pd.DataFrame, cluster: str, prior_sd: float) -> _Cells:
        keys = ["listener", "storyteller", "own_clue"]
        frame = votes[keys].drop_duplicates(ignore_index=True)
        of_cell = votes.groupby(keys, sort=False).ngroup().to_numpy()
        of_cluster, clusters = pd.factorize(votes[cluster])
        counts = np.zeros((len(clusters), len(frame), 2))
        added = np.stack([np.ones(len(votes)), votes["correct"].to_numpy(dtype=float)], axis=1)
        np.add.at(counts, (of_cluster, of_cell), added)
        columns = {("mean", None): np.ones(len(frame))}
        if frame["own_clue"].any() and not frame["own_clue"].all():
            columns["own_clue", None] = frame["own_clue"].to_numpy(dtype=float)
        columns |= {("skill", n): frame["listener"] == n for n in votes["listener"].unique()}
        columns |= {
            ("clarity", n): frame["storyteller"] == n for n in votes["storyteller"].unique()
        }
        sds = [MEAN_SD if term == "mean" else prior_sd for term, _ in columns]
        design = np.stack([np.asarray(c, dtype=float) for c in columns.values()], axis=1)
        return cls(list(columns), design, 1 / np.square(sds), counts)

    def mode(self) -> np.ndarray:
        """Return the posterior mode of each term."""
        votes, hits = self.counts.sum(axis=0).T
        x, precision = self.design, self.precision

        def loss(b: np.ndarray) -> float:
            eta = x @ b
            return float(votes @ np.logaddexp(0, eta) - hits @ eta + precision @ b**2 / 2)

        def slope(b: np.ndarray) -> np.ndarray:
            return x.T @ (votes * expit(x @ b) - hits) + precision * b

        def curvature(b: np.ndarray) -> np.ndarray:
            p = expit(x @ b)
            return (x.T * (votes * p * (1 - p))) @ x + np.diag(precision)

        start = np.zeros(len(self.terms))
        return minimize(loss, start, jac=slope, hess=curvature, method="trust-exact").x

    def errors(self, mode: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the CR2 error of each term, and its degrees of freedom."""
        cluster, cell = np.nonzero(self.counts[..., 0])
        votes, hits = self.counts[cluster, cell].T
        p = expit(self.design[cell] @ mode)
        root = np.sqrt(votes * p * (1 - p))
        x = self.design[cell] * root[:, None]
        return cr2(x, (hits - votes * p) / root, cluster, self.precision)
