import os

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from papermill import PapermillExecutionError

from dixitlib.reproduce import notebooks


def lay(path, *sources, tagged=True):
    cells = [new_markdown_cell("# A question")]
    cells += [new_code_cell(s, id=f"cell-{i}") for i, s in enumerate(sources)]
    cells[0].id = "title"
    if tagged:
        cells[1].metadata["tags"] = ["parameters"]
    node = new_notebook(cells=cells)
    node.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    node.metadata["language_info"] = {"name": "python"}
    nbformat.write(node, path)
    return path


def test_running_twice_gives_the_same_bytes_and_parameters_leave_no_cell(tmp_path):
    source = lay(tmp_path / "n.ipynb", "x = 1", "print(x)", "x + 1")
    one = notebooks.execute(source, tmp_path / "one.ipynb", {"x": 5}, tmp_path)
    two = notebooks.execute(source, tmp_path / "two.ipynb", {"x": 5}, tmp_path)
    assert one.read_bytes() == two.read_bytes()
    cells = nbformat.read(one, as_version=4).cells
    assert [c.source for c in cells] == ["# A question", "x = 1", "print(x)", "x + 1"]
    assert cells[2].outputs[0].text == "5\n"
    assert [c.execution_count for c in cells[1:]] == [1, 2, 3]
    assert cells[3].outputs[0].execution_count == 3
    assert cells[1].metadata == {"tags": ["parameters"]}
    assert not list(tmp_path.glob("*.unfinished.ipynb"))


def test_the_home_reaches_the_notebook_and_no_other_code(tmp_path, monkeypatch):
    monkeypatch.setenv("DIXITWORLD_HOME", "elsewhere")
    source = lay(tmp_path / "n.ipynb", "x = 1", "import os; print(os.environ['DIXITWORLD_HOME'])")
    run = notebooks.execute(source, tmp_path / "out.ipynb", {}, tmp_path)
    assert nbformat.read(run, as_version=4).cells[2].outputs[0].text == f"{tmp_path}\n"
    assert os.environ["DIXITWORLD_HOME"] == "elsewhere"


def test_a_failing_cell_leaves_the_target_as_it_was(tmp_path):
    source = lay(tmp_path / "n.ipynb", "x = 1", "1 / 0")
    before = source.read_bytes()
    with pytest.raises(PapermillExecutionError, match="ZeroDivisionError"):
        notebooks.execute(source, source, {}, tmp_path)
    assert source.read_bytes() == before


def test_parameters_must_be_declared_by_a_tagged_cell(tmp_path):
    with pytest.raises(ValueError, match=r"n\.ipynb has no cell tagged 'parameters'"):
        notebooks.parameters(lay(tmp_path / "n.ipynb", "x = 1", tagged=False))


def test_each_notebook_gets_what_it_declares_and_a_stray_value_is_refused(tmp_path):
    a = lay(tmp_path / "a.ipynb", "x = 1")
    b = lay(tmp_path / "b.ipynb", "x = 1\ny = 2")
    assert notebooks.assign([a, b], {"x": 3, "y": 4}) == {a: {"x": 3}, b: {"x": 3, "y": 4}}
    with pytest.raises(ValueError, match=r"\['z'\]"):
        notebooks.assign([a, b], {"x": 3, "z": 4})


def test_a_widget_leaves_its_text_and_no_state(tmp_path):
    source = lay(tmp_path / "n.ipynb", "x = 1", "import ipywidgets\nipywidgets.Button()")
    node = nbformat.read(notebooks.execute(source, source, {}, tmp_path), as_version=4)
    (output,) = node.cells[2].outputs
    assert list(output["data"]) == ["text/plain"]
    assert "widgets" not in node.metadata


def test_what_is_printed_in_a_row_is_one_output_however_it_was_sent(tmp_path):
    # A busy machine sent "...matter." and its line end apart, and a run "differed".
    sent = (
        "import time\nfrom IPython.display import display\n"
        "print('a', end='', flush=True); time.sleep(0.3); print()\n"
        "display(x)\nprint('b', flush=True); time.sleep(0.3); print('c')"
    )
    source = lay(tmp_path / "n.ipynb", "x = 1", sent)
    run = notebooks.execute(source, tmp_path / "out.ipynb", {}, tmp_path)
    outputs = nbformat.read(run, as_version=4).cells[2].outputs
    found = [o.get("text", o.get("data")) for o in outputs]
    assert found == ["a\n", {"text/plain": "1"}, "b\nc\n"]
