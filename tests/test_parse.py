"""A reader takes what a person would take, refuses to guess, and never raises."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dixitlib import parse

LETTERS = "ABCD"
NUMBERS = ("1", "2", "3", "4")
TEXTS = {"A": "The lighthouse", "B": "the red house", "C": "red"}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        # as the prompt asks
        ('{"choice": "B"}', "B"),
        ('{"choice": "b"}', "B"),
        ('{"choice": "Option B"}', "B"),
        ('{"choice": ["B"]}', "B"),
        ('{"answer": {"choice": "A"}}', "A"),
        # fenced, with nested backticks (hindsight#645, #2542)
        ('```json\n{"choice": "b"}\n```', "B"),
        ('Sure!\n```json\n{"reason": "the ```moon``` glows", "choice": "D"}\n```\nThanks', "D"),
        # two blocks: the last wins (kaggle-environments#1183)
        ('{"choice": "A"} no, wait: {"choice": "C"}', "C"),
        ('```json\n{"choice": "A"}\n```\n```json\n{"choice": "C"}\n```', "C"),
        ('{"choice": "A"} {"confidence": 0.3}', "A"),
        # nearly JSON
        ("{'choice': 'B'}", "B"),
        ('{"choice": "B",}', "B"),
        ('{"reason": "he said "no"", "choice": "B"}', "B"),
        ("I feel {sad.\nAnswer: B", "B"),
        # a label and nothing else
        ("B", "B"),
        ("b", "B"),
        ("a", "A"),
        ("**B**", "B"),
        ("_B_", "B"),
        ("(b)", "B"),
        ("'B'", "B"),
        ("Ｂ", "B"),
        ("Option B.", "B"),
        ("\\boxed{C}", "C"),
        # stated in prose, the last statement winning (inspect_ai#3910)
        ("answer: b", "B"),
        ("Answer - B", "B"),
        ("Answer:\n\nC", "C"),
        ("choice=B", "B"),
        ("**Answer:** B", "B"),
        ("The answer is a.", "A"),
        ("the answer is A because it is dark", "A"),
        ("I choose card B because A is a decoy.", "B"),
        ("I choose A over B.", "A"),
        ("Between A and B, I pick B.", "B"),
        ("I'm not sure, but I choose B.", "B"),
        ("My vote goes to card C.", "C"),
        ("I'd go with A.", "A"),
        ("I think it is card B", "B"),
        ("Card B is the best match.", "B"),
        ("D is most likely the target.", "D"),
        ("'B' is the best.", "B"),
        ("It must be D", "D"),
        ("The correct option is B", "B"),
        ("<answer>B</answer>", "B"),
        ("答案：B", "B"),
        ("The storyteller's card is B", "B"),
        ("Answer: B\n\nExplanation: A is too dark, C too bright.", "B"),
        ("A because it shows a boat", "A"),
        ("The correct answer is B, not A.", "B"),
        ("Answer: A. Hmm, on reflection.\nAnswer: B", "B"),
        ("I would not choose B. I choose C!", "C"),
        ("I choose A. Wait, B is better.", "B"),
        ("A. No wait, B.", "B"),
        ("My first choice is B; my second choice is C.", "B"),
        # standing alone
        ("B. Because the lighthouse is alone", "B"),
        ("b) it shows a boat", "B"),
        ("Because the moon is sad,\nand the boat sails.\n\nD", "D"),
        ("The clue suggests solitude → **B**", "B"),
        # thinking does not count
        ("<think>Answer: A? Or B</think>\nanswer: D", "D"),
    ],
)
def test_a_choice_that_a_person_would_take_is_taken(text: str, label: str) -> None:
    read = parse.choice(text, LETTERS)
    assert (read.choice, read.status, read.text) == (label, "ok", text)


@pytest.mark.parametrize(
    "text",
    [
        # letters inside words (inspect_ai#2216, VLMEvalKit#73)
        "None of the above",
        "Don't know",
        "notice",
        "Bananas",
        "D'accord",
        "C'est la vie",
        # not among the options (paper-qa#693)
        "Answer: E",
        "Answer: 2",
        '{"choice": "E"}',
        '{"choice": 2}',
        # structured answers are final
        '{"choice": "E"} so I say B',
        '{"choice": null} Answer: B',
        '{"choice": true}',
        '{"choice": ["A", "B"]}',
        '{"choice": "A or B"}',
        # two answers without a verdict
        "A or B",
        "A\nB",
        "Answer: A or B",
        "Answer: A/B",
        "Neither A nor B is the answer.",
        "A, B and C all fit.",
        "A. B.",
        "(A) (B)",
        "A - B",
        "A:B",
        # a mention is no answer
        "Card A shows a boat.",
        "B is best described as a boat.",
        "A is right of the tree.",
        "A: a boat\nB: a tower\nC: the sea\nD: a moon",
        "The choice between A and B is hard",
        # articles are no labels
        "I see a boat",
        "I choose a card at random",
        "My answer: A lonely lighthouse",
        # denied, supposed or asked
        "B is not the answer",
        "I would not choose B",
        "If it were sad, I would choose A",
        "Do I choose B?",
        "Answer: B?",
        "B is the answer? No.",
        "Wrong answer: B",
    ],
)
def test_a_choice_is_never_guessed(text: str) -> None:
    read = parse.choice(text, LETTERS)
    assert (read.choice, read.status, read.text) == (None, "unparsed", text)
    assert "A, B, C, D" in read.problem


@pytest.mark.parametrize(
    ("text", "finish", "status"),
    [
        (None, "stop", "empty"),
        ("", "stop", "empty"),
        (" \n\u200b", "stop", "empty"),
        ('{"choice": "B', "stop", "truncated"),
        ('{"choice":', None, "truncated"),
        ('{"choice": "A"} or rather {"choice": "B', "stop", "truncated"),
        ("<think>It could be A", "stop", "truncated"),
        ("Answer: B", "length", "truncated"),
        ('{"choice": "B"}', "content_filter", "refused"),
        ("I'm sorry, but I can't help with that.", "stop", "refused"),
        ("I cannot assist with identifying people.", "stop", "refused"),
        # an infrastructure error is its own class (sia#57)
        ("Error: rate limited", "stop", "error"),
        ("<html><body>502 Bad Gateway</body></html>", "stop", "error"),
        ('{"error": {"message": "A server is down"}}', "stop", "error"),
    ],
)
def test_why_there_is_no_choice(text: str | None, finish: str | None, status: str) -> None:
    read = parse.choice(text, LETTERS, finish=finish)
    assert (read.choice, read.status, read.text) == (None, status, text)
    assert read.problem


def test_a_complete_object_counts_although_the_reply_was_cut_after_it() -> None:
    assert parse.choice('{"choice": "B"} I chose this', LETTERS, finish="length").choice == "B"


def test_a_refusal_is_none_if_an_answer_follows() -> None:
    text = "I'm sorry, but I can't be certain. My answer: B"
    assert parse.choice(text, LETTERS).choice == "B"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("2", "2"),
        ("answer: 2", "2"),
        ("Option 2", "2"),
        ("(3)", "3"),
        ('{"choice": 2}', "2"),
        ('{"choice": 2.0}', "2"),
        ("I choose 3 because 2 is dark", "3"),
        ('{"choice": 7}', None),
        ("answer: 12", None),
        ("answer: 2.5", None),
        ("answer: -2", None),
        ("answer: 2 birds", None),
        ("I see 2 birds", None),
        ("2. The lighthouse", None),
        ("3/4", None),
        ("4%", None),
    ],
)
def test_numbers_as_labels(text: str, label: str | None) -> None:
    assert parse.choice(text, NUMBERS).choice == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("the LIGHTHOUSE.", "A"),
        ("answer: the red house", "B"),
        ("I choose red.", "C"),
        ("A. The lighthouse", "A"),
        ('{"choice": "The red house"}', "B"),
        ("lighthouse", None),
        ('{"choice": "house"}', None),
    ],
)
def test_an_option_may_be_named_by_its_exact_text(text: str, label: str | None) -> None:
    assert parse.choice(text, TEXTS).choice == label


def test_a_text_that_two_options_share_names_neither() -> None:
    assert parse.choice("red", {"A": "red", "B": "Red"}).choice is None


def test_nothing_to_choose_from_is_the_caller_s_mistake() -> None:
    with pytest.raises(ValueError, match="no option"):
        parse.choice("A", [])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"rating": 85}', 85),
        ('{"rating": "85"}', 85),
        ('{"score": 62.5}', 62.5),
        ("{'rating': 44}", 44),
        ("85", 85),
        ("85/100", 85),
        ("85%", 85),
        ("Score: **72**", 72),
        ("I'd rate it 85 because it glows", 85),
        ("a rating of 85 out of 100", 85),
        ("Rating: 40. No, rating: 60", 60),
        ("Rating: 0", 0),
    ],
)
def test_a_rating_is_read(text: str, value: float) -> None:
    read = parse.rating(text)
    assert (read.value, read.status) == (value, "ok")


@pytest.mark.parametrize(
    "text",
    [
        '{"rating": 101}',
        '{"rating": -1}',
        '{"rating": true}',
        '{"rating": NaN}',
        '{"rating": 1e999}',
        '{"rating": null}',
        f'{{"rating": {"9" * 5000}}}',
        "101",
        "-5",
        "Rating: -5",
        "Rating: 8/10",
        "8/10",
        "Rating: 1,000",
        "70-80",
        "Rating: 70 to 80",
        "I see 3 birds",
        "40\n60",
    ],
)
def test_a_rating_is_never_guessed(text: str) -> None:
    read = parse.rating(text)
    assert (read.value, read.status) == (None, "unparsed")


def test_ratings_come_all_or_none() -> None:
    keys = ("clarity", "creativity")
    assert parse.ratings('{"clarity": 4, "creativity": 2}', keys, 1, 5).value == {
        "clarity": 4,
        "creativity": 2,
    }
    partly = parse.ratings('{"clarity": 4, "creativity": 9}', keys, 1, 5)
    assert (partly.value, partly.status) == (None, "unparsed")
    assert "9 is not a number from 1 to 5 under 'creativity'" in partly.problem
    assert parse.ratings("clarity: 4, creativity: 2", keys, 1, 5).status == "unparsed"


@pytest.mark.parametrize(
    ("text", "clue"),
    [
        ('{"clue": "Silence after the parade"}', "Silence after the parade"),
        ('{"caption": " Two\\n lines "}', "Two lines"),
        ('Clue: "Silence"', "Silence"),
        ("Here you are.\n\n**Clue:** A quiet end\n\nI hope it helps.", "A quiet end"),
        ("Silence after the parade", "Silence after the parade"),
        ('{"clue": "Life’s ½ over…"}', "Life’s ½ over…"),
        ('{"clue": "a\\ud800b"}', "ab"),
    ],
)
def test_a_clue_is_read(text: str, clue: str) -> None:
    read = parse.clue(text)
    assert (read.value, read.status) == (clue, "ok")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ('{"clue": ""}', "unparsed"),
        ('{"clue": 3}', "unparsed"),
        ('{"clue": "<text>"}', "unparsed"),
        ("One line.\nAnother line.", "unparsed"),
        ("word " * 60, "unparsed"),
        ('{"clue": "Tor', "truncated"),
        ("I'm sorry, I can't help with that.", "refused"),
        ("Error: overloaded", "error"),
    ],
)
def test_why_there_is_no_clue(text: str, status: str) -> None:
    read = parse.clue(text)
    assert (read.value, read.status) == (None, status)


def test_objects_are_found_wherever_they_stand() -> None:
    text = 'a {"x": 1} b ```{"y": {"z": "}"}}``` {broken} {"w": 2'
    assert parse.objects(text) == parse.Objects(({"x": 1}, {"y": {"z": "}"}}), torn=True)


WORDS = st.sampled_from(
    [*'ABCDEabI2{}:.`’"\n', "answer", "choose", "is", "the", "or", "not", "best", "card"]
) | st.sampled_from(['{"choice":', "```", "**", "</think>", "<think>"])
ANYTHING = st.one_of(
    st.none(),
    st.text(),
    st.lists(WORDS).map(" ".join),
    st.lists(WORDS).map("".join),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | WORDS,
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("choice"), inner),
    ).map(json.dumps),
)


@settings(deadline=None)  # a text nested five thousand deep takes a busy machine a while
@given(text=ANYTHING, finish=st.sampled_from([None, "stop", "length", "content_filter", "?"]))
@example(text='{"a":' * 5000, finish=None)
@example(text='{"choice": ' + "[" * 5000, finish=None)
def test_whatever_the_text_no_reader_raises_or_leaves_the_offer(
    text: str | None, finish: str | None
) -> None:
    for options in (LETTERS, NUMBERS, TEXTS, ["a", "A"]):
        read = parse.choice(text, options, finish=finish)
        assert (read.choice in tuple(options)) == (read.status == "ok")
        assert read.text == text
    rated = parse.rating(text, finish=finish)
    assert (rated.value is not None and 0 <= rated.value <= 100) == (rated.status == "ok")
    said = parse.clue(text, finish=finish)
    assert bool(said.value) == (said.status == "ok")


@given(label=st.sampled_from(LETTERS), other=st.sampled_from(LETTERS))
def test_a_structured_answer_beats_any_prose_around_it(label: str, other: str) -> None:
    text = f'Answer: {other}\n{{"choice": "{label}"}}\nMy vote: {other}'
    assert parse.choice(text, LETTERS).choice == label


@pytest.mark.parametrize(
    ("unit", "end"),
    [
        ("answer ", "B"),
        ("*_ ", "answer: B"),
        ("A or ", "B"),
        ("not ", "choose B"),
        ("if ", "choose B"),
        ("{", ""),
        ('{"a":', ""),
        ("\n", "B"),
        (" ", "B"),
    ],
)
def test_no_text_takes_long(unit: str, end: str) -> None:
    text = "answer" + unit * 15_000 + end
    start = time.process_time()
    parse.choice(text, LETTERS)
    parse.rating(text)
    assert time.process_time() - start < 2.0
