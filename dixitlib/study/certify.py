"""``make certify``: what is the statistics' word worth?

A thousand tournaments of players whose every number is known are played and analysed as
any run is. For each statistic that the notebooks report, the certificate has its bias, how
often its 95% interval holds the truth, and how often it rejects what is true (its type I
error) or finds what is there (its power), under the `trials`.

Power curves and the recovery of known numbers are made beside it (`curves`, `recovery`).
An interval holds if it has the truth in 92 to 97% of cases, a test if it rejects a true
hypothesis in at most 6.5%; exact tests may do so more rarely. Above 97% an interval is astray
too: it says less than it could.

A thousand tournaments of each trial, curves and recovery took 40 processor minutes. What is
done is kept below ``build/certificate/``, so that a run may be stopped, and the tables are the
same for any number of processes.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from dixitlib import paths, store
from dixitlib.study import curves, recovery
from dixitlib.study.reported import Found
from dixitlib.study.simulator import SimulatedPlayer
from dixitlib.study.trials import TRIALS, Trial

SEED = 2510
TOURNAMENTS = 1000
BLOCK = 20  # tournaments a process takes at once
SLICE = 1  # tournaments of each trial whose findings are kept one by one, for a test
KEEP = Path("build/certificate")
RUN = "data/runs/offline"  # whose clues storytellers of known alpha choose from
COVERAGE, TYPE_I = (0.92, 0.97), 0.065
COLUMNS = ["trial", "tournament", *Found._fields]
ZERO = 1e-4  # what a numerical optimum may be off
TRUE_NULLS = ("position, shuffler", "paired permutation, phase", "TOST, on the margin")


@dataclass(frozen=True, slots=True)
class Job:
    """A part of a table, and how to make it in any process."""

    table: str
    function: Callable[..., pd.DataFrame]
    arguments: tuple[object, ...]


def findings(trial: str, first: int, tournaments: int, seed: int = SEED) -> pd.DataFrame:
    """Return what every estimator of a trial says of some tournaments, one row a finding."""
    gc.freeze()  # statsmodels collects garbage at every Holm, and need not look at all modules
    asked = TRIALS[trial]
    rows = [
        (trial, number, *found)
        for number in range(first, first + tournaments)
        for found in _reported(asked, number, seed)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def certificate(found: pd.DataFrame) -> pd.DataFrame:
    """Set findings beside the truth.

    Parameters
    ----------
    found
        From `findings`, of one trial or several.

    Returns
    -------
    DataFrame
        trial, statistic; tournaments, estimates (over all players or pairs); truth (mean),
        bias (mean error of an estimate), error (root mean square); coverage of the
        intervals, worst (that of the player or pair where it is least); null (whether all
        tested hypotheses are true), rejected (share of them, at 5%); and verdict: ``holds``,
        or ``astray`` with how. What a statistic does not give is missing.
    """
    parts = [_certified(trial, part) for trial, part in found.groupby("trial", sort=False)]
    return pd.concat(parts, ignore_index=True)


def jobs(tournaments: int) -> Iterator[Job]:
    """Yield all there is to do, in the order in which the tables have it."""
    for trial, first in product(TRIALS, range(0, tournaments, BLOCK)):
        yield Job("findings", findings, (trial, first, min(BLOCK, tournaments - first)))
    repeats = max(1, tournaments // 5)
    for name, question in curves.QUESTIONS.items():
        for difference in question.differences:
            yield Job("power", curves.curve, (name, difference, repeats))
    for case in product(recovery.PARAMETERS, recovery.SPREADS, recovery.TRUE):
        yield Job("recovery", recovery.recovered, (*case, max(2, tournaments)))
    repeats = max(2, tournaments // 10)
    for case in product(("literal", "partial"), recovery.ALPHAS):
        yield Job("recovery", recovery.recovered_alpha, (RUN, *case, repeats))


def run(work: Sequence[Job], pool: Executor, folder: Path) -> dict[str, pd.DataFrame]:
    """Do all jobs that are not done yet, and return the tables by name.

    Each job's part is kept in the folder as soon as it is there, so a run that was stopped
    goes on where it was.
    """
    kept = [folder / f"{number:04d}.parquet" for number in range(len(work))]
    missing = {
        path: pool.submit(job.function, *job.arguments)
        for path, job in zip(kept, work, strict=True)
        if not path.exists()
    }
    for path, part in tqdm(missing.items(), unit="job"):
        unfinished = path.with_suffix(".part")
        part.result().to_parquet(unfinished)
        unfinished.replace(path)
    tables: dict[str, list[pd.DataFrame]] = {}
    for job, path in zip(work, kept, strict=True):
        tables.setdefault(job.table, []).append(pd.read_parquet(path))
    return {name: pd.concat(each, ignore_index=True) for name, each in tables.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line: write certificate, slice, power curves and recovery."""
    parser = argparse.ArgumentParser(prog="python -m dixitlib.study.certify", description=__doc__)
    parser.add_argument("--tournaments", type=int, default=TOURNAMENTS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--scheduler", help="of a Dask cluster, to work there")
    kept = "where what is done is kept, by the library's sources"
    parser.add_argument("--keep", type=Path, default=KEEP, help=kept)
    options = parser.parse_args(arguments)
    folder = options.keep / f"{options.tournaments}-{store.sources()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    with _pool(options.scheduler, options.processes) as pool:
        tables = run(list(jobs(options.tournaments)), pool, folder)
    found = tables.pop("findings")
    table = certificate(found)
    save(found[found["tournament"] < SLICE], "slice")
    save(table, "certificate")
    for name, other in tables.items():
        save(other, name)
    kinds = table["verdict"].str.split(":").str[0]
    print(table.loc[kinds != "holds"].to_string(index=False))
    print(kinds.value_counts().to_string())


def _pool(scheduler: str | None, processes: int) -> AbstractContextManager[Executor]:
    if scheduler is None:
        return ProcessPoolExecutor(processes)
    from dixitlib.study import cluster  # an extra, and a second that others save

    return cluster.working(scheduler, processes, paths.data("cards"))


def save(table: pd.DataFrame, name: str) -> None:
    """Write a table to ``data/certificate/NAME.csv``."""
    path = paths.data("certificate", f"{name}.csv")
    path.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(path, index=False, float_format="%.6f", lineterminator="\n")


def _reported(asked: Trial, number: int, seed: int) -> Iterator[Found]:
    """Play one tournament and yield what is reported of it."""
    players = asked.field(number)
    frames = asked.study(players, number, seed=seed, setting=asked.setting)
    for report in asked.reports:
        for found in report(*frames):
            if asked.asks(found.who, players):
                yield found


def _true(asked: Trial) -> pd.Series:
    """Return the truths of a trial; the mean over fields, where these are drawn."""
    fields = [_of_field(asked, asked.field(number)) for number in range(asked.fields)]
    return pd.concat(fields).groupby(level=[0, 1]).mean().rename_axis(["statistic", "who"])


def _of_field(asked: Trial, players: Sequence[SimulatedPlayer]) -> pd.Series:
    true = asked.truths(players, asked.setting).items()
    return pd.Series({key: value for key, value in true if asked.asks(key[1], players)})


def _certified(trial: str, found: pd.DataFrame) -> pd.DataFrame:
    true = _true(TRIALS[trial])
    told, keys = true.rename("truth").reset_index(), ["statistic", "who"]
    both = found.merge(told, how="left", on=keys, validate="many_to_one")
    both["miss"] = both["estimate"] - both["truth"]
    ends = both[["low", "high", "truth"]].notna().all(axis=1)
    both["held"] = both["truth"].between(both["low"], both["high"]).where(ends).astype(float)
    excluded = ~pd.Series(0.0, both.index).between(both["low"], both["high"])
    tested = both["p"].lt(0.05).where(both["p"].notna(), excluded.where(both["low"].notna()))
    both["rejected"] = tested.astype(float)
    rows = [_row(trial, name, part) for name, part in both.groupby("statistic", sort=False)]
    return pd.DataFrame(rows)


def _row(trial: str, statistic: str, part: pd.DataFrame) -> dict[str, object]:
    null = _null(trial, statistic, part)
    by_whom = part.groupby("who")["held"].mean()
    row = {
        "trial": trial,
        "statistic": statistic,
        "tournaments": part["tournament"].nunique(),
        "estimates": len(part),
        "truth": part["truth"].mean(),
        "bias": part["miss"].mean(),
        "error": np.sqrt(np.square(part["miss"]).mean()),
        "coverage": part["held"].mean(),
        "worst": by_whom.min(),
        "null": null,
        "rejected": part["rejected"].mean(),
    }
    return row | {"verdict": _verdict(row)}


def _null(trial: str, statistic: str, part: pd.DataFrame) -> bool:
    """Tell whether what is tested is true: the effect is 0, or nothing is there to be found."""
    if part["estimate"].notna().any():
        return bool(part["truth"].abs().max() < ZERO)
    if statistic == "TOST, equal phases":  # the null is a difference, which there is not
        return False
    return TRIALS[trial].alike or statistic in TRUE_NULLS


def _verdict(row: dict[str, object]) -> str:
    low, high = COVERAGE
    faults = []
    if row["coverage"] < low or row["coverage"] > high:
        faults.append(f"covers {row['coverage']:.3f}")
    if row["null"] and row["rejected"] > TYPE_I:
        faults.append(f"rejects {row['rejected']:.3f}")
    return f"astray: {', '.join(faults)}" if faults else "holds"


if __name__ == "__main__":
    main()
