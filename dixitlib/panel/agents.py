"""Agents by prompt: an expert, a critic and a judge over any model, by what they are told.

Nobody is asked twice, so that a decision takes no more calls than the controller counts;
how replies are read stands in `reading`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dixitlib.models.base import Message, Model, Schema, request_key
from dixitlib.models.prices import Price, cost
from dixitlib.panel import prompts
from dixitlib.panel.claims import Dispute
from dixitlib.panel.debate import Step
from dixitlib.panel.gam import Panel
from dixitlib.panel.prompts import Parts
from dixitlib.panel.reading import chosen, read_analysis, read_critique
from dixitlib.panel.said import Analysis, Critique, Question, Spent, Turn, Verdict
from dixitlib.panel.uncertainty import Scale
from dixitlib.records import Reply


@dataclass(frozen=True)
class Speaker:
    """A model in a role.

    Parameters
    ----------
    name
        The agent's name, by which others hear of it.
    persona
        What it is told to be.
    model
        Who speaks.
    price
        What its tokens cost, where the endpoint does not say.
    """

    name: str
    persona: str
    model: Model
    price: Price | None = None

    def ask(
        self, parts: Parts, schema: Schema | None = None, repeat: int = 0
    ) -> tuple[Reply, Turn]:
        """Ask, and return the reply with a turn that has no choice yet."""
        messages = (Message("system", (self.persona,)), Message("user", parts))
        reply = self.model.ask(messages, schema, repeat)
        key = request_key(self.model.identity, messages, schema, repeat)
        spent = Spent(1, frozenset(), reply.tokens_in, reply.tokens_out, cost(reply, self.price))
        return reply, Turn(self.name, reply.text, None, reply.status, (key,), spent)

    def choose(self, parts: Parts, question: Question, schema: Schema | None = None) -> Turn:
        """Ask for words that end in a choice; without a readable one the turn has its status."""
        return chosen(*self.ask(parts, schema, question.repeat), question)


@dataclass(frozen=True)
class PromptedExpert:
    """A base agent by prompt.

    Parameters
    ----------
    speaker
        Who speaks.
    scale
        How its uncertainty is measured.
    claiming
        Whether its claims are read; it is asked for them in either case, in the same words.
    """

    speaker: Speaker
    scale: Scale = field(default_factory=Scale)
    claiming: bool = True

    @property
    def name(self) -> str:
        """The speaker's name."""
        return self.speaker.name

    def answer(self, question: Question) -> Analysis:
        """Give a first answer."""
        return self._asked(prompts.answer(question), question)

    def argue(
        self, question: Question, disputes: Sequence[Dispute], history: Sequence[Step]
    ) -> Analysis:
        """Answer to what is in dispute."""
        last = history[-1]
        parts = prompts.argue(question, disputes, last.analyses, last.critiques)
        return self._asked(parts, question)

    def _asked(self, parts: Parts, question: Question) -> Analysis:
        schema = prompts.analysis_schema(question.labels)
        reply, turn = self.speaker.ask(parts, schema, question.repeat)
        analysis = read_analysis(reply, turn, question, self.scale)
        return analysis if self.claiming else replace(analysis, claims=())


@dataclass(frozen=True)
class PromptedCritic:
    """A critical agent by prompt."""

    speaker: Speaker

    @property
    def name(self) -> str:
        """The speaker's name."""
        return self.speaker.name

    def assess(
        self, question: Question, disputes: Sequence[Dispute], analyses: Sequence[Analysis]
    ) -> Critique:
        """Assess what is in dispute."""
        parts = prompts.assess(question, disputes, analyses)
        reply, turn = self.speaker.ask(parts, prompts.critique_schema(), question.repeat)
        return read_critique(reply, turn, disputes)


@dataclass(frozen=True)
class PromptedJudge:
    """The integrating judge by prompt."""

    speaker: Speaker

    @property
    def name(self) -> str:
        """The speaker's name."""
        return self.speaker.name

    def decide(
        self,
        question: Question,
        analyses: Sequence[Analysis],
        weights: Sequence[float],
        critiques: Sequence[Critique],
    ) -> Verdict:
        """Integrate what was said into one answer."""
        parts = prompts.decide(question, analyses, weights, critiques)
        schema = prompts.choice_schema(question.labels)
        return Verdict(self.speaker.choose(parts, question, schema))


def prompted_panel(
    model: Model,
    experts: Sequence[str] = tuple(prompts.EXPERTS)[:3],
    critics: Sequence[str] = tuple(prompts.CRITICS),
    scale: Scale | None = None,
    price: Price | None = None,
    claiming: bool = True,
) -> Panel:
    """Return a panel whose members are one model in different roles.

    Parameters
    ----------
    model
        Who speaks for all of them.
    experts, critics
        Names of `prompts.EXPERTS` and `prompts.CRITICS`; by default the paper's three each.
    scale
        How uncertainty is measured.
    price
        What tokens cost, where the endpoint does not say.
    claiming
        Whether experts' claims are read.
    """
    scale = scale or Scale()
    base = [Speaker(name, prompts.EXPERTS[name], model, price) for name in experts]
    critical = [Speaker(name, prompts.CRITICS[name], model, price) for name in critics]
    return Panel(
        tuple(PromptedExpert(speaker, scale, claiming) for speaker in base),
        tuple(PromptedCritic(speaker) for speaker in critical),
        PromptedJudge(Speaker("Judge", prompts.JUDGE, model, price)),
    )
