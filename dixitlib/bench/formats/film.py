"""Frames of a video file, by PyAV (the extra ``video``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import av
from av.container import InputContainer
from PIL import Image

from dixitlib.bench.formats.rows import FormatError


def seconds(path: Path) -> float:
    """Return how long a video lasts.

    Raises
    ------
    FormatError
        If its first frame can't be decoded, is larger than Pillow allows a picture to be,
        or if it doesn't state its length.
    """
    with _opened(path) as container:
        first, limit = next(container.decode(video=0)), Image.MAX_IMAGE_PIXELS
        if limit and first.width * first.height > limit:
            raise FormatError(f"{path.name} has frames of {first.width} x {first.height} pixels")
        stream = container.streams.video[0]
        if stream.duration:
            return float(stream.duration * stream.time_base)
        if container.duration:
            return container.duration / av.time_base
    raise FormatError(f"{path.name} doesn't state how long it lasts")


def frames(path: Path, moments: Sequence[float]) -> list[Image.Image]:
    """Return the frame that is shown at each moment, in seconds and ascending.

    Raises
    ------
    FormatError
        If the video is damaged.
    """
    with _opened(path) as container:
        stream = container.streams.video[0]
        zero = stream.start_time or 0  # in ticks; few videos begin at another number
        container.seek(zero + int(moments[0] / stream.time_base), stream=stream)
        begun = float(zero * stream.time_base)
        timed = ((frame.time - begun, frame) for frame in container.decode(stream))
        return [frame.to_image() for frame in _shown(timed, moments)]


def _shown(
    timed: Iterable[tuple[float, av.VideoFrame]], moments: Sequence[float]
) -> list[av.VideoFrame]:
    """Go through frames once; at each moment the last one that has begun is shown."""
    found: list[av.VideoFrame] = []
    last = None
    for time, frame in timed:
        while last is not None and time > moments[len(found)]:
            found.append(last)
            if len(found) == len(moments):
                return found
        last = frame
    if last is None:
        raise FormatError("it has no frame in this stretch")
    return found + [last] * (len(moments) - len(found))


@contextmanager
def _opened(path: Path) -> Iterator[InputContainer]:
    """Open a video; whatever the decoder says of it becomes an error that names it."""
    try:
        with av.open(str(path)) as container:
            if not container.streams.video:
                raise FormatError(f"{path.name} holds no video")
            yield container
    except (av.FFmpegError, StopIteration) as error:
        raise FormatError(f"{path.name} can't be decoded ({error or 'no frame'})") from error
