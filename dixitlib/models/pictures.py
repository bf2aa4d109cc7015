"""Cards as data URLs: upright RGB, no side longer than asked for, encoded once a run.

Nothing but pixels leaves: encoding starts from the decoded picture, so file names, EXIF
and other notes inside a file stay behind.
"""

from __future__ import annotations

import base64
import io
import json
import threading
from dataclasses import dataclass, field
from typing import Literal

from PIL import Image

from dixitlib.cards.pictures import upright_rgb
from dixitlib.records import Card


@dataclass(frozen=True, slots=True)
class Picture:
    """One card as it is sent: the JSON of its part of a message, and its size in pixels."""

    part: bytes
    width: int
    height: int

    @property
    def url(self) -> str:
        """The data URL."""
        return json.loads(self.part)["image_url"]["url"]


@dataclass
class Pictures:
    """Encodes cards, each once.

    Parameters
    ----------
    longest
        Longest side in pixels; smaller cards are sent as they are.
    encoding
        ``jpeg`` or ``png``.
    quality
        JPEG quality, 1 to 95.
    """

    longest: int = 768
    encoding: Literal["jpeg", "png"] = "jpeg"
    quality: int = 90
    _made: dict[str, Picture] = field(default_factory=dict, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.longest < 1 or self.encoding not in ("jpeg", "png"):
            raise ValueError(
                f"pictures need a longest side of at least 1 and jpeg or png as their encoding, "
                f"not {self.longest} and {self.encoding!r}"
            )

    @property
    def identity(self) -> dict[str, object]:
        """What decides the bytes of a picture besides its card."""
        return {"longest": self.longest, "encoding": self.encoding, "quality": self.quality}

    def encode(self, card: Card) -> Picture:
        """Return the card as a data URL; the second time from memory."""
        if made := self._made.get(card.sha256):  # no lock: this is asked many times a call
            return made
        with self._lock:
            if card.sha256 not in self._made:
                self._made[card.sha256] = self._encode(card)
            return self._made[card.sha256]

    def __reduce__(self) -> tuple[object, ...]:
        return Pictures, (self.longest, self.encoding, self.quality)

    def _encode(self, card: Card) -> Picture:
        image = upright_rgb(card.image())
        image.info = {}  # else Pillow writes a file's comments and profiles out again
        image.thumbnail((self.longest, self.longest), Image.Resampling.LANCZOS)
        buffer = io.BytesIO()
        options = {"quality": self.quality} if self.encoding == "jpeg" else {"optimize": True}
        image.save(buffer, self.encoding, **options)
        payload = base64.b64encode(buffer.getvalue()).decode("ascii")
        url = f"data:image/{self.encoding};base64,{payload}"
        part = json.dumps({"type": "image_url", "image_url": {"url": url}})
        return Picture(part.encode(), *image.size)
