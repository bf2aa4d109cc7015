"""A player that asks a model: what it makes of replies, and what it never makes of them."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dixitlib.game.arena import play_match
from dixitlib.models import wire
from dixitlib.models.base import Message, Scripted
from dixitlib.models.faults import EndpointUnusable
from dixitlib.models.loopback import Loopback, Served
from dixitlib.models.openai_api import Endpoint, OpenAIModel
from dixitlib.models.pictures import Pictures
from dixitlib.models.replies import Recorded, ReplyLog
from dixitlib.players.prompts import Rules, Wording
from dixitlib.players.vlm import VLM
from dixitlib.records import Card, Move, Reply, Round, Token

RULES = Rules(4, 3, 3, 2, 1, False)


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def player(*script: str | Reply | None, **settings: object) -> VLM:
    return VLM(Scripted(script), RULES, **settings)


def test_each_step_becomes_a_move(toy_deck: Sequence[Card]) -> None:
    hand = toy_deck[:4]
    teller = player('{"choice": "C"}', '{"clue": "hush"}')
    told = teller.tell(hand, rng())
    assert (told.choice, told.clue, told.status, len(told.replies)) == (2, "hush", "ok", 2)
    assert teller.model.calls[1][1].parts[1] is hand[2]  # the clue is asked for the target alone
    assert player("B").submit("hush", hand, rng()).choice == 1
    assert player("My vote: c").vote("hush", hand[:3], rng()).choice == 2
    assert player("A").choose(None, hand, rng()).choice == 0
    assert player('{"rating": 62}').rate("hush", hand[0], rng()).rating == 62
    rated = player('{"C": 1, "A": 62, "B": 62}').rate_together("hush", hand[:3], rng())
    assert (rated.ratings, rated.status, len(rated.replies)) == ((62, 62, 1), "ok", 1)
    assert player('{"choice": "yes"}').accept("hush", hand[0], rng()).rating == 100
    assert player("No").accept("hush", hand[0], rng()).rating == 0
    assert player('{"caption": "a boat"}').caption(hand[0], "literal", rng()).clue == "a boat"
    marks = '{"clarity": 1, "creativity": 5, "ambiguity": 3}'
    assert player(marks).rate_clue("hush", hand[0], rng()).parsed.value["creativity"] == 5
    named = player('{"card": "The Kazoo"}').name_card(hand[0], ["The Kazoo", "The Lute"], rng())
    assert named.parsed.value == "The Kazoo"


def test_a_hand_of_one_forces_the_target_and_asks_nothing(toy_deck: Sequence[Card]) -> None:
    assert player().submit("hush", toy_deck[:1], rng()) == Move(choice=0)
    told = player('{"clue": "hush"}').tell(toy_deck[:1], rng())
    assert (told.choice, told.clue, len(told.replies)) == (0, "hush", 1)


def test_ratings_that_lack_a_card_are_no_ratings(toy_deck: Sequence[Card]) -> None:
    short = player('{"A": 62, "B": 62}', '{"A": 62, "B": 62, "C": 162}', '{"A": 1, "C": 2}')
    rated = short.rate_together("hush", toy_deck[:3], rng())
    assert (rated.ratings, rated.status, len(rated.replies)) == ((), "unparsed", 3)
    unsure = player(*["maybe"] * 3).accept("hush", toy_deck[0], rng())
    assert (unsure.rating, unsure.status) == (None, "unparsed")


def test_a_model_is_told_what_was_wrong_and_may_mend_it(toy_deck: Sequence[Card]) -> None:
    voter = player("I see a boat", '{"choice": "Z"}', '{"choice": "B"}')
    move = voter.vote("hush", toy_deck[:3], rng())
    assert (move.choice, move.status) == (1, "ok")
    assert len(set(move.replies)) == 3
    first, second, third = voter.model.calls
    assert second[: len(first)] == first
    assert second[-2].parts == ("I see a boat",)
    assert '"Z" is not one of A, B, C' in third[-1].parts[0]


@pytest.mark.parametrize(
    ("replies", "status"),
    [
        (["I see a boat"] * 3, "unparsed"),
        ([None] * 3, "empty"),
        ([Reply(None, "refused", finish="content_filter")] * 3, "refused"),
        ([Reply('{"choice": "', "truncated", finish="length")] * 3, "truncated"),
        (["No.", None, "I'm sorry, but I can't help with that."], "refused"),
        ([Reply(None, "error", faults=("429",) * 6)], "error"),  # was tried often enough
    ],
)
def test_a_failed_reply_is_never_an_answer(
    replies: list[str | Reply | None], status: str, toy_deck: Sequence[Card]
) -> None:
    # MMMU#72, sia#57: no random pick, and an infrastructure error is its own class
    hand = toy_deck[:4]
    for step in ("vote", "submit", "choose", "rate"):
        cards = hand[0] if step == "rate" else hand
        move = getattr(player(*replies), step)("hush", cards, rng())
        assert (move.choice, move.clue, move.rating) == (None, None, None)
        assert (move.status, len(move.replies)) == (status, len(replies))
    told = player(*replies).tell(hand, rng())
    assert (told.choice, told.clue, told.status) == (None, None, status)


def test_a_storyteller_whose_clue_fails_has_no_target_either(toy_deck: Sequence[Card]) -> None:
    move = player('{"choice": "C"}', *[None] * 3).tell(toy_deck[:4], rng())
    assert (move.choice, move.clue, move.status, len(move.replies)) == (None, None, "empty", 4)


def test_how_often_a_model_is_told_is_a_setting(toy_deck: Sequence[Card]) -> None:
    assert len(player("no", reasks=0).vote("hush", toy_deck[:3], rng()).replies) == 1


def test_the_arena_needs_rules_and_a_benchmark_does_not(toy_deck: Sequence[Card]) -> None:
    bare = VLM(Scripted(["A", "A"], "toy"))
    assert bare.name == "toy"
    assert bare.choose("hush", toy_deck[:3], rng()).choice == 0
    with pytest.raises(ValueError, match="toy was given no rules"):
        bare.vote("hush", toy_deck[:3], rng())


def test_labels_of_the_other_alphabet(toy_deck: Sequence[Card]) -> None:
    numbered = player('{"choice": "2"}', wording=Wording(1, "numbers"))
    assert numbered.vote("hush", toy_deck[:3], rng()).choice == 1


def reply_with(**shares: float) -> Reply:
    top = tuple((label, math.log(share)) for label, share in shares.items())
    return Reply('{"choice": "B"}', tokens=(Token("B", -0.1, top),))


def test_probabilities_are_given_only_where_all_were_reported(toy_deck: Sequence[Card]) -> None:
    # 0.5, 0.2 and 0.1 hold 0.8 of the mass; over the three cards that is 0.625, 0.25, 0.125
    whole = player(reply_with(B=0.5, A=0.2, C=0.1)).vote("hush", toy_deck[:3], rng())
    assert whole.probabilities == pytest.approx((0.25, 0.625, 0.125))
    assert whole.coverage == pytest.approx(0.8)  # open-instruct#62: the lost mass is told
    partly = player(reply_with(B=0.5, A=0.2)).vote("hush", toy_deck[:3], rng())
    assert (partly.choice, partly.probabilities) == (1, ())
    assert partly.coverage == pytest.approx(0.7)
    silent = player('{"choice": "B"}').vote("hush", toy_deck[:3], rng())
    assert silent.coverage is None  # absent is absent, not 0


def test_places_are_samples_of_their_own_and_find_their_replies_again(
    toy_deck: Sequence[Card], tmp_path: Path
) -> None:
    model = Scripted(["A", "B", "C"])
    voter = VLM(Recorded(model, ReplyLog(tmp_path)), RULES)
    seeds = [1, 2, 1, 3, 2]
    votes = [voter.vote("hush", toy_deck[:3], np.random.default_rng(seed)) for seed in seeds]
    assert [vote.choice for vote in votes] == [0, 1, 0, 2, 1]
    assert len(model.calls) == 3
    assert set().union(*(vote.replies for vote in votes)) == set(ReplyLog(tmp_path).replies)


def brain(messages: Sequence[Mapping[str, object]]) -> str:
    """Answer from what is sent alone, often badly, as a small model behind an endpoint would."""
    seen = zlib.crc32(json.dumps(messages).encode())
    if '{\\"clue\\":' in json.dumps(messages[-1]):
        return f'{{"clue": "a dream of {seen % 1000}"}}'
    return ("I see a boat.", '{"choice": "A"}', "answer: b", "**C**", "A or B")[seen % 5]


def without_keys(rounds: Sequence[Round]) -> list[Round]:
    return [replace(each, replies=()) for each in rounds]


def test_a_match_is_the_same_in_memory_and_through_a_server(toy_deck: Sequence[Card]) -> None:
    pictures = Pictures(longest=24)

    def in_memory(messages: Sequence[Message]) -> str:
        return brain(json.loads(wire.body("toy", messages, pictures, {}))["messages"])

    here = VLM(Scripted(in_memory), RULES, name="toy")
    played = play_match(here, here, toy_deck)
    with Loopback(lambda request: brain(request["messages"])) as server:
        there = VLM(OpenAIModel("toy", Endpoint(server.url), {}, pictures), RULES)
        assert without_keys(play_match(there, there, toy_deck)) == without_keys(played)
        there.model.endpoint.close()
    assert {"ok", "unparsed"} == {each.status for each in played}  # void rounds were among them


def test_a_run_that_cannot_go_on_stops_instead_of_voiding_everything(
    toy_deck: Sequence[Card],
) -> None:
    refused = Served({"error": {"message": "no credits"}}, 402)
    with Loopback(lambda request: refused) as server:
        voter = VLM(OpenAIModel("toy", Endpoint(server.url)), RULES)
        with pytest.raises(EndpointUnusable, match="no credits"):
            voter.vote("hush", toy_deck[:3], rng())
        voter.model.endpoint.close()
