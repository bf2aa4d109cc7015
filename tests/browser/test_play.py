"""A person without a mouse plays two rounds and rates clues, in a real JupyterLab."""

from __future__ import annotations

import json
import shutil
import time

import pytest

from dixitlib.paths import REPOSITORY
from dixitlib.records import Item
from dixitlib.study import cases

SEAT = """
from dixitlib.cards.deck import Deck
from dixitlib.players import null
from dixitlib.players.human import Human
from dixitlib.study.seat import Sitting
from dixitlib import paths
deck = Deck.load(paths.data("cards"))
you = Human()
Sitting(you, [null.random(("a far door",)) for _ in range(3)], deck).begin()
you
"""
RATING = """
from dixitlib.cards.deck import Deck
from dixitlib.study import rating
from dixitlib import paths
rating.Questionnaire(rating.RATING, "s", Deck.load(paths.data("cards")))
"""


@pytest.fixture(scope="module")
def home(lab):
    """The home of the kernels: deck, bank of clues, eyes, and three clues to be rated."""
    (lab.home / "data").mkdir()
    for part in ("cards", "clues", "weights"):
        (lab.home / "data" / part).symlink_to(REPOSITORY / "data" / part)
    folder = lab.home / "data/human/s"
    folder.mkdir(parents=True)
    items = [
        Item(f"i{k}", "hard", f"clue {k}", f"{k:03d}", tuple(f"{k + n:03d}" for n in range(4)))
        for k in (10, 20, 30)
    ]
    cases.item_table(items).to_csv(folder / "cases.csv", index=False)
    return lab.home


def test_two_rounds_are_played_with_the_keyboard_alone(watched, lab, home):
    lab.write("play.ipynb", SEAT)
    lab.run(watched, "play.ipynb")
    watched.sees("You are the storyteller")
    watched.tab_to("Tell this clue")
    watched.press("Enter")
    watched.sees("Choose a card first")
    watched.tab_to("Choose card B", key="Shift+Tab")
    watched.press("Enter")
    watched.tab_to("Your clue")
    watched.page.keyboard.type("a door that remembers")
    watched.tab_to("Tell this clue")
    watched.press("Enter")
    watched.sees("Round 1 of 12")
    watched.has_focus("Next round")
    watched.press("Enter")
    watched.sees("The clue is told")
    watched.has_focus("Choose card A")
    watched.tab_to("Choose card C")
    watched.press("Enter")
    watched.tab_to("Lay the chosen card")
    watched.press("Enter")
    watched.sees("Which card is the storyteller's?")
    watched.has_focus("Choose card A")
    watched.press("Enter")
    watched.tab_to("Vote for the chosen card")
    watched.press("Enter")
    watched.sees("Round 2 of 12")
    assert watched.strayed == []


def test_clues_are_rated_and_a_restarted_kernel_goes_on(watched, lab, home):
    lab.write("rate.ipynb", RATING)
    lab.run(watched, "rate.ipynb")
    begin(watched)
    watched.sees("1 of 3. Which card does this clue mean?")
    watched.has_focus("Choose card A")
    watched.tab_to("Choose card D")
    watched.press("Enter")
    watched.tab_to("Vote for the chosen card")
    watched.press("Enter")
    watched.sees("The marked card was meant")
    lab.restart_kernels()
    lab.run(watched, "rate.ipynb")
    begin(watched)
    watched.sees("1 of 3. The marked card was meant")
    watched.has_focus("Clarity: how clearly does it point to the card?")
    watched.press("4")
    watched.tab_to("Creativity: how inventive is it?")
    watched.press("2")
    watched.tab_to("Keep this answer")
    watched.press("Enter")
    watched.sees("2 of 3. Which card does this clue mean?")
    lines = (home / "data/human/s/owl-7.jsonl").read_text().splitlines()
    kept = [json.loads(line) for line in lines]
    assert [line["step"] for line in kept] == ["vote", "rating"]
    assert kept[0]["choice"] == kept[0]["shown"][3]
    assert (kept[1]["clarity"], kept[1]["creativity"]) == (4, 2)
    assert watched.strayed == []


def test_a_newcomer_plays_a_round_within_two_minutes_of_opening_the_notebook(watched, lab, home):
    begun = time.monotonic()
    shutil.copy(REPOSITORY / "notebooks/18_play.ipynb", lab.folder)
    lab.open(watched, "18_play.ipynb")
    watched.page.locator(".jp-Cell").first.click()
    # The notebook says how: from top to bottom, with Shift+Enter.
    watched.press(*["Shift+Enter"] * 5)
    watched.sees("You are the storyteller")
    watched.tab_to("Choose card A")
    watched.press("Enter")
    watched.tab_to("Your clue")
    watched.page.keyboard.type("where the road forgets itself")
    watched.tab_to("Tell this clue")
    watched.press("Enter")
    watched.sees("Round 1 of 12")
    assert time.monotonic() - begun < 120
    assert watched.strayed == []


def begin(watched):
    """Take up a rater's code."""
    watched.sees("Choose a code for yourself")
    watched.tab_to("Your code")
    watched.page.keyboard.type("owl-7")
    watched.tab_to("Begin")
    watched.press("Enter")
