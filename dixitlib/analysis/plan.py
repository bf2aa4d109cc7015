"""The analysis plan: what was to be tested, and whether a test at hand is one of that.

``data/analysis_plan.yaml`` lists hypotheses; a run's manifest records its hash. A test that
is not listed is exploratory, whatever its p-value. The tests of a family are corrected
together by Holm's method, those that nobody made included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from dixitlib import paths
from dixitlib.analysis.contrasts import holm

EXPLORATORY = "exploratory"


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One claim and how it is tested.

    Parameters
    ----------
    id
        Its name.
    claim
        What is said, in words.
    estimand
        The number that the claim is about.
    test
        How it is tested, and what counts as one observation.
    family
        What it is corrected with.
    notebook
        Where.
    margin
        Greatest difference that would not matter; None unless equivalence is tested.
    """

    id: str
    claim: str
    estimand: str
    test: str
    family: str
    notebook: str
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """All hypotheses by id, and the level at which a family is tested."""

    alpha: float
    hypotheses: Mapping[str, Hypothesis]


def load(path: Path | None = None) -> Plan:
    """Read the analysis plan.

    Parameters
    ----------
    path
        By default ``data/analysis_plan.yaml`` of the home.

    Raises
    ------
    ValueError
        If a hypothesis lacks a field, has an unknown one, shares its id with another, or
        tests equivalence without a margin; every fault is named.
    """
    path = path or paths.data("analysis_plan.yaml")
    content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    entries = content.get("hypotheses") or []
    faults = [fault for entry in entries for fault in _faults(entry)]
    ids = Counter(entry.get("id") for entry in entries)
    faults += [f"{id} stands there {count} times" for id, count in ids.items() if count > 1]
    if not 0 < content.get("alpha", np.nan) < 1:
        faults.append("alpha must lie between 0 and 1")
    if faults:
        raise ValueError(f"{path.name} is no analysis plan: " + "; ".join(faults))
    return Plan(content["alpha"], {entry["id"]: Hypothesis(**entry) for entry in entries})


def table(plan: Plan, notebook: str | None = None) -> pd.DataFrame:
    """Return the hypotheses as rows, those of one notebook if it is named."""
    rows = [asdict(h) for h in plan.hypotheses.values() if notebook in (None, h.notebook)]
    return pd.DataFrame(rows, columns=[field.name for field in fields(Hypothesis)])


def label(plan: Plan, hypothesis: str) -> str:
    """Say in a line whether a test is planned, and if so what it was to be.

    Parameters
    ----------
    plan
        The plan.
    hypothesis
        Id of a hypothesis, or any name for a test that is not in the plan.
    """
    planned = plan.hypotheses.get(hypothesis)
    if planned is None:
        return f"{EXPLORATORY}: {hypothesis} is not in the analysis plan"
    margin = "" if planned.margin is None else f", margin {planned.margin:g}"
    return f"planned: {planned.id} ({planned.test}{margin}; family: {planned.family})"


def corrected(plan: Plan, tests: pd.DataFrame) -> pd.DataFrame:
    """Return tests with their family, and their p-values corrected within it.

    Parameters
    ----------
    plan
        The plan.
    tests
        One row a test: hypothesis, p, and whatever else is to be kept. A hypothesis may be
        tested several times, such as once a player.

    Returns
    -------
    DataFrame
        The rows with family (``exploratory`` outside the plan), holm and rejected. A
        family counts its tests here and one for each hypothesis of its that is not here, so
        that a notebook which tests half a family corrects for all. Exploratory tests have
        no correction: nobody knows how many were tried.
    """
    family = tests["hypothesis"].map({id: h.family for id, h in plan.hypotheses.items()})
    adjusted = pd.Series(np.nan, index=tests.index)
    for name, p in tests["p"].groupby(family):
        named = {h.id for h in plan.hypotheses.values() if h.family == name}
        absent = len(named - set(tests["hypothesis"]))
        adjusted[p.index] = holm([*p, *[np.nan] * absent])[: len(p)]
    return tests.assign(
        family=family.fillna(EXPLORATORY), holm=adjusted, rejected=adjusted < plan.alpha
    )


def _faults(entry: Mapping[str, Any]) -> list[str]:
    name = entry.get("id", "a hypothesis without id")
    known = {field.name for field in fields(Hypothesis)}
    missing = sorted(known - {"margin"} - entry.keys())
    faults = [f"{name} lacks {', '.join(missing)}"] if missing else []
    unknown = sorted(entry.keys() - known)
    faults += [f"{name} has unknown fields {', '.join(unknown)}"] if unknown else []
    margin = entry.get("margin")
    if str(entry.get("test", "")).startswith("equivalence") and not (margin and margin > 0):
        faults.append(f"{name} tests equivalence without a margin above 0")
    return faults
