"""MVBench: one JSON file a task, whose questions are about videos or folders of frames.

A chooser sees frames at equal distances, in reading order (facts: "Files of the four
benchmarks").
"""

from __future__ import annotations

import functools
import math
from pathlib import Path

from dixitlib.bench.formats.benchmark import LETTERS, Benchmark, Option, Question, assemble
from dixitlib.bench.formats.clips import Clip
from dixitlib.bench.formats.pictures import Picture, below
from dixitlib.bench.formats.rows import FormatError, Row, read_list

FRAMES = 8
RATE = 3.0  # frames a second of MVBench's folders of frames


def load(path: str | Path, videos: str | Path, *, frames: int = FRAMES) -> Benchmark:
    """Load a task of MVBench, or all of them.

    Parameters
    ----------
    path
        One JSON file, or a folder of them. The file's name is the tier.
    videos
        Folder that holds the videos, all together or in a folder for each task. A video
        is a file (decoded by PyAV, the extra ``video``) or a folder of frames.
    frames
        How many frames to show of each.

    Raises
    ------
    FormatError
        If a question has no text, candidates or video, an answer that is no candidate,
        or a start and end that are no stretch of time within the video.
    ModuleNotFoundError
        If a video is to be decoded and PyAV is not installed.
    """
    path, rows, faults = Path(path), [], []
    for task in sorted(path.glob("*.json")) if path.is_dir() else [path]:
        found, wrong = read_list(task)
        rows += [_in_task(row, task.stem, number) for number, row in enumerate(found, start=1)]
        faults += wrong
    return assemble(path, rows, functools.partial(_question, Path(videos), frames), faults)


def _in_task(row: Row, task: str, number: int) -> Row:
    return Row(row.place, {**row.cells, "task": task, "id": f"{task}-{number:04d}"})


def _question(videos: Path, frames: int, row: Row) -> Question:
    name, candidates = row.words("id"), _candidates(row)
    return Question(
        id=name,
        tier=row.words("task"),
        text=row.words("question"),
        pictures=(_clip(videos, frames, row),),
        options=tuple(map(Option, candidates)),
        answer=_place(row.text("answer"), candidates),
        group=name,
    )


def _candidates(row: Row) -> list[str]:
    candidates = row.cells.get("candidates")
    if not isinstance(candidates, list):
        raise FormatError("its candidates are no list")
    if not 2 <= len(candidates) <= len(LETTERS):
        raise FormatError(f"it has {len(candidates)} candidates, not 2 to {len(LETTERS)}")
    if not all(isinstance(text, str) and text.strip() for text in candidates):
        raise FormatError("a candidate is empty, or no text")
    return candidates


def _place(answer: str, candidates: list[str]) -> int | None:
    if not answer.strip():
        return None
    if candidates.count(answer) != 1:
        raise FormatError(f"its answer {answer!r} is not one of its candidates, or is so twice")
    return candidates.index(answer)


def _clip(videos: Path, frames: int, row: Row) -> Picture:
    name = row.words("video")
    home = videos / row.words("task")
    path = below(home if (home / name).exists() else videos, name)
    start, end = _seconds(row, "start") or 0.0, _seconds(row, "end")
    clip = Clip(path, frames, start, end, _seconds(row, "fps") or RATE)
    lasts = clip.seconds()
    if not start < min(lasts, lasts if end is None else end):
        stretch = f"from {start:g} s to " + ("its end" if end is None else f"{end:g} s")
        raise FormatError(f"{name} lasts {lasts:.2f} s: there is nothing {stretch}")
    return Picture(clip.load, clip.digest())


def _seconds(row: Row, name: str) -> float | None:
    """Return a number that is finite and not negative; None where the row has none."""
    value = row.cells.get(name)
    if value is None:
        return None
    if not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise FormatError(f"its {name} is {value!r}, no number of seconds")
    return float(value)
