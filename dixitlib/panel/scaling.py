"""What a panel of local eyes is set by: temperatures and thresholds, on cards never played.

Temperatures are those under which what is believed is most likely to be so: of answers,
the log loss of the target; of claims, that of a claim holding at its confidence. What
others count beside one's own belief is set in the same way. Thresholds are set by how
many questions are to be debated, as the paper's own numbers depend on how conflict is
measured: each is the same quantile, chosen so that one or the other passes in that share.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

DECIMALS = 6
STEPS = 400  # quantiles that thresholds are looked for among


def temperature(cosines: np.ndarray, targets: np.ndarray) -> float:
    """Return the temperature under which targets are likeliest.

    Parameters
    ----------
    cosines
        Of each question's options, shape (n, options).
    targets
        Place of each target among them, shape (n,).
    """
    rows = np.arange(len(targets))
    return _least(lambda tau: -log_softmax(cosines / tau, axis=1)[rows, targets].mean())


def sharpness(cosines: np.ndarray, shown: np.ndarray) -> float:
    """Return the temperature under which the confidence of claims is likeliest.

    Parameters
    ----------
    cosines
        Of each card with the vocabulary, shape (n, values); the largest is claimed.
    shown
        Which values a card does show, same shape.
    """
    claimed = cosines.argmax(axis=1)
    holds = shown[np.arange(len(claimed)), claimed]

    def loss(tau: float) -> float:
        sure = np.clip(softmax(cosines / tau, axis=1).max(axis=1), 1e-9, 1 - 1e-9)
        return -np.where(holds, np.log(sure), np.log1p(-sure)).mean()

    return _least(loss)


def heed(logits: np.ndarray, targets: np.ndarray) -> float:
    """Return what the others' mean log odds should count, so that targets are likeliest.

    Parameters
    ----------
    logits
        Log odds of each agent, question and option, shape (agents, n, options).
    targets
        Place of each target, shape (n,).
    """
    beliefs = log_softmax(logits, axis=2)
    others = (beliefs.sum(axis=0) - beliefs) / (len(beliefs) - 1)
    rows = np.arange(len(targets))

    def loss(count: float) -> float:
        return -log_softmax(beliefs + count * others, axis=2)[:, rows, targets].mean()

    found = minimize_scalar(loss, bounds=(0, len(beliefs)), method="bounded")
    return round(float(found.x), 3)


def thresholds(
    uncertainties: np.ndarray, conflicts: np.ndarray, share: float
) -> tuple[float, float]:
    """Return theta_u and theta_c, above which, one or the other, that share of questions lies."""
    levels = np.linspace(0, 1, STEPS + 1)
    pairs = [(np.quantile(uncertainties, q), np.quantile(conflicts, q)) for q in levels]
    begun = [float(((uncertainties > u) | (conflicts > c)).mean()) for u, c in pairs]
    nearest = int(np.argmin(np.abs(np.array(begun) - share)))
    theta_u, theta_c = pairs[nearest]
    return round(float(theta_u), 4), round(float(theta_c), 4)


def _least(loss: Callable[[float], float]) -> float:
    """Return the temperature between 0.001 and 10 of least loss."""
    found = minimize_scalar(lambda power: loss(np.exp(power)), bounds=np.log([1e-3, 10]))
    return round(float(np.exp(found.x)), DECIMALS)
