"""The other frameworks, turn by turn: what every agent saw and what it said."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from dixitlib.models.base import Scripted
from dixitlib.panel.agents import PromptedExpert, Speaker
from dixitlib.panel.baselines import (
    chateval,
    confidence_vote,
    debunc,
    dmad,
    dmpl,
    mad,
    plain_debate,
    self_consistency,
    single,
)
from dixitlib.panel.baselines import words as told
from dixitlib.panel.baselines.exchange import confidences
from dixitlib.panel.baselines.votes import vote_weight
from dixitlib.panel.said import Question
from dixitlib.panel.uncertainty import Scale
from dixitlib.records import Reply, Token


def answer(choice: str, sure: float = 0.8) -> str:
    odds = {label: sure if label == choice else (1 - sure) / 2 for label in "ABC"}
    return json.dumps({"probabilities": odds, "choice": choice})


def expert(name: str, *script: str | Reply | None) -> PromptedExpert:
    return PromptedExpert(Speaker(name, "", Scripted(script, name)))


def said(decision) -> list[tuple[str, str | None]]:
    return [(turn.speaker, turn.choice) for turn in decision.turns]


def test_single_takes_the_answer_of_one(question):
    found = single(question, expert("x", answer("B")))
    assert (found.framework, found.choice, found.status) == ("single", "B", "ok")
    assert found.shares == pytest.approx((0.1, 0.8, 0.1)) and found.spent.calls == 1
    failed = single(question, expert("x", None))
    assert (failed.choice, failed.status) == (None, "empty")


def test_self_consistency_is_the_majority_of_different_samples(question):
    asked = expert("x", answer("B"), answer("A"), None, answer("A"), answer("C"))
    found = self_consistency(question, asked, samples=5)
    assert said(found) == [("x", "B"), ("x", "A"), ("x", None), ("x", "A"), ("x", "C")]
    assert found.choice == "A" and found.shares == pytest.approx((0.5, 0.25, 0.25))
    assert len({turn.replies for turn in found.turns}) == 5  # five samples, not one five times
    assert len({call[1].parts for call in asked.speaker.model.calls}) == 1
    assert found.spent.calls == 5


def test_of_equal_votes_the_first_cast_counts(question):
    assert self_consistency(question, expert("x", answer("C"), answer("A")), 2).choice == "C"


@pytest.mark.parametrize(
    ("confidence", "weight"),
    [(0.2, 0.1), (0.6, 0.1), (0.61, 0.3), (0.79, 0.3), (0.8, 0.5), (0.9, 0.8), (0.99, 0.8), (1, 1)],
)
def test_votes_weigh_as_in_reconcile(confidence, weight):
    assert vote_weight(confidence) == weight


def test_a_confident_vote_outweighs_two_doubtful_ones(question):
    voters = [expert("x", answer("A", 0.7)), expert("y", answer("A", 0.6))]
    found = confidence_vote(question, [*voters, expert("z", answer("B", 0.85))])
    assert said(found) == [("x", "A"), ("y", "A"), ("z", "B")]
    assert found.choice == "B" and found.shares == pytest.approx((4 / 9, 5 / 9, 0))


def test_nobody_answering_is_no_answer(question):
    found = confidence_vote(question, [expert("x", None), expert("y", "{}")])
    assert (found.choice, found.status, found.shares) == (None, "unparsed", ())


def test_plain_debate(question, speaker, saw, votes):
    x = speaker("x", votes("a boat", "A"), votes("still a boat", "A"))
    y = speaker("y", votes("a tower", "B"), votes("a boat it is", "A"))
    z = speaker("z", None, votes("a raft", "C"))
    found = plain_debate(question, [x, y, z])
    assert said(found) == [
        *[("x", "A"), ("y", "B"), ("z", None)],
        *[("x", "A"), ("y", "A"), ("z", "C")],
    ]
    assert (found.choice, found.rounds, found.spent.calls) == ("A", 1, 6)
    assert found.shares == pytest.approx((2 / 3, 0, 1 / 3))
    first = saw(x, 0)
    assert first == saw(y, 0) == saw(z, 0) and "tower" not in first and told.FIRST in first
    own, others = saw(x, 1).split("The answers of others:\n")
    assert own.endswith(f"Your last answer: {json.dumps(votes('a boat', 'A'))}\n")
    assert others.startswith(f"y: {json.dumps(votes('a tower', 'B'))}\nz: (no answer)\n")
    assert told.UPDATE in others and "raft" not in others and "confidence" not in others
    assert "a tower" in saw(y, 1).split("The answers of others:\n")[0]
    assert saw(z, 1).split("The answers of others:\n")[1].startswith("x: ")


def test_dmad_thinks_in_different_ways_and_rounds(question, speaker, saw, votes):
    speakers = [
        speaker("x", *(votes(f"x{n}", "A") for n in range(3))),
        speaker("y", *(votes(f"y{n}", "B") for n in range(3))),
        speaker("z", votes("z0", "A"), votes("z1", "A"), votes("z2", "B")),
    ]
    found = dmad(question, speakers)
    assert said(found)[-3:] == [("x", "A"), ("y", "B"), ("z", "B")]
    assert (found.choice, found.rounds, found.spent.calls) == ("B", 2, 9)
    for each, strategy in zip(speakers, told.STRATEGIES.values(), strict=True):
        others = [other for other in told.STRATEGIES.values() if other != strategy]
        for turn in range(3):
            assert strategy in saw(each, turn)
            assert not any(other in saw(each, turn) for other in others)
    last = saw(speakers[0], 2)
    assert "y1" in last and "z1" in last and "y0" not in last and "x0" not in last


def sure(words: str, *odds: float) -> Reply:
    named = tuple((str(n), math.log(p)) for n, p in enumerate(odds))
    return Reply(words, tokens=(Token("x", named[0][1], named),))


def test_confidences_by_debuncs_formula():
    # Alike: 14/3 + 1/3 = 5. c = 10, 2, 2: 140/14 + 1/3 = 10.33, cut to 10; 28/14 + 1/3 = 2.33.
    assert confidences([0.5, 0.5, 0.5]) == [5, 5, 5]
    assert confidences([0.1, 0.5, 0.5]) == [10, 2, 2]
    assert confidences([0.5, None, 0.5]) == [8, None, 8]  # 14/2 + 1/2 = 7.5
    assert confidences([0.0, 1.0, 1.0]) == [10, 1, 1]
    assert confidences([None]) == [None]


def test_debunc_shows_everybodys_confidence(question, speaker, saw, votes):
    even, lead = (0.5, 0.5), (0.999, 0.001)
    x = speaker("x", sure(votes("a boat", "A"), *lead), votes("boat", "A"))
    y = speaker("y", sure(votes("a tower", "B"), *even), votes("boat", "A"))
    z = speaker("z", None, votes("tower", "B"))
    found = debunc(question, [x, y, z], rounds=2, scale=Scale(alternatives=2))
    assert said(found)[3:] == [("x", "A"), ("y", "A"), ("z", "B")]
    assert (found.choice, found.spent.calls) == ("A", 6)
    # u of x is .0067, of y 1: 14 (.9933) + .5 is cut to 10; 14 (.0067) + .5 = .59 is raised to 1.
    assert "(confidence 10)\nThe answers of others:\ny (confidence 1): " in saw(x, 1)
    assert "Your last answer: (no answer)\nThe answers of others:\nx (confidence 10): " in saw(z, 1)
    assert told.CONFIDENCE in saw(y, 1) and "z: (no answer)" in saw(y, 1)


def test_chateval_talks_in_turn_with_one_history_then_votes(question, speaker, saw, votes):
    x = speaker("x", "x first", "x second", votes("done", "A"))
    y = speaker("y", votes("y first", "B"), "y second", votes("done", "C"))
    found = chateval(question, [x, y])
    assert said(found) == [
        *[("x", None), ("y", "B"), ("x", None), ("y", None)],
        *[("x", "A"), ("y", "C")],
    ]
    assert (found.choice, found.rounds, found.spent.calls) == ("A", 1, 6)
    assert "You speak first." in saw(x, 0) and told.DISCUSS in saw(x, 0)
    assert 'x: "x first"' in saw(y, 0)
    heard = saw(x, 2)
    assert told.VOTE in heard and heard.index("x first") < heard.index("y second")
    assert [name in saw(x, 1) for name in ("x first", "y first", "y second")] == [True, True, False]
    assert "done" not in saw(y, 2)  # votes are cast at once


def moderated(choice: str | None) -> str:
    return json.dumps({"decided": choice is not None, "choice": choice or ""})


def test_mad_ends_when_the_judge_has_heard_enough(question, speaker, saw, votes):
    one = speaker("one", votes("a boat", "A"), votes("surely a boat", "A"))
    other = speaker("other", votes("a tower", "B"), votes("surely a tower", "B"))
    judge = speaker("judge", moderated(None), moderated("B"))
    found = mad(question, (one, other), judge)
    assert said(found) == [
        *[("one", "A"), ("other", "B"), ("judge", None)],
        *[("one", "A"), ("other", "B"), ("judge", "B")],
    ]
    assert (found.choice, found.status, found.rounds, found.spent.calls) == ("B", "ok", 1, 6)
    assert "What was said" not in saw(one, 0) and told.FIRST in saw(one, 0)
    assert 'one: "a boat' in saw(other, 0) and told.DISAGREE in saw(other, 0)
    assert told.MODERATE in saw(judge, 0) and 'other: "a tower' in saw(judge, 0)
    assert told.REPLY in saw(one, 1) and "judge: " in saw(one, 1)
    assert "surely a boat" in saw(other, 1) and "surely a tower" in saw(judge, 1)


def test_mad_must_be_decided_after_the_last_round(question, speaker, saw, votes):
    one, other = (speaker(n, *[votes("mine", c)] * 3) for n, c in (("one", "A"), ("other", "B")))
    judge = speaker("judge", moderated(None), "Go on, C is fine.", None, votes("so be it", "A"))
    found = mad(question, (one, other), judge)
    assert (found.choice, found.rounds, found.spent.calls) == ("A", 2, 10)
    assert told.LAST_WORD in saw(judge, 3) and saw(judge, 3).count("one: ") == 3


def test_mad_without_a_decision_is_unanswered(question, speaker, votes):
    one, other = (speaker(n, votes("mine", c)) for n, c in (("one", "A"), ("other", "B")))
    judge = speaker("judge", moderated(None), "Who knows?")
    found = mad(question, (one, other), judge, rounds=1)
    assert (found.choice, found.status) == (None, "unparsed")


def verdict(choice: str, confidence: float | str) -> str:
    return json.dumps({"confidence": confidence, "choice": choice})


def test_dmpl_defends_two_answers_before_a_judge_without_pictures(question, speaker, saw):
    scout = speaker("scout", '{"candidates": ["C", "A"]}')
    one = speaker("one", "C1", "C2", "A3", "A4")
    other = speaker("other", "A1", "A2", "C3", "C4")
    judge = speaker("judge", verdict("C", 0.6), verdict("A", "90%"))
    found = dmpl(question, scout, (one, other), judge, rounds=2)
    assert said(found) == [
        ("scout", None),
        *[("one", "C"), ("other", "A"), ("one", "C"), ("other", "A"), ("judge", "C")],
        *[("one", "A"), ("other", "C"), ("one", "A"), ("other", "C"), ("judge", "A")],
    ]
    assert found.choice == "A" and found.shares == pytest.approx((0.6, 0, 0.4))
    assert (found.rounds, found.spent.calls) == (2, 11)
    assert told.DEFEND.format(label="C", other="A") in saw(one, 0)
    assert told.DEFEND.format(label="A", other="C") in saw(other, 0)
    assert "C1" not in saw(other, 0)  # both speak at once
    assert "C1" in saw(other, 1) and "A1" in saw(one, 1) and "C2" not in saw(other, 1)
    assert "C1" not in saw(one, 2)  # the second debate begins anew, with positions swapped
    assert told.DEFEND.format(label="A", other="C") in saw(one, 2)
    heard = judge.model.calls[0][1].parts
    assert all(isinstance(part, str) for part in heard)
    assert '"hush"' in heard[0] and "C and A" in heard[0] and "A and C" in saw(judge, 1)
    assert all(words in saw(judge, 0) for words in ("C1", "A1", "C2", "A2"))
    assert "A3" not in saw(judge, 0) and "C1" not in saw(judge, 1)


def test_dmpl_takes_the_likelier_nomination_if_the_judge_is_of_two_minds(question, speaker):
    scout = speaker("scout", '{"candidates": ["C", "A", "C"]}')
    one, other = speaker("one", "1", "2"), speaker("other", "1", "2")
    judge = speaker("judge", verdict("A", 0.7), verdict("C", 0.7))
    assert dmpl(question, scout, (one, other), judge, rounds=1).choice == "C"


def test_dmpl_needs_two_answers_and_a_verdict_on_one_of_them(question, speaker):
    scout = speaker("scout", '{"candidates": ["C", "Z"]}')
    found = dmpl(question, scout, (speaker("one"), speaker("other")), speaker("judge"))
    assert (found.choice, found.status, found.spent.calls) == (None, "unparsed", 1)
    one, other = speaker("one", "1", "2"), speaker("other", "1", "2")
    judge = speaker("judge", verdict("B", 0.9), None)
    scout = speaker("scout", '{"candidates": ["C", "A"]}')
    found = dmpl(question, scout, (one, other), judge, rounds=1)
    assert (found.choice, found.status) == (None, "empty")


def test_dmpl_nominates_nobody_where_there_are_two(speaker, saw):
    two = Question("At sea?", {"A": "a boat", "B": "a tower"})
    one, other = speaker("one", "1", "2"), speaker("other", "1", "2")
    judge = speaker("judge", verdict("B", 0.8), verdict("B", 0.8))
    found = dmpl(two, speaker("scout"), (one, other), judge, rounds=1)
    assert (found.choice, found.spent.calls) == ("B", 6)
    assert "At sea? The two answers on offer are A (a boat) and B (a tower)" in saw(judge, 0)


def test_every_turn_of_a_speaker_is_counted_and_has_its_key(question, speaker, votes):
    names = "xyz"
    replies = [Reply(votes("mine", "A"), tokens_in=100, tokens_out=10, cost=0.01)] * 2
    found = plain_debate(question, [speaker(name, *replies) for name in names])
    assert (found.spent.tokens_in, found.spent.tokens_out) == (600, 60)
    assert found.spent.usd == pytest.approx(0.06)
    assert len(np.unique([turn.replies for turn in found.turns])) == 6
