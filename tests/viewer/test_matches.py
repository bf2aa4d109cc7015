"""What a match's page shows, and that nothing in it can run but its own script."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from dixitlib.game.arena import play_match
from dixitlib.panel.debate import Debate, Step
from dixitlib.panel.said import Question
from dixitlib.records import Move
from dixitlib.viewer import match_html

HOSTILE = """</script><script>alert("1")</script>' onerror='x' </option>{{ 7 * 7 }}"""


class Page(HTMLParser):
    """The elements of a page, and the text inside each kind of element."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.inside, self.open = [], {}, None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.open = tag

    def handle_data(self, data):
        self.inside[self.open] = self.inside.get(self.open, "") + data

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def rounds(toy_deck, scripted):
    return play_match(scripted("ada"), scripted("bob"), toy_deck, match=3)[:4]


def test_a_page_holds_every_round_and_a_choice_of_ends_and_storytellers(rounds, toy_deck):
    page = Page(match_html(rounds, toy_deck))
    articles = page.all("article")
    assert [each["data-storyteller"] for each in articles] == ["ada", "ada", "bob", "bob"]
    assert [each["data-end"] for each in articles] == [r.outcome for r in rounds]
    values = {option["value"] for option in page.all("option")}
    assert values == {"", "ada", "bob", *(r.outcome for r in rounds)}
    assert len(page.all("img")) == 16
    assert page.inside["h1"].strip() == "Match 3: ada and bob"


def test_points_are_summed_by_player(rounds, toy_deck):
    ada = sum(r.points[0] + r.points[1] for r in rounds)
    bob = sum(r.points[2] + r.points[3] for r in rounds)
    told = f"ada won {ada} points; bob won {bob} points."
    assert told in match_html(rounds, toy_deck)


def test_a_void_round_can_be_chosen(toy_deck, scripted):
    silent = scripted("silent", {"tell": Move(status="refused")})
    rounds = play_match(silent, silent, toy_deck)[:2]
    page = Page(match_html(rounds, toy_deck))
    assert [each["data-end"] for each in page.all("article")] == ["void", "void"]
    assert {"value": "void"} in page.all("option")


def test_only_its_own_script_may_run_and_nothing_comes_from_elsewhere(rounds, toy_deck):
    html = match_html(rounds, toy_deck)
    script = re.search(r"<script>(.*?)</script>", html, re.S)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = Page(html).all("meta")[2]["content"]
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    without_pictures = re.sub(r"base64,[\w+/=]+", "", html)
    assert not re.search(r"https?:|url\(|@import|<iframe|<object", without_pictures)
    assert html.count("<script") == 1


def test_hostile_words_are_text(rounds, toy_deck):
    names = (HOSTILE, HOSTILE, "bob", "bob")
    hostile = [replace(each, clue=HOSTILE, players=names) for each in rounds]
    plain, found = Page(match_html(rounds, toy_deck)), Page(match_html(hostile, toy_deck))
    assert [tag for tag, _ in found.elements] == [tag for tag, _ in plain.elements]
    assert found.all("article")[0]["data-storyteller"] == HOSTILE
    assert HOSTILE in found.inside["title"]
    assert found.inside["script"] == plain.inside["script"]


def test_a_page_is_of_one_match_and_its_cards_are_in_the_deck(rounds, toy_deck):
    with pytest.raises(ValueError, match="no rounds"):
        match_html([], toy_deck)
    with pytest.raises(ValueError, match=r"\[3, 4\]"):
        match_html([rounds[0], replace(rounds[1], match=4)], toy_deck)
    with pytest.raises(ValueError, match="deck lacks"):
        match_html(rounds, toy_deck[:1])


def test_a_debate_is_folded_below_its_round(rounds, toy_deck):
    debate = Debate(Question.choosing(HOSTILE, toy_deck[:2]), (Step(0, (), ()),), "unanswered")
    html = match_html(rounds, toy_deck, {(1, 2): [debate]})
    page = Page(html)
    kinds = [each["class"] for each in page.all("article")]
    assert kinds == ["dixit-round", "dixit-round", "dixit-debate", "dixit-round", "dixit-round"]
    assert len(page.all("details")) == 1 and HOSTILE not in html
    assert len(page.all("script")) == 1
