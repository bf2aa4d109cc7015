"""Items as samples of Inspect: the very question that `players.vlm` puts, pictures included.

The package is an extra (`inspect`). It asks for older versions of two packages than this
project has, so it lives in an environment of its own; `make peers` tests with it.
"""

from __future__ import annotations

from collections.abc import Mapping

from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
)

from dixitlib.models.base import Message
from dixitlib.peers.exam import LETTERS, Exam, in_base64, letter
from dixitlib.players import prompts
from dixitlib.players.prompts import Wording
from dixitlib.records import Card, Item

WORDING = Wording()
JPEG = "data:image/jpeg;base64,"
ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser}


def samples(exam: Exam, longest: int, *, clue: bool = True) -> list[Sample]:
    """Return a sample for each item.

    Parameters
    ----------
    exam
        What is asked.
    longest
        Pixels of a picture's longer side.
    clue
        Whether the clue is told. Without it the sample asks which card a clue might be
        about, which tells what the options alone give away.

    Returns
    -------
    list of Sample
        The target is a letter; the metadata hold `tier`, `card` (the target, by which
        errors cluster), `canary` and `form`, what a model is told if its reply has to be
        asked for again.
    """
    pictures = {id: JPEG + in_base64(card, longest) for id, card in exam.cards.items()}
    return [_sample(exam, item, pictures, item.clue if clue else None) for item in exam.items]


def _sample(exam: Exam, item: Item, pictures: Mapping[str, str], clue: str | None) -> Sample:
    ask = prompts.choose(clue, exam.shown(item), WORDING)
    return Sample(
        id=item.id,
        input=[_message(message, pictures) for message in ask.messages],
        choices=[f"Card {label}" for label in LETTERS],
        target=letter(item),
        metadata={
            "tier": item.tier,
            "card": item.target,
            "clue": item.clue,
            "form": ask.form,
            "canary": exam.canary,
        },
    )


def _message(message: Message, pictures: Mapping[str, str]) -> ChatMessage:
    content = [_content(part, pictures) for part in message.parts]
    return ROLES[message.role](content=content)


def _content(part: str | Card, pictures: Mapping[str, str]) -> Content:
    if isinstance(part, str):
        return ContentText(text=part)
    return ContentImage(image=pictures[part.id])
