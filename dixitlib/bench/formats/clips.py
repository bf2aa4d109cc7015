"""A stretch of a video as one picture: frames at equal distances, in reading order."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from PIL import Image

from dixitlib.bench.formats.page import grid
from dixitlib.bench.formats.rows import FormatError
from dixitlib.cards.pictures import normalised

FRAME_FILES = (".jpg", ".jpeg", ".png", ".webp")


@dataclass(frozen=True, slots=True)
class Clip:
    """A stretch of a video.

    Parameters
    ----------
    path
        A video file, or a folder of frames in order of name.
    frames
        How many to show, each from the middle of an equal part of the stretch.
    start, end
        Seconds; to the video's end where `end` is None.
    rate
        Frames a second of a folder of frames.
    """

    path: Path
    frames: int
    start: float = 0.0
    end: float | None = None
    rate: float = 3.0

    def load(self) -> Image.Image:
        """Return the frames as one picture; raises FormatError if the video is damaged."""
        moments = self._moments(self.seconds())
        if not self.path.is_dir():
            return grid(_film().frames(self.path, moments))
        files = self._files()
        return grid([normalised(files[int(moment * self.rate)]) for moment in moments])

    def seconds(self) -> float:
        """Return how long the whole video lasts; raises FormatError if it can't be decoded."""
        if self.path.is_dir():
            return len(self._files()) / self.rate
        return _film().seconds(self.path)

    def digest(self) -> str:
        """Return a SHA-256 of the stretch and of the files that it is cut from."""
        found = hashlib.sha256(f"{self.frames} {self.start} {self.end} {self.rate}".encode())
        for path in self._files():
            with path.open("rb") as file:
                found.update(hashlib.file_digest(file, "sha256").digest())
        return found.hexdigest()

    def _files(self) -> list[Path]:
        if not self.path.is_dir():
            return [self.path]
        found = [path for path in self.path.iterdir() if path.suffix.lower() in FRAME_FILES]
        if not found:
            raise FormatError(f"{self.path.name} holds no frames")
        return sorted(found)

    def _moments(self, seconds: float) -> list[float]:
        end = seconds if self.end is None else min(self.end, seconds)
        part = (end - self.start) / self.frames
        return [self.start + part * (k + 0.5) for k in range(self.frames)]


def _film() -> ModuleType:
    try:
        from dixitlib.bench.formats import film  # PyAV is an extra; folders of frames do without
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "videos are decoded by PyAV: install the extra `video`, or cut them into frames"
        ) from error
    return film
