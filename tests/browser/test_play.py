"""A person without a mouse plays and rates in `18_play`, in a real JupyterLab."""

from __future__ import annotations

import json
import os
import time

import pytest

from dixitlib import store

pytestmark = pytest.mark.takes(50)

SEAT, RATING = 4, 8  # cells of the notebook


def test_a_newcomer_plays_and_rates_and_goes_on_after_a_restart(watched, lab, quick_play):
    begun = time.monotonic()
    quick_play(lab.folder)
    run_up_to(watched, lab, SEAT)
    take_up(watched, "Take a seat")
    tell_a_clue(watched)
    watched.sees("Round 1 of 12")
    share = max(1, os.getloadavg()[0] / os.cpu_count())  # of the machine, if others use it too
    assert time.monotonic() - begun < 120 * share, "within two minutes of opening the notebook"
    watched.sees("Kept in data/human/offline/matches/owl-7/0")
    watched.has_focus("Next round")
    watched.press("Space")
    listen_and_vote(watched)
    watched.sees("Round 2 of 12")
    watched.has_focus("Next round")

    run_on(watched, SEAT + 1, RATING)
    take_up(watched, "Begin")
    watched.sees("1 of 3. Which card does this clue mean?")
    vote(watched)

    lab.restart_kernels()
    run_up_to(watched, lab, SEAT)
    take_up(watched, "Take a seat")
    watched.sees("The clue is told")
    watched.has_focus("Choose card A")
    run_on(watched, SEAT + 1, RATING)
    take_up(watched, "Begin")
    watched.sees("1 of 3. The marked card was meant")
    rate(watched, "4", "2")
    watched.sees("2 of 3. Which card does this clue mean?")
    vote(watched)
    rate(watched, "5", "1")
    watched.sees("3 of 3. Which card does this clue mean?")

    rounds = list(store.iter_rounds(lab.home / "data/human/offline/matches/owl-7/0"))
    assert [played.clue for played in rounds][:1] == ["a door that remembers"]
    assert len(rounds) == 2 and rounds[1].votes[0] is not None
    lines = (lab.home / "data/human/offline/owl-7.jsonl").read_text().splitlines()
    kept = [json.loads(line) for line in lines]
    assert [line["step"] for line in kept] == ["vote", "rating"] * 2
    assert kept[0]["choice"] == kept[0]["shown"][3]
    assert [(line["clarity"], line["creativity"]) for line in kept[1::2]] == [(4, 2), (5, 1)]
    assert watched.strayed == []


def run_up_to(watched, lab, last):
    """Open the notebook and run its cells as it says: from top to bottom, with Shift+Enter."""
    lab.open(watched, "18_play.ipynb")
    run_on(watched, 0, last)


def run_on(watched, first, last):
    watched.page.locator(".jp-Cell").nth(first).click()
    watched.press(*["Shift+Enter"] * (last - first + 1))


def take_up(watched, label):
    """Give a code to the page above the selected cell."""
    watched.page.get_by_role("button", name=label).wait_for()
    watched.tab_to("Your code", key="Shift+Tab")
    watched.page.keyboard.type("owl-7")
    watched.tab_to(label)
    watched.press("Enter")


def tell_a_clue(watched):
    watched.sees("You are the storyteller")
    watched.has_focus("Choose card A")
    said = watched.page.locator(".dixit-play").first.aria_snapshot()
    for part in (
        'img "card A"',
        'button "Choose card D"',
        'textbox "Your clue"',
        'status: "You are the story',
    ):
        assert part in said, "a screen reader tells them apart by these"
    watched.tab_to("Tell this clue")
    watched.press("Enter")
    watched.sees("Choose a card first")
    watched.tab_to("Choose card B", key="Shift+Tab")
    watched.press("Space")
    watched.sees("card B chosen")
    watched.tab_to("Your clue")
    watched.page.keyboard.type("a door that remembers")
    watched.tab_to("Tell this clue")
    watched.press("Enter")


def listen_and_vote(watched):
    watched.sees("The clue is told")
    watched.has_focus("Choose card A")
    watched.tab_to("Choose card C")
    watched.press("Enter")
    watched.tab_to("Lay the chosen card")
    watched.press("Space")
    watched.sees("Which card is the storyteller's?")
    watched.has_focus("Choose card A")
    watched.press("Space")
    watched.tab_to("Vote for the chosen card")
    watched.press("Enter")


def vote(watched):
    watched.has_focus("Choose card A")
    watched.tab_to("Choose card D")
    watched.press("Space")
    watched.tab_to("Vote for the chosen card")
    watched.press("Enter")
    watched.sees("The marked card was meant")


def rate(watched, clarity, creativity):
    watched.has_focus("Clarity: how clearly does it point to the card?")
    watched.press(clarity)
    watched.tab_to("Creativity: how inventive is it?")
    watched.press(creativity)
    watched.tab_to("Keep this answer")
    watched.press("Space")
