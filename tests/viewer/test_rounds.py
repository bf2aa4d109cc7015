"""What the page shows, what it must not run, and that it is always the same."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dixitlib.records import Round
from dixitlib.viewer import round_html

ROUND = Round(
    match=3,
    phase=2,
    round=7,
    players=("ada", "ada", "bob", "bob"),
    storyteller=1,
    streams=(2, 3, 0, 1),
    hands=((),) * 4,
    clue="a door that remembers",
    target="011",
    submissions=("010", "011", "012", "013"),
    candidates=(("011", "012", "013"), (), ("010", "011", "013"), ("010", "011", "012")),
    votes=("011", None, "010", "011"),
    outcome="partial",
    points=(4, 3, 0, 3),
)


class Page(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.words = [], []
        self.feed(html)
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.words.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def page(round, deck):
    return Page(round_html(round, deck))


def test_the_page_tells_the_round(toy_deck):
    text = page(ROUND, toy_deck).text
    for said in (
        "Match 3, phase 2, round 7",
        "Partial: some listeners found it, not all",
        "“a door that remembers”",
        "told by ada (P2)",
        "the storyteller's card voted for by ada (P1), bob (P4)",
        "laid by ada (P1) voted for by bob (P3)",
        "laid by bob (P3) no vote",
        "ada (P1) listener found the card 4",
        "ada (P2) storyteller 3",
        "bob (P3) listener missed it 0",
        "bob (P4) listener found the card 3",
    ):
        assert said in text


def test_pictures_are_inside_small_and_described(toy_deck):
    images = page(ROUND, toy_deck).all("img")
    assert [image["alt"] for image in images] == [
        f"a plain card of colour {number}" for number in (11, 10, 12, 13)
    ]
    for image, card in zip(images, (11, 10, 12, 13), strict=True):
        kind, data = image["src"].split(",")
        assert kind == "data:image/webp;base64"
        with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
            shown = picture.convert("RGB").getpixel((40, 60))
        assert shown == pytest.approx(toy_deck[card].image().getpixel((40, 60)), abs=6)


def test_a_large_picture_is_made_small_and_left_alone_in_the_deck(toy_deck):
    large = Image.new("RGB", (1200, 1800), "white")
    deck = [replace(card, load=lambda: large, sha256="") for card in toy_deck]
    html = round_html(ROUND, deck)
    assert large.size == (1200, 1800)
    data = Page(html).all("img")[0]["src"].split(",")[1]
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        assert picture.size == (300, 450)


def test_nothing_comes_from_elsewhere(toy_deck):
    html = round_html(ROUND, toy_deck)
    assert not re.search(r"https?:|//|url\(|@import|<script|<link", html.split("base64,")[0])
    assert {tag for tag, _ in Page(html).elements} & {"script", "link", "iframe", "object"} == set()


HOSTILE = (
    """<script>alert("1")</script>' onerror='x' </style></blockquote>{{ 7 * 7 }}{% raw %} &amp;"""
)


def test_hostile_words_are_shown_not_run(toy_deck):
    deck = [replace(card, caption=f'" onload="{HOSTILE}') for card in toy_deck]
    hostile = replace(ROUND, clue=HOSTILE, players=(HOSTILE, "ada", "bob", "bob"))
    plain, found = page(ROUND, toy_deck), page(hostile, deck)
    assert f"“{HOSTILE}”" in found.text
    assert f"{HOSTILE} (P1)" in found.text
    assert [tag for tag, _ in found.elements] == [tag for tag, _ in plain.elements]
    assert all(set(image) == {"src", "alt"} for image in found.all("img"))
    assert found.all("img")[0]["alt"] == f'" onload="{HOSTILE}'


@settings(deadline=None, max_examples=50)
@given(st.text())
def test_any_clue_leaves_the_page_as_it_is(toy_deck, clue):
    tags = [tag for tag, _ in page(ROUND, toy_deck).elements]
    assert [tag for tag, _ in page(replace(ROUND, clue=clue), toy_deck).elements] == tags


def test_other_scripts_and_an_empty_caption(toy_deck):
    deck = [replace(card, caption="") for card in toy_deck]
    found = page(replace(ROUND, clue="夢の扉 – «è» 🚪"), deck)
    assert "“夢の扉 – «è» 🚪”" in found.text
    assert found.all("img")[0]["alt"] == "a card without a description"
    assert found.all("meta") == [{"charset": "utf-8"}]


def test_a_void_round_says_so_and_gives_no_points(toy_deck):
    void = replace(
        ROUND,
        votes=("011", None, None, "011"),
        outcome=None,
        points=(0, 0, 0, 0),
        status="refused",
        failed=(2,),
    )
    found = page(void, toy_deck)
    assert "Void: a move of bob (P3) failed (refused)" in found.text
    assert "bob (P3) listener move failed" in found.text
    assert len(found.all("img")) == 4
    assert not re.search(r"\) (listener|storyteller)[a-z ]* \d", found.text)


def test_a_round_without_clue_shows_no_card(toy_deck):
    void = replace(
        ROUND,
        clue=None,
        target=None,
        submissions=(None,) * 4,
        votes=(None,) * 4,
        outcome=None,
        points=(0, 0, 0, 0),
        status="truncated",
        failed=(1,),
    )
    found = page(void, toy_deck)
    assert "No clue was told." in found.text
    assert "Void: a move of ada (P2) failed (truncated)" in found.text
    assert found.all("img") == []


def test_cards_that_the_deck_lacks_are_named(toy_deck):
    with pytest.raises(ValueError, match="deck lacks: 012, 013"):
        round_html(ROUND, toy_deck[:12])


def test_the_same_round_gives_the_same_page(toy_deck):
    assert round_html(ROUND, toy_deck) == round_html(ROUND, toy_deck)
