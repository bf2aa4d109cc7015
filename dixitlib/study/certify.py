"""``make certify``: what is the statistics' word worth?

A thousand tournaments of players whose every number is known are played and analysed as
any run is. For each statistic that the notebooks report, the certificate has its bias, how
often its 95% interval holds the truth, and how often it rejects what is true (its type I
error) or finds what is there (its power), under the `trials`.

Power curves and the recovery of known numbers are made beside it (`curves`, `recovery`).
An interval passes if it holds the truth in 92 to 97% of cases (above, it is conservative), a
test if it rejects a true hypothesis in at most 6.5%; exact tests may do so more rarely.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from tqdm import tqdm

from dixitlib import paths
from dixitlib.study import curves, recovery, reported
from dixitlib.study.reported import Found
from dixitlib.study.simulator import play
from dixitlib.study.trials import TRIALS, Trial
from dixitlib.study.truths import truths

SEED = 2510
TOURNAMENTS = 1000
BLOCK = 20  # tournaments a process takes at once
SLICE = 1  # tournaments of each trial whose findings are kept one by one, for a test
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
        tested hypotheses are true), rejected (share of them, at 5%); and verdict: ``passes``,
        or what fails. What a statistic does not give is missing.
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
    repeats = max(2, tournaments // 10)
    for case in product(recovery.PARAMETERS, recovery.SPREADS, recovery.TRUE):
        yield Job("recovery", recovery.recovered, (*case, repeats))
    for case in product(("literal", "partial"), recovery.ALPHAS):
        yield Job("recovery", recovery.recovered_alpha, (RUN, *case, repeats))


def run(work: Sequence[Job], pool: Executor) -> dict[str, pd.DataFrame]:
    """Do all jobs, showing how far it is, and return the tables by name."""
    done = [pool.submit(job.function, *job.arguments) for job in work]
    parts = [part.result() for part in tqdm(done, unit="job")]
    tables: dict[str, list[pd.DataFrame]] = {}
    for job, part in zip(work, parts, strict=True):
        tables.setdefault(job.table, []).append(part)
    return {name: pd.concat(each, ignore_index=True) for name, each in tables.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line: write certificate, slice, power curves and recovery."""
    parser = argparse.ArgumentParser(prog="python -m dixitlib.study.certify", description=__doc__)
    parser.add_argument("--tournaments", type=int, default=TOURNAMENTS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--scheduler", help="of a Dask cluster, to work there")
    options = parser.parse_args(arguments)
    with _pool(options.scheduler, options.processes) as pool:
        tables = run(list(jobs(options.tournaments)), pool)
    found = tables.pop("findings")
    table = certificate(found)
    save(found[found["tournament"] < SLICE], "slice")
    save(table, "certificate")
    for name, other in tables.items():
        save(other, name)
    print(table.loc[table["verdict"] != "passes"].to_string(index=False))
    print(f"{(table['verdict'] == 'passes').sum()} of {len(table)} statistics pass")


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
    ((rounds, votes),) = play(players, seed=seed, first=number, setting=asked.setting)
    frames = reported.prepared(rounds, votes)
    for report in asked.reports:
        for found in report(*frames):
            if asked.fields == 1 or found.who == players[0].name:
                yield found


def _true(asked: Trial) -> pd.Series:
    """Return the truths of a trial; the mean over fields, where these are drawn."""
    fields = [pd.Series(truths(asked.field(k), asked.setting)) for k in range(asked.fields)]
    return pd.concat(fields).groupby(level=[0, 1]).mean().rename_axis(["statistic", "who"])


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
    return row | {"verdict": ", ".join(_faults(row)) or "passes"}


def _null(trial: str, statistic: str, part: pd.DataFrame) -> bool:
    """Tell whether what is tested is true: the effect is 0, or nothing is there to be found."""
    if part["estimate"].notna().any():
        return bool(part["truth"].abs().max() < ZERO)
    if statistic == "TOST, equal phases":  # the null is a difference, which there is not
        return False
    return TRIALS[trial].alike or statistic in TRUE_NULLS


def _faults(row: dict[str, object]) -> Iterator[str]:
    low, high = COVERAGE
    if row["coverage"] < low:
        yield f"covers {row['coverage']:.3f}"
    if row["coverage"] > high:
        yield f"conservative, covers {row['coverage']:.3f}"
    if row["null"] and row["rejected"] > TYPE_I:
        yield f"rejects {row['rejected']:.3f}"


if __name__ == "__main__":
    main()
