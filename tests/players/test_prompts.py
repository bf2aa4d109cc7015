"""Every prompt, for every seat, wording and alphabet: what it says, and what it must not."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence

import pytest

from dixitlib.game import rules as game
from dixitlib.models import wire
from dixitlib.models.base import images
from dixitlib.models.pictures import Pictures
from dixitlib.players import phrases, prompts
from dixitlib.players.prompts import ALPHABETS, WORDINGS, Ask, Rules, Wording
from dixitlib.records import Card

CLUE = 'so "near" and {yet} so far'
SAYING_NO_CLUE = ("target", "clue", "literal", "abstract", "name")
EVERY_WORDING = [Wording(number, alphabet) for number in range(WORDINGS) for alphabet in ALPHABETS]
CORRECTED = Rules(4, 3, 3, 2, 1, False)


def rules_of(preset: game.Preset) -> Rules:
    return Rules(
        hand=preset.hand,
        found=game.FOUND,
        all_correct=preset.all_correct,
        consolation=game.CONSOLATION,
        decoy_bonus=preset.decoy_bonus,
        own_votable=preset.own_votable,
    )


def every_ask(
    hand: Sequence[Card], candidates: Sequence[Card], rules: Rules, wording: Wording
) -> Iterator[tuple[Ask, Sequence[Card]]]:
    """Yield each question with the cards that whoever is asked may see."""
    yield prompts.target(hand, rules, wording), hand
    yield prompts.clue(hand[1], rules, wording), hand[1:2]
    yield prompts.submission(CLUE, hand, rules, wording), hand
    yield prompts.vote(CLUE, candidates, rules, wording), candidates
    yield prompts.choose(CLUE, candidates, wording), candidates
    yield prompts.choose(None, candidates, wording), candidates
    yield prompts.caption(hand[0], "literal", wording), hand[:1]
    yield prompts.caption(hand[0], "abstract", wording), hand[:1]
    yield prompts.entailment(CLUE, hand[0], wording), hand[:1]
    yield prompts.entailment(None, hand[0], wording), hand[:1]
    yield prompts.rate_together(CLUE, candidates, wording), candidates
    yield prompts.rate_together(None, candidates, wording), candidates
    yield prompts.accept(CLUE, hand[0], wording), hand[:1]
    yield prompts.accept(None, hand[0], wording), hand[:1]
    yield prompts.clue_rating(CLUE, hand[0], wording), hand[:1]
    yield prompts.name(hand[0], ("xylophone", "the Kazoo"), wording), hand[:1]


def words(ask: Ask) -> str:
    return "\n".join(p for m in ask.messages for p in m.parts if isinstance(p, str))


@pytest.fixture
def deck(toy_deck: Sequence[Card]) -> list[Card]:
    """Cards whose ids and captions would stand out anywhere."""
    return [
        Card(f"xylophone-{number}.webp", card.load, card.sha256, f"xylophone {number}")
        for number, card in enumerate(toy_deck[:24])
    ]


@pytest.mark.parametrize("preset", game.PRESETS.values(), ids=game.PRESETS)
@pytest.mark.parametrize("wording", EVERY_WORDING, ids=str)
@pytest.mark.parametrize("seat", game.SEATS)
def test_nothing_private_leaks(
    deck: Sequence[Card], preset: game.Preset, wording: Wording, seat: int
) -> None:
    # kaggle-environments#1183: the prompt was right for one seat only
    hands = [deck[start : start + preset.hand] for start in range(0, 24, 6)]
    table = [hand[0] for hand in hands]
    candidates = game.votable(preset, table, seat)
    for ask, shown in every_ask(hands[seat], candidates, rules_of(preset), wording):
        assert images(ask.messages) == tuple(card.sha256 for card in shown)
        sent = wire.body("m", ask.messages, Pictures(longest=24), {}).decode()
        for secret in ("xylophone", "webp", *(card.sha256 for card in deck)):
            assert secret not in sent
        for picture in sent.split("base64,")[1:]:
            assert b"xylophone" not in base64.b64decode(picture.partition('"')[0])
        for private in ("seat", "P1", "P2", "P3", "P4", "phase", "match ", "round 1"):
            assert private not in words(ask).replace("the match between", "")


@pytest.mark.parametrize("wording", EVERY_WORDING, ids=str)
def test_labels_are_opaque_and_stand_before_their_cards(
    deck: Sequence[Card], wording: Wording
) -> None:
    ask = prompts.vote(CLUE, deck[:3], CORRECTED, wording)
    labels = ALPHABETS[wording.alphabet][:3]
    parts = ask.messages[-1].parts
    assert ask.labels == labels
    assert ask.schema.body["properties"]["choice"]["enum"] == list(labels)
    for number, (label, card) in enumerate(zip(labels, deck, strict=False)):
        assert parts[1 + 2 * number : 3 + 2 * number] == (f"Card {label}:", card)


@pytest.mark.parametrize("preset", game.PRESETS.values(), ids=game.PRESETS)
@pytest.mark.parametrize("paraphrase", range(WORDINGS))
def test_the_system_prompt_states_the_real_rules(preset: game.Preset, paraphrase: int) -> None:
    said = prompts.game(rules_of(preset), Wording(paraphrase))
    assert "{" not in said
    assert f" {preset.hand} " in said
    assert ("bring it nothing" in said) == (preset.decoy_bonus == 0)
    assert ("even its own" in said) == preset.own_votable
    assert ("Nobody may vote for its own card" in said) != preset.own_votable


def test_presets_that_differ_in_points_are_told_apart() -> None:
    said = {prompts.game(rules_of(preset), Wording()) for preset in game.PRESETS.values()}
    assert len(said) == 3  # PAPER differs from CORRECTED in the refill only, which no one is told


@pytest.mark.parametrize("kind", phrases.QUESTIONS)
def test_paraphrases_differ_and_keep_the_clue(kind: str) -> None:
    three = phrases.QUESTIONS[kind]
    assert len(set(three)) == WORDINGS
    assert len({"{clue}" in text for text in three}) == 1


@pytest.mark.parametrize("wording", EVERY_WORDING, ids=str)
def test_a_question_says_the_clue_in_quotes_and_how_to_answer(
    deck: Sequence[Card], wording: Wording
) -> None:
    for ask, _ in every_ask(deck[:4], deck[:3], CORRECTED, wording):
        said = words(ask)
        assert "JSON" in said  # JSON mode wants the word in the prompt
        assert ask.messages[-1].parts[-1] == ask.form
        assert all(re.search(f'"{key}": "?<', ask.form) for key in ask.schema.body["required"])
        blind = "blind" in ask.kind or ask.kind in SAYING_NO_CLUE
        assert (r'"so \"near\" and {yet} so far"' in said) != blind


ANSWERS = {
    "target": ('{"choice": "B"}', "B"),
    "clue": ('{"clue": "hush"}', "hush"),
    "literal": ('{"caption": "a boat"}', "a boat"),
    "entailment": ('{"rating": 40}', 40),
    "rate_together": ('{"A": 40, "b": 0, "C": 100}', {"a": 40, "b": 0, "c": 100}),
    "accept": ('{"choice": "No"}', "no"),
    "name": ('{"card": "The kazoo"}', "the Kazoo"),
    "clue_rating": (
        '{"clarity": 1, "creativity": 5, "ambiguity": 3}',
        {"clarity": 1, "creativity": 5, "ambiguity": 3},
    ),
}


def test_each_question_reads_the_answer_it_asks_for(deck: Sequence[Card]) -> None:
    asks = {ask.kind: ask for ask, _ in every_ask(deck[:4], deck[:3], CORRECTED, Wording())}
    for kind, (text, value) in ANSWERS.items():
        assert asks[kind].read(text, finish="stop").value == value
    # a form that is echoed back is no answer
    assert all(ask.read(ask.form, finish="stop").status == "unparsed" for ask in asks.values())


def test_a_name_is_read_among_those_there_are_or_as_unknown(deck: Sequence[Card]) -> None:
    ask = prompts.name(deck[0], ("the Kazoo", "Two of Kazoos"), Wording())
    assert ask.read('{"card": "unknown"}', finish="stop").value == prompts.UNKNOWN
    assert ask.read("It is the Two of Kazoos.", finish="stop").value == "Two of Kazoos"
    assert ask.read('{"card": "The Lute"}', finish="stop").status == "unparsed"


def test_asking_again_keeps_the_reply_and_says_what_was_wrong(deck: Sequence[Card]) -> None:
    ask = prompts.vote(CLUE, deck[:3], CORRECTED, Wording())
    twice = prompts.again(ask, "Z!", '"Z" is not one of A, B, C', Wording())
    assert twice.messages[:-2] == ask.messages
    assert twice.messages[-2].parts == ("Z!",)
    assert '"Z" is not one of A, B, C' in twice.messages[-1].parts[0]
    assert ask.form in twice.messages[-1].parts[0]
    silent = prompts.again(ask, None, "it was empty", Wording())
    assert [message.role for message in silent.messages] == ["system", "user", "user"]


def test_too_many_cards_and_unknown_wordings_are_refused(deck: Sequence[Card]) -> None:
    with pytest.raises(ValueError, match="27 cards can't be labelled"):
        prompts.choose(CLUE, [deck[0]] * 27, Wording())
    with pytest.raises(ValueError, match="0 cards"):
        prompts.choose(CLUE, [], Wording())
    with pytest.raises(ValueError, match="do not exist"):
        Wording(3)


def test_the_fingerprint_is_that_of_the_words() -> None:
    assert len(prompts.fingerprint()) == 64
    assert prompts.fingerprint() == prompts.fingerprint()
