"""What is kept is what was worked out, for these arguments and these sources only."""

from __future__ import annotations

import importlib.util
import sys

import numpy as np
import pytest

from dixitlib import memory

WORK = """
import numpy as np

def doubled(numbers, note):
    note.touch()
    return 2 * np.array(numbers)
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def room(tmp_path, monkeypatch):
    """Give a function of a room of its own, as a new process would import it."""
    folder = tmp_path / "room"
    folder.mkdir()

    def imported(source):
        (folder / "work.py").write_text(source)
        spec = importlib.util.spec_from_file_location("room_of_a_test", folder / "work.py")
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        return memory.kept(module.doubled)

    return imported


def test_the_second_time_nothing_is_worked_out(home, room):
    note = home / "worked"
    first = room(WORK)([1, 2], note)
    note.unlink()
    second = room(WORK)([1, 2], note)
    assert not note.exists() and first.tobytes() == second.tobytes()
    np.testing.assert_array_equal(second, [2, 4])


def test_other_arguments_are_worked_out(home, room):
    room(WORK)([1, 2], home / "worked")
    np.testing.assert_array_equal(room(WORK)([1, 3], home / "worked"), [2, 6])


def test_another_source_anywhere_in_the_room_is_worked_out_anew(home, room):
    note = home / "worked"
    room(WORK)([1], note)
    note.unlink()
    (home / "room" / "neighbour.py").write_text("")
    room(WORK)([1], note)
    assert note.exists()


def test_other_packages_work_it_out_anew(home, room, monkeypatch):
    note = home / "worked"
    room(WORK)([1], note)
    note.unlink()
    assert "torch 2.13.0" in memory.installed()
    monkeypatch.setattr(memory, "installed", lambda: "torch 2.14.0")
    room(WORK)([1], note)
    assert note.exists()


def test_what_comes_back_may_be_changed(home, room):
    room(WORK)([1], home / "worked")[:] = 7
    assert room(WORK)([1], home / "worked")[0] == 2


def test_another_home_keeps_its_own(home, room, monkeypatch):
    note = home / "worked"
    room(WORK)([1], note)
    note.unlink()
    monkeypatch.setenv("DIXITWORLD_HOME", str(home / "elsewhere"))
    (home / "elsewhere").mkdir()
    room(WORK)([1], note)
    assert note.exists()


def test_a_home_that_cannot_be_written_is_no_obstacle(home, room, monkeypatch):
    monkeypatch.setattr(memory.os, "access", lambda *_: False)
    np.testing.assert_array_equal(room(WORK)([1], home / "worked"), [2])
    assert not (home / "build").exists()
