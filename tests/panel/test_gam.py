"""The controller, followed step by step through every way in which a debate can end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from dixitlib.panel.claims import Dispute
from dixitlib.panel.debate import ENDINGS, Debate, Step
from dixitlib.panel.gam import Panel, Settings, debate
from dixitlib.panel.said import Analysis, Assessment, Critique, Question, Spent, Turn, Verdict
from dixitlib.records import Claim

ONE = Spent(calls=1)


def says(choice: str, uncertainty: float, claims: Sequence[Claim] = ()) -> Analysis:
    odds = tuple(0.8 if label == choice else 0.1 for label in "ABC")
    return Analysis(Turn("", choice=choice, spent=ONE), odds, tuple(claims), uncertainty, "tokens")


def fails(status: str = "error") -> Analysis:
    return Analysis(Turn("", status=status, spent=ONE))


ABSTAINS = Analysis(Turn("", spent=ONE))


@dataclass
class Expert:
    """Says one analysis after the other, and remembers what it was shown."""

    name: str
    script: list[Analysis]
    heard: list[tuple[Sequence[Dispute], Sequence[Step]]] = field(default_factory=list)

    def answer(self, question: Question) -> Analysis:
        return self._next()

    def argue(
        self, question: Question, disputes: Sequence[Dispute], history: Sequence[Step]
    ) -> Analysis:
        self.heard.append((disputes, tuple(history)))
        return self._next()

    def _next(self) -> Analysis:
        said = self.script.pop(0)
        turn = Turn(self.name, choice=said.turn.choice, status=said.turn.status, spent=ONE)
        return Analysis(turn, said.distribution, said.claims, said.uncertainty, said.source)


@dataclass
class Critic:
    """Finds that every claim in dispute fails."""

    name: str = "critic"
    heard: list[tuple[Sequence[Dispute], Sequence[Analysis]]] = field(default_factory=list)

    def assess(
        self, question: Question, disputes: Sequence[Dispute], analyses: Sequence[Analysis]
    ) -> Critique:
        self.heard.append((disputes, analyses))
        found = tuple(Assessment(each.agent, each.claim.text, "fails") for each in disputes)
        return Critique(Turn(self.name, spent=ONE), found)


@dataclass
class Judge:
    """Goes with the heaviest expert."""

    name: str = "judge"
    heard: list[tuple[Sequence[float], Sequence[Critique]]] = field(default_factory=list)

    def decide(
        self,
        question: Question,
        analyses: Sequence[Analysis],
        weights: Sequence[float],
        critiques: Sequence[Critique],
    ) -> Verdict:
        self.heard.append((tuple(weights), critiques))
        heaviest = max(range(len(analyses)), key=lambda place: weights[place])
        return Verdict(Turn(self.name, choice=analyses[heaviest].turn.choice, spent=ONE))


def panel(*scripts: Sequence[Analysis], critics: int = 3) -> Panel:
    experts = tuple(Expert(f"expert {n}", list(script)) for n, script in enumerate(scripts))
    return Panel(experts, tuple(Critic(f"critic {n}") for n in range(critics)), Judge())


def three(*uncertainties: float, choices: str = "AAB") -> list[list[Analysis]]:
    """Scripts of three experts that differ, all of one uncertainty, a value for each step."""
    return [[says(choice, u) for u in uncertainties] for choice in choices]


# Three experts of one uncertainty, split two to one, .8 on their choice: the mixture is
# (.566667, .333333, .1) with H = .918320; each H = .639032; over log 3: .254219.
SPLIT = 0.254219


@pytest.mark.parametrize(
    ("uncertainties", "ending", "calls"),
    [
        ([0.45], "untriggered", 4),
        ([0.6, 0.14], "converged", 11),
        ([0.6, 0.5, 0.14], "converged", 18),
        ([0.6, 0.595], "stagnated", 11),
        ([0.6, 0.5, 0.7, 0.6], "limit", 25),
        ([0.6, 0.5, 0.7, 0.1], "converged", 25),
        ([0.6, 0.5, 0.7, 0.7], "limit", 25),
    ],
)
def test_a_debate_ends_for_its_reason_and_takes_as_many_calls_as_the_paper_counts(
    question, uncertainties, ending, calls
):
    members = panel(*three(*uncertainties))
    held = debate(question, members)
    assert (held.ending, held.spent.calls, held.rounds) == (ending, calls, len(uncertainties) - 1)
    assert calls == 4 + 7 * held.rounds
    assert [step.system_uncertainty for step in held.steps] == pytest.approx(uncertainties)
    assert (held.choice, held.first, held.status) == ("A", "A", "ok")


def test_conflict_alone_begins_a_debate(question):
    quiet = Settings(theta_c=SPLIT + 1e-4)
    assert debate(question, panel(*three(0.3)), quiet).ending == "untriggered"
    held = debate(question, panel(*three(0.3, 0.1)), Settings(theta_c=SPLIT - 1e-4))
    assert held.ending == "converged"
    assert held.steps[0].conflict == pytest.approx(SPLIT, abs=1e-6)


def test_everybody_hears_what_there_is_to_hear(question):
    boat, night = Claim("a boat", 0.9, option="A"), Claim("night", 0.3)
    members = panel(
        [says("A", 0.6, [boat]), says("A", 0.5, [boat]), says("A", 0.1)],
        [says("A", 0.6), says("B", 0.5), says("A", 0.1)],
        [says("B", 0.6, [night]), says("B", 0.5), says("A", 0.1)],
    )
    held = debate(question, members)
    first = held.steps[1].disputes
    choice = Claim("A is the answer", 0.8, option="A")
    assert first == (
        Dispute("expert 0", boat, "contradicted", ("expert 2",)),
        # One without claims is taken to claim that its choice is right.
        Dispute("expert 1", choice, "contradicted", ("expert 2",)),
        Dispute("expert 2", night, "low confidence"),
    )
    for expert in members.experts:
        assert [heard[0] for heard in expert.heard] == [step.disputes for step in held.steps[1:]]
        assert [len(heard[1]) for heard in expert.heard] == [1, 2]
    for critic in members.critics:
        assert critic.heard == [(step.disputes, list(step.analyses)) for step in held.steps[1:]]
    assert [len(heard[1]) for heard in members.judge.heard] == [0, 3, 3]
    assert held.steps[1].critiques[0].assessments[0] == Assessment("expert 0", "a boat", "fails")


def test_weights_follow_uncertainty_and_the_judge_is_told(question):
    members = panel([says("A", 0.2)], [says("B", 0.6)], [says("B", 0.6)])
    held = debate(question, members, Settings(theta_c=1))
    # exp(-.3) = .740818, exp(-.9) = .406570 twice, of sum 1.553958.
    weights = pytest.approx((0.476730, 0.261635, 0.261635), abs=1e-6)
    assert held.steps[0].weights == weights
    assert members.judge.heard[0][0] == weights
    assert held.steps[0].system_uncertainty == pytest.approx(0.409308, abs=1e-6)
    assert held.choice == "A"


def test_equal_weights_without_beta(question):
    held = debate(question, panel([says("A", 0.2)], [says("B", 0.4)]), Settings(beta=0, theta_c=1))
    assert held.steps[0].weights == pytest.approx((0.5, 0.5))


def test_who_fails_weighs_nothing_in_that_step_and_is_asked_again(question):
    members = panel(
        [fails("refused"), says("C", 0.1)],
        [says("A", 0.6), fails("truncated")],
        [says("B", 0.6), says("C", 0.1)],
    )
    held = debate(question, members)
    assert held.steps[0].weights == pytest.approx((0, 0.5, 0.5))
    assert held.steps[1].weights == pytest.approx((0.5, 0, 0.5))
    assert [each.turn.status for each in held.steps[1].analyses] == ["ok", "truncated", "ok"]
    assert (held.choice, held.first, held.ending) == ("C", "A", "converged")


def test_who_abstains_weighs_nothing_and_is_not_asked_again(question):
    members = panel([ABSTAINS], [says("A", 0.6), says("A", 0.1)], [says("B", 0.6), says("A", 0.1)])
    held = debate(question, members)
    assert [step.weights[0] for step in held.steps] == [0, 0]
    assert held.steps[1].analyses[0].abstained
    assert held.spent.calls == 4 + 6


@pytest.mark.parametrize(("last", "status"), [(fails("error"), "error"), (ABSTAINS, "empty")])
def test_nobody_answering_is_an_unanswered_question_not_a_guess(question, last, status):
    members = panel([last], [last])
    held = debate(question, members)
    assert (held.choice, held.status, held.ending) == (None, status, "unanswered")
    assert held.steps[0].verdict is None and members.judge.heard == []


def test_all_failing_in_a_round_leaves_it_unanswered(question):
    held = debate(question, panel(*[[says(c, 0.6), fails()] for c in "AAB"]))
    assert (held.choice, held.first, held.status) == (None, "A", "error")
    assert (held.ending, held.rounds) == ("unanswered", 1)


def test_a_judge_without_a_verdict_leaves_it_unanswered(question):
    class Mute(Judge):
        def decide(self, *told: object) -> Verdict:
            return Verdict(Turn(self.name, status="unparsed", spent=ONE))

    members = panel(*three(0.1))
    held = debate(question, Panel(members.experts, members.critics, Mute()))
    assert (held.choice, held.status, held.ending) == (None, "unparsed", "untriggered")


def test_where_nothing_is_in_dispute_there_is_nothing_to_debate(question):
    held = debate(question, panel(*three(0.6, choices="AAA")))
    assert (held.ending, held.spent.calls) == ("undisputed", 4)


def test_without_rounds_there_is_no_debate(question):
    held = debate(question, panel(*three(0.6)), Settings(max_rounds=0))
    assert (held.ending, held.spent.calls) == ("limit", 4)


def test_without_uncertainty_only_conflict_begins_and_only_the_limit_ends(question):
    settings = Settings(uncertain=False)
    assert debate(question, panel(*three(0.9)), settings).ending == "untriggered"
    scripts = three(0.9, 0.9, 0.1, 0.1)
    held = debate(question, panel(*scripts), Settings(uncertain=False, theta_c=0.2))
    assert (held.ending, held.rounds) == ("limit", 3)
    assert held.steps[0].weights == pytest.approx([1 / 3] * 3)


def test_one_agent_and_no_critics_are_a_panel_too(question):
    low = Claim("a boat", 0.2)
    members = panel([says("A", 0.6, [low]), says("A", 0.1)], critics=0)
    held = debate(question, members)
    assert (held.ending, held.spent.calls) == ("converged", 4)
    assert [step.conflict for step in held.steps] == [0, 0]


def test_a_panel_needs_an_expert_and_names_that_differ():
    with pytest.raises(ValueError, match="takes an expert"):
        Panel((), (), Judge())
    with pytest.raises(ValueError, match="differ: judge, judge"):
        Panel((Expert("judge", []),), (), Judge())


def test_what_is_unknown_of_the_cost_is_unknown_of_the_sum():
    known, looks = Spent(1, frozenset("ab"), 10, 5, 0.1), frozenset("bc")
    assert known + known == Spent(2, frozenset("ab"), 20, 10, 0.2)
    assert known + Spent(1, looks, None, 5, None) == Spent(2, frozenset("abc"), None, 10, None)


def test_every_ending_is_tested_here(question):
    def ending(*uncertainties: float, **settings: float) -> str:
        held: Debate = debate(question, panel(*three(*uncertainties)), Settings(**settings))
        return held.ending

    found = {
        ending(0.3),
        ending(0.6, 0.1),
        ending(0.6, 0.6),
        ending(0.6, max_rounds=0),
        debate(question, panel(*three(0.6, choices="AAA"))).ending,
        debate(question, panel([ABSTAINS])).ending,
    }
    assert found == set(ENDINGS)
