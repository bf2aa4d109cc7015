"""What agents are told and asked, written for this project: roles, questions, forms of answers.

A prompt shows the question, what is in dispute and what others said, the latter quoted. No
card's name, file or caption is in it; pictures go by the labels of their options. An expert
whose field has nothing to say is told that it may abstain, since an expert on lettering
that must speak about a picture without any only dilutes what others see.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from dixitlib.models.base import Schema
from dixitlib.panel.claims import Dispute
from dixitlib.panel.said import VERDICTS, Analysis, Assessment, Critique, Question
from dixitlib.records import Card, Claim

Parts = tuple[str | Card, ...]

EXPERTS: Mapping[str, str] = {
    "Object Recognition": "You are an expert on the things in a picture: which objects, animals "
    "and people there are, how many, how large, and in what state.",
    "Scene Description": "You are an expert on the whole of a picture: its place, weather, light "
    "and mood, what is going on, and what story it might be part of.",
    "Text and OCR": "You are an expert on what is written in a picture: letters, numbers, signs, "
    "labels. Where nothing is written you have nothing to say.",
    "Relational Reasoning": "You are an expert on how the things in a picture stand to each other: "
    "nearer, larger, inside, behind, doing something to one another.",
    "Colour and Attribute": "You are an expert on colours, materials, textures and other "
    "attributes of the things in a picture, in the light in which they are shown.",
}
CRITICS: Mapping[str, str] = {
    "Fact Checker": "You check claims about pictures against the pictures themselves: whether what "
    "is said to be there is there, and looks as it is said to look.",
    "Completeness Checker": "You check whether claims about pictures leave out what matters: parts "
    "of the question that nothing answers, and things in the pictures that nobody mentions.",
    "Logic Checker": "You check whether conclusions about pictures follow from the claims they "
    "rest on, whether claims contradict each other, and whether they answer what was asked.",
}
JUDGE = (
    "You lead a panel of experts who look at pictures. You weigh what they say by how sure each of "
    "them is and by what the critics found, and decide for the panel."
)
PICTURES = "The clue is {clue}. Which of these pictures is it about?"
NO_CLUE = "Which of these pictures might a clue be about?"
FITS = "The clue is {clue}. Does it fit this picture?"
NO_CLUE_TO_FIT = "Might a clue be about this picture?"
ABSTAIN = "If your field has nothing to say about it, abstain."
SHAPE = (
    '{{"reasoning": "<your thoughts, in short>", "abstain": <true or false>, "claims": [{{"claim": '
    '"<one thing you see>", "option": "<label of the option it speaks for>", "confidence": <0 to '
    '1>, "evidence": "<what you go by>", "region": [<left>, <top>, <right>, <bottom>]}}], '
    '"probabilities": {{{labels}}}, "choice": "<label>"}}'
)
ANSWER = (
    "Reply with one JSON object of this shape: {shape}. A region is given in fractions of the "
    "picture's width and height, from 0 to 1; without one, give null. Probabilities sum to 1."
)
ARGUE = (
    "The panel is in dispute. Look again at what is disputed. Defend what you still hold, with "
    "your evidence and where it is seen; take back what you no longer hold."
)
ASSESS = (
    "Assess each of these claims by its number: whether it holds, fails or stays open, why, and "
    'what should be said instead. Reply with one JSON object: {"assessments": [{"number": '
    '<number>, "verdict": "holds", "fails" or "open", "reason": "<why>", "correction": "<what '
    'should be said, or empty>", "confidence": <0 to 1>}]}'
)
DECIDE = (
    "Decide for the panel. Reply with one JSON object: "
    '{"reasoning": "<why, in short>", "choice": "<label>"}, the label being one of '
)

_SURE = {"type": "number", "minimum": 0, "maximum": 1}
_TEXT = {"type": "string"}


def shown(question: Question) -> Parts:
    """Return the question as it is put to everybody: its words, pictures and options."""
    if not question.of_pictures:
        options = [f"{label}: {words}" for label, words in question.options.items()]
        return (*question.pictures, asked(question), "Options:\n" + "\n".join(options))
    labelled = [part for label, card in question.options.items() for part in (f"{label}:", card)]
    return (asked(question), *labelled)


def asked(question: Question) -> str:
    """Return what is asked, in words alone."""
    if question.fit:
        return NO_CLUE_TO_FIT if question.text is None else FITS.format(clue=_quoted(question.text))
    if not question.of_pictures:
        return question.text or ""
    return NO_CLUE if question.text is None else PICTURES.format(clue=_quoted(question.text))


def answer(question: Question) -> Parts:
    """Ask an expert for its first answer."""
    return (*shown(question), f"{ABSTAIN} {_form(question)}")


def argue(
    question: Question,
    disputes: Sequence[Dispute],
    analyses: Sequence[Analysis],
    critiques: Sequence[Critique],
) -> Parts:
    """Ask an expert to answer to what is in dispute.

    Parameters
    ----------
    question
        What is asked.
    disputes
        Claims in dispute.
    analyses, critiques
        What experts and critics said last.
    """
    told = [_standing(analyses), _listed(disputes), _criticism(critiques)]
    return (*shown(question), *filter(None, told), f"{ARGUE} {_form(question)}")


def assess(question: Question, disputes: Sequence[Dispute], analyses: Sequence[Analysis]) -> Parts:
    """Ask a critic for its view of what is in dispute, and of what experts now say."""
    said = "\n".join(filter(None, map(_analysis, analyses)))
    return (*shown(question), _listed(disputes), f"What the experts say now:\n{said}", ASSESS)


def decide(
    question: Question,
    analyses: Sequence[Analysis],
    weights: Sequence[float],
    critiques: Sequence[Critique],
) -> Parts:
    """Ask the judge for the panel's answer."""
    said = [
        f"Weight {weight:.2f}, uncertainty {each.uncertainty:.2f}. {_analysis(each)}"
        for each, weight in zip(analyses, weights, strict=True)
        if each.answered
    ]
    told = ["What the experts say:\n" + "\n".join(said), _criticism(critiques)]
    return (*shown(question), *filter(None, told), DECIDE + ", ".join(question.labels))


def analysis_schema(labels: Sequence[str]) -> Schema:
    """Return the shape of an expert's answer."""
    claim = {
        "claim": _TEXT,
        "option": _one_of(labels),
        "confidence": _SURE,
        "evidence": _TEXT,
        "region": {"type": ["array", "null"], "items": _SURE},
    }
    parts = {
        "reasoning": _TEXT,
        "abstain": {"type": "boolean"},
        "claims": {"type": "array", "items": _object(claim)},
        "probabilities": _object(dict.fromkeys(labels, _SURE)),
        "choice": _one_of(labels),
    }
    return Schema("analysis", _object(parts))


def critique_schema() -> Schema:
    """Return the shape of a critic's answer."""
    assessment = {
        "number": {"type": "integer"},
        "verdict": {"type": "string", "enum": list(VERDICTS)},
        "reason": _TEXT,
        "correction": _TEXT,
        "confidence": _SURE,
    }
    items = {"type": "array", "items": _object(assessment)}
    return Schema("critique", _object({"assessments": items}))


def choice_schema(labels: Sequence[str]) -> Schema:
    """Return the shape of a reasoned choice."""
    choice = {"type": "string", "enum": list(labels)}
    return Schema("decision", _object({"reasoning": _TEXT, "choice": choice}))


def _form(question: Question) -> str:
    labels = ", ".join(f'"{label}": <0 to 1>' for label in question.labels)
    return ANSWER.format(shape=SHAPE.format(labels=labels))


def _standing(analyses: Sequence[Analysis]) -> str:
    said = [f"{each.agent} chose {each.turn.choice}." for each in analyses if each.answered]
    return "So far: " + " ".join(said)


def _listed(disputes: Sequence[Dispute]) -> str:
    lines = [f"{number}. {_dispute(each)}" for number, each in enumerate(disputes, start=1)]
    return "Claims in dispute:\n" + "\n".join(lines)


def _dispute(dispute: Dispute) -> str:
    against = f" by {', '.join(dispute.against)}" if dispute.against else ""
    return f"{dispute.agent}: {_claim(dispute.claim)} ({dispute.reason}{against})"


def _claim(claim: Claim) -> str:
    where = "" if claim.region is None else f", region {[round(x, 2) for x in claim.region]}"
    speaks = f"for {claim.option}, " if claim.option else ""
    evidence = f", evidence {_quoted(claim.evidence)}" if claim.evidence else ""
    return f"{_quoted(claim.text)} [{speaks}confidence {claim.confidence:.2f}{evidence}{where}]"


def _analysis(analysis: Analysis) -> str:
    if not analysis.answered:
        return ""
    claims = "; ".join(map(_claim, analysis.claims)) or "no claims"
    return f"{analysis.agent} chose {analysis.turn.choice}: {claims}"


def _criticism(critiques: Sequence[Critique]) -> str:
    lines = [
        f"{critique.turn.speaker}: {_quoted(each.claim)} of {each.agent} {_found(each.verdict)}"
        f" (confidence {each.confidence:.2f}){_because(each)}"
        for critique in critiques
        for each in critique.assessments
    ]
    return "What the critics said:\n" + "\n".join(lines) if lines else ""


def _because(assessment: Assessment) -> str:
    said = [words for words in (assessment.reason, assessment.correction) if words]
    return "".join(f" {_quoted(words)}" for words in said)


def _found(verdict: str) -> str:
    return "stays open" if verdict == "open" else verdict


def _quoted(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


def _one_of(labels: Sequence[str]) -> dict[str, object]:
    return {"type": ["string", "null"], "enum": [*labels, None]}


def _object(properties: Mapping[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
