"""``python -m dixitlib.reproduce``: the whole study anew, then compared or taken over.

``make reproduce`` plays and draws everything under ``build/NAME/`` and, for the committed
study, compares it with the repository. ``make accept`` takes the results over.
``make notebooks`` runs the notebooks in place.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import yaml
from tqdm import tqdm

from dixitlib.paths import REPOSITORY
from dixitlib.reproduce import compare, notebooks

COMMITTED = "offline"  # the params file whose results the repository holds
GIVEN = (
    "clues/bank.csv",
    "tarot",
    "weights",
    "published",
    "certificate",
    "bench_times",
    "prices.yaml",
    "analysis_plan.yaml",
    "human/*/*.jsonl",
)
MADE = (
    "data/cards",
    "data/clues/assigned.csv",
    "data/bench",
    # Only these: other runs are people's own, often paid for.
    "data/runs/offline",
    "data/runs/nulls",
    "data/runs/faulty",
    "data/runs/panel",
    "data/human/offline/cases.csv",
    "data/human/offline/items.csv",
    "data/human/offline/models.csv",
    "data/simulated/offline",
    "figures",
    "notebooks",
)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    options = _parser().parse_args(arguments)
    if options.command == "notebooks":
        run_notebooks(REPOSITORY, REPOSITORY, options.params)
        return 0
    if options.command == "accept":
        return accept(options.params)
    return reproduce(options.params)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m dixitlib.reproduce", description=__doc__)
    parser.add_argument("command", choices=("reproduce", "accept", "notebooks"))
    parser.add_argument("params", type=_params_file, help="a file of notebooks/params")
    return parser


def _params_file(name: str) -> Path:
    """Return the path of a params file, refused here if it is none; the study looks closer."""
    path = Path(name)
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise argparse.ArgumentTypeError(f"{path} can't be read: {error}") from error
    if not isinstance(content, dict):
        raise argparse.ArgumentTypeError(f"{path} holds no names with values")
    return path


def reproduce(params: Path) -> int:
    """Do everything anew in a fresh home, then compare it with the repository."""
    if asks_elsewhere(params):
        print(f"{params.name} asks models elsewhere, and doing it anew would pay for all again.")
        print(f"Play it with `make play PARAMS={params}`, which keeps what was paid.")
        return 1
    home = fresh_home(params)
    print(f"1/3  play: cards, clues, DixitBench and the arena, under {_shown(home)}", flush=True)
    # A process of its own, so that nothing played stays in the memory that analyses.
    study = [sys.executable, "-m", "dixitlib.study", str(params.resolve())]
    played = subprocess.run(study, env={**os.environ, "DIXITWORLD_HOME": str(home)})
    if played.returncode:  # it has said why
        return played.returncode
    print("2/3  analyse and draw: the notebooks", flush=True)
    run_notebooks(home, home, params)
    if params.stem != COMMITTED:
        print(f"3/3  done: {_shown(home)} (only {COMMITTED}.yaml has committed results)")
        return 0
    print("3/3  compare with what is committed", flush=True)
    return report(compare.trees(home, REPOSITORY, MADE))


def asks_elsewhere(params: Path) -> bool:
    """Tell whether a params file asks models that are no scripts of this repository."""
    content = yaml.safe_load(params.read_text(encoding="utf-8")) or {}
    endpoints = (content.get("endpoints") or {}).values()
    return any(not str(endpoint.get("url")).startswith("loopback:") for endpoint in endpoints)


def _shown(path: Path) -> Path:
    return path.relative_to(REPOSITORY) if path.is_relative_to(REPOSITORY) else path


def build_folder(params: Path) -> Path:
    """Return where a params file is reproduced."""
    return REPOSITORY / "build" / params.stem


def fresh_home(params: Path) -> Path:
    """Empty ``build/NAME/`` and lay what is given, not made, into it."""
    home = build_folder(params)
    shutil.rmtree(home, ignore_errors=True)
    given = [path for part in GIVEN for path in (REPOSITORY / "data").glob(part)]
    for source in given:
        target = home / source.relative_to(REPOSITORY)
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if source.is_dir() else shutil.copy2
        copy(source, target)
    return home


def run_notebooks(home: Path, target: Path, params: Path) -> None:
    """Execute every notebook against a home, two at a time, and show how far it is."""
    sources = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
    values = notebooks.assign(sources, notebooks.read_values(params))
    with ProcessPoolExecutor(2) as pool:
        runs = [
            pool.submit(notebooks.execute, s, target / "notebooks" / s.name, values[s], home)
            for s in sources
        ]
        for run in tqdm(as_completed(runs), total=len(runs), unit="notebook"):
            run.result()


def report(differences: list[compare.Difference]) -> int:
    """Print every difference and return 1 if one of them is more than rounding."""
    for difference in differences:
        print(difference)
    failed = sum(d.verdict == "different" for d in differences)
    rounded = len(differences) - failed
    print(f"{failed} differences, {rounded} of rounding" if differences else "no difference")
    if failed:
        print("To keep the new results: make accept, then commit and say why they changed.")
    return 1 if failed else 0


def accept(params: Path) -> int:
    """Take over what the last ``make reproduce`` made."""
    home = build_folder(params)
    if params.stem != COMMITTED or not (home / "notebooks").is_dir():
        print(f"Nothing to accept: run make reproduce with {COMMITTED}.yaml first.")
        return 1
    for part in MADE:
        if (home / part).exists():
            _replace(home / part, REPOSITORY / part)
    print("Taken over. Look at git diff, then commit and say why the results changed.")
    return 0


def _replace(source: Path, target: Path) -> None:
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
        return
    kept: Mapping[str, Path] = {p.name: p for p in source.iterdir()}
    for old in target.glob("*"):
        # Notebooks stay beside folders that are written by hand, such as their params.
        if old.name not in kept and not (old.is_dir() and target.name == "notebooks"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copytree(source, target, dirs_exist_ok=True)


if __name__ == "__main__":
    sys.exit(main())
