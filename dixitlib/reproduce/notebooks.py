"""Execute a notebook so that the same results give the same bytes.

papermill runs it; what varies from run to run (times, the injected cell, the kernel's
version) is stripped, so that a committed notebook changes only when a result does.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import nbformat
import papermill
import yaml
from nbformat import NotebookNode
from papermill.iorw import load_notebook_node
from papermill.utils import find_first_tagged_cell_index

KEPT_CELL_METADATA = ("tags",)
WIDGET = "application/vnd.jupyter.widget-view+json"
"""How an output points to a widget: by a random name that means nothing in another session."""

QUIET = "--IPKernelApp.log_level=ERROR"
"""Else every kernel warns that it talks over TCP, which it does on this machine only."""


def parameters(notebook: Path) -> set[str]:
    """Return the names that a notebook's parameters cell declares.

    Raises
    ------
    ValueError
        If no cell has the tag ``parameters``; papermill would ignore that in silence.
    """
    node = load_notebook_node(str(notebook))
    if find_first_tagged_cell_index(node, "parameters") < 0:
        raise ValueError(f"{notebook.name} has no cell tagged 'parameters'")
    return set(papermill.inspect_notebook(str(notebook)))


def assign(notebooks: Iterable[Path], values: Mapping[str, object]) -> dict[Path, dict]:
    """Give each notebook those of the values that it declares.

    Raises
    ------
    ValueError
        If some value is declared by no notebook, so that it would have no effect.
    """
    declared = {notebook: parameters(notebook) for notebook in notebooks}
    unknown = set(values) - set().union(*declared.values())
    if unknown:
        raise ValueError(f"no notebook has the parameter(s) {sorted(unknown)}")
    return {
        notebook: {name: value for name, value in values.items() if name in names}
        for notebook, names in declared.items()
    }


def normalise(node: NotebookNode) -> NotebookNode:
    """Strip what varies from run to run: times, versions, the injected cell, widget state."""
    cells = [c for c in node.cells if "injected-parameters" not in c.metadata.get("tags", [])]
    node.cells = cells
    spec = node.metadata.get("kernelspec", {})
    node.metadata = {"kernelspec": dict(spec), "language_info": {"name": "python"}}
    numbers = count(1)
    for cell in cells:
        # papermill gives every cell an empty list of tags.
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in KEPT_CELL_METADATA and v}
        if cell.cell_type == "code":
            _number(cell, next(numbers))
            _forget_widgets(cell)
            cell.outputs = _joined(cell.outputs)
    return nbformat.from_dict(node)


def _number(cell: NotebookNode, number: int) -> None:
    # An injected cell shifts every later number, so they are dealt anew.
    cell.execution_count = number
    for output in cell.outputs:
        if "execution_count" in output:
            output.execution_count = number


def _forget_widgets(cell: NotebookNode) -> None:
    for output in cell.outputs:
        output.get("data", {}).pop(WIDGET, None)  # the widget's text stays


def _joined(outputs: Iterable[NotebookNode]) -> list[NotebookNode]:
    """Join what was printed in a row: a busy kernel may send a line in two messages."""
    joined: list[NotebookNode] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined


def execute(source: Path, target: Path, values: Mapping[str, object], home: Path) -> Path:
    """Run a notebook against a home and write it, normalised, in one move.

    Parameters
    ----------
    source, target
        The notebook to run and where the run one goes; they may be the same file.
    values
        Parameters to inject; empty for the notebook's own defaults.
    home
        The folder whose ``data/`` it reads and whose ``figures/`` it writes.

    Raises
    ------
    papermill.PapermillExecutionError
        If a cell fails; `target` is then left as it was.
    """
    logging.getLogger("papermill").setLevel(logging.ERROR)
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_suffix(".unfinished.ipynb")
    with _at_home(home):
        papermill.execute_notebook(
            str(source),
            str(unfinished),
            dict(values),
            cwd=str(home),
            progress_bar=False,
            extra_arguments=[QUIET],
        )
    write(normalise(nbformat.read(unfinished, as_version=4)), unfinished)
    unfinished.replace(target)
    return target


@contextmanager
def _at_home(home: Path) -> Iterator[None]:
    """Let kernels, which get this process's environment, find a home; then forget it."""
    before = os.environ.get("DIXITWORLD_HOME")
    os.environ["DIXITWORLD_HOME"] = str(home)
    try:
        yield
    finally:
        del os.environ["DIXITWORLD_HOME"]
        if before is not None:
            os.environ["DIXITWORLD_HOME"] = before


def write(node: NotebookNode, path: Path) -> None:
    """Write a notebook with a final newline, as editors do."""
    path.write_text(nbformat.writes(node, version=4).rstrip("\n") + "\n", encoding="utf-8")


def read_values(params: Path) -> dict[str, object]:
    """Return the notebook parameters that a params file sets."""
    return dict(yaml.safe_load(params.read_text(encoding="utf-8")).get("notebooks") or {})
