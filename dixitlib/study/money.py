"""What a params file will ask of its models, and what that will take: shown before it is played."""

from __future__ import annotations

from collections.abc import Iterator

from dixitlib.cards.deck import Deck
from dixitlib.game import rules
from dixitlib.models import prices
from dixitlib.models.prices import Plan
from dixitlib.players import prompts
from dixitlib.players.prompts import Ask, Wording
from dixitlib.study import counterfactual, model_panel, playing
from dixitlib.study.asking import Asking
from dixitlib.study.calls import CLUE, planned, seated, stated_rules
from dixitlib.study.params import ModelPanelParams, PanelParams, Params

OPTIONS = 6
TIERS = 3


def plan(params: Params, deck: Deck) -> list[str]:
    """Return in words what a params file plays, line by line."""
    lines = []
    for run in params.runs:
        table = params.arena.tables.get(run, ())
        if table:
            matches = len(table) * (len(table) + 1) // 2
            lines.append(f"{run}: {matches} matches, {matches * 2 * rules.ROUNDS} rounds")
        if run == params.bench.run and params.bench.players:
            asked = " and ".join(f"{m} ({c} clue)" for m, c in playing.sittings(params))
            who = len(params.bench.players)
            lines.append(
                f"{run}: {_items(deck, params.bench.per_tier)} items for {who} players, {asked}"
            )
        if crossed := params.crossed(run):
            told = len(deck[: crossed.tables]) * len(crossed.storytellers)
            votes = told * len(crossed.listeners)
            lines.append(f"{run}: {told} clues over fixed tables, {votes} votes on them")
    panels = [each for each in (params.panel, params.model_panel) if each]
    lines += [f"{each.run}: a panel at {sat(each, deck)} items, and 1 match" for each in panels]
    return lines


def sat(section: PanelParams | ModelPanelParams, deck: Deck) -> int:
    """Return how many items a panel sits."""
    limit = section.per_tier if isinstance(section, ModelPanelParams) else None
    return _items(deck, limit)


def estimate(params: Params, deck: Deck, asking: Asking) -> str:
    """Return the estimate of calls, tokens and cost of a whole params file as a table.

    Failed replies, which are asked about once more, and the words of models that think
    before they answer come on top.
    """
    plans = list(plans_of(params, deck, asking))
    pictures = {model.name: model.pictures for model in asking.models.values()}
    each = [
        prices.estimate([p for p in plans if p.model == id], asking.prices, shown)[0]
        for id, shown in pictures.items()
        if any(p.model == id for p in plans)
    ]
    return prices.summary(each)


def plans_of(params: Params, deck: Deck, asking: Asking) -> Iterator[Plan]:
    """Yield the calls that models will be asked to make, kind by kind."""
    for name, asked in params.models.items():
        wording = Wording(asked.wording.paraphrase, asked.wording.alphabet)
        calls = [*_writing(params, name, deck, wording), *_arena(params, name, deck, wording)]
        calls += [*_bench(params, name, deck, wording), *_crossed(params, name, deck, wording)]
        yield from (planned(asking.models[name].name, *call) for call in calls)
    if spoken := params.model_panel:
        id = asking.models[spoken.model].name
        yield from model_panel.plans(params, deck, sat(spoken, deck), id)


def _writing(params: Params, name: str, deck: Deck, wording: Wording) -> Iterator[tuple[int, Ask]]:
    if name == params.captions_by:
        yield len(deck), prompts.caption(deck[0], "literal", wording)
    if name == params.clues_by:
        yield len(deck), prompts.caption(deck[0], "abstract", wording)


def _arena(params: Params, name: str, deck: Deck, wording: Wording) -> Iterator[tuple[int, Ask]]:
    # A player tells half the rounds of a match, and all rounds of the one against itself.
    preset = rules.PRESETS[params.arena.preset]
    for table in params.arena.tables.values():
        if name in table:
            told = rules.ROUNDS * (len(table) - 1) + 2 * rules.ROUNDS
            yield from seated(told, preset, deck, wording)


def _bench(params: Params, name: str, deck: Deck, wording: Wording) -> Iterator[tuple[int, Ask]]:
    if name not in params.bench.players:
        return
    items, options = _items(deck, params.bench.per_tier), deck[:OPTIONS]
    for method, control in playing.sittings(params):
        clue = None if control == "none" else CLUE
        if method == "entailment":
            yield items * OPTIONS, prompts.entailment(clue, deck[0], wording)
        elif method == "choose_alone":
            yield items * OPTIONS, prompts.accept(clue, deck[0], wording)
        elif method == "rate_together":
            yield items, prompts.rate_together(clue, options, wording)
        else:
            times = OPTIONS if method == "circular" else 1
            yield items * times, prompts.choose(clue, options, wording)


def _crossed(params: Params, name: str, deck: Deck, wording: Wording) -> Iterator[tuple[int, Ask]]:
    asked, stated = params.counterfactual, stated_rules(rules.PRESETS[params.arena.preset])
    tables = len(deck[: asked.tables]) if asked else 0
    if tables and name in asked.storytellers:
        yield tables, prompts.clue(deck[0], stated, wording)
    if tables and name in asked.listeners:
        heard = tables * len(asked.storytellers)
        yield heard, prompts.vote(CLUE, deck[: 1 + counterfactual.DISTRACTORS], stated, wording)


def _items(deck: Deck, limit: int | None) -> int:
    """Return how many items are asked: three tiers of all cards, and blocks of six."""
    tiers = [len(deck)] * TIERS + [len(deck) // OPTIONS * OPTIONS]
    return sum(size if limit is None else min(size, limit) for size in tiers)
