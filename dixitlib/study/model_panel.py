"""A panel of models sits DixitBench beside the frameworks that need language, and listens once.

One model speaks in all roles, so that what systems differ in is how they are led. All ask
it through one log: what several systems ask alike, first answers above all, is paid once.
What the run will take is told before by a rehearsal: every system answers one question with
a stand-in that never agrees, and all requests that differ are counted. That is the most that
a question can take. The files are those of the local panel (see `panel_run`), so that
`12_panel_evaluation` reads either.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field, replace
from functools import partial

import numpy as np
import pandas as pd

from dixitlib import paths, store
from dixitlib.cards.deck import Deck
from dixitlib.game import rules
from dixitlib.models.base import Message, Model, Schema, request_key
from dixitlib.models.prices import Plan, Price
from dixitlib.models.replies import Recorded, ReplyLog
from dixitlib.panel import baselines
from dixitlib.panel.agents import prompted_panel
from dixitlib.panel.gam import Panel, Settings
from dixitlib.panel.said import Question
from dixitlib.panel.uncertainty import calibrated, doubt
from dixitlib.records import Card, Item, Reply
from dixitlib.study import panel_run, panels, scripts, sitting
from dixitlib.study.panels import Company
from dixitlib.study.params import ModelPanelParams, Params
from dixitlib.study.players import Setting
from dixitlib.study.playing import part
from dixitlib.study.sitting import Led, System

TOKENS_OUT = 250
HEARD = 3 * rules.ROUNDS  # votes of a player in a match of two phases
MOST_CALLS = 25  # of a panel of three and three, at the paper's limit of three rounds
UNENDING = {"theta_u": -1.0, "converged": -1.0, "stagnated": -1.0, "low": 1.01}
COUNTS = {"tokens_in": "Int32", "tokens_out": "Int32"}  # unknown where an endpoint tells none


def company(model: Model, price: Price | None, asked: ModelPanelParams, **forced: float) -> Company:
    """Return what sits where one model speaks for all.

    Parameters
    ----------
    model, price
        Who speaks, and what its tokens cost where the endpoint does not say.
    asked
        The section of the params file.
    **forced
        Settings that are none of the file's.
    """
    settings = Settings(**{**asked.settings, **forced})
    make = partial(prompted_panel, model, scale=asked.scale, price=price)
    panel = make()
    first = [
        System(panels.FULL, "panel", Led(panel, settings)),
        *_votes(panel),
        *_frameworks(panel, asked),
        System("without uncertainty", "ablation", Led(panel, replace(settings, uncertain=False))),
        System("without dynamic weights", "ablation", Led(panel, replace(settings, beta=0.0))),
        System("without debate", "ablation", Led(panel, replace(settings, max_rounds=0))),
        System("without claims", "ablation", Led(make(claiming=False), settings)),
        System("without critics", "ablation", Led(make(critics=()), settings)),
        System("one agent", "ablation", Led(Panel(panel.experts[:1], panel.critics, panel.judge),
                                             settings)),
        *_swept(make, panel, settings, asked),
    ]  # fmt: skip
    return Company(panel, settings, first, partial(_matched, panel))


def play(
    asked: Params,
    deck: Deck,
    items: Sequence[Item],
    setting: Setting,
    work: Executor | None = None,
) -> None:
    """Let everything sit, and the panel listen in one match; replies are kept and paid once."""
    section, asking = asked.model_panel, setting.asking
    folder, name = paths.data("runs", section.run), section.model
    told = {"panel": _plain(section), "models": {name: asking.describe(name)}}
    parameters = {"seed": asked.seed, "preset": asked.arena.preset, **told}
    with store.open_run(folder, parameters=parameters, inputs={"deck": deck.hash}) as sink:
        log = ReplyLog(folder / "replies")
        price = asking.price(name)
        model = Recorded(asking.models[name], log, asking.budget, price, name)
        seated, chosen = company(model, price, section), part(items, section.per_tier)
        cards = {card.id: card for card in deck}
        try:
            put = partial(sitting.by_system, work, progress=panel_run.bar("system"))
            panel_run.sit(folder, seated, chosen, cards, put, panel_run.NARROW | COUNTS)
            panel_run.write_json(folder / panel_run.SCALES, _scales(seated, chosen, cards))
            if not sink.finished():
                panel_run.play_match(asked, section, seated, deck, setting, sink)
        finally:
            log.close()
            sink.account(asking.account(log, (name,)))


def _plain(section: ModelPanelParams) -> dict[str, object]:
    return json.loads(json.dumps(asdict(section)))


def _scales(seated: Company, items: Sequence[Item], cards: Mapping[str, Card]) -> dict[str, object]:
    """Return the thresholds that were set, and the wording that this run would have set."""
    asked = [Question.choosing(i.clue, [cards[name] for name in i.options]) for i in items]
    right = [q.labels[i.answer - 1] for q, i in zip(asked, items, strict=True)]
    settings = seated.settings
    thresholds = {"theta_u": settings.theta_u, "theta_c": settings.theta_c}
    said = wording(seated.panel, list(zip(asked, right, strict=True)))
    return {**thresholds, "holding": {}, "wording": said}


def plans(asked: Params, deck: Deck, questions: int, model: str) -> Iterator[Plan]:
    """Yield the most calls that the panel's run can take, each with the messages it sends.

    Parameters
    ----------
    asked, deck
        The params file and its cards.
    questions
        How many items are sat.
    model
        Its name in the price table.
    """
    votable = len(rules.SEATS) - (not rules.PRESETS[asked.arena.preset].own_votable)
    for shown, times, alone in ((6, questions, False), (votable, HEARD, True)):
        stand_in = Rehearsal()
        seated = company(stand_in, None, asked.model_panel, **UNENDING)
        question = Question.choosing("a clue of five words", deck[:shown])
        most = _sampled(seated.panel, "calls", MOST_CALLS)
        for system in seated.first[:1] if alone else (*seated.first, most):
            system.decide(question)
        for messages in stand_in.asked.values():
            yield Plan(model, "panel", times, tuple(messages), TOKENS_OUT)


@dataclass
class Rehearsal:
    """A stand-in that agrees with nobody; `asked` has the messages of requests that differ."""

    name: str = "rehearsal"
    identity: Mapping[str, object] = field(default_factory=dict)
    asked: dict[str, Sequence[Message]] = field(default_factory=dict)

    def ask(
        self, messages: Sequence[Message], schema: Schema | None = None, repeat: int = 0
    ) -> Reply:
        """Keep the request, and answer in its shape."""
        self.asked[request_key(self.identity, messages, schema, repeat)] = messages
        if schema is None:
            return Reply(json.dumps(scripts.UNDECIDED))
        shape = schema.body["properties"]
        said = scripts.in_shape(shape, len(self.asked)) | {"abstain": False}
        return Reply(json.dumps({name: said[name] for name in shape}))


def _votes(panel: Panel) -> list[System]:
    lone = [(f"single: {e.name}", partial(baselines.single, expert=e)) for e in panel.experts]
    votes = {
        "majority vote": partial(panels.majority, experts=panel.experts),
        "confidence vote": partial(baselines.confidence_vote, experts=panel.experts),
    }
    return [System(name, "baseline", decide) for name, decide in (*lone, *votes.items())]


def _frameworks(panel: Panel, asked: ModelPanelParams) -> list[System]:
    speakers, judge = [expert.speaker for expert in panel.experts], panel.judge.speaker
    pair = (speakers[0], speakers[1])
    led = {
        "plain debate": partial(baselines.plain_debate, speakers=speakers),
        "MAD": partial(baselines.mad, sides=pair, judge=judge),
        "DMAD": partial(baselines.dmad, speakers=speakers),
        "DMPL": partial(baselines.dmpl, nominator=judge, debaters=pair, judge=judge),
        "ChatEval": partial(baselines.chateval, speakers=speakers),
        "DebUnc": partial(baselines.debunc, speakers=speakers, scale=asked.scale),
    }
    return [System(name, "baseline", decide) for name, decide in led.items()]


def _swept(
    make: Callable[..., Panel], panel: Panel, settings: Settings, asked: ModelPanelParams
) -> Iterator[System]:
    for name, values in asked.sweeps.items():
        for value in values:
            if name == "alpha":  # of how uncertainty is read, which is no setting of the controller
                scale = replace(asked.scale, alpha=value, beta=1 - value)
                decide = Led(make(scale=scale), settings)
            else:
                decide = Led(panel, replace(settings, **{name: value}))
            yield System(f"{name} {value:g}", "sweep", decide, name, value)


def _matched(panel: Panel, rows: pd.DataFrame) -> list[System]:
    """Return self-consistency of the first expert with the panel's calls, and with its tokens."""
    means = rows.groupby("system")[["calls", "tokens_in", "tokens_out"]].mean()
    taken, first = means.loc[panels.FULL], means.loc[f"single: {panel.experts[0].name}"]
    samples = {"calls": round(taken["calls"])}
    share = taken[["tokens_in", "tokens_out"]].sum() / first[["tokens_in", "tokens_out"]].sum()
    if np.isfinite(share):  # else tokens are unknown
        samples["tokens"] = max(1, round(share))
    return [_sampled(panel, unit, n) for unit, n in samples.items()]


def _sampled(panel: Panel, unit: str, samples: int) -> System:
    decide = partial(baselines.self_consistency, expert=panel.experts[0], samples=samples)
    name = f"self-consistency, equal {unit}"
    return System(name, "baseline", decide, "samples", samples)


def wording(panel: Panel, asked: Sequence[tuple[Question, str]]) -> dict[str, object]:
    """Return the k and offset under which the experts' words of doubt best tell their errors.

    What they said first is asked for once more, and so read from the log.

    Parameters
    ----------
    panel
        Its experts.
    asked
        Questions, with the label of the right option.
    """
    said = [
        (density, turn.choice != label)
        for question, label in asked
        for turn in (expert.answer(question).turn for expert in panel.experts)
        if turn.choice is not None and (density := doubt(turn.text or "")) is not None
    ]
    try:
        k, offset = calibrated(*zip(*said, strict=True))
    except ValueError as fault:
        return {"texts": len(said), "kept": str(fault)}
    return {"texts": len(said), "k": round(k, 4), "offset": round(offset, 4)}
