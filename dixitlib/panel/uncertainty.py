"""How unsure an agent is, from 0 to 1: by the odds of its tokens, else by its wording.

Where an endpoint reports what else a token might have been, the uncertainty of a reply is
the mean over its tokens of

    alpha H(P) / log K + beta (1 - (p1 - p2)),

P being the K likeliest alternatives, renormalised, and p1, p2 the two likeliest of them.
The paper prints H without log K, so that its sum can pass 1. The value depends on K (one
distribution gives 0.81, 0.68 and 0.39 at K = 2, 5 and 20), so K stays one number throughout
a run, and the mass that the K alternatives cover is recorded beside the value.

Elsewhere hedging gives it away: with rho the weighted count of words of doubt over all
words, the value is the logistic function of k (rho - offset). At the printed k = 1 and
offset = 0.3 no text comes below 0.426, so no debate could ever converge. Ours are set, not
measured, as local experts say nothing in words of their own: a text without any doubt is at
0.08, low enough for a debate to converge, and one of the middle tier in twenty words at 0.5.
A run of models fits them by `calibrated` to its own first answers, and keeps what it found in
its `scales.json`, for the params file of the next.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import minimize
from scipy.special import entr, expit

from dixitlib.panel.lexicon import LEXICON
from dixitlib.records import Reply

Source = Literal["tokens", "wording"]

PAPER_K, PAPER_OFFSET = 1.0, 0.3
K, OFFSET = 25.0, 0.1

_KEY = re.compile(r'"\w+"\s*:')


@dataclass(frozen=True, slots=True)
class Scale:
    """How uncertainty is measured, the same for all agents of a run.

    Parameters
    ----------
    alpha, beta
        Weights of entropy and of the missing lead of the likeliest token; they sum to 1.
    alternatives
        How many alternatives of a token count; where an endpoint reports fewer, wording does.
    k, offset
        Of the logistic function of wording.
    """

    alpha: float = 0.5
    beta: float = 0.5
    alternatives: int = 5
    k: float = K
    offset: float = OFFSET


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """A value with what it was measured by.

    Parameters
    ----------
    value
        0 to 1; None where there is nothing to go by.
    source
        ``tokens`` or ``wording``.
    coverage
        Mean probability that the alternatives counted hold together; None for wording.
    """

    value: float | None = None
    source: Source | None = None
    coverage: float | None = None


def measured(reply: Reply, scale: Scale | None = None) -> Uncertainty:
    """Return a reply's uncertainty: from its tokens where they are reported, else from its words.

    Parameters
    ----------
    reply
        What an agent said.
    scale
        How it is measured.
    """
    scale = scale or Scale()
    odds = [[logprob for _, logprob in token.alternatives] for token in reply.tokens or ()]
    value = from_tokens(odds, scale.alpha, scale.beta, scale.alternatives)
    if value is not None:
        return Uncertainty(value, "tokens", coverage(odds, scale.alternatives))
    value = from_wording(reply.text or "", scale.k, scale.offset)
    return Uncertainty(value, None if value is None else "wording")


def from_tokens(
    alternatives: Sequence[Sequence[float]],
    alpha: float = 0.5,
    beta: float = 0.5,
    k: int | None = None,
) -> float | None:
    """Return the uncertainty of a reply from the odds of its tokens.

    Parameters
    ----------
    alternatives
        For each token, the natural log-probabilities of what might have stood there.
    alpha, beta
        Weights of the normalised entropy and of one minus the lead; they sum to 1.
    k
        How many alternatives of each token count, the likeliest first; by default as many
        as every token has.

    Returns
    -------
    float or None
        0 to 1. None if there is no token, or one with less than two, or less than k,
        alternatives: nothing is known then, which is not certainty.

    Raises
    ------
    ValueError
        If the weights are negative or do not sum to 1, k is below 2, or log-probabilities
        are above 0, not a number, or all minus infinity; each token at fault is named.
    """
    _check_scale(alpha, beta, k)
    _check_odds(alternatives)
    if not _comparable(alternatives, k):
        return None
    likeliest = _likeliest(alternatives, k)
    odds = likeliest / likeliest.sum(axis=1, keepdims=True)
    entropy = entr(odds).sum(axis=1) / math.log(odds.shape[1])
    lead = odds[:, 0] - odds[:, 1]
    value = np.mean(alpha * entropy + beta * (1 - lead))
    return float(np.clip(value, 0, 1))


def coverage(alternatives: Sequence[Sequence[float]], k: int | None = None) -> float | None:
    """Return the mean probability that the alternatives counted hold together, before scaling.

    None where `from_tokens` gives None.
    """
    if not _comparable(alternatives, k):
        return None
    return float(min(1.0, _likeliest(alternatives, k).sum(axis=1).mean()))


def from_wording(
    text: str,
    k: float = K,
    offset: float = OFFSET,
    lexicon: Mapping[str, float] = LEXICON,
) -> float | None:
    """Return the uncertainty that a text puts into words, 0 to 1; None for a text without words.

    Parameters
    ----------
    text
        What an agent said.
    k, offset
        Slope, and the density of doubt at which the value is one half.
    lexicon
        Weight of each word or phrase of doubt, not negative.
    """
    density = doubt(text, lexicon)
    return None if density is None else float(expit(k * (density - offset)))


def doubt(text: str, lexicon: Mapping[str, float] = LEXICON) -> float | None:
    """Return the weighted count of words of doubt over the count of all words.

    Whole words and phrases only, in either case; of phrases within a phrase the longest.
    Numbers, and the keys of a JSON object, are no words of the author's.
    """
    plain = _KEY.sub(" ", text.replace("’", "'").casefold())
    words = len(re.findall(r"[^\W\d][\w']*", plain))
    if not words:
        return None
    found = _pattern(tuple(lexicon)).findall(plain)
    return sum(lexicon[" ".join(marker.split())] for marker in found) / words


def calibrated(doubts: Sequence[float], wrong: Sequence[bool]) -> tuple[float, float]:
    """Return the k and offset under which a density of doubt best tells the odds of an error.

    A logistic regression by maximum likelihood, with a weak pull of k towards 0, so that
    texts that doubt alone tells apart do not send it to infinity.

    Parameters
    ----------
    doubts
        Density of doubt of each text, from `doubt`.
    wrong
        Whether the answer was wrong.

    Raises
    ------
    ValueError
        If doubt and error do not rise together, so that no offset exists.
    """
    density, error = np.asarray(doubts, dtype=float), np.asarray(wrong, dtype=float)

    def loss(line: np.ndarray) -> float:
        logits = line[0] * density + line[1]
        return float(np.sum(np.logaddexp(0, logits) - error * logits) + 1e-4 * line[0] ** 2)

    slope, intercept = minimize(loss, np.zeros(2), method="BFGS").x
    if slope < 1e-6:
        raise ValueError("errors do not grow with doubt in these texts: keep the defaults")
    return float(slope), float(-intercept / slope)


@functools.cache
def _pattern(markers: tuple[str, ...]) -> re.Pattern[str]:
    spelled = (re.escape(each).replace(r"\ ", r"\s+") for each in sorted(markers, key=len)[::-1])
    return re.compile(rf"(?<![\w'])(?:{'|'.join(spelled)})(?![\w'])")


def _comparable(alternatives: Sequence[Sequence[float]], k: int | None) -> bool:
    fewest = min(map(len, alternatives), default=0)
    return fewest >= (k or 2)


def _likeliest(alternatives: Sequence[Sequence[float]], k: int | None) -> np.ndarray:
    """Return the probabilities of the k likeliest alternatives, likeliest first, (tokens, k)."""
    kept = k or min(map(len, alternatives))
    return np.exp([sorted(token, reverse=True)[:kept] for token in alternatives])


def _check_scale(alpha: float, beta: float, k: int | None) -> None:
    if min(alpha, beta) < 0 or not math.isclose(alpha + beta, 1, abs_tol=1e-9):
        raise ValueError(
            f"alpha {alpha:g} and beta {beta:g} are no weights: take two that sum to 1"
        )
    if k is not None and k < 2:
        raise ValueError(f"{k} alternatives tell no uncertainty: take 2 or more")


def _check_odds(alternatives: Sequence[Sequence[float]]) -> None:
    wrong = [
        place
        for place, token in enumerate(alternatives)
        if token and not (-math.inf < max(token) <= 1e-6 and not any(map(math.isnan, token)))
    ]
    if wrong:
        raise ValueError(
            f"tokens {wrong} have alternatives that are no natural log-probabilities: "
            "give numbers up to 0, of which one at least is finite"
        )
