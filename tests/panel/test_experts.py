"""Local experts, critics and their judge, on eyes that see the colour of a card."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from PIL import Image

from dixitlib.models.aspects import Aspect
from dixitlib.panel.checkers import CompletenessChecker, FactChecker, LogicChecker, Mixer, explained
from dixitlib.panel.claims import Dispute
from dixitlib.panel.debate import Step
from dixitlib.panel.experts import AspectExpert, Scale, heard, trust
from dixitlib.panel.gam import Panel, Settings, debate
from dixitlib.panel.said import Analysis, Assessment, Critique, Question, Turn, total
from dixitlib.panel.sight import PATCHES, Sight, View, close_up, covered, cut, glance
from dixitlib.records import Card, Claim

WORDS = {"red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1), "teal": (0, 0.6, 0.8)}
COLOURS = Aspect("colours", str, ("red", "green", "blue"), lambda scene: ())
SCALE = Scale(tau=0.5, sharpness=0.5, heed=1.0)


class Eyes:
    """See the mean colour of pixels as a direction, and count the pictures taken in."""

    def __init__(self):
        self.taken = 0

    def encode(self, pixels):
        self.taken += len(pixels)
        means = pixels.reshape(len(pixels), -1, 3).mean(axis=1) + 1e-9
        return means / np.linalg.norm(means, axis=1, keepdims=True)

    def read(self, sentences):
        return sentences


class Encoder:
    def encode(self, texts):
        return np.array([WORDS[text.removeprefix("shows ")] for text in texts], dtype=float)


def card(name, *spots):
    """Make a card of one colour, with spots of other colours at patches."""
    picture = Image.new("RGB", (96, 144), name)
    for colour, patch in spots:
        left, top, right, bottom = PATCHES[patch]
        box = (round(left * 96), round(top * 144), round(right * 96), round(bottom * 144))
        picture.paste(colour, box)
    return Card(name, partial(Image.Image.copy, picture), f"{name}{spots}")


RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
CARDS = [card("red"), card("lime"), card("blue")]


@pytest.fixture
def eyes():
    return Eyes()


@pytest.fixture
def sight(eyes):
    return Sight(eyes, Encoder())


@pytest.fixture
def expert(sight):
    return AspectExpert(COLOURS, sight, SCALE)


def asked(clue="green", cards=CARDS):
    return Question.choosing(clue, cards)


def test_the_first_glance_is_the_card_as_it_is_and_others_are_fixed_samples():
    assert glance(0) == View()
    others = [glance(repeat) for repeat in range(1, 40)]
    assert others == [glance(repeat) for repeat in range(1, 40)]
    assert len(set(others)) == 39 and {view.mirrored for view in others} == {True, False}
    assert all(0 <= view.region[0] <= 0.08 and 0.92 <= view.region[3] <= 1 for view in others)


def test_a_close_up_is_half_the_card_and_stays_on_it():
    assert close_up((0.4, 0.4, 0.6, 0.6)).region == pytest.approx((0.25, 0.25, 0.75, 0.75))
    assert close_up(PATCHES[0]).region == (0, 0, 0.5, 0.5)
    assert close_up(PATCHES[-1]).region == (0.5, 0.5, 1, 1)


def test_what_is_hidden_has_the_mean_colour_and_a_mirror_turns():
    picture = card("black", (RED, 0)).image()
    hidden = covered(cut(picture, View()), PATCHES[11])
    assert hidden[143, 95].tolist() == hidden[108, 64].tolist() == [21, 0, 0]  # 255 / 12
    assert hidden[0, 0].tolist() == [255, 0, 0] and hidden[107, 95].tolist() == [0, 0, 0]
    assert cut(picture, View(mirrored=True))[0, 95].tolist() == [255, 0, 0]


def test_a_look_is_taken_once(sight, eyes):
    views = [View(), View(mirrored=True), View()]
    first = sight.see([(CARDS[0], view) for view in views])
    assert eyes.taken == 2 and np.array_equal(first[0], first[2])
    sight.see([(CARDS[0], View()), (CARDS[1], View())])
    assert eyes.taken == 3


def test_a_region_is_the_patch_without_which_the_claim_holds_least(sight):
    spotted = card("blue", (RED, 7))
    assert sight.region(spotted, "red") == PATCHES[7]


def test_an_answer_by_hand(expert):
    said = expert.answer(asked())
    # Cosines 0, 1 and 0 over tau = .5: 1, e^2 = 7.389056, 1 of sum 9.389056.
    assert said.distribution == pytest.approx((0.106507, 0.786986, 0.106507), abs=1e-6)
    # H = .665 / log 3 and 1 - .680479: (.605... + .319521) / 2.
    entropy = -(2 * 0.106507 * np.log(0.106507) + 0.786986 * np.log(0.786986)) / np.log(3)
    assert said.uncertainty == pytest.approx((entropy + 1 - 0.680479) / 2, abs=1e-5)
    assert (said.turn.choice, said.source, said.agent) == ("B", "tokens", "colours")


def test_claims_are_of_the_two_best_options_with_confidence_and_region(expert):
    green, red = expert.answer(asked()).claims
    assert (green.text, green.option) == ("B shows green", "B")
    assert (red.text, red.option) == ("A shows red", "A")
    assert green.confidence == pytest.approx(0.786986, abs=1e-6)
    assert green.region in PATCHES


def test_an_answer_takes_as_many_encodings_after_others_as_before(expert, eyes):
    # Three cards at a glance; twelve patches hidden for each of two claims.
    assert [expert.answer(asked()).turn.spent.encodings for _ in range(2)] == [27, 27]
    assert eyes.taken == 27
    assert replace(expert, claiming=False).answer(asked()).turn.spent.encodings == 3


def test_what_is_looked_at_twice_for_one_question_is_encoded_once(expert, eyes):
    opened = replace(OPENED, analyses=(expert.answer(asked()), *OPENED.analyses[1:]))
    again = expert.argue(asked(), [OWN, THEIRS], [opened])
    # The claims are of the cards of before; only the two close-ups are new.
    assert (opened.analyses[0].turn.spent + again.turn.spent).encodings == eyes.taken == 29
    other = AspectExpert(COLOURS, Sight(Eyes(), Encoder()), SCALE)
    both = total([opened.analyses[0].turn, other.answer(asked()).turn])
    assert both.encodings == 54  # other eyes share nothing


def test_it_abstains_without_a_clue_and_of_words(expert):
    blind, alone = expert.answer(asked(None)), expert.answer(Question.fitting("green", CARDS[0]))
    assert blind.abstained and blind.notes == ("without a clue it has nothing to go by",)
    assert alone.abstained and "no scale" in alone.notes[0]


OPENED = Step(
    0,
    (),
    (
        Analysis(Turn("colours", choice="B"), (0.1, 0.8, 0.1), (), 0.5, "tokens"),
        Analysis(Turn("two", choice="A"), (0.5, 0.3, 0.2), (), 0.5, "tokens"),
        Analysis(Turn("three", choice="C"), (0.2, 0.2, 0.6), (), 0.5, "tokens"),
    ),
    weights=(0.5, 0.3, 0.2),
)
OWN = Dispute("colours", Claim("B shows green", 0.7, region=PATCHES[0], option="B"), "contradicted")
THEIRS = Dispute(
    "two", Claim("A shows red", 0.7, region=PATCHES[11], option="A"), "contradicted", ("colours",)
)


def test_in_a_debate_it_looks_where_it_and_who_contradicts_it_point(expert):
    looks = expert._looks(asked(), [OWN, THEIRS])
    assert looks == {
        "A": (View(), close_up(PATCHES[11])),
        "B": (View(), close_up(PATCHES[0])),
        "C": (View(),),
    }
    alone = replace(expert, exchanging=False)._looks(asked(), [OWN, THEIRS])
    assert [len(views) for views in alone.values()] == [1, 2, 1]
    blind = replace(expert, looking=False)._looks(asked(), [OWN, THEIRS])
    assert [len(views) for views in blind.values()] == [1, 1, 1]


def test_a_close_up_sees_what_a_glance_does_not(sight):
    # A green spot fills a twelfth of the card, and a third of the close-up in its corner.
    cards = [card("red"), card("red", (GREEN, 0)), card("blue")]
    alone = AspectExpert(COLOURS, sight, SCALE, exchanging=False)
    before = alone.answer(asked(cards=cards))
    after = alone.argue(asked(cards=cards), [OWN], [OPENED])
    assert after.distribution[1] > before.distribution[1] + 0.01
    assert after.turn.spent.encodings == before.turn.spent.encodings + 1


def test_what_is_heard_by_hand():
    # Weights .3 and .2: .6 log (.5, .3, .2) + .4 log (.2, .2, .6).
    expected = 0.6 * np.log([0.5, 0.3, 0.2]) + 0.4 * np.log([0.2, 0.2, 0.6])
    assert heard("colours", OPENED) == pytest.approx(expected)
    # Critics let nothing of the second stand: only the third is heard.
    fallen = Critique(Turn("fact"), (Assessment("two", "A shows red", "fails"),))
    told = replace(OPENED, critiques=(fallen,))
    assert heard("colours", told) == pytest.approx(np.log([0.2, 0.2, 0.6]))
    alone = replace(OPENED, analyses=OPENED.analyses[:1], weights=(1.0,))
    assert heard("colours", alone) == pytest.approx([0])


def test_the_exchange_pools_log_odds(expert):
    said = replace(expert, looking=False).argue(asked(), [OWN], [OPENED])
    pooled = np.array([0, 2, 0]) + heard("colours", OPENED)
    expected = np.exp(pooled) / np.exp(pooled).sum()
    assert said.distribution == pytest.approx(expected, abs=1e-6)


def test_trust_is_the_mean_of_verdicts():
    found = [Assessment("two", "x", verdict) for verdict in ("holds", "open", "fails", "holds")]
    critiques = [Critique(Turn("a"), tuple(found[:2])), Critique(Turn("b"), tuple(found[2:]))]
    assert trust("two", critiques) == (1 + 0.5 + 0 + 1) / 4
    assert trust("three", critiques) == trust("two", []) == 1


def test_facts_are_checked_where_the_claim_points(sight):
    cards = [card("red", (GREEN, 11)), card("red", (GREEN, 0)), card("blue")]
    checker = FactChecker(sight)
    claim = Claim("A shows green", 0.9, region=PATCHES[11], option="A")
    wrong = Claim("B shows green", 0.9, region=PATCHES[11], option="B")
    disputes = [Dispute("one", claim, "contradicted"), Dispute("two", wrong, "contradicted")]
    critique = checker.assess(asked(cards=cards), disputes, ())
    assert [each.verdict for each in critique.assessments] == ["holds", "fails"]
    assert critique.assessments[0].reason == "0 of 2 other cards show it more there"
    assert critique.turn.spent.calls == 1
    assert critique.turn.spent.encodings == 3  # both point at the same place of three cards


def test_what_claims_explain_by_hand(sight):
    claims = [Claim("A shows green", 1, option="A"), Claim("B shows red", 1, option="B")]
    # teal = (0, .6, .8): its square length along green is .36, along red 0, on both blue
    # and green all of it.
    shares = explained("teal", claims, sight)
    assert shares == pytest.approx({"A": 0.36, "B": 0.0})
    more = [*claims, Claim("A shows blue", 1, option="A")]
    assert explained("teal", more, sight)["A"] == pytest.approx(1)


def test_completeness_and_logic(sight):
    claims = (Claim("A shows green", 1, option="A"), Claim("B shows red", 1, option="B"))
    said = Analysis(Turn("one", choice="B"), (0.2, 0.8, 0), claims, 0.5, "tokens")
    disputes = [Dispute("one", claim, "contradicted") for claim in claims]
    complete = CompletenessChecker(sight).assess(asked("teal"), disputes, [said])
    assert [each.verdict for each in complete.assessments] == ["holds", "fails"]
    assert "36%" in complete.assessments[0].reason
    logic = LogicChecker(sight).assess(asked("teal"), disputes, [said])
    assert [each.verdict for each in logic.assessments] == ["fails", "fails"]
    follows = replace(said, turn=replace(said.turn, choice="A"))
    logic = LogicChecker(sight).assess(asked("teal"), disputes, [follows])
    assert [each.verdict for each in logic.assessments] == ["holds", "holds"]


def test_the_judge_mixes_by_weight_and_trust():
    verdict = Mixer().decide(asked(), OPENED.analyses, OPENED.weights, ())
    assert verdict.distribution == pytest.approx((0.24, 0.53, 0.23))
    assert verdict.turn.choice == "B"
    fallen = Critique(Turn("fact"), (Assessment("colours", "B shows green", "fails"),))
    doubted = Mixer().decide(asked(), OPENED.analyses, OPENED.weights, (fallen,))
    assert doubted.distribution == pytest.approx((0.38, 0.26, 0.36))
    assert doubted.turn.choice == "A"


def test_a_whole_debate_of_local_experts_counts_calls_as_the_paper_does(sight, eyes):
    other = Aspect("more colours", str, ("blue", "green"), lambda scene: ())
    experts = tuple(
        AspectExpert(replace(aspect, name=name), sight, SCALE)
        for aspect, name in ((COLOURS, "one"), (other, "two"), (COLOURS, "three"))
    )
    makers = (FactChecker, CompletenessChecker, LogicChecker)
    panel = Panel(experts, tuple(make(sight) for make in makers), Mixer())
    never_done = Settings(theta_u=0, converged=0, stagnated=0, low=1.0)
    held = debate(asked("teal"), panel, never_done)
    assert held.rounds == 3 and held.spent.calls == 4 + 3 * 7
    assert held.spent.encodings == eyes.taken
    assert held.choice == "C" and held == debate(asked("teal"), panel, never_done)
