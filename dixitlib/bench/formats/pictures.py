"""Pictures as benchmark files hold them: bytes, base64 or the name of a file.

Each is decoded once while loading, so that what can't be shown is refused before anybody
is asked, and then kept as its file is, since thousands of decoded pictures fit nowhere.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PIL.Image import Image

from dixitlib.bench.formats.rows import FormatError
from dixitlib.cards.pictures import normalised


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a question.

    Parameters
    ----------
    load
        Gives it upright and in RGB; picklable, so that cards travel to workers.
    digest
        SHA-256 of what it is decoded from.
    label
        Written above it, where a question speaks of several.
    """

    load: Callable[[], Image] = field(repr=False, compare=False)
    digest: str
    label: str = ""


def from_bytes(data: bytes, label: str = "") -> Picture:
    """Make a picture of an encoded image.

    Raises
    ------
    FormatError
        If it can't be decoded, or has more pixels than Pillow allows.
    """
    load = functools.partial(_decode, data)
    _try(load)
    return Picture(load, hashlib.sha256(data).hexdigest(), label)


def from_base64(text: str, label: str = "") -> Picture:
    """Make a picture of an image in base64; raises as `from_bytes` does."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise FormatError(f"its picture is no base64 ({error})") from error
    return from_bytes(data, label)


def from_file(folder: Path, name: str) -> Picture:
    """Make a picture of a file below a folder; raises as `from_bytes` does, and if it is not."""
    path = below(folder, name)
    load = functools.partial(normalised, path)
    _try(load)
    with path.open("rb") as file:
        return Picture(load, hashlib.file_digest(file, "sha256").hexdigest())


def below(folder: Path, name: str) -> Path:
    """Return the path of something that stands in a folder.

    Raises
    ------
    FormatError
        If it is missing, or its name leads out of the folder.
    """
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise FormatError(f"{name} lies outside {folder}")
    if not path.exists():
        raise FormatError(f"{name} is missing from {folder}")
    return path


def _decode(data: bytes) -> Image:
    return normalised(io.BytesIO(data))


def _try(load: Callable[[], Image]) -> None:
    try:
        load()
    except Exception as error:  # Pillow's decoders raise all kinds; each becomes a fault
        raise FormatError(f"its picture can't be decoded ({error})") from error
