"""Lessons are their solutions without the answers, and the solutions hold."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from dixitlib.book import course
from dixitlib.paths import REPOSITORY

SOLUTIONS = sorted(course.SOLUTIONS.glob("*.ipynb"))
every_lesson = pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda path: path.stem)


def solved(source, tag="solution"):
    cell = new_code_cell(source, outputs=[new_output("stream", text="42\n")], execution_count=1)
    cell.metadata["tags"] = [tag]
    return new_notebook(cells=[cell])


def tagged(node, tag):
    return [cell for cell in node.cells if tag in cell.metadata.get("tags", [])]


def test_a_solution_loses_its_answers_and_keeps_their_names():
    cell = course.unsolved(solved("x = 42\ndef f(a, b=2):\n    return a + b")).cells[0]
    assert cell.source == f"{course.HINT}x = ...\n\n\ndef f(a, b=2): ..."
    assert (cell.outputs, cell.execution_count) == ([], None)


def test_a_check_keeps_its_words_and_loses_its_output():
    cell = course.unsolved(solved("assert x == 42", "check")).cells[0]
    assert cell.source == "assert x == 42" and cell.outputs == []


def test_other_cells_stay_as_they_are():
    node = solved("print(42)", "shown")
    assert course.unsolved(nbformat.from_dict(node)).cells[0].outputs[0].text == "42\n"


@pytest.mark.parametrize("source", ["print(42)", "x[0] = 42", "a = b = 42"])
def test_what_could_not_be_left_out_is_refused(source):
    with pytest.raises(ValueError, match="a solution can't be left out of"):
        course.unsolved(solved(source))


def test_there_are_six_lessons():
    assert len(SOLUTIONS) == 6
    assert {p.name for p in course.COURSE.glob("*.ipynb")} == {p.name for p in SOLUTIONS}


@every_lesson
def test_a_lesson_is_its_solution_without_the_answers(solution):
    committed = (course.COURSE / solution.name).read_text(encoding="utf-8")
    assert committed == course.lesson(solution), "run `make course`"


@every_lesson
def test_a_lesson_has_a_question_a_plan_of_45_minutes_and_checked_exercises(solution):
    node = nbformat.read(solution, as_version=4)
    assert re.match(r"# .*\?\n", node.cells[0].source)
    minutes = [int(n) for n in re.findall(r"\| (\d+) \|", node.cells[0].source)]
    assert sum(minutes) == 45
    assert len(tagged(node, "solution")) == len(tagged(node, "check")) >= 3
    assert all("assert" in cell.source for cell in tagged(node, "check"))


@every_lesson
def test_an_unsolved_lesson_does_not_pass_its_checks(solution):
    lesson = nbformat.reads(course.lesson(solution), as_version=4)
    for answer, check in zip(tagged(lesson, "solution"), tagged(lesson, "check"), strict=True):
        names = re.findall(r"^(?:def )?(\w+)(?: = |\()", answer.source, re.M)
        assert any(re.search(rf"\b{name}\b", check.source) for name in names)


@pytest.mark.takes(10)
@every_lesson
def test_the_solutions_hold(solution, tmp_path):
    (tmp_path / "data").symlink_to(REPOSITORY / "data", target_is_directory=True)
    command = [sys.executable, "-m", "pytest", "-p", "nbval.plugin", "--nbval", str(solution)]
    command += ["-p", "no:cacheprovider"]
    alone = {"DIXITWORLD_HOME": str(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | alone, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-4000:]
    node = nbformat.read(solution, as_version=4)
    outputs = json.dumps([cell.outputs for cell in node.cells if cell.cell_type == "code"])
    assert not re.search(r"/(home|root|tmp|work|Users)/", outputs)
