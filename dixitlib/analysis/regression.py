"""Regressions whose rows come in clusters: tables, cards, matches.

The coefficients are those of ordinary least squares or of a logistic model; what clusters
change is how far they can be trusted. Below some thirty clusters the usual sandwich is too
sure of itself. The variance here is CR2, which is unbiased if the working model holds, with
the degrees of freedom of Bell and McCaffrey (2002), which fall where few clusters or an
uneven design carry a coefficient. Where the outcome varies by card and by match at once,
`two_way` takes both into account.

Frames in, one row a coefficient out. A model that the rows can't answer is refused, with
what is missing; an error that can't be said is NaN, with a note.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats
from scipy.optimize import linprog

ALIKE = 1e-12  # an error that is but rounding: all clusters say the same
COLUMNS = ["term", "estimate", "error", "df", "low", "high", "p", "clusters", "note"]


@dataclass(frozen=True, slots=True)
class Design:
    """The rows that a formula uses.

    Parameters
    ----------
    x, y
        Regressors, shape (rows, terms), and outcome.
    terms
        Names of the regressors.
    rows
        Labels of the rows in the frame that the formula could use.
    """

    x: np.ndarray
    y: np.ndarray
    terms: tuple[str, ...]
    rows: pd.Index


class Fit(NamedTuple):
    """Estimates, their errors and degrees of freedom, one of each a term."""

    estimates: np.ndarray
    errors: np.ndarray
    df: np.ndarray


def linear(frame: pd.DataFrame, formula: str, cluster: str, *, level: float = 0.95) -> pd.DataFrame:
    """Return a linear regression with CR2 errors and Bell and McCaffrey's degrees of freedom.

    Parameters
    ----------
    frame
        One row an observation. Rows with a missing value in the formula are left out.
    formula
        Such as ``correct ~ listener + similarity``; truth values count as 0 and 1.
    cluster
        Column that says what belongs together.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        term, estimate, error, df, low, high, p, clusters, note.

    Raises
    ------
    ValueError
        If no row is complete, a cluster is missing, or the terms can't be told apart.
    """
    design = design_of(frame, formula)
    codes = codes_of(frame, cluster, design)
    estimates = np.linalg.lstsq(design.x, design.y)[0]
    fit = Fit(estimates, *cr2(design.x, design.y - design.x @ estimates, codes))
    return _table(design.terms, fit, codes.max() + 1, level)


def logistic(
    frame: pd.DataFrame, formula: str, cluster: str, *, level: float = 0.95
) -> pd.DataFrame:
    """Return a logistic regression with cluster-robust errors; estimates are log odds.

    The fit is that of statsmodels. The errors are CR2 of the weighted least squares that
    the last step of the fit solves, with the degrees of freedom of `linear`.

    Parameters
    ----------
    frame, formula, cluster, level
        As in `linear`; the outcome is 0 or 1.

    Returns
    -------
    DataFrame
        As in `linear`. If some terms foretell the outcome of some rows without fail, the
        largest likelihood lies at infinity: all numbers are NaN, and the note says so.

    Raises
    ------
    ValueError
        As in `linear`, and if the outcome is anything but 0 and 1.
    """
    design = design_of(frame, formula)
    codes = codes_of(frame, cluster, design)
    if not np.isin(design.y, (0, 1)).all():
        raise ValueError(f"the outcome of {formula!r} must be 0 or 1 in every row")
    if separated(design):
        note = "separated: some outcomes follow from the terms without fail"
        return _table(design.terms, _unknown(design), codes.max() + 1, level, note)
    return _table(design.terms, fit_logistic(design, codes), codes.max() + 1, level)


def two_way(
    frame: pd.DataFrame, formula: str, clusters: tuple[str, str], *, level: float = 0.95
) -> pd.DataFrame:
    """Return a linear regression whose rows share both of two clusters, as card and match.

    The variance is V(first) + V(second) - V(both) (Cameron, Gelbach and Miller 2011), each of
    them CR2. That difference can come out too small, even negative: it is not taken below the
    lesser of V(first) and V(second). The degrees of freedom are Satterthwaite's of that sum, from
    Bell and McCaffrey's of its parts, but no fewer than the lesser of these, since what makes
    a variance come out small would take its degrees of freedom as well.

    Parameters
    ----------
    clusters
        The two columns.
    frame, formula, level
        As in `linear`.

    Returns
    -------
    DataFrame
        As in `linear`; `clusters` is the smaller number of the two.
    """
    design = design_of(frame, formula)
    codes = [codes_of(frame, cluster, design) for cluster in clusters]
    fewer = min(code.max() + 1 for code in codes)
    return _table(design.terms, fit_two_way(design, *codes), fewer, level)


def fit_logistic(design: Design, codes: np.ndarray) -> Fit:
    """Fit a logistic regression to rows in clusters; see `logistic`."""
    fit = sm.GLM(design.y, design.x, family=sm.families.Binomial()).fit()
    root = np.sqrt(fit.fittedvalues * (1 - fit.fittedvalues))
    return Fit(fit.params, *cr2(design.x * root[:, None], fit.resid_response / root, codes))


def fit_two_way(design: Design, first: np.ndarray, second: np.ndarray) -> Fit:
    """Fit a linear regression to rows in two kinds of clusters; see `two_way`."""
    estimates = np.linalg.lstsq(design.x, design.y)[0]
    if min(first.max(), second.max()) < 1:
        return _unknown(design)._replace(estimates=estimates)
    both = pd.factorize(pd.Series(zip(first, second, strict=True)))[0]
    residuals = design.y - design.x @ estimates
    kinds = [cr2(design.x, residuals, codes) for codes in (first, second, both)]
    errors, freedom = (np.array(each) for each in zip(*kinds, strict=True))
    parts, freedom = np.square(errors[:2]), freedom[:2]
    variance = np.maximum(parts.sum(axis=0) - errors[2] ** 2, parts.min(axis=0))
    weights = parts / np.where(variance > ALIKE**2, variance, np.nan)
    df = np.maximum(1 / (weights**2 / freedom).sum(axis=0), freedom.min(axis=0))
    return Fit(estimates, np.sqrt(variance), df)


def design_of(frame: pd.DataFrame, formula: str) -> Design:
    """Return the matrix of a formula and its outcome.

    Raises
    ------
    ValueError
        If no row is complete, or if the rows can't tell the terms apart.
    """
    whole = _numeric(frame, formula)
    used = [name for name in re.findall(r"\w+", formula) if name in whole]
    if whole[used].isna().any(axis=1).all():
        lacking = [name for name in used if whole[name].isna().all()] or used
        raise ValueError(f"no row is complete for {formula!r}: no {' and no '.join(lacking)}")
    data = smf.ols(formula, whole).data
    x, y = np.asarray(data.exog, dtype=float), np.asarray(data.endog, dtype=float)
    rank, terms = np.linalg.matrix_rank(x), tuple(data.xnames)
    if rank < len(terms):
        raise ValueError(
            f"the {len(x)} rows can't tell the terms of {formula!r} apart (rank {rank} of "
            f"{len(terms)}): {', '.join(terms)}. Drop a term, or a level that never varies"
        )
    return Design(x, y, terms, data.row_labels)


def codes_of(frame: pd.DataFrame, cluster: str, design: Design) -> np.ndarray:
    """Return the number, from 0, of the cluster of each row of a design."""
    codes, _ = pd.factorize(frame.reset_index(drop=True).loc[design.rows, cluster])
    if (codes < 0).any():
        raise ValueError(f"{(codes < 0).sum()} rows have no {cluster}: what do they belong to?")
    return codes


def cr2(
    x: np.ndarray, residuals: np.ndarray, codes: np.ndarray, precision: np.ndarray | float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return the CR2 errors and Bell and McCaffrey's degrees of freedom of each coefficient.

    Parameters
    ----------
    x
        Regressors, shape (rows, terms).
    residuals
        Of the fit.
    codes
        Cluster of each row, from 0. With one cluster everything is NaN.
    precision
        Of each coefficient's prior, which counts as data without a cluster.
    """
    terms = x.shape[1]
    groups = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    if len(groups) < 2:
        return np.full(terms, np.nan), np.full(terms, np.nan)
    root = np.linalg.cholesky(np.linalg.inv(x.T @ x + precision * np.eye(terms)))
    part = x @ root
    grams = np.array([part[rows].T @ part[rows] for rows in groups])
    sums = np.array([part[rows].T @ residuals[rows] for rows in groups])
    # What each cluster adds to each coefficient, the residuals' shrinkage within it undone.
    shares = _unshrunk(grams) @ root.T
    errors = np.sqrt(np.square(np.einsum("gk...,gkt->gt...", sums, shares)).sum(axis=0))
    return errors, _freedom(grams, shares)


def separated(design: Design) -> bool:
    """Tell whether a combination of the terms never contradicts the outcome (Konis 2007)."""
    towards = design.x * (2 * design.y - 1)[:, None]
    found = linprog(
        -towards.sum(axis=0), A_ub=-towards, b_ub=np.zeros(len(towards)), bounds=(-1, 1)
    )
    return bool(-found.fun > 1e-7)


def _freedom(grams: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return Satterthwaite's degrees of freedom of variance estimates under equal noise.

    That is (trace P)^2 / trace(P P), P having the covariances of what the clusters add: what each
    has by its own noise on the diagonal, less what all share by the fit.
    """
    onto = grams @ shares
    own, fitted = (shares * onto).sum(axis=1), np.square(onto).sum(axis=1)
    common = np.square(np.einsum("gkt,glt->tkl", onto, onto)).sum(axis=(1, 2))
    squares = (own**2 - 2 * own * fitted).sum(axis=0) + common
    return (own - fitted).sum(axis=0) ** 2 / squares


def _unshrunk(grams: np.ndarray) -> np.ndarray:
    """Return (1 - gram)^(-1/2) of each cluster; what it alone decides is left out."""
    values, vectors = np.linalg.eigh(grams)
    left = 1 - values
    kept = left > 1e-10
    scale = kept / np.sqrt(np.where(kept, left, 1.0))
    return (vectors * scale[:, None]) @ np.swapaxes(vectors, 1, 2)


def _numeric(frame: pd.DataFrame, formula: str) -> pd.DataFrame:
    """Return the frame with numbered rows and an outcome of floats, truth being 1."""
    outcome = _outcome(formula)
    if outcome not in frame:
        raise ValueError(f"the frame has no column {outcome!r}, the outcome of {formula!r}")
    values = frame[outcome].to_numpy(dtype=float, na_value=np.nan)
    return frame.reset_index(drop=True).assign(**{outcome: values})


def _outcome(formula: str) -> str:
    return formula.partition("~")[0].strip()


def _unknown(design: Design) -> Fit:
    return Fit(*np.full((3, len(design.terms)), np.nan))


def _table(
    terms: tuple[str, ...], fit: Fit, clusters: int, level: float, note: str = ""
) -> pd.DataFrame:
    estimates, errors, df = fit
    reach = stats.t.ppf((1 + level) / 2, df) * errors
    p = 2 * stats.t.sf(np.abs(estimates) / np.where(errors > ALIKE, errors, np.nan), df)
    note = note or ("one cluster: no interval" if clusters < 2 else "")
    note = np.where(errors <= ALIKE, "all clusters alike: no p", note)
    columns = (terms, *fit, estimates - reach, estimates + reach, p)
    frame = pd.DataFrame(dict(zip(COLUMNS, columns, strict=False)))
    return frame.assign(clusters=int(clusters), note=note)
