"""Storyteller x listener x card: what is whose, when everybody heard everybody.

Over counterfactual tables (`store.read_counterfactual`) each listener votes on each
storyteller's clue to each card, so a hit can be traced: to the listener, to the
storyteller, to the card, or to what a pair of players has in common. A round robin can't
do that, since who met whom over which card is one draw.

All here is on the scale of shares: a player near 0 or 1 has no room for an effect. Cards
are what was sampled, so they are the clusters; players are those that were asked, and no
interval speaks for others. Tables with a missing vote are left out whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
import pandas as pd
from scipy import stats

from dixitlib.analysis.inference import jackknife_interval, share_interval

CHANCE = "chance"
KEYS = ["target", "storyteller", "listener"]
AXES = (0, 1, 2)
PARTS = {
    (1,): "storyteller",
    (2,): "listener",
    (0,): "card",
    (1, 2): "storyteller x listener",
    (0, 1): "storyteller x card",
    (0, 2): "listener x card",
    (0, 1, 2): "all three, and chance",
}
"""Components of variance by the axes of a `Crossed`; the last holds the votes' own noise."""


@dataclass(frozen=True, eq=False)
class Crossed:
    """Votes on all clues by all listeners: 1 where the target was found.

    Parameters
    ----------
    hits
        Shape (cards, storytellers, listeners).
    cards, storytellers, listeners
        What stands along each axis.
    dropped
        How many cards were left out because a vote was missing.
    """

    hits: np.ndarray
    cards: tuple[str, ...]
    storytellers: tuple[str, ...]
    listeners: tuple[str, ...]
    dropped: int

    @property
    def gap(self) -> str:
        """Why nothing can be told apart, or nothing."""
        axes = ("cards", "storytellers", "listeners")
        few = [f"{n} {name}" for n, name in zip(self.hits.shape, axes, strict=True) if n < 2]
        return f"only {', '.join(few)} without a missing vote" if few else ""


def crossed(votes: pd.DataFrame) -> Crossed:
    """Arrange votes by card, storyteller and listener; players in order of appearance.

    Raises
    ------
    ValueError
        If a listener voted twice on one clue.
    """
    if votes.duplicated(KEYS).any():
        twice = votes.loc[votes.duplicated(KEYS), KEYS].iloc[0].to_dict()
        raise ValueError(f"a listener has one vote on a clue, but there are more for {twice}")
    storytellers, listeners = votes["storyteller"].unique(), votes["listener"].unique()
    cells = pd.MultiIndex.from_product([storytellers, listeners])
    table = votes.astype({"correct": float}).pivot_table("correct", KEYS[0], KEYS[1:])
    whole = table.reindex(columns=cells).dropna()
    shape = (len(whole), len(storytellers), len(listeners))
    names = tuple(whole.index), tuple(storytellers), tuple(listeners)
    dropped = votes["target"].nunique() - len(whole)
    return Crossed(whole.to_numpy().reshape(shape), *names, dropped)


def components(votes: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Split the variance of hits into what storytellers, listeners and cards bring.

    By moments: mean squares of the balanced three-way layout set equal to what random
    effects would make of them. With one vote a cell, what all three bring together can't
    be told from chance. That two players are one and the same on the diagonal counts into
    storyteller x listener; `effects` takes it out.

    Returns
    -------
    DataFrame
        component, variance (below 0 where a part is smaller than the noise about it), low,
        high (jackknife over cards, for these players), share (of all parts, those below 0
        taken as 0), note.
    """
    found = crossed(votes)
    full = _components(found.hits)
    without = [_components(np.delete(found.hits, card, axis=0)) for card in range(len(found.cards))]
    left_out = pd.DataFrame(without, columns=list(PARTS))
    rows = [
        (name, *jackknife_interval(full[part], left_out[part], level))
        for part, name in PARTS.items()
    ]
    frame = pd.DataFrame(rows, columns=["component", "variance", "low", "high"])
    positive = frame["variance"].clip(lower=0)
    return frame.assign(share=positive / positive.sum(min_count=1), note=found.gap)


def matrix(votes: pd.DataFrame, *, cluster: str = "target", level: float = 0.95) -> pd.DataFrame:
    """Return how often each listener finds each storyteller's target.

    Parameters
    ----------
    votes
        One row a vote: of counterfactual tables, or of a round robin.
    cluster
        Column that says which votes belong together.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        listener, storyteller, own_clue, votes, accuracy, low, high; the last row is what
        random votes among the same candidates would give.
    """
    known = votes.dropna(subset=["correct"])
    rows = [
        (*pair, pair[0] == pair[1], len(heard), *share_interval(heard, "correct", cluster, level))
        for pair, heard in known.groupby(["listener", "storyteller"], sort=False)
    ]
    columns = ["listener", "storyteller", "own_clue", "votes", "accuracy", "low", "high"]
    by_chance = (1 / known["n_candidates"]).mean()
    rows.append((CHANCE, CHANCE, False, len(known), by_chance, np.nan, np.nan))
    return pd.DataFrame(rows, columns=columns)


def effects(
    votes: pd.DataFrame, *, shared: Sequence[str] = ("own_clue",), level: float = 0.95
) -> pd.DataFrame:
    """Tell listening, telling and what pairs share apart.

    Least squares of hits on listeners and storytellers, each as a deviation from the mean
    of its kind, and on what pairs share. All cards have the same cells, so the estimate is
    the mean of the cards' own, and its interval is their t.

    Parameters
    ----------
    votes
        One row a vote over counterfactual tables.
    shared
        Columns of truth values that say what the two players of a vote have in common, such
        as being the same; constant for each pair.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        effect (``listening``, ``telling`` or ``shared``), name (the player, or the column),
        estimate, low, high, cards, note. A telling effect says how often a clue is found,
        which is clarity and not the storyteller's score.
    """
    found = crossed(votes)
    design = _design(found, votes, shared)
    names = [
        *(("listening", name) for name in found.listeners),
        *(("telling", name) for name in found.storytellers),
        *(("shared", column) for column in shared),
    ]
    frame = pd.DataFrame(names, columns=["effect", "name"])
    if note := found.gap or _confounded(design, found, shared):
        return frame.assign(estimate=np.nan, low=np.nan, high=np.nan, cards=0, note=note)
    cards = len(found.cards)
    by_card = (found.hits.reshape(cards, -1) @ np.linalg.pinv(design).T)[:, 1:]
    estimate = by_card.mean(axis=0)
    reach = stats.t.ppf((1 + level) / 2, cards - 1) * by_card.std(axis=0, ddof=1) / np.sqrt(cards)
    ends = {"estimate": estimate, "low": estimate - reach, "high": estimate + reach}
    return frame.assign(**ends, cards=cards, note="")


def _components(hits: np.ndarray) -> dict[tuple[int, ...], float]:
    """Return the variance of each part; all NaN where a kind has fewer than two members."""
    if min(hits.shape) < 2:
        return dict.fromkeys(PARTS, np.nan)
    squares = {part: _mean_square(hits, part) for part in PARTS}
    return {
        part: sum((-1) ** (len(whole) - len(part)) * squares[whole] for whole in _above(part))
        / math.prod(n for axis, n in enumerate(hits.shape) if axis not in part)
        for part in PARTS
    }


def _above(part: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return (whole for whole in PARTS if set(part) <= set(whole))


def _mean_square(hits: np.ndarray, part: tuple[int, ...]) -> float:
    """Return the mean square of an effect or an interaction, by the axes that it is of."""
    below = chain.from_iterable(combinations(part, size) for size in range(len(part) + 1))
    effect = sum(
        (-1) ** (len(part) - len(axes))
        * hits.mean(axis=tuple(axis for axis in AXES if axis not in axes), keepdims=True)
        for axes in below
    )
    df = math.prod(hits.shape[axis] - 1 for axis in part)
    return float(np.square(effect).sum()) * hits.size / effect.size / df


def _design(found: Crossed, votes: pd.DataFrame, shared: Sequence[str]) -> np.ndarray:
    """Return one row a pair: 1, who listens, who tells (both centred), what they share."""
    tellers, hearers = len(found.storytellers), len(found.listeners)
    who_tells = np.repeat(np.eye(tellers) - 1 / tellers, hearers, axis=0)
    who_listens = np.tile(np.eye(hearers) - 1 / hearers, (tellers, 1))
    pairs = votes.groupby(["storyteller", "listener"])[list(shared)]
    if (varying := pairs.nunique().max().gt(1)).any():
        raise ValueError(f"{', '.join(varying.index[varying])} differs among votes of one pair")
    order = pd.MultiIndex.from_product([found.storytellers, found.listeners])
    common = pairs.first().reindex(order).to_numpy(dtype=float)
    return np.hstack([np.ones((len(order), 1)), who_listens, who_tells, common])


def _confounded(design: np.ndarray, found: Crossed, shared: Sequence[str]) -> str:
    """Return why effects can't be told apart, or nothing."""
    free = len(found.storytellers) + len(found.listeners) - 1 + len(shared)
    if np.linalg.matrix_rank(design) == free:
        return ""
    return f"{' and '.join(shared)} can't be told from who tells and who listens"
