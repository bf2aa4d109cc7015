"""Whoever starts a study with something wrong is told what, where and how, in one message."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest

from dixitlib import store
from dixitlib.cards.deck import write_cards
from dixitlib.models.replies import TakenOver
from dixitlib.paths import DiskFull
from dixitlib.study import __main__ as study
from dixitlib.study import laying

MINE = """
name: mine
deck: {folder: data/cards}
clues: data/clues/bank.csv
arena: {tables: {mine: [random, first]}}
bench: {run: mine, players: [random]}
"""
WRITTEN = (
    MINE
    + """
endpoints: {here: {url: "http://127.0.0.1:9/v1", key_env: TOY_KEY, max_bytes: 99}}
models: {toy: {endpoint: here}}
clues_by: toy
"""
)

UNSENT = WRITTEN.replace(", max_bytes: 99", "")


@pytest.fixture
def home(tmp_path, toy_deck, monkeypatch) -> Path:
    """A home with a few cards, in which building DixitBench is left out."""
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path))
    monkeypatch.delenv("TOY_KEY", raising=False)
    monkeypatch.setattr(study, "default_encoder", lambda: None)
    monkeypatch.setattr(laying, "clues", lambda *given: {})
    monkeypatch.setattr(laying, "bench", lambda *given: ())
    write_cards(tmp_path / "data/cards", toy_deck[:3], "CC0", "nobody")
    lay(tmp_path / "data/clues/bank.csv", "clue\na word\n")
    lay(tmp_path / "data/prices.yaml", "toy: {input: 1, output: 1}\n")
    lay(tmp_path / "mine.yaml", MINE)
    return tmp_path


def lay(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


@contextmanager
def held(home: Path) -> Iterator[None]:
    with store.open_run(home / "data/runs/mine", parameters={}, inputs={}):
        yield


def told(home: Path, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        study.main([str(home / "mine.yaml")])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("mine.yaml", None, "mine.yaml can't be read as a params file: [Errno 2]"),
        ("mine.yaml", "deck: {folder", "mine.yaml can't be read as a params file: while parsing"),
        ("mine.yaml", b"name: \xff", "mine.yaml can't be read as a params file: 'utf-8' codec"),
        ("mine.yaml", "- a list", "mine.yaml can't be played: expected names with values"),
        ("mine.yaml", MINE + "sede: 1", "mine.yaml can't be played: unknown 'sede'"),
        ("mine.yaml", MINE + "also: [other]", "other.yaml can't be read as a params file"),
        ("mine.yaml", MINE.replace("first", "worst"), "no player is called worst; there are"),
        ("mine.yaml", MINE.replace("data/cards", "data/art"), "data/art is no folder"),
        ("data/cards/001.webp", b"no picture", "Mend these and load it again"),
        ("data/clues/bank.csv", None, "bank.csv is no table with a column `clue`: [Errno 2]"),
        ("data/clues/bank.csv", "word\na\n", "bank.csv is no table with a column `clue`: Usecols"),
        ("data/runs/mine/rounds.jsonl", "{}", "holds rounds.jsonl but no manifest.json"),
        ("data/runs/mine/manifest.json", "{}", "holds another run"),
        ("data/runs/mine/manifest.json", "{", "manifest.json is damaged"),
    ],
)
def test_a_wrong_file_is_named(home, capsys, file, content, words):
    (home / file).unlink(missing_ok=True)
    if content is not None:
        lay(home / file, content)
    said = told(home, capsys)
    assert said.startswith("python -m dixitlib.study: ") and words in said


@pytest.mark.parametrize(
    ("file", "content", "key", "words"),
    [
        ("data/prices.yaml", None, "", "prices.yaml can't be read as a price table: [Errno 2]"),
        ("data/prices.yaml", "toy: {", "", "prices.yaml can't be read as a price table: while"),
        ("data/prices.yaml", "toy: {input: -1}", "", "prices.yaml has entries that are no prices"),
        ("mine.yaml", UNSENT, "", "needs a key: set the environment variable TOY_KEY"),
        ("mine.yaml", WRITTEN, "sk-x", "lower the pictures' longest side"),
        ("data/runs/mine/replies/main.jsonl", "{}\n", "sk-x", "main.jsonl, line 1 is damaged"),
    ],
)
def test_so_is_what_asking_models_lacks(home, capsys, monkeypatch, file, content, key, words):
    lay(home / "mine.yaml", WRITTEN.replace("clues_by: toy", "").replace("first", "toy"))
    (home / file).unlink(missing_ok=True)
    if content is not None:
        lay(home / file, content)
    if key:
        monkeypatch.setenv("TOY_KEY", key)
    assert words in told(home, capsys)


def test_a_run_that_another_process_writes_is_left_alone(home, capsys):
    with held(home):
        assert "another process is writing" in told(home, capsys)


def test_a_full_disk_and_a_run_taken_over_are_said_too(home, capsys, monkeypatch):
    for stop in (DiskFull("x"), TakenOver("x"), OSError(errno.ENOSPC, "No space left on device")):
        monkeypatch.setattr(laying, "deck", Mock(side_effect=stop))
        assert told(home, capsys).startswith("python -m dixitlib.study: ")


def test_a_package_that_is_not_installed_is_named_with_what_brings_it(home):
    lay(home / "mine.yaml", WRITTEN)
    start = "import sys; sys.modules['openai'] = None; from dixitlib.study import __main__ as m"
    command = [sys.executable, "-c", f"{start}; m.main([{str(home / 'mine.yaml')!r}])"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "openai is not installed: pip install -e .[api]" in done.stderr


@pytest.mark.parametrize("fault", [ValueError("a mistake of ours"), OSError(errno.EACCES, "no")])
def test_our_own_mistakes_show_where_they_are(home, monkeypatch, fault):
    monkeypatch.setattr(laying, "deck", Mock(side_effect=fault))
    with pytest.raises(type(fault), match=fault.args[-1]):
        study.main([str(home / "mine.yaml")])
