"""Who listens well and who tells clearly, apart; and who wins matches.

**Crossed model.** Whether a vote is correct depends on who listens and on who told:

    logit P(correct) = mean + skill[listener] + clarity[storyteller] + own_clue,

the last for listeners that hear their own model. Skill and clarity are identified only up to
a constant that moves into the mean; independent normal priors with mean 0 settle it, so both
sum to 0 over players, and pull what is hardly known towards the others. Estimates are the
mode of the posterior (ridge regression). The mean has a prior so wide that it matters only
where no vote, or every vote, is correct.

**Match ratings.** Bradley and Terry: i beats j with odds exp(rating i - rating j), a tie
being half a win for each (choix). Davidson: a tie has the weight nu sqrt(w_i w_j) beside
w_i and w_j, w being exp(rating). A pair meets once, so a player that wins all its matches
would be rated infinitely high; a normal prior keeps it finite, and sums ratings to 0.

Intervals are a jackknife by match. In simulated round robins of six players those of skill and
clarity cover 94 to 95%, also where the three votes on a clue go together. Those of ratings cover
92 to 97% of ratings within 1.5 of the mean, though five matches a player draw the ratings
themselves in by a third; a narrower prior would draw them in further, and cover less. A player
that won all its matches, or lost all, has no interval: the jackknife never saw it do otherwise,
and among equals who meet five times that happens to one in sixteen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import choix
import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import expit

from dixitlib.analysis.inference import Interval, jackknife_interval

PRIOR_SD = 1.0  # of skill, clarity and own clue, in logits
RATING_SD = 1.5  # of match ratings
WIDE_SD = 10.0
TIE = 0.5


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
    whole = cells.counts.sum(axis=0)
    full = cells.mode(whole, np.zeros(len(cells.terms)))
    left = [cells.mode(whole - counts, full) for counts in cells.counts]
    heard = cells.design.T @ cells.counts[..., 0].sum(axis=0)
    rows = [
        (*term, int(n), *interval)
        for term, n, interval in zip(cells.terms, heard, _intervals(full, left, level), strict=True)
    ]
    return pd.DataFrame(rows, columns=["term", "player", "votes", "estimate", "low", "high"])


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
        sds = [WIDE_SD if term == "mean" else prior_sd for term, _ in columns]
        design = np.stack([np.asarray(c, dtype=float) for c in columns.values()], axis=1)
        return cls(list(columns), design, 1 / np.square(sds), counts)

    def mode(self, counts: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Return the posterior mode for counts of the cells, shape (cells, 2), found from start."""
        votes, hits = counts.T
        x, precision = self.design, self.precision

        def loss(b: np.ndarray) -> float:
            eta = x @ b
            return float(votes @ np.logaddexp(0, eta) - hits @ eta + precision @ b**2 / 2)

        def slope(b: np.ndarray) -> np.ndarray:
            return x.T @ (votes * expit(x @ b) - hits) + precision * b

        def curvature(b: np.ndarray) -> np.ndarray:
            p = expit(x @ b)
            return (x.T * (votes * p * (1 - p))) @ x + np.diag(precision)

        return minimize(loss, start, jac=slope, hess=curvature, method="trust-exact").x


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
        player, matches, wins, ties, losses, rating, low, high (missing for a player that won
        all its matches, or lost all).
    """

    def rate(matches: np.ndarray, start: np.ndarray) -> np.ndarray:
        beaten = [pair for match in matches for pair in _halves(*match)]
        # Every match stands for two halves, so the penalty, sum of squares / 2 sd^2, does too.
        given = {"initial_params": start, "tol": 1e-7}
        return choix.opt_pairwise(len(start), beaten, alpha=1 / prior_sd**2, **given)

    return _rated(results, rate, level)


def davidson(
    results: pd.DataFrame, *, prior_sd: float = RATING_SD, level: float = 0.95
) -> pd.DataFrame:
    """Return ratings by Davidson's model, in which ties are outcomes of their own.

    Returns
    -------
    DataFrame
        As `bradley_terry`, with nu (how much ties weigh; 0 if there are none) and its
        interval as the last row, under the player ``ties``.
    """

    def rate(matches: np.ndarray, start: np.ndarray) -> np.ndarray:
        first, second, result = matches.T
        pair, tied = (first.astype(int), second.astype(int)), result == TIE

        def loss(b: np.ndarray) -> float:
            up, down = b[:-1][pair[0]], b[:-1][pair[1]]
            even = b[-1] + (up + down) / 2 if tied.any() else np.full(len(up), -np.inf)
            reached = np.where(tied, even, np.where(result == 1, up, down))
            whole = np.logaddexp(np.logaddexp(up, down), even)
            prior = np.square(b[:-1]).sum() / prior_sd**2 + np.square(b[-1] / WIDE_SD)
            return float((whole - reached).sum() + prior / 2)

        found = minimize(loss, np.append(start, 0.0), method="BFGS").x
        return np.append(found[:-1], np.exp(found[-1]) if tied.any() else 0.0)

    return _rated(results, rate, level, "ties")


def _rated(
    results: pd.DataFrame,
    rate: Callable[[np.ndarray, np.ndarray], np.ndarray],
    level: float,
    *more: str,
) -> pd.DataFrame:
    columns = ["player", "matches", "wins", "ties", "losses", "rating", "low", "high"]
    if results.empty:
        return pd.DataFrame(columns=columns)
    names = list(pd.unique(results[["first", "second"]].to_numpy().ravel()))
    matches = np.array(_numbered(results, names))
    full = rate(matches, np.zeros(len(names)))
    each = range(len(matches)) if len(matches) > 1 else ()
    left = [rate(np.delete(matches, match, axis=0), full[: len(names)]) for match in each]
    intervals = _intervals(full, left, level)
    rated = zip([*names, *more], intervals, strict=True)
    rows = [_bounded(_tally(results, name), interval) for name, interval in rated]
    return pd.DataFrame(rows, columns=columns)


def _tally(results: pd.DataFrame, name: str) -> tuple[str, int, int, int, int]:
    sides = (results["first"] == name, results["second"] == name)
    own = pd.concat([results.loc[sides[0], "result"], 1 - results.loc[sides[1], "result"]])
    return name, len(own), *(int((own == value).sum()) for value in (1, TIE, 0))


def _numbered(results: pd.DataFrame, names: Sequence[str]) -> list[tuple[int, int, float]]:
    number = {name: k for k, name in enumerate(names)}
    rows = results[["first", "second", "result"]].itertuples(index=False)
    return [(number[first], number[second], result) for first, second, result in rows]


def _halves(first: float, second: float, result: float) -> list[tuple[int, int]]:
    """Return two pairs of winner and loser, each worth half a match."""
    first, second, won = int(first), int(second), round(2 * result)
    return [(first, second)] * won + [(second, first)] * (2 - won)


def _bounded(tally: tuple[str, int, int, int, int], interval: Interval) -> tuple[object, ...]:
    """Take the ends from a player that won all, or lost all: without one match it still does."""
    _, matches, wins, _, losses = tally
    sure = matches > 0 and matches in (wins, losses)
    return *tally, interval.estimate, *((np.nan, np.nan) if sure else interval[1:])


def _intervals(full: np.ndarray, left: Sequence[np.ndarray], level: float) -> list[Interval]:
    """Return an interval for each of several estimates from those without each cluster."""
    without = np.array(left).reshape(len(left), len(full)).T
    return [
        jackknife_interval(float(value), pd.Series(each), level)
        for value, each in zip(full, without, strict=True)
    ]
