"""Play the panel of local experts: scales, DixitBench, whole debates, a match as listener.

A run's folder gets `scales.json` (temperatures and thresholds, fitted on other cards),
`systems.csv` (who sat, and who could not), `answers.parquet` (one row a system and item),
`debates.jsonl` (the first debate of each kind, whole) and the rounds of one match.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict
from functools import partial
from itertools import groupby
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from dixitlib import paths, store
from dixitlib.cards.deck import Deck
from dixitlib.game import arena, rules
from dixitlib.models import aspects
from dixitlib.models.glimpse import Glimpse
from dixitlib.models.sentences import Encoder
from dixitlib.panel.debate import Debate
from dixitlib.panel.gam import debate
from dixitlib.panel.said import Question
from dixitlib.panel.sight import Prints, Sight
from dixitlib.players.panel import PanelPlayer
from dixitlib.records import Card, Item
from dixitlib.study import panels, players, scaling, sitting
from dixitlib.study.params import ModelPanelParams, PanelParams, Params
from dixitlib.study.players import Setting

CHECKING = "l"  # eyes of the critics: others than any expert's
SCALES, SYSTEMS, ANSWERS, DEBATES = "scales.json", "systems.csv", "answers.parquet", "debates.jsonl"
DECIMALS = 6
NARROW = {
    "system": "category",
    "item": "category",
    "tier": "category",
    "target": "category",
    "ending": "category",
    "right": "float32",
    "first_right": "float32",
    "rounds": "int8",
    "options": "int8",
    "calls": "int16",
    "encodings": "int16",
    "tokens_in": "int8",
    "tokens_out": "int8",
}


def play(
    asked: Params,
    deck: Deck,
    items: Sequence[Item],
    setting: Setting,
    work: Executor | None = None,
) -> None:
    """Fit, sit and play everything that the section `panel` asks for.

    Systems sit DixitBench where work is done; all else is done here.
    """
    section = asked.panel
    folder = paths.data("runs", section.run)
    with store.open_run(folder, parameters=_parameters(asked), inputs=_inputs(deck)) as sink:
        members = fitted(section, setting, asked.seed)
        write_json(folder / SCALES, members.scales.to_json())
        company = panels.company(members, section.sweeps)
        put = partial(sitting.by_question, work, progress=bar("item"))
        sit(folder, company, items, {card.id: card for card in deck}, put)
        if not sink.finished():
            play_match(asked, section, company, deck, setting, sink)


def sit(
    folder: Path,
    company: panels.Company,
    items: Sequence[Item],
    cards: Mapping[str, Card],
    put: sitting.Put,
    narrow: Mapping[str, str] = NARROW,
) -> None:
    """Let all sit, and write answers, who sat, and whole debates."""
    answers, seated = answer(company, items, cards, put)
    answers.astype(narrow).to_parquet(folder / ANSWERS, index=False, compression="zstd")
    listed(seated).to_csv(folder / SYSTEMS, index=False, lineterminator="\n")
    _write_debates(folder / DEBATES, _shown(company, answers, items, cards))


def fitted(section: PanelParams, setting: Setting, seed: int) -> panels.Members:
    """Return who can be seated, with scales fitted anew."""
    sights, checking = eyes(setting.encoder)
    scales = scaling.fit(sights, setting.encoder, setting.bank, section.trigger, seed)
    return panels.Members(sights, checking, scales)


def seated(run: str, encoder: Encoder) -> panels.Members:
    """Return who sat in a finished run, with the scales that it keeps.

    Raises
    ------
    ValueError
        If these were models.
    """
    content = json.loads((paths.data("runs", run) / SCALES).read_text(encoding="utf-8"))
    if "experts" not in content:
        raise ValueError(
            f"the panel of run {run} were models, who can't be seated anew: what they said stands "
            f"in its {DEBATES}; name a run of local experts"
        )
    return panels.Members(*eyes(encoder), scaling.Scales.of_json(content))


def eyes(encoder: Encoder) -> tuple[dict[str, Sight], Sight]:
    """Return the eyes of each aspect and those of the fact checker; they share their prints."""
    prints = Prints()
    sights = {name: Sight(aspects.eyes(name), encoder, prints) for name in aspects.ASPECTS}
    return sights, Sight(Glimpse.load(CHECKING), encoder, prints)


def answer(
    company: panels.Company,
    items: Sequence[Item],
    cards: Mapping[str, Card],
    put: sitting.Put | None = None,
) -> tuple[pd.DataFrame, list[sitting.System]]:
    """Let all systems sit all items; return the rows, and the systems."""
    rows = list(sitting.sit(company.first, items, cards, put))
    matched = company.matched(pd.DataFrame(rows))
    rows += sitting.sit(matched, items, cards, put)
    return pd.DataFrame(rows), [*company.first, *matched]


def listed(systems: Iterable[sitting.System]) -> pd.DataFrame:
    """Return systems as a table: system, kind, parameter, value, sits."""
    rows = [
        {
            "system": each.name,
            "kind": each.kind,
            "parameter": each.parameter,
            "value": each.value,
            "sits": each.decide is not None,
        }
        for each in systems
    ]
    return pd.DataFrame(rows)


def record(item: Item, held: Debate) -> dict[str, object]:
    """Return a whole debate as JSON can hold it; options are cards' ids."""
    options = dict(zip(held.question.labels, item.options, strict=True))
    return {
        "item": item.id,
        "clue": item.clue,
        "options": options,
        "target": item.target,
        "ending": held.ending,
        "choice": held.choice,
        "steps": [asdict(step) for step in held.steps],
    }


def _shown(
    company: panels.Company,
    answers: pd.DataFrame,
    items: Sequence[Item],
    cards: Mapping[str, Card],
) -> Iterator[dict[str, object]]:
    """Yield the panel's first debate of each ending and change of answer."""
    sat = answers[answers["system"] == panels.FULL]
    kinds = sat.drop_duplicates(["ending", "first_right", "right"])["item"]
    for item in items:
        if item.id in set(kinds):
            question = Question.choosing(item.clue, [cards[name] for name in item.options])
            yield record(item, debate(question, company.panel, company.settings))


def play_match(
    asked: Params,
    section: PanelParams | ModelPanelParams,
    company: panels.Company,
    deck: Deck,
    setting: Setting,
    sink: store.RunWriter,
) -> None:
    """Play one match in which the panel listens, and a local player tells and lays for it."""
    teller, opponent = players.make([section.teller, section.opponent], setting)
    listener = PanelPlayer(panels.FULL, company.panel, company.settings, teller)
    preset = rules.PRESETS[asked.arena.preset]
    rounds = arena.play_match(listener, opponent, deck, preset=preset, seed=asked.seed)
    for phase, played in groupby(rounds, key=lambda each: each.phase):
        sink.write((0, phase), list(played))


def _parameters(asked: Params) -> dict[str, object]:
    section = asdict(asked.panel)
    sweeps = {name: list(values) for name, values in asked.panel.sweeps.items()}
    return {"seed": asked.seed, "preset": asked.arena.preset, "panel": section | {"sweeps": sweeps}}


def _inputs(deck: Deck) -> dict[str, str]:
    experts = sorted(paths.data("weights", "experts").glob("*.safetensors"))
    weights = [*experts, paths.data("weights", f"{CHECKING}.safetensors")]
    hashes = {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in weights}
    return {"deck": deck.hash, **hashes}


def write_json(path: Path, content: Mapping[str, object]) -> None:
    """Write what JSON can hold, a field a line."""
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _write_debates(path: Path, records: Iterable[Mapping[str, object]]) -> None:
    lines = [
        json.dumps(_rounded(each), ensure_ascii=False, separators=(",", ":")) for each in records
    ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _rounded(record: Mapping[str, object]) -> object:
    """Return a record with floats, however deep, rounded to six decimals, and looks counted."""
    plain = json.dumps(record, default=len)
    return json.loads(plain, parse_float=lambda digits: round(float(digits), DECIMALS))


def bar(unit: str) -> sitting.Progress:
    """Return what shows how many of its inputs are done."""
    return partial(tqdm, desc="panel", unit=unit)
