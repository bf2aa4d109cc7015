"""What a model sees is the card's pixels, upright, no larger than asked, and nothing else."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

from dixitlib.models.pictures import Picture, Pictures
from dixitlib.records import Card


def decoded(picture: Picture) -> Image.Image:
    head, _, payload = picture.url.partition(";base64,")
    image = Image.open(io.BytesIO(base64.b64decode(payload)))
    assert head == f"data:image/{image.format.lower()}"
    return image


def made_of(image: Image.Image, sha256: str = "made") -> Card:
    return Card("secret-name", lambda: image, sha256, caption="secret caption")


@pytest.mark.parametrize("encoding", ["jpeg", "png"])
@pytest.mark.parametrize(
    ("longest", "size"),
    [(72, (48, 72)), (144, (96, 144)), (1000, (96, 144))],
)
def test_the_longest_side_is_limited(longest: int, encoding: str, size: tuple[int, int]) -> None:
    card = made_of(Image.new("RGB", (96, 144), (3, 252, 128)))
    picture = Pictures(longest, encoding).encode(card)
    assert (picture.width, picture.height) == size
    image = decoded(picture)
    assert (image.size, image.mode) == (size, "RGB")
    assert np.abs(np.asarray(image)[20, 20].astype(int) - (3, 252, 128)).max() <= 3


def test_exif_rotation_is_applied_and_left_behind() -> None:
    # ollama#18418: orientation 6 shows the picture turned by a quarter to the right
    image = Image.new("RGB", (40, 20), "white")
    image.paste("black", (0, 0, 10, 20))  # the left edge, on top once upright
    image.getexif()[274] = 6
    shown = decoded(Pictures(encoding="png").encode(made_of(image)))
    assert shown.size == (20, 40)
    assert shown.getpixel((10, 2)) == (0, 0, 0)
    assert not shown.getexif()


@pytest.mark.parametrize("mode", ["CMYK", "L", "P", "RGBA", "LA", "1", "I;16"])
def test_every_mode_becomes_rgb(mode: str) -> None:
    # ms-swift#10095: one CMYK image dropped a data set
    image = decoded(Pictures().encode(made_of(Image.new(mode, (8, 8)))))
    assert (image.mode, image.size) == ("RGB", (8, 8))


@pytest.mark.parametrize("encoding", ["jpeg", "png"])
def test_notes_inside_a_file_stay_behind(encoding: str) -> None:
    image = Image.new("RGB", (8, 8))
    image.info.update(comment=b"secret note", icc_profile=b"secret profile")
    url = Pictures(encoding=encoding).encode(made_of(image)).url
    assert b"secret" not in base64.b64decode(url.partition(",")[2])


def test_a_card_is_encoded_once_even_if_many_ask(toy_deck: Sequence[Card]) -> None:
    loads = []

    def load() -> Image.Image:
        loads.append(1)
        return toy_deck[0].image()

    pictures, card = Pictures(), Card("x", load, "pixels")
    with ThreadPoolExecutor(8) as pool:
        urls = set(pool.map(lambda _: pictures.encode(card).url, range(32)))
    assert (len(urls), len(loads)) == (1, 1)


@pytest.mark.parametrize("settings", [{"longest": 0}, {"encoding": "gif"}])
def test_impossible_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="longest side of at least 1 and jpeg or png"):
        Pictures(**settings)
