"""The manifest of a run: what was asked for, of what, and by which software.

`parameters` and `inputs` (hashes of deck, weights, prompts) make a run what it is and are
compared when it is resumed. `provenance` is recorded when it begins, `account` (what models
cost and how they were asked) when it ends; neither is compared then.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from dixitlib import paths

NAME = "manifest.json"
COMPARED = ("parameters", "inputs")


class RunError(ValueError):
    """A run's folder is damaged, or holds another run; the message says what to do about it."""


def provenance() -> dict[str, object]:
    """Return the versions of Python and of the packages we require, and our sources' hash."""
    required = [line for line in metadata.requires("dixitlib") or () if "extra ==" not in line]
    names = sorted(re.match(r"[\w.-]+", line).group() for line in required)
    return {
        "python": platform.python_version(),
        "packages": {name: metadata.version(name) for name in names},
        "sources": sources(),
    }


def sources() -> str:
    """Return the hash of the library's own Python files, names and contents."""
    package = paths.REPOSITORY / "dixitlib"
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        name, content = path.relative_to(package).as_posix(), path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def read_manifest(run: str | Path) -> dict[str, object]:
    """Return the manifest of a run.

    Raises
    ------
    FileNotFoundError, RunError
        If it is missing, or is no JSON.
    """
    path = existing(run, NAME)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RunError(f"{path} is damaged ({error}): restore it or delete the run") from error


def settle(
    folder: Path,
    parameters: Mapping[str, object],
    inputs: Mapping[str, object],
    noted: Mapping[str, object],
) -> None:
    """Write the manifest of a new run, or compare that of an old one with what is asked now.

    What is `noted` stands beside the provenance of a new run and is no part of the comparison.

    Raises
    ------
    RunError
        If the old one was made with other parameters or inputs; the message names them.
    """
    asked = json.loads(json.dumps({"parameters": parameters, "inputs": inputs}))
    if not (folder / NAME).exists():
        _write_whole(folder / NAME, {**asked, "provenance": {**provenance(), **noted}})
        return
    kept, asked = _flat(read_manifest(folder)), _flat(asked)
    keys = sorted(key for key in kept | asked if key.startswith(COMPARED))
    if differing := [key for key in keys if kept.get(key) != asked.get(key)]:
        each = "; ".join(f"{key} was {kept.get(key)!r}, is {asked.get(key)!r}" for key in differing)
        raise RunError(
            f"{folder} holds another run: {each}. Set these back, write to another folder, "
            "or delete this one to begin anew"
        )


def settle_account(folder: Path, account: Mapping[str, object]) -> None:
    """Write into a run's manifest what its models cost, in place of an earlier account."""
    manifest = read_manifest(folder)
    if manifest.get("account") != (account := json.loads(json.dumps(account))):
        _write_whole(folder / NAME, {**manifest, "account": account})


def locate(run: str | Path) -> Path:
    """Return the folder of a run; a relative one lies in the home (see `paths`)."""
    return paths.home() / run


def existing(run: str | Path, name: str) -> Path:
    """Return the path of a run's file.

    Raises
    ------
    FileNotFoundError
        If it is not there; the message says which command makes it.
    """
    path = locate(run) / name
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing: `python -m dixitlib.study PARAMS.yaml` plays a run "
            "(`make reproduce` plays those under data/runs)"
        )
    return path


def _write_whole(path: Path, content: Mapping[str, object]) -> None:
    """Write a JSON file so that a crash leaves all of it or none."""
    text = json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    draft = path.with_suffix(".draft")
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _flat(tree: Mapping[str, object], above: str = "") -> dict[str, object]:
    """Return a nested mapping as one whose keys are dotted paths."""
    flat = {}
    for key, value in tree.items():
        nested = isinstance(value, Mapping)
        flat |= _flat(value, f"{above}{key}.") if nested else {f"{above}{key}": value}
    return flat
