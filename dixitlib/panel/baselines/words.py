"""What agents of the other frameworks are told, written for this project."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from dixitlib.panel.prompts import Parts, shown
from dixitlib.panel.said import Question, Turn

STRATEGIES: Mapping[str, str] = {
    "direct": "Answer directly, from what you see.",
    "scene graph": "First list the things in each picture, their attributes and how they stand to "
    "each other, as a scene graph. Then answer from that list.",
    "sub-questions": "First break the question into smaller questions about the pictures and "
    "answer each of them. Then answer the question itself.",
}
FIRST = "Think it over and answer."
UPDATE = (
    "Take these answers as advice, not as truth. Reconsider your own, and answer again: change it "
    "if others convince you, keep it if not."
)
CONFIDENCE = (
    "The number beside each answer tells how confident its author is, from 1 to 10: trust those "
    "more that are more confident."
)
DISAGREE = (
    "You are the other side. You must not agree with the answer that was given. Say what is wrong "
    "with it, and name another answer with your reasons."
)
REPLY = "Answer to what the other side said, defend or mend your own answer, and state it again."
MODERATE = (
    "You moderate this debate. If one side has clearly made its case, decide; else let the debate "
    'go on. Reply with one JSON object: {"decided": <true or false>, "choice": "<label, or empty '
    'while undecided>"}.'
)
LAST_WORD = "The debate is over. Decide which answer is right, by what both sides said."
NOMINATE = (
    "Name the two options that are most likely right, the likelier first. Reply with one JSON "
    'object: {"candidates": ["<label>", "<label>"]}.'
)
DEFEND = (
    "You defend {label}, whatever you think of it, against the defender of {other}. Convince a "
    "judge who does not see the pictures and hears only the two of you: point to what you see."
)
JUDGE_DEBATE = (
    "You judge a debate about pictures that you can't see. The question: {asked} The two answers "
    "on offer are {first} and {second}, each with one defender."
)
JUDGED = (
    "Decide by the debate alone which of the two is right. Reply with one JSON object: "
    '{"reasoning": "<why>", "confidence": <0 to 1>, "choice": "<label>"}.'
)
DISCUSS = "It is your turn in the discussion. Say what you see, from your own point of view."
VOTE = "The discussion is over. Vote for the answer that you now hold right."


def opening(question: Question, instruction: str) -> Parts:
    """Ask for a first answer."""
    return (*shown(question), f"{instruction} {ending(question)}")


def following(question: Question, told: str, instruction: str) -> Parts:
    """Ask for an answer after what was said so far."""
    return (*shown(question), told, f"{instruction} {ending(question)}")


def ending(question: Question) -> str:
    """Return the form in which an answer ends."""
    labels = ", ".join(question.labels)
    return f'End with one JSON object: {{"choice": "<label>"}}, the label being one of {labels}.'


def answers(own: str, others: Sequence[str]) -> str:
    """Return an agent's own last answer and those of the others, as it is shown them."""
    return "\n".join([f"Your last answer: {own}", "The answers of others:", *others])


def transcript(turns: Sequence[Turn]) -> str:
    """Return a debate as it went so far."""
    return "\n".join(["What was said so far:", *map(line, turns)]) if turns else "You speak first."


def line(turn: Turn, mark: str = "") -> str:
    """Return one turn as others are shown it, its words quoted."""
    return f"{turn.speaker}{mark}: {quoted(turn)}"


def quoted(turn: Turn) -> str:
    """Return the words of a turn in quotation marks, or that there were none."""
    return json.dumps(turn.text, ensure_ascii=False) if turn.text else "(no answer)"


def named(question: Question, label: str) -> str:
    """Return an option by its label, with its words where it has any."""
    option = question.options[label]
    return f"{label} ({option})" if isinstance(option, str) else label
