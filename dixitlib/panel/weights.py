"""How much each agent counts: less the more unsure it is, and what theory says of that.

The rule in use is w_i = exp(-beta U_i) / sum_j exp(-beta U_j), over the agents that
answered; the system's uncertainty is U_sys = sum_i w_i U_i. Theorem I gives each agent the
utility

    u_i = w_i (1 - U_i) + lambda sum_{j != i} w_j Sim_ij - gamma U_sys.

Summed over the N agents this is linear in w. With an entropy bonus H(w) / eta, its optimum
over all weights is

    w_k = softmax(eta Score_k),  Score_k = lambda sum_{i != k} Sim_ik - (1 + N gamma) U_k,

which for lambda = gamma = 0 is the rule in use with beta = eta. It is what a planner who
sets all weights would choose, not an equilibrium: agents don't choose their weights. And
the sign matters: were entropy a cost, the sum would be convex and its optimum a corner, one
agent with all the weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import entr, softmax

BETA = 1.5


def softmax_weights(U: Sequence[float | None] | np.ndarray, beta: float = BETA) -> np.ndarray:
    """Return the weights of agents by their uncertainties.

    Parameters
    ----------
    U
        Uncertainty of each agent, 0 to 1; None or NaN for one that gave no answer, whose
        weight, 0, goes to the others.
    beta
        How strongly uncertainty takes weight away; 0 weighs all alike.

    Returns
    -------
    ndarray, shape (n,)
        Not negative, summing to 1.

    Raises
    ------
    ValueError
        If nobody answered, or an uncertainty lies outside 0 to 1.
    """
    measured = _uncertainties(U)
    logits = np.where(np.isnan(measured), -np.inf, -beta * np.nan_to_num(measured))
    return softmax(logits)


def system_uncertainty(weights: ArrayLike, U: Sequence[float | None] | np.ndarray) -> float:
    """Return U_sys, the weighted mean of the uncertainties of those that answered."""
    return float(np.asarray(weights) @ np.nan_to_num(_uncertainties(U)))


def utilities(
    weights: ArrayLike, U: ArrayLike, similarity: ArrayLike, lam: float, gamma: float
) -> np.ndarray:
    """Return each agent's utility of Theorem I.

    Parameters
    ----------
    weights, U
        Weight and uncertainty of each agent, shape (n,).
    similarity
        How much each two responses agree, shape (n, n); the diagonal is not looked at.
    lam, gamma
        What agreement is worth, and what the system's uncertainty costs.
    """
    w, u = np.asarray(weights, dtype=float), np.asarray(U, dtype=float)
    return w * (1 - u) + lam * _of_others(similarity) @ w - gamma * (w @ u)


def welfare(
    weights: ArrayLike,
    U: ArrayLike,
    similarity: ArrayLike,
    lam: float,
    gamma: float,
    eta: float,
    sign: Literal[1, -1] = 1,
) -> float:
    """Return the sum of utilities plus (or, with sign -1, minus) the weights' entropy over eta."""
    total = utilities(weights, U, similarity, lam, gamma).sum()
    return float(total + sign * entr(np.asarray(weights)).sum() / eta)


def optimal_weights(
    U: ArrayLike, similarity: ArrayLike, lam: float, gamma: float, eta: float
) -> np.ndarray:
    """Return the weights of highest welfare in closed form, shape (n,)."""
    u = np.asarray(U, dtype=float)
    agreement = _of_others(similarity).sum(axis=0)
    return softmax(eta * (lam * agreement - (1 + len(u) * gamma) * u))


def numerical_optimum(
    U: ArrayLike,
    similarity: ArrayLike,
    lam: float,
    gamma: float,
    eta: float,
    sign: Literal[1, -1] = 1,
) -> np.ndarray:
    """Return the weights of highest welfare by search, knowing nothing of the closed form.

    Sequential quadratic programming on the simplex, begun at the middle and near each
    corner, since with entropy as a cost every corner is a local optimum.
    """
    n = len(np.asarray(U))
    middle = np.full(n, 1 / n)
    starts = [middle, *(0.1 * middle + 0.9 * np.eye(n))]
    found = [
        minimize(
            lambda w: -welfare(np.clip(w, 0, 1), U, similarity, lam, gamma, eta, sign),
            start,
            method="SLSQP",
            bounds=[(0, 1)] * n,
            constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
            options={"ftol": 1e-14, "maxiter": 1_000},
        )
        for start in starts
    ]
    return min(found, key=lambda each: each.fun).x


def _of_others(similarity: ArrayLike) -> np.ndarray:
    """Return similarities with nothing on the diagonal."""
    square = np.array(similarity, dtype=float)
    np.fill_diagonal(square, 0)
    return square


def _uncertainties(U: Sequence[float | None] | np.ndarray) -> np.ndarray:
    measured = np.array([np.nan if each is None else each for each in U], dtype=float)
    if np.isnan(measured).all():
        raise ValueError("no agent answered: there is nobody to give weight to")
    if wrong := [place for place, each in enumerate(measured) if each < 0 or each > 1]:
        raise ValueError(f"uncertainties lie between 0 and 1, unlike those of agents {wrong}")
    return measured
