"""What holds for the repository as a whole: pins, rooms, style, commands."""

import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dixitlib.paths import REPOSITORY

LOCK = (REPOSITORY / "requirements.lock").read_text().split()
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]


def run(*command):
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)


def test_the_lock_pins_every_package_exactly_and_portably():
    assert all(re.fullmatch(r"[\w.\-]+==[\w.]+", line) for line in LOCK), "no hashes, no '+'"
    assert "torch==2.13.0" in LOCK


def test_the_lock_covers_what_the_project_asks_for():
    pinned = {canonicalize_name(line.split("==")[0]) for line in LOCK}
    asked = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
    assert {canonicalize_name(Requirement(r).name) for r in asked} <= pinned


def test_conda_says_the_same_as_the_lock():
    environment = yaml.safe_load((REPOSITORY / "environment.yml").read_text())
    *_, pip = environment["dependencies"]
    assert pip == {"pip": ["-r requirements.lock", "-e ."]}
    python = next(d for d in environment["dependencies"] if str(d).startswith("python="))
    assert f">={python.split('=')[1]}" == PROJECT["requires-python"]


@pytest.mark.parametrize(
    "command", [("ruff", "check", "."), ("ruff", "format", "--check", "."), ("lint-imports",)]
)
def test_style_and_the_table_of_rooms_hold(command):
    name, *arguments = command
    done = run(str(REPOSITORY / ".venv/bin" / name), *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("room", ["dixitlib.game.rules", "dixitlib.records"])
def test_rules_and_records_load_the_standard_library_only(room):
    code = (
        f"import sys, {room}; names = {{m.split('.')[0] for m in sys.modules}}; "
        "print(sorted(n for n in names - set(sys.stdlib_module_names) if n[0] != '_'))"
    )
    # -S -I keep site hooks of other packages out; the repository is put on the path by hand.
    path = f"import sys; sys.path.insert(0, {str(REPOSITORY)!r}); "
    done = run(sys.executable, "-S", "-I", "-c", path + code)
    assert done.stdout.strip() == "['dixitlib']", done.stderr


def test_every_make_command_that_the_readme_names_exists():
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", (REPOSITORY / "README.md").read_text(), re.M))
    targets = set(re.findall(r"^([a-z]+):", (REPOSITORY / "Makefile").read_text(), re.M))
    assert named and named <= targets, named - targets


def test_make_help_lists_every_command():
    targets = set(re.findall(r"^([a-z]+):", (REPOSITORY / "Makefile").read_text(), re.M))
    # Under another make, make would print which folder it enters.
    printed = run("make", "--no-print-directory", "help").stdout
    listed = {line.split()[0] for line in printed.splitlines()}
    assert listed == targets
