"""The task says what lmms-eval needs, and its functions stand alone and read no guess."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest
import yaml
from PIL import Image

from dixitlib.peers import lmms_eval


class Loader(yaml.SafeLoader):
    """YAML in which ``!function utils.name`` is its text."""


Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return lmms_eval.write(tmp_path_factory.mktemp("lmms"))


@pytest.fixture(scope="module")
def task(folder):
    return yaml.load((folder / "dixitbench.yaml").read_text(), Loader)


@pytest.fixture(scope="module")
def utils(folder):
    spec = importlib.util.spec_from_file_location("lmms_utils", folder / "utils.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_task_has_what_a_generating_task_needs(task):
    needed = {"task", "dataset_path", "test_split", "output_type", "metric_list"}
    assert needed <= task.keys()
    assert (task["output_type"], task["test_split"]) == ("generate_until", "test")
    assert all(
        {"metric", "aggregation", "higher_is_better"} == m.keys() for m in task["metric_list"]
    )


def test_every_function_that_the_task_names_exists(task, utils):
    named = [v.split(".") for v in task.values() if isinstance(v, str) and "utils." in v]
    assert len(named) == 4
    assert all(file == "utils" and callable(getattr(utils, name)) for file, name in named)


def test_the_metrics_are_those_that_results_have(task, utils):
    tiers = ("hard", "medium", "easy", "blocks")
    given = {
        name for tier in tiers for name in utils.process_results({"tier": tier, "answer": 1}, ["A"])
    }
    assert given == {metric["metric"] for metric in task["metric_list"]}


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        *[("B", "B"), (" (C) ", "C"), ("The answer is D.", "D"), ('{"choice": "E"}', "E")],
        *[("", None), ("I can't tell", None), ("B or C", None), ("G", None), ("BAD", None)],
        ("A castle floats in the sky", None),
    ],
)
def test_a_reply_is_read_or_unread(utils, reply, read):
    assert utils.read(reply) == read


def test_an_unread_reply_earns_nothing_and_is_counted(utils):
    doc = {"tier": "easy", "answer": 2}
    right, wrong, unread = (utils.process_results(doc, [reply]) for reply in ("B", "C", "?"))
    assert right == {"accuracy": 1.0, "accuracy_easy": 1.0, "unread": 0.0}
    assert wrong == {"accuracy": 0.0, "accuracy_easy": 0.0, "unread": 0.0}
    assert unread == {"accuracy": 0.0, "accuracy_easy": 0.0, "unread": 1.0}


def test_pictures_come_in_order_and_the_clue_is_quoted(utils):
    doc = {"images": [Image.new("L", (2, 3), shade) for shade in range(6)], "clue": 'a "b"'}
    shown = utils.doc_to_visual(doc)
    assert [picture.getpixel((0, 0)) for picture in shown] == [(n, n, n) for n in range(6)]
    assert r'"a \"b\""' in utils.doc_to_text(doc)


def test_the_functions_need_nothing_of_ours(folder):
    code = "import sys, utils; print(sum(name.startswith('dixitlib') for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.stdout.strip() == "0", done.stderr
