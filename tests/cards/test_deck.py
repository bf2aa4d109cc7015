import io
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from dixitlib.cards import deck
from dixitlib.cards.deck import Deck, DeckError
from dixitlib.records import Card


def picture(seed: int, size: tuple[int, int] = (12, 18)) -> Image.Image:
    pixels = np.random.default_rng(seed).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    return Image.fromarray(pixels)


def encoded(seed: int, kind: str = "PNG") -> bytes:
    file = io.BytesIO()
    picture(seed, (24, 36)).save(file, kind)
    return file.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "deck"
    home.mkdir()
    for seed, name in enumerate(("a.png", "b.png", "c.png")):
        picture(seed).save(home / name)
    return home


def refusal(folder: Path) -> str:
    with pytest.raises(DeckError) as caught:
        Deck.load(folder)
    return str(caught.value)


def write_table(folder: Path, text: str) -> None:
    (folder / "cards.csv").write_text(text, encoding="utf-8")


def test_a_folder_without_a_table_is_a_deck_in_order_of_name(folder):
    cards = Deck.load(folder)
    assert [card.id for card in cards] == ["a", "b", "c"]
    assert [card.caption for card in cards] == ["", "", ""]
    assert np.array_equal(np.asarray(cards[1].image()), np.asarray(picture(1)))
    assert cards.by_id["c"] is cards[2]
    assert isinstance(cards[:2], Deck)


def test_a_table_gives_ids_captions_aspects_and_order(folder):
    write_table(
        folder,
        "id,file,sha256,caption,twist,licence,attribution\n"
        'z,c.png,,"A whale, bottled.",bottled,CC0,nobody\n'
        ",./a.png,,,,,\n"
        "y,b.png,,Ünicode,giant,,\n",
    )
    cards = Deck.load(folder)
    assert [card.id for card in cards] == ["z", "a", "y"]
    assert [card.caption for card in cards] == ["A whale, bottled.", "", "Ünicode"]
    assert cards[0].aspects == {"twist": "bottled"}


def test_a_table_needs_no_column_but_file(folder):
    write_table(folder, "\ufefffile\na.png\nb.png\nc.png\n")  # as a spreadsheet saves it
    assert [card.id for card in Deck.load(folder)] == ["a", "b", "c"]


def test_subfolders_belong_to_the_deck_and_hidden_files_do_not(folder):
    (folder / "more").mkdir()
    picture(9).save(folder / "more" / "a.png")
    (folder / ".DS_Store").write_bytes(b"\0")
    (folder / ".cache").mkdir()
    (folder / ".cache" / "x.txt").write_text("x")
    assert [card.id for card in Deck.load(folder)] == ["a", "b", "c", "more/a"]


def test_a_stem_shared_by_two_files_keeps_its_ending(folder):
    picture(9).save(folder / "a.bmp")
    assert [card.id for card in Deck.load(folder)] == ["a.bmp", "a.png", "b", "c"]


def test_one_error_names_every_offender(folder, tmp_path, monkeypatch):
    whole = encoded(5)
    (folder / "text.png").write_text("no image")
    (folder / "README.md").write_text("# A deck")
    (folder / "empty.jpg").write_bytes(b"")
    (folder / "cut.png").write_bytes(whole[: len(whole) // 2])
    (folder / "twin.bmp").write_bytes(b"")
    picture(0).save(folder / "twin.bmp")
    picture(7, (60, 60)).save(folder / "bomb.png")
    picture(8).save(tmp_path / "outside.png")
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    (folder / "nowhere.png").symlink_to(folder / "gone.png")
    (folder / "elsewhere").symlink_to(tmp_path, target_is_directory=True)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1_000)
    faults = refusal(folder).splitlines()[1:]
    for offence in (
        "text.png is no image",
        "README.md is no image",
        "empty.jpg is empty",
        "cut.png is truncated",
        "a.png, twin.bmp are duplicates",
        "bomb.png is too large",
        "link.png lies outside",
        "nowhere.png is missing",
        "elsewhere lies outside",
    ):
        assert sum(offence in fault for fault in faults) == 1, offence
    assert len(faults) == 9


def test_a_table_s_offenders_are_named_together(folder, tmp_path):
    picture(8).save(tmp_path / "outside.png")
    write_table(
        folder,
        "id,file,sha256\n"
        "1,../outside.png,\n"
        f"2,{tmp_path}/outside.png,\n"
        "3,gone.png,\n"
        "4,a.png,\n"
        "5,a.png,\n"
        f"6,b.png,{'0' * 64}\n"
        "7,,\n",
    )
    message = refusal(folder)
    for offence in (
        "- ../outside.png lies outside",
        f"- {tmp_path}/outside.png lies outside",
        "gone.png is missing",
        "a.png is listed 2 times",
        "b.png has other pixels",
        "7 names no file",
        "c.png is not in cards.csv",
    ):
        assert offence in message, offence
    assert message.count("\n- ") == 7


def test_ids_must_differ(folder):
    write_table(folder, "id,file\nx,a.png\nx,b.png\ny,c.png\n")
    assert "a.png, b.png share the id 'x'" in refusal(folder)


def test_the_hash_in_the_error_mends_the_table(folder):
    write_table(folder, f"file,sha256\na.png,{'0' * 64}\nb.png,\nc.png,\n")
    found = refusal(folder).split("hash to ")[1].split(")")[0]
    write_table(folder, f"file,sha256\na.png,{found}\nb.png,\nc.png,\n")
    assert Deck.load(folder)[0].sha256 == found


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        (b"name\na.png\n", "no column `file`"),
        (b"file\na.png,b\n", "too many cells"),
        (b"file\n\xff\xfe\n", "no CSV in UTF-8"),
        (b'file\n"a.png\n', "no CSV in UTF-8"),
        (b"", "no column `file`"),
        (b"file\n", "no card"),
    ],
)
def test_a_broken_table_is_refused(folder, table, complaint):
    (folder / "cards.csv").write_bytes(table)
    assert complaint in refusal(folder)


def test_no_folder_and_an_empty_folder_are_refused(tmp_path):
    assert "no folder" in refusal(tmp_path / "gone")
    assert "no card" in refusal(tmp_path)


@given(st.data(), st.sampled_from(["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_a_file_cut_anywhere_is_refused_or_shows_the_same_pixels(tmp_path, data, kind):
    whole = encoded(3, kind)
    home = tmp_path / kind
    home.mkdir(exist_ok=True)
    (home / "a").write_bytes(whole)
    sha256 = Deck.load(home)[0].sha256
    (home / "a").write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    try:
        assert Deck.load(home)[0].sha256 == sha256
    except DeckError as error:
        assert "\n- a " in str(error)


def test_a_bomb_is_refused_before_it_is_decoded(folder, monkeypatch):
    # One pixel over the limit makes Pillow warn, twice the limit makes it raise.
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 12 * 18 - 1)
    assert refusal(folder).count("is too large") == 3
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 12 * 18 // 2 - 1)
    assert refusal(folder).count("is too large") == 3


def test_cards_travel_to_other_processes(folder):
    cards = pickle.loads(pickle.dumps(Deck.load(folder)))
    assert cards == Deck.load(folder)
    assert cards[2].image().tobytes() == picture(2).tobytes()


def test_the_deck_s_hash_follows_pixels_and_order(folder):
    before = Deck.load(folder).hash
    assert Deck.load(folder).hash == before
    write_table(folder, "file\nb.png\na.png\nc.png\n")
    assert Deck.load(folder).hash != before


def test_a_repainted_file_is_seen_anew(folder):
    before = Deck.load(folder)[0]
    picture(50).save(folder / "a.png")
    after = Deck.load(folder)[0]
    assert after.sha256 != before.sha256
    assert after.image().tobytes() == picture(50).tobytes()


def painted(n: int) -> list[Card]:
    return [
        deck.from_picture(f"{i:03}", picture(i), f"Card, {i}", {"twist": "t"}) for i in range(n)
    ]


def test_written_cards_load_again(tmp_path):
    written = deck.write_cards(tmp_path / "out", painted(5), "CC0", "nobody")
    loaded = Deck.load(tmp_path / "out")
    assert loaded == written
    assert [card.caption for card in loaded] == [f"Card, {i}" for i in range(5)]
    assert loaded[3].aspects == {"twist": "t"}
    lines = (tmp_path / "out" / "cards.csv").read_bytes().split(b"\n")
    assert lines[0] == b"id,file,sha256,caption,twist,licence,attribution"
    assert lines[1].endswith(b'"Card, 0",t,CC0,nobody')
    assert loaded[0].sha256 == deck.pixel_hash(loaded[0].image()) != painted(1)[0].sha256


def test_writing_again_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        deck.write_cards(tmp_path / name, painted(3), "CC0", "nobody")
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == ["000.webp", "001.webp", "002.webp", "cards.csv"]
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_writing_beside_other_cards_is_refused(folder):
    with pytest.raises(DeckError, match=r"a\.png is not in cards\.csv"):
        deck.write_cards(folder, painted(2), "CC0", "nobody")


def test_a_contact_sheet_shows_every_card():
    colours = [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    cards = [deck.from_picture(str(c), Image.new("RGB", (20, 30), c)) for c in colours]
    sheet = deck.contact_sheet(cards, columns=2, width=90, gap=2)
    # Cells are (90 - 2) / 2 - 2 = 42 wide and 63 high; two rows with gaps: 2 * 65 + 2 = 132.
    assert sheet.size == (90, 132)
    assert [sheet.getpixel(p) for p in ((23, 33), (67, 33), (23, 98))] == colours
    assert sheet.getpixel((67, 98)) == (255, 255, 255)
