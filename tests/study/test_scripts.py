"""Scripted models: the same requests get the same replies, faults and all."""

import pytest

from dixitlib.models.loopback import Served
from dixitlib.study import scripts


def request(**shape):
    body = {"schema": {"properties": shape}}
    return {
        "messages": [{"role": "user", "content": "Which?"}],
        "response_format": {"json_schema": body},
    }


CHOICE = request(choice={"type": "string", "enum": ["A", "B", "C"]})


def test_a_script_serves_the_same_again():
    first, second = (scripts.make("faulty") for _ in range(2))
    assert [first(CHOICE) for _ in range(300)] == [second(CHOICE) for _ in range(300)]


def test_every_way_of_failing_comes_up():
    answer = scripts.make("faulty")
    served = [answer(CHOICE) for _ in range(1000)]
    assert {each.status for each in served} == {200, 429, 500, 502}
    assert any(each.delay for each in served) and any(each.reset_after for each in served)
    assert all(isinstance(each, Served) for each in served)


def test_a_parameter_is_rejected_by_name():
    refused = scripts.make("faulty")(CHOICE | {"seed": 1})
    assert refused.status == 400 and refused.body["error"]["param"] == "seed"


def test_an_obliging_script_answers_in_the_shape_asked_for():
    asked = request(rating={"type": "integer", "minimum": 0, "maximum": 100})
    said = scripts.make("obliging")(asked).body["choices"][0]["message"]["content"]
    assert 0 <= int(said.removeprefix('{"rating": ').removesuffix("}")) <= 100


def test_an_obliging_script_says_the_same_in_any_order():
    asked = [CHOICE | {"seed": seed} for seed in range(20)]
    one, other = (scripts.make("obliging") for _ in range(2))
    forth, back = [one(each) for each in asked], [other(each) for each in asked[::-1]]
    assert forth == back[::-1]
    said = {each.body["choices"][0]["message"]["content"] for each in forth}
    assert len(said) == 3


def test_an_unknown_script_is_named():
    with pytest.raises(ValueError, match="no script is called 'nosuch'; there are faulty"):
        scripts.make("nosuch")
