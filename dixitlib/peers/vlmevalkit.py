"""DixitBench as a table of VLMEvalKit, which takes any such file for a multiple choice.

VLMEvalKit shows a row's pictures in order and then the question with its options, so the
options name pictures by their place. Put the file into the folder that ``LMUData`` names
and run ``--data DixitBench``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from dixitlib.peers.exam import LETTERS, LONGEST, Exam, in_base64, letter
from dixitlib.records import Item

NAME = "DixitBench.tsv"
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
COLUMNS = (
    *("index", "question", *LETTERS, "answer", "category", "split"),
    *("image", "image_path", "item", "canary"),
)


def write(exam: Exam, folder: Path, longest: int = LONGEST) -> Path:
    """Write ``DixitBench.tsv`` into a folder.

    Its columns are `index` (a number, from 0), `question`, the options A to F, `answer` (a
    letter), `category` (the tier), `split`, `image` (a list of six pictures in base64),
    `image_path` (a list of the names under which they are unpacked), `item` and `canary`.

    Parameters
    ----------
    exam
        What is written.
    folder
        Made if need be.
    longest
        Pixels of a picture's longer side. The file holds each picture once a row: at 512
        pixels, 336 items take about 110 MB.
    """
    pictures = {id: in_base64(card, longest) for id, card in exam.cards.items()}
    rows = (_row(exam, index, item, pictures) for index, item in enumerate(exam.items))
    folder.mkdir(parents=True, exist_ok=True)
    frame = pd.DataFrame(rows, columns=COLUMNS)
    frame.to_csv(folder / NAME, sep="\t", index=False, lineterminator="\n")
    return folder / NAME


def _row(exam: Exam, index: int, item: Item, pictures: dict[str, str]) -> dict[str, object]:
    named = [f"{exam.cards[id].sha256}.jpg" for id in item.options]
    options = (f"the {place} picture" for place in PLACES)
    return {
        "index": index,
        "question": f"Which of the six pictures does this clue mean? Clue: {json.dumps(item.clue)}",
        **dict(zip(LETTERS, options, strict=True)),
        "answer": letter(item),
        "category": item.tier,
        "split": "test",
        "image": str([pictures[id] for id in item.options]),
        "image_path": str(named),
        "item": item.id,
        "canary": exam.canary,
    }
