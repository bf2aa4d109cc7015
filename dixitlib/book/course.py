"""``python -m dixitlib.book.course``: run the solutions, and leave the answers out for students.

A lesson exists once, with its solutions, in ``notebooks/course/solutions``. What students get
is derived from it: cells tagged `solution` keep the names that they define and lose what these
stand for, and cells tagged `check` lose their output. So exercise and solution can't drift
apart. ``make course`` does both.
"""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from dixitlib import paths
from dixitlib.reproduce.notebooks import execute

COURSE = paths.REPOSITORY / "notebooks" / "course"
SOLUTIONS = COURSE / "solutions"
HINT = "# Replace each ... by your answer.\n"


def main() -> None:
    """Run every solution in place, and write its lesson beside their folder."""
    for solution in sorted(SOLUTIONS.glob("*.ipynb")):
        execute(solution, solution, {}, paths.home())
        (COURSE / solution.name).write_text(lesson(solution), encoding="utf-8")


def lesson(solution: Path) -> str:
    """Return the lesson to a solved notebook, as its file reads."""
    node = nbformat.read(solution, as_version=4)
    return nbformat.writes(unsolved(node), version=4).rstrip("\n") + "\n"


def unsolved(node: NotebookNode) -> NotebookNode:
    """Return a notebook without its solutions and without what its checks printed.

    Raises
    ------
    ValueError
        If a solution is anything but assignments to names and functions.
    """
    for cell in node.cells:
        tags = cell.metadata.get("tags", [])
        if "solution" in tags:
            cell.source = _open(ast.parse(cell.source).body)
        if {"solution", "check"} & set(tags):
            cell.outputs, cell.execution_count = [], None
    return node


def _open(statements: list[ast.stmt]) -> str:
    """Return a cell's statements left open, two lines apart from a function as is usual."""
    source = _blank(statements[0])
    for before, after in pairwise(statements):
        functions = ast.FunctionDef in {type(before), type(after)}
        source += ("\n\n\n" if functions else "\n") + _blank(after)
    return HINT + source


def _blank(statement: ast.stmt) -> str:
    """Return a statement that names what is asked for and leaves it open."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return f"{name} = ..."
        case ast.FunctionDef(name=name, args=arguments):
            return f"def {name}({ast.unparse(arguments)}): ..."
    raise ValueError(
        f"a solution can't be left out of {ast.unparse(statement)!r}: write it as assignments "
        "to one name each, or as functions"
    )


if __name__ == "__main__":
    main()
