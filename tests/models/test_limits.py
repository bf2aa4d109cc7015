"""Limits hold within every stretch of time, and waits are as long as asked for."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dixitlib.models.limits import Backoff, Limits


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def __call__(self) -> float:
        return self.now


def started(limits: Limits, clock: Clock, calls: list[int]) -> list[float]:
    times = []
    for tokens in calls:
        with limits.slot(tokens):
            times.append(clock.now)
    return times


def limited(clock: Clock, **settings: float) -> Limits:
    return Limits(**settings, period=60.0, clock=clock, sleep=clock.sleep)


def test_requests_wait_for_the_minute_to_pass() -> None:
    clock = Clock()
    assert started(limited(clock, requests=2), clock, [0] * 5) == [0, 0, 60, 60, 120]


def test_tokens_wait_until_enough_are_free() -> None:
    clock = Clock()
    limits = limited(clock, tokens=100)
    # 60 fit at once; 50 more only when the 60 are a minute old; 50 more fit beside them;
    # 500 is more than ever fits and waits until nothing else counts
    assert started(limits, clock, [60, 50, 50, 500]) == [0, 60, 60, 120]


def test_tokens_beyond_the_guess_count_too() -> None:
    clock = Clock()
    limits = limited(clock, tokens=100)
    assert started(limits, clock, [10]) == [0]
    limits.correct(90)
    assert started(limits, clock, [10]) == [60]


def test_nobody_starts_while_the_server_asked_to_wait() -> None:
    clock = Clock()
    limits = limited(clock)
    limits.hold(7)
    limits.hold(3)
    assert started(limits, clock, [0, 0]) == [7, 7]


@given(
    calls=st.lists(st.integers(0, 150), max_size=30),
    requests=st.integers(1, 5),
    tokens=st.integers(50, 200),
)
def test_no_minute_holds_more_than_allowed(calls: list[int], requests: int, tokens: int) -> None:
    clock = Clock()
    times = started(limited(clock, requests=requests, tokens=tokens), clock, calls)
    for start in times:
        within = [n for n, when in zip(calls, times, strict=True) if start <= when < start + 60]
        assert len(within) <= requests
        assert sum(within) <= tokens or len([n for n in within if n]) == 1


def test_a_place_is_given_back_when_a_call_fails() -> None:
    limits = Limits(concurrency=1)
    with pytest.raises(KeyError), limits.slot(0):
        raise KeyError
    done = threading.Event()

    def call() -> None:
        with limits.slot(0):
            done.set()

    threading.Thread(target=call).start()
    assert done.wait(5)


@given(failures=st.integers(1, 40))
def test_a_wait_grows_to_its_cap_and_no_further(failures: int) -> None:
    assert 0 <= Backoff(base=1, cap=30).wait(failures) <= min(30, 2 ** (failures - 1))


@given(failures=st.integers(1, 40), after=st.floats(0, 100))
def test_a_wait_is_never_shorter_than_the_server_asks(failures: int, after: float) -> None:
    assert after <= Backoff(base=1).wait(failures, after) <= after + 1
