"""Which clues people are shown: cases of the arena and items of DixitBench, drawn by seed.

A case is named by a hash of what it shows, so an answer can never be read as one to
another case, even if the run is played anew and other cases are drawn.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from dixitlib.records import OUTCOMES, Item, Round
from dixitlib.seeds import place
from dixitlib.store import people
from dixitlib.study.checks import ParamsError

PLACE = ["match", "phase", "round", "storyteller", "outcome"]
CARD = "card_"


@dataclass(frozen=True, slots=True)
class Case:
    """A clue and the cards it is asked about; `target` is the one it was told of."""

    id: str
    clue: str
    target: str
    cards: tuple[str, ...]


def case(clue: str, target: str, cards: Iterable[str]) -> Case:
    """Return a case, its cards in the order of their ids, which tells nothing."""
    shown = tuple(sorted(cards))
    said = json.dumps([clue, target, shown], ensure_ascii=False)
    return Case("c" + hashlib.sha256(said.encode()).hexdigest()[:10], clue, target, shown)


def draw_rounds(rounds: Iterable[Round], number: int, seed: int) -> list[Round]:
    """Draw rounds balanced over storytellers and outcomes.

    Each pass over the storytellers takes one round of each, the outcome moving on from
    one storyteller to the next and from pass to pass. So 120 rounds of six storytellers
    are 20 of each and 40 of each outcome, as long as there are so many; where a kind has
    run out, the others go on.

    Raises
    ------
    ParamsError
        If fewer rounds were played to their end.
    """
    kinds: dict[tuple[str, str], list[Round]] = {}
    played = [each for each in rounds if each.outcome is not None]
    if len(played) < number:
        raise ParamsError(f"{number} cases are to be drawn, but {len(played)} rounds were played")
    for each in played:
        kinds.setdefault((each.players[each.storyteller], each.outcome), []).append(each)
    for teller, outcome in kinds:
        place(seed, "cases", teller, outcome).shuffle(kinds[teller, outcome])
    tellers = list(dict.fromkeys(teller for teller, _ in kinds))
    drawn: list[Round] = []
    while len(drawn) < number:
        drawn += _pass(kinds, tellers)
    return drawn[:number]


def draw_items(items: Sequence[Item], number: int, seed: int) -> list[Item]:
    """Draw items of a benchmark, as many of each tier, give or take one."""
    tiers: dict[str, list[Item]] = {}
    for item in items:
        tiers.setdefault(item.tier, []).append(item)
    share, more = divmod(number, len(tiers))
    drawn: list[Item] = []
    for index, (tier, those) in enumerate(tiers.items()):
        order = place(seed, "items", tier).permutation(len(those))
        drawn += [those[k] for k in order[: share + (index < more)]]
    return drawn


def write(study: str, rounds: Sequence[Round], items: Sequence[Item]) -> None:
    """Write what people are shown to ``cases.csv`` and ``items.csv`` of a study.

    Raises
    ------
    ParamsError
        If people have answered already and would now be shown something else.
    """
    _write(people.folder(study) / "cases.csv", round_table(rounds), study)
    _write(people.folder(study) / "items.csv", item_table(items), study)


def round_table(rounds: Iterable[Round]) -> pd.DataFrame:
    """Return one row a case of the arena: case, where it was told by whom, clue, cards."""
    rows = [
        _row(case(each.clue, each.target, each.submissions))
        | dict(zip(PLACE, _told(each), strict=True))
        for each in rounds
    ]
    return pd.DataFrame(rows)


def item_table(items: Iterable[Item]) -> pd.DataFrame:
    """Return one row an item: case, item, tier, clue, cards."""
    rows = [
        _row(case(each.clue, each.target, each.options)) | {"item": each.id, "tier": each.tier}
        for each in items
    ]
    return pd.DataFrame(rows)


def read(path: Path) -> list[Case]:
    """Read the cases of a table.

    Raises
    ------
    FileNotFoundError
        If nothing was drawn yet; it says what draws.
    """
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is not there: add a section `people` to a params file and play it"
        )
    return from_table(pd.read_csv(path, dtype=str, keep_default_na=False))


def from_table(table: pd.DataFrame) -> list[Case]:
    """Return the cases of `round_table` or `item_table`."""
    cards = table.filter(like=CARD).itertuples(index=False, name=None)
    told = table[["case", "clue", "target"]].itertuples(index=False, name=None)
    return [Case(*each, tuple(shown)) for each, shown in zip(told, cards, strict=True)]


def in_order(cases: Sequence[Case], rater: str, seed: int) -> list[Case]:
    """Return cases in a rater's own order, each with its cards in an order of its own."""
    order = place(seed, "order", rater).permutation(len(cases))
    return [turned(cases[k], rater, seed) for k in order]


def turned(case: Case, rater: str, seed: int) -> Case:
    """Return a case with its cards in the order in which a rater sees them."""
    order = place(seed, "cards", rater, case.id).permutation(len(case.cards))
    return Case(case.id, case.clue, case.target, tuple(case.cards[k] for k in order))


def _pass(kinds: dict[tuple[str, str], list[Round]], tellers: Sequence[str]) -> list[Round]:
    """Take one round of each storyteller and outcome, in an order that keeps both balanced."""
    taken = []
    for shift in range(len(OUTCOMES)):
        for index, teller in enumerate(tellers):
            left = kinds.get((teller, OUTCOMES[(index + shift) % len(OUTCOMES)]))
            if left:
                taken.append(left.pop())
    return taken


def _told(played: Round) -> tuple[object, ...]:
    teller = played.players[played.storyteller]
    return played.match, played.phase, played.round, teller, played.outcome


def _row(case: Case) -> dict[str, object]:
    shown = {f"{CARD}{place}": card for place, card in enumerate(case.cards, 1)}
    return {"case": case.id, "clue": case.clue, "target": case.target, **shown}


def _write(path: Path, table: pd.DataFrame, study: str) -> None:
    text = table.to_csv(index=False, lineterminator="\n")
    answered = any(path.parent.glob("*.jsonl"))
    if answered and path.exists() and path.read_text(encoding="utf-8") != text:
        raise ParamsError(
            f"people have answered the study {study!r}, whose {path.name} would now change: "
            "give the new study another name"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
