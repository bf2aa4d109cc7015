"""Leaf through a match in a real browser: filters, keys, no message, no request elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dixitlib.game.arena import play_match
from dixitlib.viewer import match_html

HOSTILE = """<img src=x onerror="document.title='run'"><script>document.title='run'</script>"""


@pytest.fixture
def rounds(toy_deck, scripted):
    played = play_match(scripted("ada"), scripted("bob"), toy_deck)[:6]
    return [replace(played[0], clue=HOSTILE), *played[1:]]


@pytest.fixture
def opened(watched, rounds, toy_deck, tmp_path):
    path = tmp_path / "match.html"
    path.write_text(match_html(rounds, toy_deck), encoding="utf-8")
    watched.page.goto(path.as_uri())
    return watched


def shown(watched):
    articles = watched.page.locator("article:visible")
    return [articles.nth(k).locator("header").inner_text() for k in range(articles.count())]


def test_rounds_are_leafed_through_by_key_and_chosen_by_end_and_storyteller(opened, rounds):
    assert ["round 1" in text for text in shown(opened)] == [True]
    opened.press("ArrowRight", "ArrowRight", "ArrowLeft")
    assert ["round 2" in text for text in shown(opened)] == [True]
    opened.tab_to("Next")
    opened.press("Enter")
    assert "3 of 6 rounds" in opened.page.inner_text("output")
    opened.page.select_option("select[name=storyteller]", "bob")
    assert "1 of 2 rounds" in opened.page.inner_text("output")
    assert "round 3" in shown(opened)[0]
    opened.page.select_option("select[name=storyteller]", "")
    opened.page.select_option("select[name=end]", rounds[0].outcome)
    same = sum(each.outcome == rounds[0].outcome for each in rounds)
    assert f"1 of {same} rounds" in opened.page.inner_text("output")
    assert (opened.messages, opened.strayed) == ([], [])


def test_hostile_words_do_not_run_and_pictures_are_there(opened):
    assert opened.page.title() == "Match 0: ada and bob"
    assert HOSTILE in opened.page.inner_text("article:visible blockquote")
    widths = opened.page.evaluate("[...document.images].map(image => image.naturalWidth)")
    assert len(widths) == 24 and min(widths) > 0


def test_a_narrow_window_needs_no_sideways_scrolling(opened):
    opened.page.set_viewport_size({"width": 360, "height": 700})
    across = opened.page.evaluate("document.documentElement.scrollWidth")
    assert across <= 360
