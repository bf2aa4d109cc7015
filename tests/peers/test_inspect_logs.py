"""Runs as logs, read back by the real Inspect and looked at in its own viewer."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest

inspect_ai = pytest.importorskip("inspect_ai")
from inspect_ai.log import read_eval_log  # noqa: E402

from dixitlib import store  # noqa: E402
from dixitlib.models.replies import Kept, ReplyLog  # noqa: E402
from dixitlib.peers import inspect_logs  # noqa: E402
from dixitlib.records import Answer, Reply  # noqa: E402

# Inspect's own use of its dependencies is its own affair.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def run(exam, tmp_path_factory):
    """A run in which `local` is right but once, and a model's second answer failed."""
    folder = tmp_path_factory.mktemp("runs") / "mine"
    local = [_answer("local", item, item.target) for item in exam.items]
    local[0] = _answer("local", exam.items[0], exam.items[0].options[5])
    model = [
        _answer("model", exam.items[0], "000", replies=("k0",)),
        _answer("model", exam.items[1], None, status="refused", replies=("k1",)),
    ]
    with store.open_run(folder, parameters={}, inputs={}) as sink:
        sink.write(("local",), local)
        sink.write(("model",), model)
    log = ReplyLog(folder / "replies")
    log.end(Kept("k0", "model", (), Reply('I say {"choice": "A"}')))
    log.end(Kept("k1", "model", (), Reply("I'd rather not.", "refused")))
    return folder


@pytest.fixture(scope="module")
def logs(run, exam, tmp_path_factory):
    return inspect_logs.write(run, exam, tmp_path_factory.mktemp("logs"), 48)


def test_every_player_has_a_log_that_inspect_reads(exam, logs):
    assert [path.name for path in logs] == ["local.eval", "model.eval"]
    local = read_eval_log(str(logs[0]))
    found = {name: metric.value for name, metric in local.results.scores[0].metrics.items()}
    # 11 of 12 right, of the first six 5.
    assert found == {"accuracy": 0.916667, "hard": 0.833333, "blocks": 1.0}
    samples = {sample.id: sample for sample in local.samples}
    assert samples.keys() == {item.id for item in exam.items}
    assert samples["hard-000"].scores["chosen_card"].answer == "F"
    assert samples["hard-000"].output.completion == '{"choice": "F"}'
    assert local.eval.metadata["canary"] == exam.canary


def test_a_models_words_are_shown_as_they_came_and_a_refusal_is_no_answer(logs):
    first, second = read_eval_log(str(logs[1])).samples
    assert first.output.completion == 'I say {"choice": "A"}'
    assert first.scores["chosen_card"].value == "C"
    assert second.output.completion == "I'd rather not."
    assert second.scores["chosen_card"].value == "N"
    assert second.scores["chosen_card"].explanation == "refused"


def test_a_run_of_another_benchmark_is_refused(run, exam, tmp_path):
    other = replace(exam, items=exam.items[:3])
    with pytest.raises(ValueError, match=r"items of another benchmark: blocks-000, .*hard-003"):
        inspect_logs.write(run, other, tmp_path)


@pytest.fixture
def viewer(logs):
    """The address of ``inspect view`` over the logs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("inspect")), "view", "start"]
    options = ["--log-dir", str(logs[0].parent), "--port", str(port), "--host", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(address)
        yield address
    finally:
        process.terminate()
        process.wait()


def test_a_samples_clue_is_read_from_the_page(exam, viewer):
    browser = shutil.which("chromium")
    if browser is None and not os.environ.get("BROWSER_REQUIRED"):
        pytest.skip("needs chromium")
    sync = pytest.importorskip("playwright.sync_api")
    with sync.sync_playwright() as play:
        window = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = window.new_page()
        page.goto(f"{viewer}/#/logs/local.eval/samples/sample/{exam.items[3].id}/1/")
        # Clues are quoted as JSON, and the viewer shows quotes now in one way, now in another.
        page.get_by_text(re.compile(r"clue \S*3\S* of hard")).first.wait_for(timeout=60_000)
        page.locator("img").nth(5).wait_for(state="attached", timeout=15_000)
        window.close()


def _wait_for(address):
    for _ in range(120):
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except OSError:
            time.sleep(0.25)
    raise TimeoutError(f"nothing answers at {address}")


def _answer(player, item, choice, status="ok", replies=()):
    credit = None if choice is None else float(choice == item.target)
    fixed = {"method": "direct", "control": "own", "rotation": 0}
    return Answer(
        player,
        item.id,
        item.tier,
        choice=choice,
        credit=credit,
        status=status,
        replies=replies,
        **fixed,
    )
