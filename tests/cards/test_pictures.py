import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dixitlib.cards.pictures import normalised, pixel_hash, upright_rgb

RED, WHITE = (255, 0, 0), (255, 255, 255)
# Modes with a plain conversion from RGB; 16-bit, signed, floating and La have tests below.
MODES = ("1", "L", "P", "RGB", "RGBA", "LA", "PA", "CMYK", "YCbCr", "LAB", "HSV", "RGBX", "RGBa")


def in_mode(mode: str, colour: tuple[int, int, int], size: tuple[int, int]) -> Image.Image:
    through = {"LA": "L", "PA": "P", "RGBa": "RGBA"}.get(mode, "RGB")
    picture = Image.new("RGB", size, colour)
    if mode == "LAB":
        return Image.new("LAB", size, (255, 128, 128))
    return picture.convert(through).convert(mode)


@given(st.sampled_from(MODES), st.integers(1, 9), st.integers(1, 9))
def test_white_of_any_mode_is_white_rgb(mode, width, height):
    shown = upright_rgb(in_mode(mode, WHITE, (width, height)))
    assert (shown.mode, shown.size) == ("RGB", (width, height))
    assert np.asarray(shown).min() >= 254  # L*a*b* and Y'CbCr round by one


@given(st.sampled_from(["1", "L", "RGB", "LA", "CMYK", "HSV", "P"]))
def test_black_of_any_mode_is_black(mode):
    assert upright_rgb(in_mode(mode, (0, 0, 0), (2, 2))).getpixel((0, 0)) == (0, 0, 0)


@pytest.mark.parametrize("mode", ["I;16", "I;16L", "I;16B"])
def test_sixteen_bits_are_scaled_not_clipped(mode):
    # 0, 21845, 43690 and 65535 are 0, 1, 2 and 3 thirds of white: 0, 85, 170, 255.
    dtype = ">u2" if mode == "I;16B" else "<u2"
    raw = np.array([[0, 21845, 43690, 65535]], dtype=dtype).tobytes()
    shown = np.asarray(upright_rgb(Image.frombytes(mode, (4, 1), raw)))
    assert shown[0, :, 0].tolist() == [0, 85, 170, 255]


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (np.array([[0, 0.5, 1.0]], np.float32), [0, 128, 255]),
        (np.array([[0, 51, 255]], np.float32), [0, 51, 255]),
        (np.array([[0, 257, 65535]], np.int32), [0, 1, 255]),
        (np.array([[0, 51, 255]], np.int32), [0, 51, 255]),
        (np.array([[np.nan, -1, 1]], np.float32), [0, 0, 255]),
    ],
)
def test_white_is_the_smallest_usual_white_that_no_pixel_exceeds(values, shown):
    assert np.asarray(upright_rgb(Image.fromarray(values)))[0, :, 1].tolist() == shown


def test_sixteen_bit_png_with_a_transparent_grey(tmp_path):
    picture = Image.frombytes("I;16", (3, 1), np.array([7, 21845, 65535], "<u2").tobytes())
    picture.save(tmp_path / "a.png", transparency=7)
    assert np.asarray(normalised(tmp_path / "a.png"))[0, :, 0].tolist() == [255, 85, 255]


@pytest.mark.parametrize("mode", ["RGBA", "LA", "La", "PA", "RGBa"])
def test_what_is_transparent_is_white(mode):
    clear = Image.new("LA" if mode in ("LA", "La") else "RGBA", (2, 2), 0)
    picture = clear.convert(mode) if mode != "PA" else clear.convert("P").convert("PA")
    if mode == "PA":
        picture.putalpha(0)
    assert upright_rgb(picture).getpixel((1, 1)) == WHITE


def test_half_transparent_red_on_white_is_pink():
    # 128/255 of red over white: green and blue are 255 * (1 - 128/255) = 127.
    assert upright_rgb(Image.new("RGBA", (1, 1), (255, 0, 0, 128))).getpixel((0, 0)) == (
        255,
        127,
        127,
    )


@pytest.mark.parametrize("ending", ["png", "gif"])
def test_transparent_palette_entry_is_white(tmp_path, ending):
    picture = Image.new("P", (2, 1))
    picture.putpalette([255, 0, 0, 0, 0, 255])
    picture.putdata([0, 1])
    picture.save(tmp_path / f"a.{ending}", transparency=1)
    shown = normalised(tmp_path / f"a.{ending}")
    assert [shown.getpixel((0, 0)), shown.getpixel((1, 0))] == [RED, WHITE]


def test_palette_with_an_alpha_for_each_entry(tmp_path):
    picture = Image.new("P", (2, 1))
    picture.putpalette([255, 0, 0, 0, 0, 255])
    picture.putdata([0, 1])
    picture.save(tmp_path / "a.png", transparency=bytes([255, 0]))
    shown = normalised(tmp_path / "a.png")
    assert [shown.getpixel((0, 0)), shown.getpixel((1, 0))] == [RED, WHITE]


def test_sixteen_bit_colour_png(tmp_path):
    def chunk(kind: bytes, body: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + body))
        return struct.pack(">I", len(body)) + kind + body + check

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 16, 2, 0, 0, 0))
    row = b"\0" + struct.pack(">HHH", 65535, 0, 257 * 51)
    body = chunk(b"IDAT", zlib.compress(row)) + chunk(b"IEND", b"")
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + header + body)
    assert normalised(tmp_path / "a.png").getpixel((0, 0)) == (255, 0, 51)


def test_cmyk_jpeg_keeps_its_colour(tmp_path):
    Image.new("CMYK", (16, 16), (0, 255, 255, 0)).save(tmp_path / "a.jpg", quality=95)
    shown = np.asarray(normalised(tmp_path / "a.jpg"), dtype=int)
    assert np.abs(shown - RED).max() <= 4


# What must be done to a stored picture, from the EXIF standard: 3 is upside down, 6 wants
# a quarter turn clockwise, 8 one anticlockwise; 2, 4, 5 and 7 are their mirror images.
# Stored: red at the top left of a picture 2 wide and 3 high. Where it shows:
@pytest.mark.parametrize(
    ("orientation", "size", "red"),
    [
        (1, (2, 3), (0, 0)),
        (2, (2, 3), (1, 0)),
        (3, (2, 3), (1, 2)),
        (4, (2, 3), (0, 2)),
        (5, (3, 2), (0, 0)),
        (6, (3, 2), (2, 0)),
        (7, (3, 2), (2, 1)),
        (8, (3, 2), (0, 1)),
    ],
)
@pytest.mark.parametrize("ending", ["png", "tiff", "webp"])
def test_exif_turns_a_picture_upright(tmp_path, orientation, size, red, ending):
    picture = Image.new("RGB", (2, 3), WHITE)
    picture.putpixel((0, 0), RED)
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"lossless": True} if ending == "webp" else {}
    picture.save(tmp_path / f"a.{ending}", exif=exif, **options)
    shown = normalised(tmp_path / f"a.{ending}")
    assert shown.size == size
    assert shown.getpixel(red) == RED


@pytest.mark.parametrize("ending", ["gif", "webp", "png", "tiff"])
def test_an_animation_shows_its_first_frame(tmp_path, ending):
    frames = [Image.new("RGB", (4, 4), colour) for colour in (RED, WHITE, (0, 0, 255))]
    options = {"lossless": True} if ending == "webp" else {}
    frames[0].save(tmp_path / f"a.{ending}", save_all=True, append_images=frames[1:], **options)
    assert normalised(tmp_path / f"a.{ending}").getpixel((2, 2)) == RED


def test_hash_tells_pixels_and_shape_apart():
    wide, high = Image.new("RGB", (4, 2)), Image.new("RGB", (2, 4))
    other = wide.copy()
    other.putpixel((0, 0), (0, 0, 1))
    assert len({pixel_hash(wide), pixel_hash(high), pixel_hash(other)}) == 3
    assert pixel_hash(wide) == pixel_hash(wide.copy())


def test_hash_is_the_same_whatever_the_file(tmp_path):
    picture = Image.effect_noise((8, 8), 40).convert("RGB")
    picture.save(tmp_path / "a.png")
    picture.save(tmp_path / "a.bmp")
    assert pixel_hash(normalised(tmp_path / "a.png")) == pixel_hash(normalised(tmp_path / "a.bmp"))
