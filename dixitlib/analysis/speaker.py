"""What a storyteller was after, read off the clues that it told and those it passed over.

A speaker of rational speech acts tells clue u of card t with probability

    S(u | t) = exp(alpha z(t, u) / T) / sum over u' of exp(alpha z(t, u') / T),

u' running over the bank of clues, and u itself where it is not in the bank. z is what the
clue is worth to the speaker's goal, in standard deviations over cards of another deck:

- `literal`: how near the clue is to the card;
- `informative`: the mean log chance of a listener to find the card;
- `partial`: the chance that some but not all of three listeners find it.

The last two depend on the listeners that the speaker imagines. Their `noise` is the
temperature of these listeners, as a multiple of what is usual for the eyes they see with.

Two failures thus become two numbers. A speaker who is too vague has an alpha near 0: it
tells what comes to mind, whatever it is worth. One who is too literal assumes more noise
than there is, takes its listeners to be dull, and tells them too much; noise below 1 is a
speaker who takes them to be sharper than they are.

Both are estimated by maximum likelihood, given the card: how the card was chosen among the
hand does not enter. Intervals come from a jackknife by match, for noise on the scale of its
logarithm. The eyes are assumed too: a speaker that sees with others has its scores blurred,
which lowers alpha, so compare likelihoods over eyes and goals before reading parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from scipy.interpolate import CubicSpline
from scipy.special import logsumexp

from dixitlib.analysis.inference import Interval, jackknife_interval

if TYPE_CHECKING:
    from dixitlib.store import Fits
    from dixitlib.store.fits import View

GOALS = ("literal", "informative", "partial")
ALPHAS = np.arange(-2, 12.01, 0.5)
NOISES = 2.0 ** np.arange(-2, 2.01, 0.5)
TEMPERATURE = 0.7  # T above, the paper's
COLUMNS = [
    *("player", "eyes", "goal", "rounds", "alpha", "low", "high"),
    *("noise", "noise_low", "noise_high", "bits", "note"),
]


@dataclass(frozen=True, eq=False)
class Likelihood:
    """What any speaker with given eyes and goal makes of any clue, on a grid of parameters.

    Parameters
    ----------
    worth
        z of each clue, shape (noises, cards, clues).
    total
        Log of the sum over the bank of exp(alpha z / T), shape (alphas, noises, cards).
    noises
        Assumed noises of the grid.
    bank
        How many of the clues are the bank's.
    """

    worth: np.ndarray
    total: np.ndarray
    noises: np.ndarray
    bank: int

    def of(self, card: int, clue: int) -> np.ndarray:
        """Return the log likelihood of a clue told of a card, shape (noises, alphas)."""
        told = np.multiply.outer(self.worth[:, card, clue], ALPHAS / TEMPERATURE)
        total = self.total[:, :, card].T
        return told - (total if clue < self.bank else np.logaddexp(total, told))


def estimate(
    rounds: pd.DataFrame,
    fits: Fits,
    eyes: str | Mapping[str, str],
    goal: str = "partial",
    *,
    noises: Sequence[float] = NOISES,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return each storyteller's alpha and the noise of the listeners that it imagined.

    Parameters
    ----------
    rounds
        One row a round: storyteller, match, clue, target. Rounds without a clue are left out.
    fits
        The run's, from `store.read_fits`.
    eyes
        In whose view clues are scored: one name for all players, or one for each.
    goal
        What the speaker is taken to be after, one of `GOALS`.
    noises
        A grid of assumed noises, ascending; a single one is taken as known. A `literal`
        speaker imagines no listeners.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        player, eyes, goal, rounds; alpha, low, high; noise, noise_low, noise_high; bits (how
        much likelier its clues are than clues drawn at random, log2 for each clue); note
        (why an interval is missing: one match, or an estimate at the edge of the grid).

    Raises
    ------
    ValueError
        If goal or eyes are unknown, or a clue or card is in no row of the fits; all are named.
    """
    told = rounds.dropna(subset=["clue", "target"])
    noises = np.ones(1) if goal == "literal" else np.asarray(noises, dtype=float)
    players = rounds["storyteller"].unique()
    seen = {p: eyes if isinstance(eyes, str) else eyes.get(p, "") for p in players}
    _refuse_unknown(told, fits, goal, seen.values())
    grids = {name: likelihood(fits, name, goal, noises) for name in dict.fromkeys(seen.values())}
    rows = [
        (player, name, goal, *_row(told[told["storyteller"] == player], fits, grids[name], level))
        for player, name in seen.items()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def likelihood(fits: Fits, eyes: str, goal: str, noises: Sequence[float] = NOISES) -> Likelihood:
    """Return the likelihood of every clue of every card; see `Likelihood`."""
    noises = np.asarray(noises, dtype=float)
    worth = worths(fits, eyes, goal, noises)
    logits = worth[:, :, : fits.bank] / TEMPERATURE
    total = np.stack([logsumexp(alpha * logits, axis=2) for alpha in ALPHAS])
    return Likelihood(worth, total, noises, fits.bank)


def worths(fits: Fits, eyes: str, goal: str, noises: Sequence[float]) -> np.ndarray:
    """Return what each clue of each card is worth to a goal, shape (noises, cards, clues).

    The standard deviation that makes the scale is known for a noise of 1, from cards of
    another deck; for other noises it is changed in the ratio that holds for these cards.
    """
    view = fits.views[eyes]
    usual = _score(view, goal, fits.hands, 1.0).std() / view.spread[goal]
    scored = [_score(view, goal, fits.hands, noise) for noise in noises]
    return np.stack([score * usual / score.std() for score in scored])


def _score(view: View, goal: str, hands: np.ndarray, noise: float) -> np.ndarray:
    if goal == "literal":
        return view.fit
    tau = view.tau * noise
    drawn = np.exp(view.decoys[hands].max(axis=2) / tau)  # what three listeners lay, (K, 3, n)
    others = drawn.sum(axis=1, keepdims=True) - drawn
    return np.stack([_aim(goal, own / (own + others)) for own in np.exp(view.fit / tau)])


def _aim(goal: str, chance: np.ndarray) -> np.ndarray:
    """Return what chances to find the card, shape (K, 3, n), are worth, meaned over tables."""
    if goal == "informative":
        return np.log(chance).mean(axis=(0, 1))
    return (1 - chance.prod(axis=1) - (1 - chance).prod(axis=1)).mean(axis=0)


def _row(told: pd.DataFrame, fits: Fits, grid: Likelihood, level: float) -> tuple[object, ...]:
    """Return a player's estimates, from the number of its rounds to the note."""
    if told.empty:
        return 0, *[np.nan] * 7, "no clue told"
    cards = pd.Index(fits.cards).get_indexer(told["target"])
    clues = pd.Index(fits.clues).get_indexer(told["clue"])
    each = np.stack([grid.of(*place) for place in zip(cards, clues, strict=True)])
    matches, codes = np.unique(told["match"], return_inverse=True)
    full = _peak(each.sum(axis=0), grid.noises)
    left = [each[codes != code].sum(axis=0) for code in range(len(matches))]
    peaks = [_peak(surface, grid.noises) for surface in left if len(left) > 1]
    without = pd.DataFrame(peaks, columns=Peak._fields)
    alpha = _interval(full.alpha, without["alpha"], ALPHAS, level)
    noise = _interval(full.noise, without["noise"], np.log2(grid.noises), level)
    bits = full.height / len(told) / np.log(2) + np.log2(fits.bank)
    return len(told), *alpha, *np.exp2(noise), bits, _note(alpha, noise, len(matches), grid)


class Peak(NamedTuple):
    """Where a likelihood is highest, noise as a power of 2, and how high that is."""

    alpha: float
    noise: float
    height: float


def _peak(surface: np.ndarray, noises: np.ndarray) -> Peak:
    """Return the peak of a log likelihood, shape (noises, alphas)."""
    alphas, heights = np.transpose([_summit(ALPHAS, profile) for profile in surface])
    if len(noises) == 1:
        return Peak(alphas[0], np.log2(noises[0]), heights[0])
    at = np.log2(noises)
    noise, height = _summit(at, heights)
    return Peak(float(CubicSpline(at, alphas)(noise)), noise, height)


def _summit(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return where a curve through points is highest, and how high it is there."""
    curve = CubicSpline(x, y)
    slope_free = curve.derivative().roots(extrapolate=False)
    at = np.concatenate([slope_free[np.isfinite(slope_free)], x[[0, -1]]])
    best = at[curve(at).argmax()]
    return float(best), float(curve(best))


def _interval(full: float, without: pd.Series, grid: np.ndarray, level: float) -> Interval:
    """Return a jackknife interval, without ends if an estimate lies at the grid's."""
    if np.isin([full, *without], grid[[0, -1]]).any():
        return Interval(full, np.nan, np.nan)
    return jackknife_interval(full, without, level)


def _note(alpha: Interval, noise: Interval, matches: int, grid: Likelihood) -> str:
    if matches == 1:
        return "one match: no intervals"
    unknown = {"alpha": alpha, "noise": noise} if len(grid.noises) > 1 else {"alpha": alpha}
    edged = [name for name, interval in unknown.items() if np.isnan(interval.low)]
    return f"{' and '.join(edged)} at the edge of the grid: no interval" if edged else ""


def _refuse_unknown(told: pd.DataFrame, fits: Fits, goal: str, eyes: Iterable[str]) -> None:
    known = {
        "goal": ([goal], GOALS),
        "eyes": (eyes, fits.views),
        "clue": (told["clue"], set(fits.clues)),
        "card": (told["target"], set(fits.cards)),
    }
    faults = [
        f"{kind} {value!r}"
        for kind, (values, options) in known.items()
        for value in dict.fromkeys(values)
        if value not in options
    ]
    if faults:
        raise ValueError(
            f"the fits know no {', no '.join(faults)}: were they measured for this run, after "
            f"it was played? Goals are {', '.join(GOALS)}, eyes are {', '.join(fits.views)}"
        )
