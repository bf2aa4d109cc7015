"""What a debate was worth: accuracy and its changes, calibration, effort.

A frame has one row for each system and item: system, item, target (the cluster of all
intervals), right (credit of the answer, NaN without one), first_right (of the answer before
any debate), first_uncertainty and uncertainty (U_sys before and after), rounds, ending, and
what it took: calls, encodings, tokens_in, tokens_out, usd (NaN where unknown).

UA needs a threshold, and DA is positive by construction where uncertainty triggers debate;
so AUROC stands beside the one, and the flips beside the other. What can't be said is NaN.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from dixitlib.analysis.inference import difference_interval, share_interval

BINS = 15
EFFORT = ["calls", "encodings", "tokens_in", "tokens_out", "usd"]


def uncertainty_accuracy(uncertainty: ArrayLike, right: ArrayLike, threshold: float) -> float:
    """Return UA: how often "uncertain" (above the threshold) goes with wrong, "certain" with right.

    Parameters
    ----------
    uncertainty
        Of each answer, 0 to 1.
    right
        Whether it was right; answers without either are left out.
    threshold
        To be reported beside the value.
    """
    u, r = _known(uncertainty, right)
    return float(np.mean((u > threshold) == (r < 0.5))) if len(u) else np.nan


def auroc(uncertainty: ArrayLike, right: ArrayLike) -> float:
    """Return how often a wrong answer is more uncertain than a right one, ties counting half.

    The area under the ROC curve, 0.5 by chance; NaN if all are right or all are wrong.
    """
    u, r = _known(uncertainty, right)
    wrong = r < 0.5
    n, m = int(wrong.sum()), int((~wrong).sum())
    if not n or not m:
        return np.nan
    return float((stats.rankdata(u)[wrong].sum() - n * (n + 1) / 2) / (n * m))


def reliability(
    confidence: ArrayLike, right: ArrayLike, bins: int = BINS, by: str = "width"
) -> pd.DataFrame:
    """Return accuracy by confidence.

    Parameters
    ----------
    confidence
        Of each answer, 0 to 1.
    right
        Whether it was right.
    bins
        How many bins.
    by
        ``width`` for bins of one width; ``mass`` for bins with as many answers each, but
        with equal confidences kept together.

    Returns
    -------
    DataFrame
        One row for each bin that is not empty: n, confidence and accuracy (means).
    """
    c, r = _known(confidence, right)
    frame = pd.DataFrame({"confidence": c, "accuracy": r})
    if frame.empty:
        return frame.assign(n=[])[["n", "confidence", "accuracy"]]
    if by == "mass":
        # The place of a confidence among all, its equals sharing the lowest.
        places = (stats.rankdata(c, method="min") - 1) * bins // len(c)
    else:
        places = np.minimum((c * bins).astype(int), bins - 1)
    grouped = frame.groupby(places)
    means = grouped.mean()
    means.insert(0, "n", grouped.size())
    return means.reset_index(drop=True)


def calibration_error(
    confidence: ArrayLike, right: ArrayLike, bins: int = BINS, by: str = "width"
) -> float:
    """Return CE: the mean distance of accuracy from confidence over bins, by answers in them."""
    table = reliability(confidence, right, bins, by)
    if table.empty:
        return np.nan
    return float(np.average((table["accuracy"] - table["confidence"]).abs(), weights=table["n"]))


def brier(confidence: ArrayLike, right: ArrayLike) -> float:
    """Return the mean squared distance of confidence from being right."""
    c, r = _known(confidence, right)
    return float(np.mean((c - r) ** 2)) if len(c) else np.nan


def adaptability(first_uncertainty: ArrayLike, effort: ArrayLike) -> float:
    """Return DA: Spearman's correlation of effort with U_sys at first; NaN if either is fixed.

    Where U_sys decides whether there is a debate, this is positive by construction.
    """
    u, e = _known(first_uncertainty, effort)
    if len(u) < 2 or np.ptp(u) == 0 or np.ptp(e) == 0:
        return np.nan
    return float(stats.spearmanr(u, e).statistic)


def flips(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how often debate changed a wrong answer to a right one, and the reverse.

    Returns
    -------
    DataFrame
        system; items (answered before and after); wrong_to_right, right_to_wrong; p, of
        the exact sign test that both are equally likely (1 where nothing flipped).
    """
    known = frame.dropna(subset=["right", "first_right"])
    before, after = known["first_right"] >= 0.5, known["right"] >= 0.5
    marked = known.assign(mended=~before & after, spoilt=before & ~after)
    grouped = marked.groupby("system", sort=False)
    counts = pd.DataFrame(
        {
            "items": grouped.size(),
            "wrong_to_right": grouped["mended"].sum(),
            "right_to_wrong": grouped["spoilt"].sum(),
        }
    ).reset_index()
    pairs = zip(counts["wrong_to_right"], counts["right_to_wrong"], strict=True)
    return counts.assign(p=[_sign_test(*pair) for pair in pairs])


def summary(frame: pd.DataFrame, threshold: float, level: float = 0.95) -> pd.DataFrame:
    """Return one row for each system: accuracy, calibration, effort.

    Parameters
    ----------
    frame
        See the module.
    threshold
        Of UA.
    level
        Coverage of the interval of accuracy, clustered by target.

    Returns
    -------
    DataFrame
        system; items; coverage (share answered); accuracy, low, high; strict (unanswered
        counted wrong); UA, AUROC, CE, CE_mass, Brier (of confidence 1 - U_sys), DA;
        triggered (share debated), rounds (mean); means of calls, encodings, tokens and usd.
    """
    rows = [
        {"system": system, **_summary(part, threshold, level)}
        for system, part in frame.groupby("system", sort=False)
    ]
    return pd.DataFrame(rows)


def endings(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how many debates ended for which reason, and their share: system, ending."""
    counts = frame.groupby("system", sort=False)["ending"].value_counts().rename("items")
    table = counts.reset_index()
    return table.assign(share=table["items"] / table.groupby("system")["items"].transform("sum"))


def compared(frame: pd.DataFrame, reference: str, level: float = 0.95) -> pd.DataFrame:
    """Return what each system gains over another on the items that both answered.

    Parameters
    ----------
    frame
        See the module.
    reference
        The system that others are compared with.
    level
        Coverage of the intervals, paired by item and clustered by target.

    Returns
    -------
    DataFrame
        system; items; gain (difference in accuracy), low, high; better, worse (items on
        which it alone was right, and the reference alone).

    Raises
    ------
    ValueError
        If there is no such system.
    """
    if reference not in set(frame["system"]):
        raise ValueError(
            f"no system {reference!r}: there are {', '.join(frame['system'].unique())}"
        )
    keys = ["item", "target"]
    known = frame.dropna(subset=["right"])
    base = known.loc[known["system"] == reference, [*keys, "right"]]
    rows = []
    for system, part in known[known["system"] != reference].groupby("system", sort=False):
        both = part[[*keys, "right"]].merge(
            base, on=keys, suffixes=("", "_base"), validate="one_to_one"
        )
        rows.append({"system": system, **_gain(both, level)})
    return pd.DataFrame(rows)


def frontier(points: pd.DataFrame, cost: str, value: str = "accuracy") -> pd.Series:
    """Return for each row whether no other one is as cheap and better, or as good and cheaper."""
    c, v = points[cost].to_numpy(dtype=float), points[value].to_numpy(dtype=float)
    as_good = (c[None, :] <= c[:, None]) & (v[None, :] >= v[:, None])
    ahead = (c[None, :] < c[:, None]) | (v[None, :] > v[:, None])
    known = ~(np.isnan(c) | np.isnan(v))
    return pd.Series(known & ~(as_good & ahead).any(axis=1), index=points.index)


def _summary(part: pd.DataFrame, threshold: float, level: float) -> Mapping[str, object]:
    answered = part.dropna(subset=["right"])
    sure, right = 1 - answered["uncertainty"], answered["right"]
    accuracy = share_interval(answered, "right", "target", level)
    return {
        "items": len(part),
        "coverage": len(answered) / len(part),
        "accuracy": accuracy.estimate,
        "low": accuracy.low,
        "high": accuracy.high,
        "strict": part["right"].fillna(0).mean(),
        "UA": uncertainty_accuracy(answered["uncertainty"], right, threshold),
        "AUROC": auroc(answered["uncertainty"], right),
        "CE": calibration_error(sure, right),
        "CE_mass": calibration_error(sure, right, by="mass"),
        "Brier": brier(sure, right),
        "DA": adaptability(part["first_uncertainty"], part["rounds"]),
        "triggered": (part["rounds"] > 0).mean(),
        "rounds": part["rounds"].mean(),
        **{name: part[name].mean(skipna=False) for name in EFFORT},
    }


def _gain(both: pd.DataFrame, level: float) -> Mapping[str, object]:
    base = both.assign(right=both["right_base"])
    interval = difference_interval(both, base, "right", "target", level)
    difference = both["right"] - both["right_base"]
    return {
        "items": len(both),
        "gain": interval.estimate,
        "low": interval.low,
        "high": interval.high,
        "better": int((difference > 0).sum()),
        "worse": int((difference < 0).sum()),
    }


def _sign_test(mended: int, spoilt: int) -> float:
    flipped = int(mended + spoilt)
    return float(stats.binomtest(int(mended), flipped).pvalue) if flipped else 1.0


def _known(values: ArrayLike, marks: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return both without the rows in which either is missing."""
    one, other = np.asarray(values, dtype=float), np.asarray(marks, dtype=float)
    known = ~(np.isnan(one) | np.isnan(other))
    return one[known], other[known]
