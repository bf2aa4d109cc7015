"""The wild cluster bootstrap, for regressions with few clusters.

Under a null hypothesis each cluster's residuals are multiplied by one random weight of mean
0 and variance 1, the regression is fitted again, and its t is set beside the observed one
(Cameron, Gelbach and Miller 2008, with the null imposed). The weights are the six of Webb
(2013), which leave enough different draws when there are six matches. An interval holds
the values that the test does not reject.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import bisect

from dixitlib.analysis.inference import UNDEFINED, Interval
from dixitlib.analysis.regression import Design, codes_of, cr2, design_of, linear
from dixitlib.seeds import place

WEBB = np.sqrt([0.5, 1.0, 1.5])
DRAWS = 1999
FARTHEST = 2.0**10  # standard errors; what is not rejected there is never rejected


@dataclass(frozen=True, slots=True)
class _Setting:
    design: Design
    codes: np.ndarray
    term: int
    weights: np.ndarray


def wild_p(
    frame: pd.DataFrame,
    formula: str,
    term: str,
    cluster: str,
    *,
    null: float = 0.0,
    draws: int = DRAWS,
    seed: int = 0,
) -> float:
    """Return the p-value, two-sided, of a coefficient having the value `null`.

    Parameters
    ----------
    frame, formula, cluster
        As in `regression.linear`.
    term
        Name of the coefficient, as `regression.linear` gives it.
    null
        Value under test.
    draws
        Of the bootstrap.
    seed
        Decides the draws.

    Returns
    -------
    float
        NaN with fewer than two clusters.

    Raises
    ------
    ValueError
        If the regression has no such term, and as `regression.linear`.
    """
    return _p(_set(frame, formula, term, cluster, draws, seed), null)


def wild_p_of(
    design: Design, codes: np.ndarray, term: int, *, draws: int = DRAWS, seed: int = 0
) -> float:
    """Return the p-value, two-sided, of a term of a design being 0; see `wild_p`."""
    return _p(_drawn(design, codes, term, draws, seed), 0.0)


def wild_linear(
    frame: pd.DataFrame, formula: str, cluster: str, *, level: float = 0.95, draws: int = DRAWS
) -> pd.DataFrame:
    """Return `regression.linear` with the intervals and p-values of the wild bootstrap.

    For outcomes of one cluster that go against each other, as the scores of two opponents do:
    CR2 takes rows for independent there, and has too much variance.

    Parameters
    ----------
    frame, formula, cluster, level
        As in `regression.linear`.
    draws
        Of the bootstrap.

    Returns
    -------
    DataFrame
        As `regression.linear`; error and df are those of CR2.

    Raises
    ------
    ValueError
        As `regression.linear`.
    """
    table = linear(frame, formula, cluster, level=level).set_index("term")
    for term in table.index:
        asked = frame, formula, term, cluster
        ends = wild_interval(*asked, level=level, draws=draws)
        table.loc[term, ["low", "high"]] = ends.low, ends.high
        table.loc[term, "p"] = wild_p(*asked, draws=draws)
    return table.reset_index()


def wild_interval(
    frame: pd.DataFrame,
    formula: str,
    term: str,
    cluster: str,
    *,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """Return a coefficient with the interval of values that `wild_p` does not reject.

    An end is infinite where the test, with so few clusters, rejects nothing on that side.

    Parameters
    ----------
    level
        Coverage aimed at.
    frame, formula, term, cluster, draws, seed
        As in `wild_p`.
    """
    setting = _set(frame, formula, term, cluster, draws, seed)
    x, y = setting.design.x, setting.design.y
    fit = np.linalg.lstsq(x, y)[0]
    estimate = float(fit[setting.term])
    error = cr2(x, y - x @ fit, setting.codes)[0][setting.term]
    if not error > 0:
        return UNDEFINED._replace(estimate=estimate)
    ends = [_end(setting, estimate, way * error, 1 - level) for way in (-1, 1)]
    return Interval(estimate, *ends)


def _end(setting: _Setting, estimate: float, step: float, alpha: float) -> float:
    """Return where, walking away from the estimate, values begin to be rejected."""
    far = 1.0
    while _p(setting, estimate + far * step) > alpha:
        far *= 2
        if far > FARTHEST:
            return float(np.sign(step) * np.inf)
    inside = 0.0 if far == 1 else far / 2
    ends = estimate + inside * step, estimate + far * step
    # The p-value falls in steps: half a unit of it keeps the sign from being 0.
    between = alpha + 0.5 / (len(setting.weights) + 1)
    return float(bisect(lambda null: _p(setting, null) - between, *ends, xtol=1e-6))


def _set(
    frame: pd.DataFrame, formula: str, term: str, cluster: str, draws: int, seed: int
) -> _Setting:
    design = design_of(frame, formula)
    if term not in design.terms:
        raise ValueError(f"{formula!r} has no term {term!r}; it has {', '.join(design.terms)}")
    codes = codes_of(frame, cluster, design)
    return _drawn(design, codes, design.terms.index(term), draws, seed)


def _drawn(design: Design, codes: np.ndarray, term: int, draws: int, seed: int) -> _Setting:
    chance = place(seed, "wild", term)
    weights = chance.choice(np.r_[-WEBB, WEBB], size=(draws, codes.max() + 1))
    return _Setting(design, codes, term, weights)


def _p(setting: _Setting, null: float) -> float:
    """Return the share of draws at least as far from the null as what was observed."""
    clusters = setting.weights.shape[1]
    if clusters < 2:
        return np.nan
    # Weights of one give the residuals, and so the t, that were observed.
    observed = abs(_t(setting, null, np.ones((1, clusters)))[0])
    drawn = np.abs(_t(setting, null, setting.weights))
    return float((1 + (drawn >= observed * (1 - 1e-12)).sum()) / (1 + len(drawn)))


def _t(setting: _Setting, null: float, weights: np.ndarray) -> np.ndarray:
    """Return the t of each draw, but for a factor that all draws share.

    Everything is linear in the weights, so that no draw is fitted: with u the sums over
    each cluster of regressors times restricted residuals, a draw moves the coefficients by
    (X'X)^-1 sum(w u), and the scores of its own residuals follow.
    """
    term = setting.term
    bread, u, crossed = _sums(setting, null)
    moved = weights @ u @ bread
    scores = weights * (u @ bread[:, term]) - moved @ (crossed @ bread[:, term]).T
    spread = np.sqrt(np.square(scores).sum(axis=1))
    # Without any residual a coefficient that moves is infinitely many errors away.
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(moved[:, term] / spread, nan=0.0)


def _sums(setting: _Setting, null: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (X'X)^-1, and by cluster X'e with the null's residuals e, and X'X."""
    x, codes, term = setting.design.x, setting.codes, setting.term
    others, target = np.delete(x, term, axis=1), setting.design.y - null * x[:, term]
    fitted = others @ np.linalg.lstsq(others, target)[0] if others.size else 0.0
    members = (codes == np.arange(codes.max() + 1)[:, None]).astype(float)
    crossed = np.einsum("gn,ni,nj->gij", members, x, x, optimize=True)
    return np.linalg.inv(x.T @ x), members @ (x * (target - fitted)[:, None]), crossed
