"""What a params file may say, and clear words for what it may not.

A params file is YAML with the fields of `Params`; `notebooks/params/offline.yaml` shows
them all. Unknown and missing names are refused, since a misspelt setting that is
silently ignored would be believed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

import yaml

from dixitlib.game.rules import PRESETS

METHODS = ("direct", "entailment", "circular")
CONTROLS = ("own", "none", "permuted")
BASES = ("clue", "literal", "image")


@dataclass(frozen=True)
class DeckParams:
    """Which cards: a folder of the home, and how many to paint into it if it has none."""

    folder: str
    painted: int = 0


@dataclass(frozen=True)
class ArenaParams:
    """Which round robins: the preset, and for each run the players at its tables."""

    tables: Mapping[str, tuple[str, ...]]
    preset: str = "CORRECTED"


@dataclass(frozen=True)
class BenchParams:
    """Who sits DixitBench, how they are asked, and in which run the answers stand."""

    run: str
    players: tuple[str, ...]
    basis: str = "clue"
    methods: tuple[str, ...] = ("direct",)
    controls: tuple[str, ...] = CONTROLS


@dataclass(frozen=True)
class ExamParams:
    """Whose clues everybody votes on: the tellers of a run; the votes stand in another run."""

    run: str
    tables: str
    storytellers: tuple[str, ...]
    listeners: tuple[str, ...]


@dataclass(frozen=True)
class Params:
    """One params file."""

    name: str
    deck: DeckParams
    clues: str
    arena: ArenaParams
    bench: BenchParams
    exam: ExamParams | None = None
    seed: int = 42
    workers: int = 1
    notebooks: Mapping[str, Any] = field(default_factory=dict)


def read(path: Path) -> Params:
    """Read a params file.

    Raises
    ------
    ValueError
        If a name is unknown or missing, or a choice is none of those offered; every fault
        is named.
    """
    content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    parts = {"deck": DeckParams, "arena": ArenaParams, "bench": BenchParams, "exam": ExamParams}
    faults = _names(content, Params, "")
    for part, shape in parts.items():
        faults += _names(content.get(part), shape, f"{part}: ") if part in content else []
    if not faults:
        given = {part: shape for part, shape in parts.items() if part in content}
        made = {part: shape(**_frozen(content[part])) for part, shape in given.items()}
        params = Params(**(content | made))
        faults = _choices(params, path)
    if faults:
        raise ValueError(f"{path.name} can't be played: " + "; ".join(faults))
    return params


def _names(content: object, shape: type, where: str) -> list[str]:
    if not isinstance(content, Mapping):
        return [f"{where}expected names with values, found {content!r}"]
    known = {f.name: f for f in fields(shape)}
    needed = [n for n, f in known.items() if f.default is MISSING and f.default_factory is MISSING]
    unknown = [
        f"{where}unknown {n!r} (known: {', '.join(known)})" for n in content if n not in known
    ]
    return unknown + [f"{where}{n!r} is missing" for n in needed if n not in content]


def _frozen(content: Mapping[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in content.items()}


def _choices(params: Params, path: Path) -> list[str]:
    asked = [
        ("arena: preset", (params.arena.preset,), tuple(PRESETS)),
        ("bench: basis", (params.bench.basis,), BASES),
        ("bench: methods", params.bench.methods, METHODS),
        ("bench: controls", params.bench.controls, CONTROLS),
        ("name", (params.name,), (path.stem,)),
    ]
    return [
        f"{where} is {value!r}, not one of {', '.join(offered)}"
        for where, values, offered in asked
        for value in values
        if value not in offered
    ]
