"""The book in a real browser, opened from its files: no network, no message, every picture."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.takes(70)

# What the theme says of itself in the console; nothing else may be said.
EXPECTED = {
    "[PST]: Changed to auto mode using the light theme.",
    "[PST]: Scrolled sidebar using stored browser position...",
    "[PST]: Set focus on search field.",
}
BROKEN = "[...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.src)"
WIDGET = "application/vnd.jupyter.widget"


@pytest.fixture(scope="module")
def html(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    done = subprocess.run(
        [sys.executable, "-m", "dixitlib.book", str(folder)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.fixture
def at(watched, html):
    def go(page):
        watched.page.goto((html / page).as_uri(), wait_until="load")
        return watched.page

    return go


def test_every_page_shows_its_pictures_and_asks_for_nothing_elsewhere(watched, html, at):
    found = sorted(path.relative_to(html) for path in html.rglob("*.html"))
    pages = [path for path in found if path.parts[0] != "_static"]  # the theme's, not pages
    shown = 0
    for name in pages:
        page = at(name)
        assert page.evaluate(BROKEN) == [], name
        shown += page.evaluate("document.images.length")
        assert WIDGET not in page.content(), f"{name} holds the state of a widget"
    assert len(pages) > 25 and shown > 300
    assert watched.strayed == []
    assert set(watched.messages) <= EXPECTED


def test_a_word_is_searched_for_with_the_keyboard(watched, at):
    page = at("index.html")
    watched.press("Control+k")
    page.keyboard.type("giraffe")
    watched.press("Enter")
    page.wait_for_url("**/search.html?q=giraffe*")
    page.locator("#search-results li a", has_text="The cards").first.click()
    page.wait_for_url("**/gallery.html*")
    assert watched.strayed == []
    assert set(watched.messages) <= EXPECTED


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
    "name", ["index", "gallery", "notebooks/06_outcomes", "notebooks/course/README"]
)
def test_a_narrow_window_needs_no_sideways_scrolling(at, name):
    page = at(f"{name}.html")
    page.set_viewport_size({"width": 360, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
