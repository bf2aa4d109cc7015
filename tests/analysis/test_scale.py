"""What many matches cost, by hand."""

import pytest

from dixitlib.analysis import scale
from dixitlib.analysis.scale import Match, Pace

MATCH = Match(rounds=24, calls=192, turns=48)


def test_work_grows_with_matches():
    made = scale.work({"all": 499_500, "few": 10}, MATCH).set_index("design")
    assert made.loc["all"].tolist() == [499_500, 11_988_000, 95_904_000]
    assert made.loc["few"].tolist() == [10, 240, 1920]


def test_hours_by_each_limit():
    pace = Pace(latency=2.0, per_minute=400, processor=0.003, cores=2)
    made = scale.hours(1000, MATCH, pace, [16, 960])
    got = made.set_index(["connections", "limit"])["hours"]
    # 192,000 calls of 2 s over 16 connections: 24,000 s; over 960: 400 s.
    assert got[16, scale.WAITING] == pytest.approx(24_000 / 3600)
    assert got[960, scale.WAITING] == pytest.approx(400 / 3600)
    # 192,000 at 400 a minute are 480 minutes; 576 s of a processor, halved; 48 turns of 2 s.
    assert got[16, scale.RATE] == got[960, scale.RATE] == pytest.approx(8)
    assert got[16, scale.PROCESSOR] == pytest.approx(288 / 3600)
    assert got[16, scale.TURNS] == pytest.approx(96 / 3600)
    longest = scale.longest(made)
    assert longest["limit"].tolist() == [scale.RATE, scale.RATE]
    assert longest["connections"].tolist() == [16, 960]


def test_a_limit_that_is_not_there_or_not_known_is_left_out():
    pace = Pace(latency=2.0, per_minute=None, processor=float("nan"))
    made = scale.hours(1000, MATCH, pace, [16])
    assert set(made["limit"]) == {scale.WAITING, scale.TURNS}
    assert scale.longest(made)["limit"].tolist() == [scale.WAITING]
