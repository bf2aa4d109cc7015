"""What a debate's page shows, where it draws, and that hostile words stay words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dixitlib.panel.claims import Dispute
from dixitlib.panel.debate import Debate, Step
from dixitlib.panel.said import Analysis, Assessment, Critique, Question, Turn, Verdict
from dixitlib.records import Claim
from dixitlib.viewer.debates import debate_html

EVIL = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>"
KITE = Claim("B shows a kite", 0.75, region=(0.25, 0.5, 0.5, 1.0), option="B")


def analysis(agent, choice, claims=(), uncertainty=0.5):
    return Analysis(Turn(agent, choice=choice), (0.2, 0.8), claims, uncertainty, "tokens")


@pytest.fixture
def debate(toy_deck):
    question = Question.choosing("a string to the sky", toy_deck[:2])
    opened = (analysis("things", "B", (KITE,)), analysis("places", "A"))
    critique = Critique(Turn("fact"), (Assessment("things", KITE.text, "holds", "seen there"),))
    verdict = Verdict(Turn("judge", choice="B"), (0.4, 0.6))
    first = Step(0, (), opened, (), (0.6, 0.4), 0.5, 0.3, verdict)
    disputes = (Dispute("things", KITE, "contradicted", ("places",)),)
    second = Step(1, disputes, opened, (critique,), (0.7, 0.3), 0.1, 0.2, verdict)
    return Debate(question, (first, second), "converged")


def test_the_page_tells_the_debate(debate):
    page = debate_html(debate)
    for said in (
        "Converged: the panel became sure",
        "“a string to the sky”",
        "First answers",
        "Round 1",
        "1. B shows a kite (0.75)",
        "In dispute: things: B shows a kite (contradicted by places)",
        "fact on things, “B shows a kite”: holds: seen there",
        "judge: B. U_sys 0.50, conflict 0.30.",
        "judge: B. U_sys 0.10, conflict 0.20.",
        "<td>0.60</td>",
        "<td>0.70</td>",
        "B (chosen)",
    ):
        assert " ".join(said.split()) in " ".join(page.split())


def test_a_claim_is_drawn_on_its_card_once(debate):
    page = debate_html(debate)
    assert page.count("<img ") == 2
    (place,) = re.findall(r'class="place" style="([^"]*)">(\d+)<', page)
    assert place == ("left:25.0%;top:50.0%;\nwidth:25.0%;height:50.0%", "1")
    drawn = page.index('class="place"')
    assert page.count("<img ", 0, drawn) == 2, "on the second card"


def test_hostile_words_stay_words(debate, toy_deck):
    claim = Claim(EVIL, 0.4, EVIL, (0.0, 0.0, 1.0, 1.0), "A")
    said = (analysis(EVIL, "A", (claim,)), analysis("places", "A"))
    critique = Critique(Turn(EVIL), (Assessment(EVIL, EVIL, "fails", EVIL),))
    step = replace(
        debate.steps[1],
        analyses=said,
        critiques=(critique,),
        disputes=(Dispute(EVIL, claim, "low confidence"),),
        verdict=Verdict(Turn(EVIL, choice="A")),
    )
    question = Question.choosing(EVIL, [replace(toy_deck[0], caption=EVIL), toy_deck[1]])
    page = debate_html(Debate(question, (debate.steps[0], step), "limit"))
    assert "<script" not in page and "<img src=x" not in page
    assert page.count("<img ") == 2 and page.count("&lt;script&gt;") >= 8


def test_options_may_be_words_and_nobody_may_answer(debate):
    silent = Analysis(Turn("things", status="refused"))
    question = Question(None, {"A": "a <b> word", "B": "another"})
    page = debate_html(Debate(question, (Step(0, (), (silent,)),), "unanswered"))
    assert "a &lt;b&gt; word" in page and "No clue was shown." in page
    assert "none (refused)" in page and "nothing to judge" in page
    assert "<img" not in page


def test_the_same_debate_gives_the_same_page(debate):
    assert debate_html(debate) == debate_html(debate)
