"""Who wins matches.

Bradley and Terry: i beats j with odds exp(rating i - rating j), a tie being half a win for each
(choix). Davidson: a tie has the weight nu sqrt(w_i w_j) beside w_i and w_j, w being exp(rating).
A pair meets once, so a player that wins all its matches would be rated infinitely high; a normal
prior keeps it finite, and sums ratings to 0.

A match has one winner, so matches are independent and their likelihood can be believed: an
interval of a rating holds the values at which the profile of the penalised likelihood, the other
ratings being free, falls by no more than chi-squared allows. So a player that won all its matches
has an interval too; its upper end is where the prior stops it. Among six equals who meet once,
these intervals hold the truth in 15 of 16 cases if nothing is tied: of a player that won all, or
lost all, they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import choix
import numpy as np
import pandas as pd
from scipy import stats
from scipy.linalg import null_space
from scipy.optimize import brentq, minimize
from scipy.special import logsumexp, softmax

from dixitlib.analysis.inference import UNDEFINED, Interval

RATING_SD = 1.5  # of the prior of a rating, in logits
TIES_SD = 10.0  # of log nu
TIE = 0.5
RATED = ["player", "matches", "wins", "ties", "losses", "rating", "low", "high"]


def match_results(rounds: pd.DataFrame, votes: pd.DataFrame) -> pd.DataFrame:
    """Return who won each match between two players, by the points of both roles.

    Returns
    -------
    DataFrame
        match, first, second, first_points, second_points, result (1 if the first won, 0 if
        the second did, 0.5 for a tie). Void rounds pay nothing; a match of void rounds only
        is left out, and so is self-play.
    """
    told = rounds.loc[rounds["status"] == "ok", ["match", "storyteller", "storyteller_points"]]
    heard = votes.loc[votes["status"] == "ok", ["match", "listener", "points"]]
    columns = ["match", "player", "points"]
    paid = pd.concat([told.set_axis(columns, axis=1), heard.set_axis(columns, axis=1)])
    totals = paid.groupby(["match", "player"], sort=False)["points"].sum()
    rows = [
        (match, *sums.droplevel("match").index, *sums, (np.sign(-np.diff(sums)[0]) + 1) / 2)
        for match, sums in totals.groupby("match", sort=False)
        if len(sums) == 2
    ]
    points = ["first_points", "second_points"]
    return pd.DataFrame(rows, columns=["match", "first", "second", *points, "result"])


def bradley_terry(
    results: pd.DataFrame, *, prior_sd: float = RATING_SD, level: float = 0.95
) -> pd.DataFrame:
    """Return ratings by Bradley and Terry, ties counted as half a win for each side.

    Parameters
    ----------
    results
        From `match_results`: match, first, second, result.
    prior_sd
        Standard deviation of the prior of a rating, in logits.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        player, matches, wins, ties, losses, rating, low, high. One match gives no interval.
    """
    if results.empty:
        return pd.DataFrame(columns=RATED)
    matches = _Matches.of(results, prior_sd, ties=False)
    # Every match stands for two halves, so the penalty, sum of squares / 2 sd^2, does too.
    given = {"alpha": 1 / prior_sd**2, "initial_params": np.zeros(len(matches.names)), "tol": 1e-7}
    mode = choix.opt_pairwise(len(matches.names), _halves(results, matches.names), **given)
    return _rated(results, matches, mode, level)


def davidson(
    results: pd.DataFrame, *, prior_sd: float = RATING_SD, level: float = 0.95
) -> pd.DataFrame:
    """Return ratings by Davidson's model, in which ties are outcomes of their own.

    Returns
    -------
    DataFrame
        As `bradley_terry`, with nu (how much ties weigh; 0, without an interval, if there are
        none) and its interval as the last row, under the player ``ties``.
    """
    if results.empty:
        return pd.DataFrame(columns=RATED)
    matches = _Matches.of(results, prior_sd, ties=True)
    mode = matches.least()
    frame = _rated(results, matches, mode, level)
    nu = UNDEFINED._replace(estimate=0.0)
    if matches.tied:
        nu = Interval(*np.exp(matches.interval(mode, len(matches.names), level)))
    frame.loc[len(frame)] = (*_tally(results, "ties"), *nu)
    return frame


@dataclass(frozen=True, eq=False)
class _Matches:
    """Matches as choices among their ends, each as likely as exp of what parameters add up to.

    Parameters are the players' ratings and, where ties are ends of their own, log nu. `ends`
    has shape (matches, ends, parameters), `reached` (matches, ends) what a match came to.
    """

    names: list[str]
    tied: bool
    ends: np.ndarray
    reached: np.ndarray
    precision: np.ndarray

    @classmethod
    def of(cls, results: pd.DataFrame, prior_sd: float, *, ties: bool) -> _Matches:
        names = list(pd.unique(results[["first", "second"]].to_numpy().ravel()))
        won = results["result"].to_numpy(dtype=float)
        tied = ties and bool((won == TIE).any())
        one = np.eye(len(names) + tied)
        first, second = (one[pd.Index(names).get_indexer(results[s])] for s in ("first", "second"))
        ends, reached = [first, second], [won, 1 - won]
        if tied:
            ends.append((first + second) / 2 + one[-1])
            reached = [won == 1, won == 0, won == TIE]
        precision = 1 / np.square([prior_sd] * len(names) + [TIES_SD] * tied)
        ends, reached = np.stack(ends, axis=1), np.stack(reached, axis=1).astype(float)
        return cls(names, tied, ends, reached, precision)

    def loss(self, b: np.ndarray) -> float:
        """Return minus the logarithm of likelihood and prior."""
        utility = self.ends @ b
        fit = logsumexp(utility, axis=1).sum() - (self.reached * utility).sum()
        return float(fit + self.precision @ b**2 / 2)

    def slope(self, b: np.ndarray) -> np.ndarray:
        missed = softmax(self.ends @ b, axis=1) - self.reached
        return np.einsum("me,mep->p", missed, self.ends) + self.precision * b

    def curvature(self, b: np.ndarray) -> np.ndarray:
        chance = softmax(self.ends @ b, axis=1)
        mean = np.einsum("me,mep->mp", chance, self.ends)
        square = np.einsum("me,mep,meq->pq", chance, self.ends, self.ends, optimize=True)
        return square - mean.T @ mean + np.diag(self.precision)

    def least(self, start: np.ndarray | None = None, ways: np.ndarray | None = None) -> np.ndarray:
        """Return the parameters of least loss that are reached from the start by the ways."""
        ways = np.eye(len(self.precision)) if ways is None else ways
        start = np.zeros(len(self.precision)) if start is None else start
        if not ways.size:
            return start
        found = minimize(
            lambda z: self.loss(start + ways @ z),
            np.zeros(ways.shape[1]),
            jac=lambda z: ways.T @ self.slope(start + ways @ z),
            hess=lambda z: ways.T @ self.curvature(start + ways @ z) @ ways,
            method="trust-exact",
        )
        return start + ways @ found.x

    def interval(self, mode: np.ndarray, parameter: int, level: float) -> Interval:
        """Return the values of a parameter that, with the best others, are likely enough."""
        players = len(self.names)
        move = np.eye(len(mode))[parameter]
        if parameter < players:  # ratings sum to 0, so the others give way
            move[:players] -= (1 - move[:players]) / (players - 1)
        held = np.stack([np.arange(len(mode)) < players, np.eye(len(mode))[parameter]])
        ways, allowed = null_space(held), stats.chi2.ppf(level, 1) / 2
        least = self.loss(mode)

        def beyond(far: float) -> float:
            return self.loss(self.least(mode + far * move, ways)) - least - allowed

        return Interval(mode[parameter], *(mode[parameter] + _crossing(beyond, w) for w in (-1, 1)))


def _crossing(beyond: Callable[[float], float], way: int) -> float:
    """Return where, going one way from 0, a function that rises becomes positive."""
    far = float(way)
    while beyond(far) < 0:
        far *= 2
    return float(brentq(beyond, 0.0, far, xtol=1e-8))


def _rated(
    results: pd.DataFrame, matches: _Matches, mode: np.ndarray, level: float
) -> pd.DataFrame:
    intervals = [matches.interval(mode, k, level) for k in range(len(matches.names))]
    if len(results) < 2:
        intervals = [UNDEFINED._replace(estimate=found.estimate) for found in intervals]
    rows = [(*_tally(results, n), *i) for n, i in zip(matches.names, intervals, strict=True)]
    return pd.DataFrame(rows, columns=RATED)


def _tally(results: pd.DataFrame, name: str) -> tuple[str, int, int, int, int]:
    sides = (results["first"] == name, results["second"] == name)
    own = pd.concat([results.loc[sides[0], "result"], 1 - results.loc[sides[1], "result"]])
    return name, len(own), *(int((own == value).sum()) for value in (1, TIE, 0))


def _halves(results: pd.DataFrame, names: Sequence[str]) -> list[tuple[int, int]]:
    """Return two pairs of winner and loser a match, each worth half of it."""
    number = {name: k for k, name in enumerate(names)}
    pairs = []
    for row in results.itertuples():
        one, other, won = number[row.first], number[row.second], round(2 * row.result)
        pairs += [(one, other)] * won + [(other, one)] * (2 - won)
    return pairs
