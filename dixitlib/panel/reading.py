"""From replies of agents to analyses and critiques, without a guess.

An expert's failure keeps its status and counts for nothing. What is said that can't be used
(a region outside the picture, probabilities that are none) is left out with a note.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dixitlib import parse
from dixitlib.panel.claims import Dispute, confidence, distribution, last, read_claims
from dixitlib.panel.said import VERDICTS, Analysis, Assessment, Critique, Question, Turn
from dixitlib.panel.uncertainty import Scale, Uncertainty, measured
from dixitlib.records import Reply

_ABSTAINS = re.compile(
    r"^\W*(?:i )?abstain\b\W*(?:$|because|since|as)", re.IGNORECASE | re.MULTILINE
)


def chosen(reply: Reply, turn: Turn, question: Question) -> Turn:
    """Return a turn with the choice that its reply makes, or the status of there being none."""
    if turn.status in ("error", "refused", "empty"):
        return turn
    words = {k: each if isinstance(each, str) else k for k, each in question.options.items()}
    parsed = parse.choice(reply.text, words, reply.finish)
    return replace(turn, choice=parsed.choice, status=parsed.status)


def read_analysis(reply: Reply, turn: Turn, question: Question, scale: Scale) -> Analysis:
    """Read an expert's reply: abstention, or choice, distribution, claims and uncertainty."""
    if turn.status == "ok" and _abstains(reply.text or ""):
        return Analysis(turn)
    turn = chosen(reply, turn, question)
    if turn.choice is None:
        return Analysis(turn)
    claims = read_claims(reply.text or "", question.labels)
    unsure = measured(reply, scale)
    odds, notes = _odds(reply.text or "", turn.choice, unsure, question.labels)
    notes = (*claims.notes, *notes)
    return Analysis(turn, odds, claims.found, unsure.value, unsure.source, unsure.coverage, notes)


def read_critique(reply: Reply, turn: Turn, disputes: Sequence[Dispute]) -> Critique:
    """Read a critic's reply; an assessment of no claim in dispute is left out with a note."""
    listed = last(reply.text or "", "assessments", list)
    if listed is None:
        return Critique(replace(turn, status="unparsed") if turn.status == "ok" else turn)
    found: list[Assessment] = []
    notes: list[str] = []
    for raw in listed:
        try:
            found.append(_assessment(raw, disputes))
        except ValueError as fault:
            notes.append(f"an assessment is left out: {fault}")
    return Critique(turn, tuple(found), tuple(notes))


def _abstains(text: str) -> bool:
    said = last(text, "abstain", bool)
    return bool(_ABSTAINS.search(text)) if said is None else said


def _odds(
    text: str, choice: str, unsure: Uncertainty, labels: Sequence[str]
) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return the distribution that a reply states; else one as uncertain as the reply."""
    stated = last(text, "probabilities", dict)
    try:
        if stated is not None:
            return distribution(stated, labels)
        note = "no probabilities were given"
    except ValueError as fault:
        note = str(fault)
    rest = (1.0 if unsure.value is None else unsure.value) / len(labels)
    odds = tuple(1 - rest * (len(labels) - 1) if label == choice else rest for label in labels)
    return odds, (f"{note}: its uncertainty was spread over the options",)


def _assessment(raw: object, disputes: Sequence[Dispute]) -> Assessment:
    """Return an assessment; a ValueError says why there is none."""
    if not isinstance(raw, Mapping):
        raise ValueError(f"{raw!r:.60} is no object")
    number, verdict = raw.get("number"), raw.get("verdict")
    if type(number) is not int or not 1 <= number <= len(disputes):
        raise ValueError(f"{number!r:.60} is not the number of a claim, 1 to {len(disputes)}")
    if verdict not in VERDICTS:
        raise ValueError(f"{verdict!r:.60} is no verdict: {', '.join(VERDICTS)}")
    dispute, sure = disputes[number - 1], confidence(raw.get("confidence", 1.0))
    reason, correction = (str(raw.get(key) or "") for key in ("reason", "correction"))
    return Assessment(dispute.agent, dispute.claim.text, verdict, reason, correction, sure)
