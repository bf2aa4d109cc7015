"""The book in a real browser, opened from its files: no network, no message, every picture."""

from __future__ import annotations

import pytest

from dixitlib.book.__main__ import make

EXPECTED_MESSAGES: list[str] = []
BROKEN = "[...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.src)"
WIDGET = "application/vnd.jupyter.widget"


@pytest.fixture(scope="module")
def html(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    assert make(folder) == 0
    return folder / "html"


@pytest.fixture
def at(watched, html):
    def go(page):
        watched.page.goto((html / page).as_uri(), wait_until="load")
        return watched.page

    return go


def test_every_page_shows_its_pictures_and_asks_for_nothing_elsewhere(watched, html, at):
    pages = sorted(path.relative_to(html) for path in html.rglob("*.html"))
    shown = 0
    for name in pages:
        page = at(name)
        assert page.evaluate(BROKEN) == [], name
        shown += page.evaluate("document.images.length")
        assert WIDGET not in page.content(), f"{name} holds the state of a widget"
    assert len(pages) > 25 and shown > 300
    assert watched.strayed == []
    assert [text for text in watched.messages if text not in EXPECTED_MESSAGES] == []


def test_a_word_is_searched_for_with_the_keyboard(watched, at):
    page = at("index.html")
    watched.press("Control+k")
    page.keyboard.type("giraffe")
    watched.press("Enter")
    page.wait_for_url("**/search.html?q=giraffe*")
    page.locator("#search-results li a", has_text="The cards").first.click()
    page.wait_for_url("**/gallery.html*")
    assert watched.strayed == []
    assert [text for text in watched.messages if text not in EXPECTED_MESSAGES] == []


def test_every_picture_has_words(html, at):
    page = at("gallery.html")
    words = page.evaluate("[...document.querySelectorAll('.gallery img')].map(i => i.alt)")
    assert len(words) == 84 and all(len(text) > 20 for text in words)
    page = at("notebooks/06_outcomes.html")
    words = page.evaluate("[...document.querySelectorAll('.cell_output img')].map(i => i.alt)")
    assert words and all(text.startswith("Picture: ") for text in words)


def test_formulas_are_drawn_by_the_script_in_the_site(watched, at):
    page = at("notebooks/course/4_intervals.html")
    page.locator("mjx-container svg").first.wait_for()
    assert watched.strayed == []


def test_a_match_is_reached_and_leafed_through(watched, at):
    page = at("matches.html")
    page.get_by_role("link", name="Match 20").click()
    page.wait_for_url("**/matches/20.html")
    watched.press("ArrowRight")
    assert "2 of 24 rounds" in page.inner_text("output")


@pytest.mark.parametrize(
    "name", ["index", "gallery", "notebooks/06_outcomes", "notebooks/14_published_numbers"]
)
def test_a_narrow_window_needs_no_sideways_scrolling(at, name):
    page = at(f"{name}.html")
    page.set_viewport_size({"width": 360, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
