"""A panel as a chooser and as a listener in the arena."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from dixitlib.game.arena import play_match
from dixitlib.models.base import Message, Scripted
from dixitlib.panel import prompts
from dixitlib.panel.agents import prompted_panel
from dixitlib.panel.checkers import Mixer
from dixitlib.panel.gam import Panel, Settings
from dixitlib.panel.said import Analysis, Question, Turn
from dixitlib.players.panel import PanelPlayer
from dixitlib.records import Card, Move


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def model(*choices: str, sure: float = 0.8) -> Scripted:
    """Three experts choose as told, over as many options as the schema has; the judge the first."""

    def said(messages: Sequence[Message]) -> str | None:
        persona = messages[0].parts[0]
        if persona == prompts.JUDGE:
            return json.dumps({"choice": choices[0]})
        choice = choices[list(prompts.EXPERTS.values()).index(persona)]
        if not choice:
            return None
        form = messages[1].parts[-1]
        labels = [label for label in "ABCDEF" if f'"{label}": <0 to 1>' in form]
        rest = (1 - sure) / (len(labels) - 1)
        odds = {label: sure if label == choice else rest for label in labels}
        return json.dumps({"probabilities": odds, "choice": choice})

    return Scripted(said)


def panel(*choices: str, **more: object) -> PanelPlayer:
    return PanelPlayer("gam", prompted_panel(model(*choices)), Settings(max_rounds=0), **more)


def test_a_panel_chooses_by_label_and_gives_its_weighed_odds(toy_deck: Sequence[Card]) -> None:
    chosen = panel("B", "B", "C").choose("hush", toy_deck[:4], rng())
    # All alike in uncertainty: two at .8 and one at .2/3 on B.
    assert (chosen.choice, chosen.status, len(chosen.replies)) == (1, "ok", 4)
    assert chosen.probabilities == pytest.approx((0.066667, 0.555556, 0.311111, 0.066667), abs=1e-6)
    assert sum(chosen.probabilities) == pytest.approx(1, abs=1e-5)


def test_votes_and_choices_without_a_clue_are_choices(toy_deck: Sequence[Card]) -> None:
    assert panel("A", "A", "A").vote("hush", toy_deck[:3], rng()).choice == 0
    blind = panel("A", "A", "A")
    assert blind.choose(None, toy_deck[:3], rng()).choice == 0
    asked = blind.panel.judge.speaker.model.calls[0][1].parts[0]
    assert asked == prompts.NO_CLUE


def test_a_rating_is_the_probability_that_the_clue_fits(toy_deck: Sequence[Card]) -> None:
    rater = panel("A", "A", "B")
    assert rater.rate("hush", toy_deck[0], rng()).rating == pytest.approx(60)
    shown = rater.panel.judge.speaker.model.calls[0][1].parts
    assert shown[0] is toy_deck[0] and shown[1].startswith('The clue is "hush". Does it fit')
    assert rater.rate(None, toy_deck[0], rng()).status == "ok"


def test_a_panel_in_which_all_fail_gives_no_answer(toy_deck: Sequence[Card]) -> None:
    mute = panel("", "", "")
    chosen = mute.choose("hush", toy_deck[:3], rng())
    assert (chosen.choice, chosen.status, len(chosen.replies)) == (None, "empty", 3)
    assert mute.rate("hush", toy_deck[0], rng()).rating is None


def test_another_place_of_a_run_is_another_sample(toy_deck: Sequence[Card]) -> None:
    chooser = panel("A", "A", "A")
    first, again, other = (
        chooser.choose("hush", toy_deck[:3], np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert first == again and not set(first.replies) & set(other.replies)


def test_a_panel_listens_in_the_arena_while_another_tells(toy_deck, scripted) -> None:
    listening = panel("A", "A", "A", teller=scripted("teller"))
    rounds = play_match(listening, scripted("rival"), toy_deck, seed=3)
    assert all(played.status == "ok" for played in rounds)
    heard = [
        (played.votes[seat], played.candidates[seat][0])
        for played in rounds
        for seat in range(4)
        if played.players[seat] == "gam" and seat != played.storyteller
    ]
    assert len(heard) == 36 and all(vote == first for vote, first in heard)


def test_a_panel_without_a_teller_says_that_it_only_listens(toy_deck: Sequence[Card]) -> None:
    for step in (lambda p: p.tell(toy_deck[:4], rng()), lambda p: p.submit("x", toy_deck, rng())):
        with pytest.raises(ValueError, match="gam only listens"):
            step(panel("A", "A", "A"))


def test_a_panel_that_only_tells_cards_apart_refuses_to_rate_one(toy_deck) -> None:
    class Apart:
        name = "apart"

        def answer(self, question: Question) -> Analysis:
            return Analysis(Turn(self.name), notes=("it tells cards apart",))

    local = PanelPlayer("local", Panel((Apart(),), (), Mixer()))
    with pytest.raises(ValueError, match=r"local can't rate, .*: it tells cards apart\. Let it"):
        local.rate("hush", toy_deck[0], rng())
    assert local.choose("hush", toy_deck[:2], rng()).status == "empty"


def test_more_cards_than_letters_are_refused(toy_deck: Sequence[Card]) -> None:
    with pytest.raises(ValueError, match="27 cards can't be labelled"):
        panel("A", "A", "A").choose("hush", toy_deck[:27], rng())


def test_the_tellers_moves_are_its_own(toy_deck: Sequence[Card], scripted) -> None:
    teller = scripted("teller", {"tell": Move(2, "hush")})
    assert panel("A", "A", "A", teller=teller).tell(toy_deck[:4], rng()) == Move(2, "hush")
