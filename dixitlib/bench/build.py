"""DixitBench: from a deck and one clue a card to items of six options.

Three tiers take their distractors from windows of the ranking by nearness to the target
(facts: DixitBench): ``hard`` the five nearest, ``medium`` five of ranks 10 to 20, ``easy``
five of ranks 30 to 80. Neighbours of a target give it away, since it tends to lie in
their middle; the tier ``blocks`` cannot be answered without the clue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from dixitlib.bench.items import BenchError
from dixitlib.bench.nearness import (
    DECIMALS,
    Basis,
    Nearness,
    Space,
    TextEncoder,
    locate,
    measure,
)
from dixitlib.bench.partition import SQUARE, partition
from dixitlib.bench.windows import MEMORY, Progress, Ranker, Windows, rank
from dixitlib.records import Card, Item
from dixitlib.seeds import place

OPTIONS = 6
DISTRACTORS = OPTIONS - 1


@dataclass(frozen=True, slots=True)
class Tier:
    """A window of ranks, 1 being the card nearest to the target, that holds five or more."""

    name: str
    first: int
    last: int

    def __post_init__(self) -> None:
        if self.first < 1 or self.last < self.first + DISTRACTORS - 1:
            raise ValueError(
                f"tier {self.name!r} has ranks {self.first} to {self.last}: "
                f"it needs {DISTRACTORS} or more, counted from 1"
            )


TIERS = (Tier("hard", 1, 5), Tier("medium", 10, 20), Tier("easy", 30, 80))


def build(
    deck: Sequence[Card],
    clues: Mapping[str, str],
    *,
    basis: Basis = "clue",
    encoder: TextEncoder | None = None,
    vision: np.ndarray | None = None,
    seed: int = 42,
    tiers: Sequence[Tier] = TIERS,
    ranked_by: Ranker = rank,
    memory: int = MEMORY,
    progress: Progress = iter,
) -> tuple[Item, ...]:
    """Return the tiered items of a deck, one a card and tier, in the order of the deck.

    Parameters
    ----------
    deck
        The cards; each is the target once in every tier.
    clues
        The clue of each card by its id.
    basis, encoder, vision
        What nearness is measured on, as in `nearness.locate`.
    seed
        Decides draws, positions and the order of equal ranks. The positions of the
        target are balanced within each tier: their counts differ by one at most.
    tiers
        Windows of ranks. A deck too small for them takes the windows of `fit`.
    ranked_by, memory, progress
        For large decks: who finds the ranks (`faiss_windows.rank` is another), in how many
        bytes a block, and what wraps the list of blocks. They change nothing in the result.

    Returns
    -------
    tuple of Item
        84 cards give 252 items. No two options of one have near-duplicate clues: of two
        such cards in a window one is drawn, and where a window holds fewer than five
        different clues, the ranks after it follow.

    Raises
    ------
    BenchError
        If a card lacks what the basis needs, or the deck has too few different clues.
    """
    space = locate(deck, clues, basis=basis, encoder=encoder, vision=vision)
    depth = max(tier.last for tier in tiers)
    near = ranked_by(space, depth, place(seed, "ties"), memory=memory, progress=progress)
    fitted = fit(tiers, near.ranks.min(initial=depth) if len(deck) else 0)
    return tuple(item for tier in fitted for item in _tier(near, tier, seed))


def blocks(
    deck: Sequence[Card],
    clues: Mapping[str, str],
    *,
    basis: Basis = "clue",
    encoder: TextEncoder | None = None,
    vision: np.ndarray | None = None,
    seed: int = 42,
) -> tuple[Item, ...]:
    """Return the clue-proof items: each block of six near cards, each of the six its target.

    The six items of a block show the same cards in the six orders of a Latin square, so
    each card stands once at each place, and the target too. Three kinds of rule are
    therefore right in exactly one item of six, whatever the cards:

    - a rule that names a card from the set of options alone (the most central, the
      brightest, the same one always), if it breaks ties by the card and not by its place;
    - a rule that names a place (the first, the last, the third);
    - a chance mixture of these, on average.

    A rule that uses which card stands where could do better only by knowing this square
    and its random labels, which no player sees.

    Parameters
    ----------
    deck, clues, basis, encoder, vision, seed
        As in `build`. Of a deck whose size is no multiple of six, the one to five cards
        that fit worst into blocks are left out.

    Returns
    -------
    tuple of Item
        84 cards give 14 blocks and 84 items, those of a block in succession.

    Raises
    ------
    BenchError
        If the deck has fewer than six cards, or so many near-duplicate clues that a
        block cannot be without.
    """
    near = measure(deck, clues, basis=basis, encoder=encoder, vision=vision)
    if len(deck) < OPTIONS:
        raise BenchError(f"a block takes {OPTIONS} cards; the deck has {len(deck)}")
    rng = place(seed, "blocks")
    # One pair of twins costs more than all the nearness of a partition can make good.
    found = partition(near.cosine - OPTIONS * len(deck) * near.twins, OPTIONS, rng)
    _refuse_twins(near, found)
    rows = (row for block in found for row in _square(block, rng))
    return tuple(_item(near, "blocks", k, *row) for k, row in enumerate(rows, start=1))


def assign_clues(captions: np.ndarray, bank_vectors: np.ndarray, bank: Sequence[str]) -> list[str]:
    """Return one clue a card, each used once, so that captions and clues match best in sum.

    Parameters
    ----------
    captions
        Unit vectors of the cards' literal captions, shape (cards, d).
    bank_vectors
        Unit vectors of the clues, shape (clues, d).
    bank
        The clues.

    Raises
    ------
    BenchError
        If there are fewer clues than cards.
    """
    if len(bank) < len(captions):
        raise BenchError(f"{len(captions)} cards need as many clues; the bank has {len(bank)}")
    cosines = np.round(captions @ bank_vectors.T, DECIMALS)
    _, chosen = linear_sum_assignment(cosines, maximize=True)
    return [bank[clue] for clue in chosen]


def fit(tiers: Sequence[Tier], ranks: int) -> tuple[Tier, ...]:
    """Return the windows for a deck in which the worst-placed card has so many ranks.

    Enough ranks leave the windows as they are. With fewer, each window lies as far
    between its own place and the tightest layout (ranks 1-5, 6-10, 11-15...) as `ranks`
    lies between the deepest rank asked for and the last of that layout.

    Raises
    ------
    BenchError
        If there are fewer ranks than the tightest layout takes.
    """
    deepest = max(tier.last for tier in tiers)
    tightest = min(DISTRACTORS * len(tiers), deepest)
    if ranks >= deepest:
        return tuple(tiers)
    if ranks < tightest:
        raise BenchError(
            f"{len(tiers)} tiers need {tightest} cards beside each target whose clues are no "
            f"near-duplicates of its own; one card has {ranks}. Add cards, tell the clues "
            "apart, or ask for fewer tiers."
        )

    def between(tight: int, asked: int) -> int:
        return tight + (asked - tight) * (ranks - tightest) // max(deepest - tightest, 1)

    order = sorted(tiers, key=lambda tier: tier.first)
    starts = {tier.name: DISTRACTORS * before + 1 for before, tier in enumerate(order)}
    return tuple(
        Tier(
            tier.name,
            between(starts[tier.name], tier.first),
            between(starts[tier.name] + DISTRACTORS - 1, tier.last),
        )
        for tier in tiers
    )


def _tier(near: Windows, tier: Tier, seed: int) -> Iterator[Item]:
    rng, cards = place(seed, "tier", tier.name), near.space.cards
    draws = [_draw(near, target, tier, rng) for target in range(len(cards))]
    short = [card for card, draw in zip(cards, draws, strict=True) if len(draw) < DISTRACTORS]
    if short:
        raise BenchError(
            f"tier {tier.name!r} finds fewer than {DISTRACTORS} different clues from rank "
            f"{tier.first} on for {', '.join(short)}; tell the clues of the deck apart"
        )
    positions = rng.permutation(np.arange(len(draws)) % OPTIONS)
    for target, (draw, position) in enumerate(zip(draws, positions, strict=True)):
        options = np.insert(rng.permutation(draw), position, target)
        yield _item(near.space, tier.name, target + 1, target, options)


def _draw(near: Windows, target: int, tier: Tier, rng: np.random.Generator) -> list[int]:
    """Return up to five cards of a window, no two of them twins."""
    ranking = near.nearest[target]
    window = ranking[tier.first - 1 : tier.last]
    if len(window) > DISTRACTORS:
        window = rng.permutation(window)
    drawn = window[:DISTRACTORS]
    if near.space.twins(drawn, drawn).sum() == DISTRACTORS:  # each is its own twin only
        return drawn.tolist()
    drawn = _different(near.space, [], (*window, *ranking[tier.last :]))
    if len(drawn) < DISTRACTORS and len(ranking) < near.ranks[target]:
        return _different(near.space, drawn, near.whole(target)[len(ranking) :])
    return drawn


def _different(space: Space, drawn: Sequence[int], cards: Iterable[int]) -> list[int]:
    """Add cards in their order, but no twin of one that is drawn, until there are five."""
    drawn = list(drawn)
    for card in cards:
        if len(drawn) == DISTRACTORS:
            break
        if not space.twins([card], drawn).any():
            drawn.append(int(card))
    return drawn


def _square(block: np.ndarray, rng: np.random.Generator) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each card of a block as the target, with the order of options around it."""
    cards, square = rng.permutation(block), SQUARE[:, rng.permutation(OPTIONS)]
    yield from zip(cards, cards[square], strict=True)


def _refuse_twins(near: Nearness, found: Sequence[np.ndarray]) -> None:
    pairs = [
        f"{near.cards[one]} and {near.cards[other]}"
        for block in found
        for one in block
        for other in block
        if one < other and near.twins[one, other]
    ]
    if pairs:
        raise BenchError(
            f"no partition found that keeps near-duplicate clues apart: {', '.join(pairs)}; "
            "tell the clues of the deck apart"
        )


def _item(near: Nearness | Space, tier: str, number: int, target: int, options: np.ndarray) -> Item:
    shown = tuple(near.cards[card] for card in options)
    return Item(f"{tier}-{number:03d}", tier, near.clues[target], near.cards[target], shown)
