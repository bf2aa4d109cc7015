"""Agents by prompt: what they are shown, and what is made of what they say."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import pytest

from dixitlib.models.base import Message, Scripted
from dixitlib.models.prices import Price
from dixitlib.panel import prompts
from dixitlib.panel.agents import (
    PromptedCritic,
    PromptedExpert,
    PromptedJudge,
    Speaker,
    prompted_panel,
)
from dixitlib.panel.claims import Dispute
from dixitlib.panel.gam import debate
from dixitlib.panel.said import Analysis, Assessment, Question, Spent, Turn
from dixitlib.panel.uncertainty import Scale, from_wording
from dixitlib.records import Card, Claim, Reply, Token


def answer(choice: str, sure: float = 0.8, confidence: float = 0.9, **more: object) -> str:
    rest = (1 - sure) / 2
    odds = {label: sure if label == choice else rest for label in "ABC"}
    claim = {"claim": f"{choice} has a boat", "option": choice, "confidence": confidence}
    said = {"abstain": False, "claims": [claim], "probabilities": odds, "choice": choice}
    return json.dumps(said | more)


def expert(*script: str | Reply, **settings: object) -> PromptedExpert:
    return PromptedExpert(Speaker("Scene", "You see scenes.", Scripted(script)), **settings)


def words(messages: Sequence[Message]) -> str:
    return "\n".join(part for each in messages for part in each.parts if isinstance(part, str))


def test_an_expert_is_shown_the_clue_and_the_cards_and_nothing_else_of_them(question):
    asked = expert(answer("B"))
    said = asked.answer(question)
    system, user = asked.speaker.model.calls[0]
    assert system.parts == ("You see scenes.",)
    assert user.parts[0] == 'The clue is "hush". Which of these pictures is it about?'
    assert user.parts[1:7:2] == ("A:", "B:", "C:")
    assert user.parts[2:8:2] == tuple(question.options.values())
    for card in question.options.values():
        assert card.id not in words((system, user)) and card.caption not in words((system, user))
    assert (said.agent, said.turn.choice, said.source) == ("Scene", "B", "wording")
    assert said.distribution == pytest.approx((0.1, 0.8, 0.1))
    assert said.claims == (Claim("B has a boat", 0.9, option="B"),)
    assert said.uncertainty == from_wording(answer("B"))


def test_a_question_in_words_shows_its_picture_and_options(toy_deck):
    options = {"A": "a boat", "B": "a tower"}
    asked = expert('{"choice": "a tower"}')
    said = asked.answer(Question("What is at sea?", options, (toy_deck[0],)))
    shown = asked.speaker.model.calls[0][1].parts
    assert shown[:3] == (toy_deck[0], "What is at sea?", "Options:\nA: a boat\nB: a tower")
    assert said.turn.choice == "B"


def test_without_a_clue_the_question_says_so(question):
    blind = Question(None, question.options)
    assert prompts.shown(blind)[0] == prompts.NO_CLUE


def test_token_odds_are_preferred_to_wording(question):
    odds = tuple((str(n), math.log(0.2)) for n in range(5))
    said = expert(Reply(answer("A"), tokens=(Token("x", odds[0][1], odds),))).answer(question)
    assert (said.source, said.uncertainty, said.coverage) == (
        "tokens",
        pytest.approx(1),
        pytest.approx(1),
    )
    two = expert(
        Reply(answer("A"), tokens=(Token("x", odds[0][1], odds),)), scale=Scale(alternatives=6)
    )
    assert two.answer(question).source == "wording"


@pytest.mark.parametrize(
    "text", ['{"abstain": true, "choice": null}', "I abstain.", "Nothing is written.\nAbstain"]
)
def test_an_expert_may_abstain(question, text):
    said = expert(text).answer(question)
    assert said.abstained and not said.answered and said.turn.status == "ok"


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply(None, "error"), "error"),
        (Reply("", "empty"), "empty"),
        (Reply("no", "refused"), "refused"),
        (Reply('{"claims": [', finish="length"), "truncated"),
        (Reply("It might be a boat."), "unparsed"),
        (Reply('{"choice": "Z"}'), "unparsed"),
    ],
)
def test_a_failure_is_no_answer_and_keeps_its_status(question, reply, status):
    said = expert(reply).answer(question)
    assert (said.turn.status, said.turn.choice, said.answered) == (status, None, False)
    assert not said.abstained


def test_what_is_wrong_with_probabilities_is_noted(question):
    odd = expert(answer("A", probabilities={"A": 2, "B": 1, "C": 1})).answer(question)
    assert odd.distribution == pytest.approx((0.5, 0.25, 0.25))
    assert odd.notes == ("probabilities summed to 4 and were scaled",)
    none = expert(answer("A", probabilities={"Z": 1})).answer(question)
    # Without usable probabilities the measured uncertainty is spread over the options.
    share = none.uncertainty / 3
    assert none.distribution == pytest.approx((1 - 2 * share, share, share))
    assert none.notes[0].startswith("probabilities of Z, which are not on offer: ")
    bare = expert("B is the answer").answer(question)
    assert bare.turn.choice == "B" and bare.claims == ()
    assert bare.notes[0].startswith("no probabilities were given: ")


def test_what_was_spent_is_counted_and_the_unknown_is_unknown(question):
    reply = Reply(answer("A"), tokens_in=1_000, tokens_out=100)
    paid = Speaker("Scene", "", Scripted([reply, reply]), Price(input=2.0, output=10.0))
    assert PromptedExpert(paid).answer(question).turn.spent == Spent(
        1, tokens_in=1_000, tokens_out=100, usd=0.003
    )
    free = Speaker("Scene", "", Scripted([answer("A")]))
    assert PromptedExpert(free).answer(question).turn.spent == Spent(
        1, tokens_in=None, tokens_out=None, usd=None
    )


def test_samples_differ_in_their_key_only(question):
    asked = expert(answer("A"), answer("A"))
    first = asked.answer(question).turn
    second = asked.answer(Question(question.text, question.options, repeat=1)).turn
    assert first.replies != second.replies and first.text == second.text


DISPUTES = (
    Dispute("Objects", Claim('a "boat"', 0.4, "sails", (0, 0, 0.5, 1), "A"), "low confidence"),
    Dispute("Scene", Claim("a tower", 0.9, option="B"), "contradicted", ("Objects", "Text")),
)


def test_a_critic_sees_what_is_in_dispute_and_its_words_are_read(question):
    said = {
        "assessments": [
            {"number": 2, "verdict": "fails", "reason": "no tower", "confidence": "80%"},
            {"number": 3, "verdict": "holds"},
            {"number": 1, "verdict": "perhaps"},
            {"number": 1, "verdict": "open", "correction": "a raft", "confidence": 2.5},
            {"number": 1, "verdict": "open", "correction": "a raft"},
        ]
    }
    critic = PromptedCritic(Speaker("Fact Checker", "", Scripted([json.dumps(said)])))
    now = [Analysis(Turn("Objects", choice="A"), (1, 0, 0), DISPUTES[0].claim and (), 0.1)]
    critique = critic.assess(question, DISPUTES, now)
    shown = words(critic.speaker.model.calls[0])
    assert (
        '1. Objects: "a \\"boat\\"" [for A, confidence 0.40, evidence "sails", '
        "region [0, 0, 0.5, 1]] (low confidence)"
    ) in shown
    assert '2. Scene: "a tower" [for B, confidence 0.90] (contradicted by Objects, Text)' in shown
    assert "Objects chose A: no claims" in shown
    assert critique.assessments == (
        Assessment("Scene", "a tower", "fails", "no tower", "", 0.8),
        Assessment("Objects", 'a "boat"', "open", "", "a raft", 1.0),
    )
    assert [note.split(":")[0] for note in critique.notes] == ["an assessment is left out"] * 3


def test_a_critic_that_fails_says_nothing_and_keeps_its_status(question):
    for reply, status in ((Reply("fine!"), "unparsed"), (Reply(None, "error"), "error")):
        critic = PromptedCritic(Speaker("Fact Checker", "", Scripted([reply])))
        critique = critic.assess(question, DISPUTES, ())
        assert (critique.assessments, critique.turn.status) == ((), status)


def test_the_judge_is_told_weights_and_decides(question):
    judge = PromptedJudge(Speaker("Judge", prompts.JUDGE, Scripted(['{"choice": "C"}'])))
    analyses = [
        Analysis(Turn("Objects", choice="A"), (1, 0, 0), (Claim("x", 0.5),), 0.25, "tokens"),
        Analysis(Turn("Text")),
    ]
    verdict = judge.decide(question, analyses, (1.0, 0.0), ())
    shown = words(judge.speaker.model.calls[0])
    assert 'Weight 1.00, uncertainty 0.25. Objects chose A: "x" [confidence 0.50]' in shown
    assert "Text" not in shown and "critics" not in shown.split("panel.")[-1]
    assert verdict.turn.choice == "C"


def script(choices: str, hedges: Sequence[str]) -> Scripted:
    """A model for a panel of three: experts choose as told, hedging more or less each step."""
    step = {"asked": -1}

    def said(messages: Sequence[Message]) -> str:
        persona = messages[0].parts[0]
        if persona in prompts.EXPERTS.values():
            place = list(prompts.EXPERTS.values()).index(persona)
            step["asked"] += place == 0
            return answer(choices[place], reasoning=hedges[step["asked"]])
        if persona in prompts.CRITICS.values():
            return '{"assessments": [{"number": 1, "verdict": "fails", "reason": "no boat"}]}'
        return '{"choice": "A"}'

    return Scripted(said)


HEDGED = "maybe, perhaps, possibly, not sure, hard to tell"


@pytest.mark.parametrize(
    ("hedges", "ending", "calls"),
    [
        (["clear"], "untriggered", 4),
        ([HEDGED, "clear"], "converged", 11),
        ([HEDGED, HEDGED], "stagnated", 11),
        ([HEDGED, f"{HEDGED}, unclear", HEDGED, f"{HEDGED}, unclear"], "limit", 25),
    ],
)
def test_whole_debates_take_4_calls_and_7_a_round(question, hedges, ending, calls):
    model = script("AAB", hedges)
    # A steep scale, so that one word more moves the value by more than a hundredth.
    held = debate(question, prompted_panel(model, scale=Scale(k=10, offset=0.4)))
    assert (held.ending, len(model.calls), held.spent.calls) == (ending, calls, calls)
    assert held.choice == "A"


def test_in_a_round_everybody_is_told_what_was_said_before(question):
    model = script("AAB", [HEDGED, f"{HEDGED}, unclear", "clear"])
    held = debate(question, prompted_panel(model, scale=Scale(k=10, offset=0.4)))
    assert held.ending == "converged" and len(model.calls) == 18
    argued, criticised, judged, again = (words(model.calls[n]) for n in (4, 7, 10, 11))
    standing = "Object Recognition chose A. Scene Description chose A. Text and OCR chose B."
    assert f"So far: {standing}" in argued
    assert (
        '1. Object Recognition: "A has a boat" [for A, confidence 0.90] (contradicted by' in argued
    )
    assert "What the critics said" not in argued
    assert "What the experts say now:\nObject Recognition chose A" in criticised
    heard = 'Fact Checker: "A has a boat" of Object Recognition fails (confidence 1.00) "no boat"'
    assert heard in judged and heard in again


def test_a_panel_can_have_other_experts_and_no_critics(question):
    names = tuple(prompts.EXPERTS)
    model = Scripted(lambda messages: answer("A"))
    assert len(prompted_panel(model, experts=names).experts) == 5
    held = debate(question, prompted_panel(model, experts=names[:1], critics=()))
    assert held.spent.calls == 2


def test_without_claims_only_choices_are_in_dispute_and_the_first_words_are_the_same(question):
    models = [script("AAB", [HEDGED, "clear"]) for _ in range(2)]
    whole, without = (
        debate(question, prompted_panel(model, claiming=claiming))
        for model, claiming in zip(models, (True, False), strict=True)
    )
    assert {each.claim.text for each in whole.steps[1].disputes} >= {"A has a boat"}
    assert [each.claim.text for each in without.steps[1].disputes] == [
        *["A is the answer"] * 2,
        "B is the answer",
    ]
    assert models[0].calls[:3] == models[1].calls[:3]  # in a log, paid once
    assert without.spent.calls == 11 and not any(each.claims for each in without.steps[1].analyses)


def test_no_card_is_named_to_anybody(question):
    model = script("AAB", [HEDGED, HEDGED])
    debate(question, prompted_panel(model))
    said = "\n".join(words(call) for call in model.calls)
    card: Card
    for card in question.options.values():
        assert card.id not in said and card.caption not in said and card.sha256 not in said
