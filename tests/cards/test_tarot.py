import csv
import importlib.util
import itertools
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from dixitlib.cards import tarot
from dixitlib.cards.deck import Deck

COURTS = ("Page", "Knight", "Queen", "King")
SUITS = ("Cups", "Pentacles", "Swords", "Wands")
NAMED = {"The Fool", "The Hermit", "Death", "Ace of Cups", "Ten of Swords", "Knight of Wands"}


STEMS = [f"m{n:02d}" for n in range(22)] + [f"{s}{n:02d}" for s in "cpsw" for n in range(1, 15)]
FEW = ["m00", "m21", "c01", "c08", "w02", "s14"]

installed = importlib.util.find_spec(tarot.PACKAGE) is not None
with_scans = pytest.mark.skipif(not installed, reason="the extra `tarot` is not installed")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package like the real one, with six plain scans and code that must not run."""
    home = tmp_path / "site" / tarot.PACKAGE
    for folder in (tarot.SCANS, tarot.NAMES):
        (home / folder).mkdir(parents=True)
    (home / "__init__.py").write_text("raise RuntimeError('was run')")
    for k, stem in enumerate(FEW):
        scan = Image.new("RGB", tarot.SIZE, (250, 210, 40))
        scan.paste((10, 10, 10), (20, 100, 40 + 3 * k, 300))
        scan.save(home / tarot.SCANS / f"{stem}.jpg", quality=95)
        (home / tarot.NAMES / f"{stem}.json").write_text(f'{{"card_name": "Name of {stem}"}}')
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(sys.modules, tarot.PACKAGE, raising=False)
    monkeypatch.setattr(tarot, "CARDS", len(FEW))
    return home


def table(folder):
    with (folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("stem", "box"),
    [
        # Trumps have a numeral and a title, 2 to 10 a numeral, aces and courts a title.
        ("m00", (12, 47, 330, 543)),
        ("m21", (12, 47, 330, 543)),
        ("c02", (12, 47, 330, 587)),
        ("w10", (12, 47, 330, 587)),
        ("s01", (12, 12, 330, 543)),
        ("p11", (12, 12, 330, 543)),
        ("p14", (12, 12, 330, 543)),
    ],
)
def test_each_kind_of_card_loses_what_is_printed_on_it(stem, box):
    assert tarot._box(stem) == box


def test_a_deck_is_laid_without_running_the_package(package, tmp_path):
    deck = tarot.lay(tmp_path / "deck")
    assert [card.id for card in deck] == [f"t{n:02d}" for n in range(1, 7)]
    assert {card.aspects["name"] for card in deck} == {f"Name of {stem}" for stem in FEW}
    assert {card.caption for card in deck} == {""}
    assert Deck.load(tmp_path / "deck") == deck


def test_names_stand_in_one_column_only(package, tmp_path):
    tarot.lay(tmp_path / "deck")
    for row in table(tmp_path / "deck"):
        assert row.pop("name").startswith("Name of")
        assert not any("Name of" in value for value in row.values())
        assert row["file"] == f"{row['id']}.webp"
        assert row["licence"] == "public domain"
        assert "Pamela Colman Smith, 1909" in row["attribution"]


def test_order_tells_no_suit(tmp_path):
    (tmp_path / tarot.SCANS).mkdir(parents=True)
    for stem in STEMS:
        (tmp_path / tarot.SCANS / f"{stem}.jpg").touch()
    suits = [scan.stem[0] for scan in tarot._scans(tmp_path)]
    # In the package's order the suit changes 4 times. In a random order of four suits of 14
    # and 22 trumps neighbours differ with probability 1 - (4 * 14 * 13 + 22 * 21) / (78 * 77)
    # = 0.80, so about 62 of 77 times.
    assert sum(one != other for one, other in itertools.pairwise(suits)) > 45


def test_ink_stays_black_and_every_colour_turns_white(package, tmp_path):
    plain = np.asarray(tarot.lay(tmp_path / "ink")[0].image(), dtype=int)
    # The bar of ink starts at (20, 100) in the scan; all crops start at x = 12.
    assert plain[160:200, 12:24].max() < 20
    assert plain[300:, 200:].min() > 235
    assert np.ptp(plain, axis=2).max() <= 3


def test_colours_are_kept_if_asked_for_and_their_claim_is_told(package, tmp_path):
    coloured = np.asarray(tarot.lay(tmp_path / "deck", colours=True)[0].image(), dtype=int)
    assert np.abs(coloured[400, 250] - (250, 210, 40)).max() < 12
    assert all("1971" in row["licence"] for row in table(tmp_path / "deck"))


def test_ink_is_what_is_dark_in_every_channel():
    # 60 and below is black, 165 and above white; 112 lies 52/105 of the way: 126.
    row = [(0, 0, 0), (60, 60, 60), (112, 20, 90), (165, 0, 0), (0, 0, 255), (255, 255, 255)]
    picture = Image.new("RGB", (6, 1))
    picture.putdata(row)
    assert list(np.asarray(tarot._ink(picture))[0]) == [0, 0, 126, 255, 255, 255]


def test_without_the_package_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(tarot, "PACKAGE", "no_such_package_of_scans")
    with pytest.raises(ModuleNotFoundError, match=r"pip install -e \.\[tarot\]"):
        tarot.lay(tmp_path / "deck")
    assert not (tmp_path / "deck").exists()


def test_another_number_of_scans_is_refused(package, tmp_path):
    (package / tarot.SCANS / "m00.jpg").unlink()
    with pytest.raises(ValueError, match=r"holds 5 scans in .*, not 6: install"):
        tarot.lay(tmp_path / "deck")


def test_scans_of_another_size_are_refused(package, tmp_path):
    Image.new("RGB", (300, 500)).save(package / tarot.SCANS / "c08.jpg")
    with pytest.raises(ValueError, match=r"c08\.jpg of arcanite has \(300, 500\) pixels"):
        tarot.lay(tmp_path / "deck")


@with_scans
def test_the_real_package_has_every_card_once_and_is_not_imported():
    code = (
        "import sys; from dixitlib.cards import tarot; package = tarot._package();"
        "cards = [tarot._card(1, s, False) for s in tarot._scans(package)];"
        "print(*(c.aspects['name'] for c in cards), sep='\\n');"
        "sys.exit('arcanite' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = set(done.stdout.splitlines())
    assert len(names) == 78
    assert names >= NAMED | {f"{court} of {suit}" for court in COURTS for suit in SUITS}


@with_scans
@pytest.mark.parametrize("stem", ["m08", "c08", "w02", "s01", "p11"])
def test_nothing_printed_is_left_at_the_edges_of_a_real_card(stem):
    # Above the figures of these cards the sky is bare, so any ink at the top would be a
    # numeral's; c08 has the one that hangs lowest. A title's line runs along a whole edge.
    scan = tarot._package() / tarot.SCANS / f"{stem}.jpg"
    dark = np.asarray(tarot._picture(scan, False), dtype=int) < 100
    if stem in ("m08", "c08", "w02"):
        assert not dark[:3, 110:230].any()
    assert dark[-1].mean() < 0.5
    assert dark[0].mean() < 0.5
