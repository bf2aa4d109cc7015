"""What a run costs: a table that the user edits, an estimate before, a limit during.

Unknown stays unknown: a model without a price has no estimate, and a call of unknown cost
can't be counted against a limit, which is said rather than passed over.
"""

from __future__ import annotations

import math
import threading
import uuid
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from dixitlib.models.base import Message
from dixitlib.models.once import once
from dixitlib.models.pictures import Picture, Pictures
from dixitlib.records import Card, Reply

LETTERS_PER_TOKEN = 4
"""A rule of thumb for English."""
CRUMB = 1e-9
"""USD that sums of many small costs may lack."""


class PriceError(ValueError):
    """The price table can't be used."""


class BudgetSpent(RuntimeError):
    """What may be spent is spent. The run is safe: raise ``max_usd`` and resume."""


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens, and how many tokens a picture takes; None where unknown.

    Parameters
    ----------
    input, output
        USD per million tokens read and written.
    image
        Name of a rule in `IMAGE_TOKENS`.
    source
        Where the price was seen, and when.
    """

    input: float | None = None
    output: float | None = None
    image: str | None = None
    source: str = ""

    @property
    def known(self) -> bool:
        """Whether both prices are known."""
        return self.input is not None and self.output is not None


@dataclass(frozen=True, slots=True)
class Plan:
    """So many calls like this one.

    Parameters
    ----------
    model
        The model's id, as in the price table.
    kind
        What is asked, in a word.
    calls
        How many calls of this kind.
    example
        The messages of one of them.
    tokens_out
        Tokens that a reply is expected to have.
    """

    model: str
    kind: str
    calls: int
    example: tuple[Message, ...]
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a model's part of a run will take; None where unknown."""

    model: str
    calls: int
    tokens_in: int | None
    tokens_out: int
    usd: float | None


def _openai_tiles(width: int, height: int) -> int:
    """Fit into 2048 x 2048, then the short side to 768; 85 tokens and 170 a tile of 512."""
    fit = min(1.0, 2048 / max(width, height))
    fit *= min(1.0, 768 / (min(width, height) * fit))
    return 85 + 170 * _tiles(width * fit, height * fit, 512)


def _gemini_tiles(width: int, height: int) -> int:
    """258 tokens for a picture up to 384 x 384, else for each tile of 768 (Gemini's manual)."""
    return 258 if max(width, height) <= 384 else 258 * _tiles(width, height, 768)


def _gemma(width: int, height: int) -> int:
    """256 tokens a picture, whatever its size (Gemma 3 report)."""
    return 256


def _qwen_patches(width: int, height: int) -> int:
    """One token for 28 x 28 pixels, and two around the picture (Qwen2.5-VL report)."""
    return _tiles(width, height, 28) + 2


IMAGE_TOKENS: Mapping[str, Callable[[int, int], int]] = {
    "openai_tiles": _openai_tiles,
    "gemini_tiles": _gemini_tiles,
    "gemma": _gemma,
    "qwen_patches": _qwen_patches,
}


def load(path: Path) -> dict[str, Price]:
    """Read the price table: a mapping from a model's id to the fields of `Price`.

    Raises
    ------
    PriceError
        If it can't be read, or naming every entry that can't be a price.
    """
    try:
        table = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise PriceError(f"{path} can't be read as a price table: {error}") from error
    wrong = [f"{model}: {why}" for model, entry in table.items() if (why := _wrong(entry))]
    if wrong:
        raise PriceError(f"{path.name} has entries that are no prices: {'; '.join(wrong)}")
    return {model: Price(**entry) for model, entry in table.items()}


def cost(reply: Reply, price: Price | None) -> float | None:
    """Return what a reply cost in USD: as stated, else by its tokens; None if unknown."""
    if reply.cost is not None:
        return reply.cost
    if reply.status == "error":
        return 0.0
    if price is None or not price.known or reply.tokens_in is None or reply.tokens_out is None:
        return None
    return (reply.tokens_in * price.input + reply.tokens_out * price.output) / 1e6


def estimate(
    plans: Iterable[Plan], prices: Mapping[str, Price], pictures: Pictures
) -> list[Estimate]:
    """Estimate calls, tokens and cost, model by model, in the order of the plans."""
    by_model: dict[str, list[Plan]] = {}
    for plan in plans:
        by_model.setdefault(plan.model, []).append(plan)
    return [
        _estimate(model, mine, prices.get(model, Price()), pictures)
        for model, mine in by_model.items()
    ]


def summary(estimates: Sequence[Estimate]) -> str:
    """Return the estimate as a small table, with what is unknown said so."""
    rows = [f"{'model':40} {'calls':>7} {'tokens in':>12} {'tokens out':>11} {'USD':>9}"]
    for each in estimates:
        tokens_in = "unknown" if each.tokens_in is None else f"{each.tokens_in:,}"
        usd = "unknown" if each.usd is None else f"{each.usd:.2f}"
        rows.append(
            f"{each.model:40} {each.calls:7,} {tokens_in:>12} {each.tokens_out:11,} {usd:>9}"
        )
    known = sum(each.usd for each in estimates if each.usd is not None)
    unknown = [each.model for each in estimates if each.usd is None]
    besides = f", and an unknown sum for {', '.join(unknown)}" if unknown else ""
    return "\n".join([*rows, f"in all {known:.2f} USD{besides}"])


class Budget:
    """What may be spent, and what has been, earlier parts of a resumed run included.

    Where it travels to another process, it knows what was spent when it left, and what it
    is told of there.

    Parameters
    ----------
    max_usd
        The limit in USD; None is no limit.

    Attributes
    ----------
    watch
        Called whenever a call was counted, as a progress bar likes to be.
    name
        What tells it from others wherever it travels.
    """

    def __init__(self, max_usd: float | None = None) -> None:
        self.max_usd = max_usd
        self.watch: Callable[[], object] = lambda: None
        self.name = uuid.uuid4().hex
        self._usd: dict[Hashable, float] = {}
        self._unknown: dict[Hashable, int] = {}
        self._tellers: dict[Hashable, Callable[[], object]] = {}
        self._stopped = False
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[object, ...]:
        self.look()
        return _arrived, (self.name, self.max_usd, self._usd, self._unknown)

    @property
    def spent(self) -> float:
        """USD spent so far."""
        with self._lock:
            return math.fsum(self._usd.values())

    @property
    def uncounted(self) -> int:
        """Calls of unknown cost."""
        with self._lock:
            return sum(self._unknown.values())

    def check(self) -> None:
        """Let a call pass while money is left; calls in flight may still pass the limit.

        Raises
        ------
        BudgetSpent
            If the limit is reached, can't be kept because some call's cost is unknown, or
            `stop` was called.
        """
        if self._stopped:
            raise BudgetSpent("the run was stopped, so no further call is made: resume it")
        if self.max_usd is None:
            return
        if self.uncounted:
            raise BudgetSpent(
                f"max_usd can't be kept: the cost of {self.uncounted} calls is unknown; put the "
                "model's prices into the price table, or drop max_usd, and resume"
            )
        if self.spent >= self.max_usd - CRUMB:
            raise BudgetSpent(
                f"{self.spent:.2f} of {self.max_usd:.2f} USD are spent: raise max_usd and resume"
            )

    def add(self, usd: float | None, source: Hashable = None) -> None:
        """Count what a call cost; None counts as a call of unknown cost.

        A source is whoever is told of the calls of one model in one run.
        """
        with self._lock:
            self._unknown[source] = self._unknown.get(source, 0) + (usd is None)
            self._usd[source] = self._usd.get(source, 0.0) + (usd or 0.0)
        self.watch()

    def hear(self, source: Hashable, teller: Callable[[], object]) -> None:
        """Begin to be told by a source, from its first call on; `teller` makes it tell more."""
        with self._lock:
            self._tellers[source] = teller
            self._usd[source], self._unknown[source] = 0.0, 0

    def look(self) -> None:
        """Learn what was spent elsewhere meanwhile."""
        for tell in list(self._tellers.values()):
            tell()

    def learn(self, usd: Mapping[Hashable, float], unknown: Mapping[Hashable, int]) -> None:
        """Take over sums of sources that don't tell here."""
        with self._lock:
            for source in usd.keys() - self._tellers.keys():
                self._usd[source], self._unknown[source] = usd[source], unknown[source]

    def stop(self) -> None:
        """Let no further call pass: a run is over, and its threads shall spend nothing more."""
        self._stopped = True


def _arrived(
    name: str,
    max_usd: float | None,
    usd: Mapping[Hashable, float],
    unknown: Mapping[Hashable, int],
) -> Budget:
    budget = once(name, Budget, max_usd)
    budget.name = name
    budget.learn(usd, unknown)
    return budget


def _estimate(model: str, plans: Sequence[Plan], price: Price, pictures: Pictures) -> Estimate:
    tokens = [_tokens_in(plan.example, price.image, pictures) for plan in plans]
    calls = [plan.calls for plan in plans]
    known = None not in tokens
    tokens_in = sum(n * each for n, each in zip(calls, tokens, strict=True)) if known else None
    tokens_out = sum(plan.calls * plan.tokens_out for plan in plans)
    usd = None
    if price.known and known:
        usd = (tokens_in * price.input + tokens_out * price.output) / 1e6
    return Estimate(model, sum(calls), tokens_in, tokens_out, usd)


def _tokens_in(messages: Sequence[Message], rule: str | None, pictures: Pictures) -> int | None:
    parts = [part for message in messages for part in message.parts]
    shown = [pictures.encode(part) for part in parts if isinstance(part, Card)]
    if shown and rule is None:
        return None
    letters = sum(len(part) for part in parts if isinstance(part, str))
    return math.ceil(letters / LETTERS_PER_TOKEN) + sum(_image_tokens(rule, each) for each in shown)


def _image_tokens(rule: str, picture: Picture) -> int:
    return IMAGE_TOKENS[rule](picture.width, picture.height)


def _tiles(width: float, height: float, side: int) -> int:
    return math.ceil(width / side) * math.ceil(height / side)


def _wrong(entry: object) -> str:
    if not isinstance(entry, dict):
        return "write input, output and image below it"
    if unknown := set(entry) - {"input", "output", "image", "source"}:
        return f"unknown {', '.join(sorted(unknown))}"
    for name in ("input", "output"):
        value = entry.get(name)
        if value is not None and (not isinstance(value, int | float) or not value >= 0):
            return f"{name} is {value!r}, not a number of USD"
    if entry.get("image") not in (None, *IMAGE_TOKENS):
        return f"image is {entry['image']!r}, not one of {', '.join(IMAGE_TOKENS)}"
    return ""
