"""Every notebook in its form, with outputs that running it gives again."""

import ast
import json
import os
import platform
import re
import subprocess
import sys

import nbformat
import pytest
import yaml

from dixitlib.paths import REPOSITORY
from dixitlib.reproduce import notebooks

NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
PARAMS = sorted((REPOSITORY / "notebooks/params").glob("*.yaml"))
ASKING = {"02", "03", "04", "11", "17", "18"}  # these ask eyes or an encoder
SEEING = [p for p in NOTEBOOKS if p.name[:2] in ASKING]
ANALYSES = [p for p in NOTEBOOKS if p.name[:2] not in ASKING]
BATCHES = [SEEING[::2], SEEING[1::2], *(ANALYSES[k::4] for k in range(4))]
"""Notebooks that one process runs after another: nbval takes seconds to load."""
ON_A_RUN = [p for p in NOTEBOOKS if "run" in notebooks.parameters(p) and p.name[:2] != "11"]
PLAINEST_KERNELS = {
    "OPENBLAS_CORETYPE": "Nehalem",
    "MKL_CBWR": "COMPATIBLE",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "ATEN_CPU_CAPABILITY": "default",
}
"""What old processors compute with: unlike those of this one, which round in other places.

`make reproduce` uses the latter, so every output is seen to be the same under both.
"""

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)


def code_cells(path):
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]


def home_with_our_data(folder):
    """A home that reads the committed data and keeps its figures to itself."""
    for part in ("data", "build/cache"):
        (folder / part).parent.mkdir(exist_ok=True)
        (REPOSITORY / part).mkdir(parents=True, exist_ok=True)
        (folder / part).symlink_to(REPOSITORY / part, target_is_directory=True)
    return {**os.environ, "DIXITWORLD_HOME": str(folder)}


def without_torch(folder):
    """Let whoever imports torch fail."""
    said = "a notebook that only analyses loads no torch"
    (folder / "torch.py").write_text(f"raise AssertionError({said!r})\n")
    return {"PYTHONPATH": str(folder)}


@every_notebook
def test_a_notebook_has_the_form_that_readers_rely_on(path):
    node = nbformat.read(path, as_version=4)
    assert notebooks.parameters(path) is not None
    first, last = node.cells[0], "".join(c.source for c in node.cells if c.cell_type == "markdown")
    assert re.match(r"# .*\?", first.source), "the title is the question"
    assert "Reads" in last and "Writes" in last
    assert "## Answer" in last and "## Exercise" in last
    assert node == notebooks.normalise(nbformat.read(path, as_version=4))


@pytest.mark.parametrize("page", ["README.md", "notebooks/00_start_here.ipynb"])
def test_a_map_lists_every_notebook_with_its_question(page):
    path = REPOSITORY / page
    text = path.read_text()
    if path in NOTEBOOKS:
        text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    listed = re.findall(r"^\| \[\w+\]\((\S+)\) \| ([^|]+) \|", text, re.M)
    questions = {p: nbformat.read(p, as_version=4).cells[0].source for p in NOTEBOOKS if p != path}
    assert [path.parent / target for target, _ in listed] == list(questions)
    first_lines = [source.splitlines()[0] for source in questions.values()]
    assert [f"# {question}" for _, question in listed] == first_lines


@every_notebook
def test_links_of_a_notebook_lead_somewhere(path):
    cells = nbformat.read(path, as_version=4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    targets = re.findall(r"\]\((?!https?:|#|attachment:)([^)#\s]+)", prose)
    assert [target for target in targets if not (path.parent / target).exists()] == []


@every_notebook
def test_a_notebook_was_run_and_shows_no_path_error_or_long_cell(path):
    cells = code_cells(path)
    assert all(c.execution_count for c in cells), "nbval would skip a cell without a count"
    outputs = json.dumps([c.outputs for c in cells])
    assert not re.search(r"/(home|root|tmp|work|Users)/", outputs)
    assert '"output_type": "error"' not in outputs and '"name": "stderr"' not in outputs
    assert max(len(c.source.splitlines()) for c in cells) <= 15


@every_notebook
def test_a_params_file_can_set_every_name_of_the_parameters_cell(path):
    # papermill knows one name a line: of `run, nulls = ...` it would set neither.
    cell = next(c for c in code_cells(path) if "parameters" in c.metadata.get("tags", []))
    assigned = [n for n in ast.walk(ast.parse(cell.source)) if isinstance(n, ast.Name)]
    assert {n.id for n in assigned if isinstance(n.ctx, ast.Store)} == notebooks.parameters(path)


@pytest.mark.takes(60)
@pytest.mark.parametrize("paths", BATCHES, ids=lambda b: " ".join(p.name[:2] for p in b))
def test_running_notebooks_gives_the_committed_outputs(paths, tmp_path):
    command = [sys.executable, "-m", "pytest", "-p", "nbval.plugin", "--nbval", *map(str, paths)]
    command += ["-p", "no:cacheprovider"]
    # Other plugins take longer to load than many a notebook to run.
    environment = home_with_our_data(tmp_path) | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    if platform.machine() in {"x86_64", "AMD64"}:
        environment |= PLAINEST_KERNELS
    if paths[0] in ANALYSES:
        environment |= without_torch(tmp_path)
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:]


def test_torch_can_be_kept_from_a_notebook(tmp_path):
    environment = os.environ | without_torch(tmp_path)
    command = [sys.executable, "-c", "import dixitlib.models.glimpse"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert "only analyses loads no torch" in done.stderr


@pytest.mark.takes(25)
@pytest.mark.parametrize("path", ON_A_RUN, ids=lambda p: p.stem)
def test_a_notebook_runs_on_a_run_made_through_an_api(path, tmp_path, monkeypatch):
    monkeypatch.setenv("DIXITWORLD_HOME", home_with_our_data(tmp_path)["DIXITWORLD_HOME"])
    notebooks.execute(path, tmp_path / path.name, {"run": "faulty"}, tmp_path)
    facts = [json.loads(p.read_text()) for p in (tmp_path / "figures").rglob("*.json")]
    drawn = [fact for fact in facts if fact["run"] == "faulty"]
    assert all(fact["asked"]["table"] == ["faulty"] for fact in drawn)
    assert bool(drawn) == any((REPOSITORY / "figures").rglob(f"{path.name[:2]}_*.json"))


@pytest.mark.parametrize("path", PARAMS, ids=lambda p: p.stem)
def test_a_params_file_sets_only_what_notebooks_declare(path):
    values = notebooks.read_values(path)
    assert isinstance(values, dict)
    notebooks.assign(NOTEBOOKS, values)
    assert yaml.safe_load(path.read_text())["name"] == path.stem
