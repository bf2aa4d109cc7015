"""Critics and a judge offline: one looks with other eyes, two go by what was said.

- The fact checker looks where a claim points, on its card and at the same place of all
  others: the claim holds if its card shows it most, and fails if most cards show it more.
- The completeness checker asks how much of the clue the claims explain: the squared length
  of the clue's direction within the space of the claims for an option. A claim holds if
  those for its option explain most, and fails if they explain least.
- The logic checker asks whether a choice follows: an agent's claims hold if the option
  whose claims explain the clue best, of all that it made, is the one that it chose.

The judge mixes the experts' beliefs, weighed as they are and by how their claims fared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dixitlib.panel.claims import Dispute
from dixitlib.panel.experts import DECIMALS, trust
from dixitlib.panel.said import (
    Analysis,
    Assessment,
    Critique,
    Finding,
    Question,
    Spent,
    Turn,
    Verdict,
)
from dixitlib.panel.sight import WHOLE, Sight, View, close_up
from dixitlib.records import Claim


@dataclass(frozen=True, eq=False)
class FactChecker:
    """Checks claims with eyes of its own; see the module."""

    sight: Sight
    name: str = "fact"

    def assess(
        self, question: Question, disputes: Sequence[Dispute], analyses: Sequence[Analysis]
    ) -> Critique:
        """Look where each claim points, on every card."""
        checked = [each for each in disputes if each.claim.option is not None]
        found = tuple(self._assessed(question, each) for each in checked)
        views = {_pointed_at(each) for each in checked}
        looks = [self.sight.looks(card, views) for card in question.options.values()]
        spent = Spent(1, frozenset().union(*looks))
        return Critique(Turn(self.name, _told(found), spent=spent), found)

    def _assessed(self, question: Question, dispute: Dispute) -> Assessment:
        view = _pointed_at(dispute)
        words = said(dispute.claim)
        shown = self.sight.likeness(words, [(each, (view,)) for each in question.options.values()])
        own = shown[question.labels.index(dispute.claim.option)]
        beaten = float((shown < own).sum() / max(len(shown) - 1, 1))
        verdict = "holds" if beaten == 1 else "fails" if beaten < 0.5 else "open"
        reason = f"{(shown > own).sum()} of {len(shown) - 1} other cards show it more there"
        return _assessment(dispute, verdict, reason, max(beaten, 1 - beaten))


@dataclass(frozen=True, eq=False)
class CompletenessChecker:
    """Asks how much of the clue the claims for each option explain; see the module."""

    sight: Sight
    name: str = "completeness"

    def assess(
        self, question: Question, disputes: Sequence[Dispute], analyses: Sequence[Analysis]
    ) -> Critique:
        """Compare options by what their claims explain."""
        claims = [claim for each in analyses for claim in each.claims]
        shares = explained(question.text, claims, self.sight)
        found = tuple(_by_share(each, shares) for each in disputes if each.claim.option in shares)
        return Critique(Turn(self.name, _told(found), spent=Spent(1)), found)


@dataclass(frozen=True, eq=False)
class LogicChecker:
    """Asks of each agent whether its choice follows from its claims; see the module."""

    sight: Sight
    name: str = "logic"

    def assess(
        self, question: Question, disputes: Sequence[Dispute], analyses: Sequence[Analysis]
    ) -> Critique:
        """Compare each agent's choice with what its claims speak for."""
        by_agent = {each.agent: each for each in analyses}
        found = tuple(
            self._assessed(question, each, by_agent[each.agent])
            for each in disputes
            if len(by_agent[each.agent].claims) > 1
        )
        return Critique(Turn(self.name, _told(found), spent=Spent(1)), found)

    def _assessed(self, question: Question, dispute: Dispute, analysis: Analysis) -> Assessment:
        shares = explained(question.text, analysis.claims, self.sight)
        meant = max(shares, key=shares.__getitem__)
        follows = meant == analysis.turn.choice
        reason = f"its claims speak for {meant}, and it chose {analysis.turn.choice}"
        return _assessment(dispute, "holds" if follows else "fails", reason, 1.0)


@dataclass(frozen=True)
class Mixer:
    """A judge that mixes the experts' beliefs; see the module."""

    name: str = "judge"

    def decide(
        self,
        question: Question,
        analyses: Sequence[Analysis],
        weights: Sequence[float],
        critiques: Sequence[Critique],
    ) -> Verdict:
        """Return the option of which the mixture is surest."""
        pairs = [(w, each) for w, each in zip(weights, analyses, strict=True) if each.answered]
        counted = [w * trust(each.agent, critiques) for w, each in pairs]
        if not sum(counted):  # all claims fell: then none counts less than another
            counted = [w for w, _ in pairs]
        beliefs = np.array([each.distribution for _, each in pairs])
        mixture = np.round(counted @ beliefs / sum(counted), DECIMALS)
        choice = question.labels[int(mixture.argmax())]
        turn = Turn(self.name, f"{choice} it is", choice, spent=Spent(1))
        return Verdict(turn, tuple(mixture.tolist()))


def explained(clue: str, claims: Sequence[Claim], sight: Sight) -> Mapping[str, float]:
    """Return for each option with claims how much of a clue they explain, 0 to 1.

    Parameters
    ----------
    clue
        What was said.
    claims
        Of any agents; those that speak for no option are left out.
    sight
        Reads them into the space in which meanings are directions.
    """
    of_option: dict[str, list[str]] = {}
    for claim in claims:
        if claim.option is not None:
            of_option.setdefault(claim.option, []).append(said(claim))
    return {option: sight.explained(clue, tuple(words)) for option, words in of_option.items()}


def said(claim: Claim) -> str:
    """Return what a claim says, without the label of the option that it says it of."""
    return claim.text.removeprefix(f"{claim.option} ")


def _pointed_at(dispute: Dispute) -> View:
    return close_up(dispute.claim.region or WHOLE)


def _by_share(dispute: Dispute, shares: Mapping[str, float]) -> Assessment:
    own, ranked = shares[dispute.claim.option], sorted(shares.values())
    verdict = "holds" if own == ranked[-1] else "fails" if own == ranked[0] else "open"
    reason = f"what is claimed of {dispute.claim.option} explains {own:.0%} of the clue"
    return _assessment(dispute, verdict, reason, 1.0)


def _assessment(dispute: Dispute, verdict: Finding, reason: str, confidence: float) -> Assessment:
    text, sure = dispute.claim.text, round(confidence, DECIMALS)
    return Assessment(dispute.agent, text, verdict, reason, confidence=sure)


def _told(found: Sequence[Assessment]) -> str:
    return "; ".join(f"{each.claim}: {each.verdict}" for each in found) or "nothing to assess"
