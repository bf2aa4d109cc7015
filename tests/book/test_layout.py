"""What goes into the book: no state of widgets, words for pictures, every card."""

from __future__ import annotations

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from dixitlib.book import layout
from dixitlib.paths import REPOSITORY

PICTURE = new_output("display_data", {"image/png": "aGk="})
WORDS = new_output("stream", text="hello")


@pytest.fixture
def node():
    cells = [
        new_markdown_cell("# Who?\n\n## The deck\n\nAll cards."),
        new_code_cell("show()", outputs=[PICTURE]),
        new_markdown_cell("No heading here."),
        new_code_cell("show()", outputs=[WORDS, PICTURE]),
        new_code_cell("say()", outputs=[WORDS]),
    ]
    return new_notebook(cells=cells, metadata={"widgets": {"state": {}}})


def test_pictures_are_named_by_the_last_heading_above(node):
    cells = layout.described(node).cells
    said = [cell.metadata.get("mystnb") for cell in cells]
    named = {"image": {"alt": "Picture: The deck"}}
    assert said == [None, named, None, named, None]


def test_the_state_of_widgets_is_left_behind(node):
    assert "widgets" not in layout.described(node).metadata


def test_the_gallery_shows_every_card_with_its_caption_twice(toy_deck):
    page = layout.gallery(toy_deck)
    assert "All 84 cards" in page
    assert page.count(":::{figure} cards/") == 84
    assert page.count("plain card of colour 7\n") == 2, "as words of the picture, and below it"


def test_a_laid_out_book_has_its_notebooks_lessons_matches_and_scripts(tmp_path):
    source = tmp_path / "source"
    layout.lay_out(source)
    notebooks = {path.name for path in (REPOSITORY / "notebooks").glob("*.ipynb")}
    assert {path.name for path in (source / "notebooks").glob("*.ipynb")} == notebooks
    assert len(list((source / "notebooks/course").glob("[1-6]_*.ipynb"))) == 6
    assert not (source / "notebooks/course/solutions").exists(), "solutions are for teachers"
    matches = {int(path.stem) for path in (source / "extra/matches").iterdir()}
    assert matches == set(layout.MATCHES)
    assert (source / "_static/mathjax/tex-svg.js").stat().st_size > 1_000_000
    for path in source.rglob("*.ipynb"):
        assert "widgets" not in nbformat.read(path, as_version=4).metadata
