"""Does it matter where a card stands? Two questions that are easily taken for one.

`shuffler` counts where the target stood: a test of the shuffling, which says nothing about
whoever looks at the cards. `preferences` asks the listeners: a conditional logit in which a
listener picks among the cards it was shown (its own left out, so choice sets may differ in
size), drawn to the target by one number and to each place by another. Three listeners hear
one clue, so votes are clustered by round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats
from scipy.optimize import minimize
from scipy.special import logsumexp

from dixitlib.analysis.contrasts import Tested
from dixitlib.analysis.regression import Design, separated

ROUND = ("match", "phase", "round")
SHOWN = ["target_position", "choice_position", "n_candidates"]


@dataclass(frozen=True, eq=False)
class Choices:
    """Choices from sets that may differ in size.

    Parameters
    ----------
    x
        What each option is like, shape (choices, most options, terms); rows beyond a set's
        size are ignored.
    open
        Which options there are, shape (choices, most options).
    chosen
        Index of the option taken.
    terms
        Names of the terms.
    """

    x: np.ndarray
    open: np.ndarray
    chosen: np.ndarray
    terms: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Preferences:
    """Where listeners like cards to stand.

    Parameters
    ----------
    table
        term (``target``, ``place 2``, ... against the first), estimate (log odds), error,
        low, high, p, votes, clusters, note.
    joint
        F of all places together, with its p-value.
    """

    table: pd.DataFrame
    joint: Tested


def shuffler(votes: pd.DataFrame) -> pd.DataFrame:
    """Test whether targets were dealt evenly to places, for each size of choice set.

    Returns
    -------
    DataFrame
        n_candidates, place, targets (how often it stood there), expected, chi2, df, p.
    """
    known = votes.dropna(subset=["target_position", "n_candidates"])
    return pd.concat(
        [pd.DataFrame(columns=["n_candidates", "place", "targets", "expected", "chi2", "df", "p"])]
        + [_counted(int(size), part) for size, part in known.groupby("n_candidates")],
        ignore_index=True,
    )


def preferences(
    votes: pd.DataFrame, *, clusters: Sequence[str] = ROUND, level: float = 0.95
) -> Preferences:
    """Ask what a place adds to a card's chances, the target's own attraction aside.

    Parameters
    ----------
    votes
        One row a vote, with target_position, choice_position and n_candidates.
    clusters
        Columns that say which votes belong together.
    level
        Coverage of the intervals.

    Returns
    -------
    Preferences
        All NaN with a note where there are no votes or one cluster, or where some term
        foretells choices without fail.
    """
    known = votes.dropna(subset=SHOWN)
    codes = known.groupby(list(clusters)).ngroup().to_numpy()
    choices = _choices(known)
    if note := _gap(choices, codes):
        nothing = np.full((len(choices.terms), len(choices.terms)), np.nan)
        table = _table(choices, nothing[0], nothing, codes, level, note)
        return Preferences(table, Tested(np.nan, np.nan, note))
    estimate = fit(choices)
    variance = sandwich(choices, estimate, codes)
    table = _table(choices, estimate, variance, codes, level, "")
    return Preferences(table, _joint(estimate[1:], variance[1:, 1:], codes.max()))


def fit(choices: Choices) -> np.ndarray:
    """Return the coefficients of the largest likelihood."""
    start = np.zeros(len(choices.terms))
    found = minimize(
        lambda b: -_log_likelihood(choices, b),
        start,
        jac=lambda b: -_scores(choices, b).sum(axis=0),
        hess=lambda b: _information(choices, b),
        method="trust-exact",
        options={"gtol": 1e-8},
    )
    return found.x


def sandwich(choices: Choices, estimate: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the cluster-robust covariance of the coefficients, codes being from 0."""
    bread = np.linalg.inv(_information(choices, estimate))
    scores = _scores(choices, estimate)
    sums = np.array([np.bincount(codes, score) for score in scores.T])
    clusters = sums.shape[1]
    return clusters / (clusters - 1) * bread @ (sums @ sums.T) @ bread


def _counted(size: int, votes: pd.DataFrame) -> pd.DataFrame:
    places = np.arange(1, size + 1)
    counts = votes["target_position"].value_counts().reindex(places, fill_value=0)
    test = stats.chisquare(counts)
    frame = pd.DataFrame({"place": places, "targets": counts.to_numpy(), "chi2": test.statistic})
    frame.insert(0, "n_candidates", size)
    frame.insert(3, "expected", len(votes) / size)
    return frame.assign(df=size - 1, p=test.pvalue)


def _choices(votes: pd.DataFrame) -> Choices:
    target, chosen, sizes = (votes[column].to_numpy(dtype=int) for column in SHOWN)
    most = int(sizes.max(initial=2))
    places = np.arange(1, most + 1)
    standing = np.broadcast_to(np.eye(most)[:, 1:], (len(votes), most, most - 1))
    x = np.concatenate([(places == target[:, None])[..., None], standing], axis=-1)
    terms = ("target", *(f"place {place}" for place in places[1:]))
    return Choices(x.astype(float), places <= sizes[:, None], chosen - 1, terms)


def _gap(choices: Choices, codes: np.ndarray) -> str:
    """Return why nothing can be estimated, or nothing."""
    if len(np.unique(codes)) < 2:
        return "fewer than two clusters of votes"
    picked = _taken(choices, choices.x)
    against = (picked[:, None] - choices.x)[choices.open]
    if separated(Design(against, np.ones(len(against)), choices.terms, pd.RangeIndex(0))):
        return "separated: some choices follow from target or place without fail"
    return ""


def _taken(choices: Choices, values: np.ndarray) -> np.ndarray:
    return values[np.arange(len(values)), choices.chosen]


def _utilities(choices: Choices, b: np.ndarray) -> np.ndarray:
    return np.where(choices.open, choices.x @ b, -np.inf)


def _log_likelihood(choices: Choices, b: np.ndarray) -> float:
    utilities = _utilities(choices, b)
    return float((_taken(choices, utilities) - logsumexp(utilities, axis=1)).sum())


def _chances(choices: Choices, b: np.ndarray) -> np.ndarray:
    utilities = _utilities(choices, b)
    return np.exp(utilities - logsumexp(utilities, axis=1, keepdims=True))


def _scores(choices: Choices, b: np.ndarray) -> np.ndarray:
    """Return what each choice adds to the gradient, shape (choices, terms)."""
    expected = np.einsum("np,npk->nk", _chances(choices, b), choices.x)
    return _taken(choices, choices.x) - expected


def _information(choices: Choices, b: np.ndarray) -> np.ndarray:
    chances = _chances(choices, b)
    expected = np.einsum("np,npk->nk", chances, choices.x)
    squares = np.einsum("np,npk,npl->kl", chances, choices.x, choices.x, optimize=True)
    return squares - expected.T @ expected


def _joint(places: np.ndarray, variance: np.ndarray, df: int) -> Tested:
    wald = float(places @ np.linalg.solve(variance, places)) / len(places)
    return Tested(wald, float(stats.f.sf(wald, len(places), df)))


def _table(
    choices: Choices,
    estimate: np.ndarray,
    variance: np.ndarray,
    codes: np.ndarray,
    level: float,
    note: str,
) -> pd.DataFrame:
    clusters = len(np.unique(codes))
    error, df = np.sqrt(np.diag(variance)), max(clusters - 1, 1)
    reach = stats.t.ppf((1 + level) / 2, df) * error
    p = 2 * stats.t.sf(np.abs(estimate) / error, df)
    numbers = {"estimate": estimate, "error": error, "low": estimate - reach}
    frame = pd.DataFrame({"term": choices.terms, **numbers, "high": estimate + reach, "p": p})
    return frame.assign(votes=len(choices.chosen), clusters=clusters, note=note)
