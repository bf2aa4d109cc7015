"""Estimates follow from the table by hand-checkable sums, and unknown stays unknown."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dixitlib.models import prices
from dixitlib.models.base import Message
from dixitlib.models.pictures import Pictures
from dixitlib.models.prices import IMAGE_TOKENS, Budget, Estimate, Plan, Price
from dixitlib.paths import REPOSITORY
from dixitlib.records import Card, Reply


@pytest.mark.parametrize(
    ("rule", "size", "tokens"),
    [
        ("openai_tiles", (512, 768), 85 + 170 * 1 * 2),
        ("openai_tiles", (512, 512), 85 + 170),
        # 2048 x 4096 fits as 1024 x 2048, then as 768 x 1536: 2 x 3 tiles
        ("openai_tiles", (2048, 4096), 85 + 170 * 6),
        ("gemini_tiles", (384, 384), 258),
        ("gemini_tiles", (512, 768), 258),
        ("gemini_tiles", (600, 900), 258 * 2),
        ("gemma", (600, 900), 256),
        ("qwen_patches", (560, 840), 20 * 30 + 2),
    ],
)
def test_tokens_of_a_picture(rule: str, size: tuple[int, int], tokens: int) -> None:
    assert IMAGE_TOKENS[rule](*size) == tokens


def test_an_estimate_adds_words_and_pictures(toy_deck: Sequence[Card]) -> None:
    # 40 letters are 10 tokens; two pictures of 96 x 144 take 85 + 170 tokens each
    example = (Message("system", ("x" * 24,)), Message("user", ("y" * 16, *toy_deck[:2])))
    plans = [Plan("toy", "vote", 100, example, 5), Plan("toy", "clue", 10, example[:1], 20)]
    table = {"toy": Price(2.0, 10.0, "openai_tiles")}
    tokens_in = 100 * (10 + 2 * 255) + 10 * 6
    tokens_out = 100 * 5 + 10 * 20
    usd = (tokens_in * 2.0 + tokens_out * 10.0) / 1e6
    assert prices.estimate(plans, table, Pictures()) == [
        Estimate("toy", 110, tokens_in, tokens_out, usd)
    ]


def test_what_is_unknown_is_said_to_be_unknown(toy_deck: Sequence[Card]) -> None:
    shown = (Message("user", ("Which?", toy_deck[0])),)
    plans = [Plan(model, "vote", 10, shown, 5) for model in ("priced", "unpriced", "unheard-of")]
    table = {"priced": Price(1.0, 1.0, "gemma"), "unpriced": Price(None, None, "gemma")}
    estimates = prices.estimate(plans, table, Pictures())
    # "Which?" has 6 letters: 2 tokens; 10 calls of 258 in and 5 out at 1 USD a million
    assert [each.usd for each in estimates] == [pytest.approx(0.00263), None, None]
    assert [each.tokens_in for each in estimates] == [2580, 2580, None]
    summary = prices.summary(estimates)
    assert "unknown sum for unpriced, unheard-of" in summary
    assert "2,580" in summary


@pytest.mark.parametrize(
    ("reply", "price", "usd"),
    [
        (Reply("x", cost=0.5, tokens_in=9, tokens_out=9), Price(1, 1), 0.5),
        (Reply("x", tokens_in=1000, tokens_out=100), Price(2, 10), 0.003),
        (Reply("x", tokens_in=1000, tokens_out=100), Price(0, 0), 0.0),
        (Reply("x", tokens_in=1000, tokens_out=100), None, None),
        (Reply("x", tokens_in=1000, tokens_out=100), Price(2, None), None),
        (Reply("x"), Price(2, 10), None),
        (Reply(None, "error"), None, 0.0),
    ],
)
def test_what_a_reply_cost(reply: Reply, price: Price | None, usd: float | None) -> None:
    assert prices.cost(reply, price) == usd


def test_the_table_is_read_and_every_wrong_entry_named(tmp_path: Path) -> None:
    table = tmp_path / "prices.yaml"
    table.write_text("a: {input: 1, output: 2.5, image: gemma}\nb: {input: null}\n")
    assert prices.load(table) == {"a": Price(1, 2.5, "gemma"), "b": Price()}
    table.write_text("a: {input: -1}\nb: 3\nc: {image: big}\nd: {cheap: 1}\ne: {input: 1}\n")
    with pytest.raises(
        ValueError, match=r"a: input is -1.*b: write.*c: image is.*d: unknown cheap"
    ):
        prices.load(table)


def test_the_table_that_comes_along_can_be_read() -> None:
    table = prices.load(REPOSITORY / "data" / "prices.yaml")
    assert table["openai/gpt-4o-2024-08-06"].known
    assert all(price.source for price in table.values() if price.known)


def test_threads_lose_no_cent() -> None:
    budget = Budget()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(budget.add, [0.25] * 400))
    assert budget.spent == 100.0
