"""DixitBench as a task of the real Inspect, sat by its mock model."""

from __future__ import annotations

from dataclasses import replace

import pytest

inspect_ai = pytest.importorskip("inspect_ai")
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402

from dixitlib.peers import inspect_task  # noqa: E402

# Inspect's own use of its dependencies is its own affair.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def sit(exam, replies, tmp_path, **settings):
    """Let a model that says `replies`, one after another, sit the exam."""
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in replies]
    for output in outputs:
        output.usage = ModelUsage()  # or its tokens are counted by tables from the open web
    model = get_model("mockllm/model", custom_outputs=outputs)
    task = inspect_task.task_of(exam, longest=64, **settings)
    (log,) = inspect_ai.eval(
        task, model=model, log_dir=str(tmp_path), display="none", max_samples=1, max_connections=1
    )
    assert log.status == "success", log.error
    return log


def values(log):
    return {sample.id: sample.scores["chosen_card"].value for sample in log.samples}


def totals(log):
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


def test_accuracy_is_given_in_all_and_by_tier(exam, tmp_path):
    # The right letters are A to F in each tier; the last three of blocks are wrong.
    said = [f'{{"choice": "{letter}"}}' for letter in "ABCDEFABCAAA"]
    log = sit(exam, said, tmp_path)
    expected = ["C"] * 9 + ["I"] * 3
    assert values(log) == {i.id: v for i, v in zip(exam.items, expected, strict=True)}
    found = totals(log)
    assert (found["hard"], found["blocks"], found["all"]) == (1.0, 0.5, 0.75)
    assert found["stderr"] > 0


def test_a_reply_that_cannot_be_read_is_asked_for_again(exam, tmp_path):
    one = replace(exam, items=exam.items[:1])
    log = sit(one, ["hm", "", "A"], tmp_path)
    assert values(log) == {"hard-000": "C"}
    told = [m.text for m in log.samples[0].messages if m.role == "user"]
    assert len(told) == 3 and all("I could not use your reply" in text for text in told[1:])


def test_a_failed_reply_is_no_answer(exam, tmp_path):
    one = replace(exam, items=exam.items[:1])
    (sample,) = sit(one, ["hm"] * 3, tmp_path).samples
    score = sample.scores["chosen_card"]
    assert (score.value, score.answer) == ("N", None)
    assert score.explanation.startswith("unparsed")


def test_no_id_reaches_the_model_and_pictures_stand_between_their_labels(exam):
    task = inspect_task.task_of(exam, longest=64)
    for sample, item in zip(task.dataset, exam.items, strict=True):
        words = " ".join(message.text for message in sample.input)
        assert not any(id in words for id in item.options) and item.id not in words
        kinds = [part.type for part in sample.input[-1].content]
        assert kinds == ["text", *["text", "image"] * 6, "text"]


def test_without_the_clue_none_is_told(exam):
    for sample in inspect_task.task_of(exam, longest=64, clue=False).dataset:
        assert sample.metadata["clue"].split('"')[-1] not in sample.input[-1].text  # its tail


def test_a_tier_that_is_none_is_refused(exam):
    assert {item.tier for item in inspect_task.part(exam, "hard").items} == {"hard"}
    with pytest.raises(ValueError, match="'harder'; there are hard, blocks"):
        inspect_task.part(exam, "harder")
