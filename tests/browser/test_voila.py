"""`18_play` as a page without code, in Voila: a round with the keyboard alone."""

from __future__ import annotations

import pytest

from dixitlib import store

pytestmark = pytest.mark.takes(20)

# Voila's own page asks for a style of icons, of which this page shows none.
STRAYED = "https://cdn.jsdelivr.net/npm/@fortawesome/"


@pytest.fixture
def page(served, quick_play, tmp_path):
    quick_play(tmp_path)
    with served(
        "voila", tmp_path, [str(tmp_path / "18_play.ipynb"), "--Voila.ip=127.0.0.1"]
    ) as url:
        yield url


def test_a_round_is_played_and_kept(watched, page, tmp_path):
    watched.page.goto(page)
    watched.sees("Choose a code for yourself")
    watched.tab_to("Your code")
    watched.page.keyboard.type("owl-7")
    watched.tab_to("Take a seat")
    watched.press("Enter")
    watched.has_focus("Choose card A")
    watched.press("Space")
    watched.tab_to("Your clue")
    watched.page.keyboard.type("a door that remembers")
    watched.tab_to("Tell this clue")
    watched.press("Enter")
    watched.sees("Round 1 of 12")
    (played,) = store.iter_rounds(tmp_path / "home/data/human/offline/matches/owl-7/0")
    assert played.clue == "a door that remembers" and played.target == played.hands[0][0]
    assert all(url.startswith(STRAYED) for url in watched.strayed)
