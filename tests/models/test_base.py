"""Keys tell requests apart that differ, and models without a network do as they are told."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import pytest

from dixitlib.models.base import (
    Message,
    Replayed,
    Schema,
    Scripted,
    images,
    label_probabilities,
    request_key,
)
from dixitlib.records import Card, Reply, Token

IDENTITY = {"model": "toy", "endpoint": "http://here/v1", "parameters": {"temperature": 0.7}}
SCHEMA = Schema("choice", {"type": "object"})


def asked(*parts: str | Card) -> tuple[Message, ...]:
    return (Message("system", ("Be kind.",)), Message("user", parts))


def test_no_two_requests_share_a_key(toy_deck: Sequence[Card]) -> None:
    # lm-evaluation-harness#4063, #3881, #3046: model, parameters and repeat index all count
    first, second = toy_deck[:2]
    requests = [
        (IDENTITY, asked("Which?", first), SCHEMA, 0),
        ({**IDENTITY, "model": "other"}, asked("Which?", first), SCHEMA, 0),
        ({**IDENTITY, "endpoint": "http://there/v1"}, asked("Which?", first), SCHEMA, 0),
        ({**IDENTITY, "parameters": {"temperature": 0.8}}, asked("Which?", first), SCHEMA, 0),
        ({**IDENTITY, "parameters": {}}, asked("Which?", first), SCHEMA, 0),
        (IDENTITY, asked("What?", first), SCHEMA, 0),
        (IDENTITY, asked("Which?", second), SCHEMA, 0),
        (IDENTITY, asked(first, "Which?"), SCHEMA, 0),
        (IDENTITY, asked("Which?", first.sha256), SCHEMA, 0),
        (IDENTITY, asked("Which?", first), None, 0),
        (IDENTITY, asked("Which?", first), SCHEMA, 1),
    ]
    assert len({request_key(*request) for request in requests}) == len(requests)


def test_a_key_holds_no_id_and_no_caption(toy_deck: Sequence[Card]) -> None:
    card = toy_deck[0]
    renamed = dataclasses.replace(card, id="other", caption="other")
    assert request_key(IDENTITY, asked(card)) == request_key(IDENTITY, asked(renamed))


def test_a_card_without_a_hash_has_no_key(toy_deck: Sequence[Card]) -> None:
    with pytest.raises(ValueError, match="has no hash"):
        request_key(IDENTITY, asked(dataclasses.replace(toy_deck[0], sha256="")))


def test_images_are_the_cards_shown_in_order(toy_deck: Sequence[Card]) -> None:
    messages = (*asked("A", toy_deck[2]), *asked(toy_deck[0], "B"))
    assert images(messages) == (toy_deck[2].sha256, toy_deck[0].sha256)


def test_a_script_is_said_in_order_and_its_calls_remembered() -> None:
    model = Scripted(["one", None, " ", Reply("three", finish="length")])
    said = [model.ask(asked(str(number))) for number in range(4)]
    assert said == [Reply("one"), Reply(None, "empty"), Reply(" ", "empty"), said[3]]
    assert said[3].finish == "length"
    assert model.calls[2] == asked("2")
    with pytest.raises(IndexError, match=r"script is over.*again"):
        model.ask(asked("again"))


def test_a_script_may_be_a_function_of_the_question() -> None:
    model = Scripted(lambda messages: messages[-1].parts[0].upper())
    assert model.ask(asked("hush")).text == "HUSH"


def test_a_replay_gives_what_was_kept_and_never_calls() -> None:
    key = request_key(IDENTITY, asked("hush"), SCHEMA, 3)
    model = Replayed({key: Reply("shh")}, IDENTITY, "toy")
    assert model.ask(asked("hush"), SCHEMA, 3) == Reply("shh")
    with pytest.raises(LookupError, match="no reply of toy"):
        model.ask(asked("hush"), SCHEMA, 4)


def reported(**logprobs: float) -> Reply:
    token = Token(' "B', -0.1, tuple((f' "{label}', value) for label, value in logprobs.items()))
    return Reply('{"choice": "B"}', tokens=(Token("{", 0.0), token, Token('"}', 0.0)))


def test_label_probabilities_are_as_reported_and_their_sum_tells_what_is_missing() -> None:
    # open-instruct#62: renormalising over the options would hide the lost mass
    mass, covered = label_probabilities(
        reported(B=math.log(0.5), A=math.log(0.2), Z=math.log(0.2)), "ABC", "B"
    )
    assert mass == pytest.approx({"B": 0.5, "A": 0.2})  # C is absent, not zero
    assert covered == pytest.approx(0.7)


@pytest.mark.parametrize("reply", [Reply("B"), Reply("B", tokens=()), reported()])
def test_label_probabilities_are_absent_where_nothing_was_reported(reply: Reply) -> None:
    assert label_probabilities(reply, "AB", "B") is None


def test_coverage_is_the_mass_of_the_alternatives() -> None:
    token = Token("B", -0.1, (("B", math.log(0.6)), ("A", math.log(0.3))))
    assert token.coverage == pytest.approx(0.9)
    assert Token("B", -0.1).coverage == 0.0
