"""The controller of GAM-Agent: answers, weights, integration, and debate where it is needed.

1. Every expert answers; the judge integrates the answers, which are weighed by uncertainty.
2. If U_sys or the conflict passes its threshold, a debate begins.
3. In each round experts answer to the claims in dispute, critics assess these, experts are
   weighed anew, and the judge integrates once more.
4. It ends when U_sys is low enough (converged), after the last round (limit), or when U_sys
   hardly moves (stagnated), looked at in this order; and where nothing is in dispute.

Three experts, three critics and a judge take 4 calls, and 7 a round. An expert that fails
counts for nothing in that step, one that abstains is not asked again, and if nobody answers
there is no verdict: an unanswered question, not a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dixitlib.panel.claims import LOW, Dispute, disputed
from dixitlib.panel.conflict import divergence
from dixitlib.panel.debate import Critic, Debate, Ending, Expert, Judge, Step
from dixitlib.panel.said import Analysis, Critique, Question, Spent
from dixitlib.panel.weights import BETA, softmax_weights, system_uncertainty
from dixitlib.records import Claim


@dataclass(frozen=True, slots=True)
class Settings:
    """The controller's parameters; defaults are the paper's, for images.

    Parameters
    ----------
    beta
        How strongly uncertainty takes weight away; 0 weighs all experts alike.
    theta_u, theta_c
        A debate begins above either. Conflict is measured our way, so theta_c should be
        set by the share of debates it leads to.
    converged, stagnated
        A debate ends when U_sys is below the first, or moves by less than the second.
    max_rounds
        Most rounds; 0 does without debate.
    low
        Confidence below which a claim is disputed.
    uncertain
        Whether uncertainty is used at all. Without, experts weigh alike, only conflict
        begins a debate, and nothing but the last round, or the end of all dispute, ends it.
    """

    beta: float = BETA
    theta_u: float = 0.45
    theta_c: float = 0.55
    converged: float = 0.15
    stagnated: float = 0.01
    max_rounds: int = 3
    low: float = LOW
    uncertain: bool = True

    @property
    def weighing(self) -> float:
        """The beta by which experts are weighed: 0 where uncertainty is not used."""
        return self.beta if self.uncertain else 0.0


@dataclass(frozen=True, eq=False)
class Panel:
    """Who sits on it. Only experts carry weight; there may be no critics.

    Raises
    ------
    ValueError
        If there is no expert, or two members share a name.
    """

    experts: tuple[Expert, ...]
    critics: tuple[Critic, ...]
    judge: Judge

    def __post_init__(self) -> None:
        names = [each.name for each in (*self.experts, *self.critics, self.judge)]
        if not self.experts or len(set(names)) < len(names):
            raise ValueError(f"a panel takes an expert, and names that differ: {', '.join(names)}")


def debate(
    question: Question,
    panel: Panel,
    settings: Settings | None = None,
    course: Iterable[Step] | None = None,
) -> Debate:
    """Lead a panel from a question to its answer.

    Parameters
    ----------
    question
        What is asked.
    panel
        Who is asked.
    settings
        When debates begin and end.
    course
        Steps of this panel on this question, if somebody keeps them; by default `steps`.
    """
    settings = settings or Settings()
    going = iter(course or steps(question, panel, settings))
    taken = [next(going)]
    ending = _before_debate(taken[0], settings)
    while ending is None:
        step = next(going, None)
        if step is None:
            ending = "undisputed"
        else:
            taken.append(step)
            ending = _after_round(taken, settings)
    return Debate(question, tuple(taken), ending)


def steps(question: Question, panel: Panel, settings: Settings) -> Iterator[Step]:
    """Yield the first answers, then rounds for as long as there are answers, and a dispute.

    A step is made when it is asked for. Thresholds and limits have no part in what is said,
    so settings that differ in nothing else can share what this yields.
    """
    taken = [_opening(question, panel, settings)]
    yield taken[0]
    while taken[-1].verdict is not None and (disputes := _disputes(taken[-1], settings)):
        taken.append(_round(question, panel, disputes, taken, settings))
        yield taken[-1]


def _opening(question: Question, panel: Panel, settings: Settings) -> Step:
    analyses = [expert.answer(question) for expert in panel.experts]
    return _step(question, panel, analyses, (), (), 0, settings)


def _round(
    question: Question,
    panel: Panel,
    disputes: tuple[Dispute, ...],
    taken: Sequence[Step],
    settings: Settings,
) -> Step:
    analyses = [
        _silent(before) if before.abstained else expert.argue(question, disputes, taken)
        for expert, before in zip(panel.experts, taken[-1].analyses, strict=True)
    ]
    critiques = [critic.assess(question, disputes, analyses) for critic in panel.critics]
    return _step(question, panel, analyses, disputes, critiques, len(taken), settings)


def _step(
    question: Question,
    panel: Panel,
    analyses: Sequence[Analysis],
    disputes: Sequence[Dispute],
    critiques: Sequence[Critique],
    number: int,
    settings: Settings,
) -> Step:
    """Weigh analyses and have them judged, if there is anything to weigh."""
    said = (number, tuple(disputes), tuple(analyses), tuple(critiques))
    measured = [each.uncertainty if each.answered else None for each in analyses]
    if all(each is None for each in measured):
        return Step(*said)
    weights = softmax_weights(measured, settings.weighing)
    present = [place for place, each in enumerate(measured) if each is not None]
    answers = np.array([analyses[place].distribution for place in present])
    conflict = divergence(answers, weights[present])
    verdict = panel.judge.decide(question, analyses, weights, critiques)
    system = system_uncertainty(weights, measured)
    return Step(*said, tuple(weights.tolist()), system, conflict, verdict)


def _silent(abstention: Analysis) -> Analysis:
    """Return an abstention that stands without being asked for, and so takes nothing."""
    return replace(abstention, turn=replace(abstention.turn, replies=(), spent=Spent()))


def _before_debate(opening: Step, settings: Settings) -> Ending | None:
    if opening.verdict is None:
        return "unanswered"
    unsure = settings.uncertain and opening.system_uncertainty > settings.theta_u
    if not (unsure or opening.conflict > settings.theta_c):
        return "untriggered"
    return "limit" if settings.max_rounds == 0 else None


def _after_round(taken: Sequence[Step], settings: Settings) -> Ending | None:
    before, now = taken[-2], taken[-1]
    if now.verdict is None:
        return "unanswered"
    if settings.uncertain and now.system_uncertainty < settings.converged:
        return "converged"
    if now.round >= settings.max_rounds:
        return "limit"
    moved = abs(now.system_uncertainty - before.system_uncertainty)
    return "stagnated" if settings.uncertain and moved < settings.stagnated else None


def _disputes(step: Step, settings: Settings) -> tuple[Dispute, ...]:
    present = [each for each in step.analyses if each.answered]
    claims = {each.agent: each.claims or (_choice_as_claim(each),) for each in present}
    choices = {each.agent: each.turn.choice for each in present}
    return disputed(claims, choices, settings.low)


def _choice_as_claim(analysis: Analysis) -> Claim:
    """Return what an agent without claims is taken to claim: that its choice is right."""
    choice = analysis.turn.choice
    return Claim(f"{choice} is the answer", max(analysis.distribution), option=choice)
