"""The published claims of GAM-Agent, and what its own tables say of each.

Claims and verdicts are those of `audit`. V*Bench has 115 questions about attributes and 76
about positions, so that its percentages stand for counts, or for none.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from dixitlib.analysis import published
from dixitlib.analysis.audit import Claim, Load, as_frame, counts, lines

VSTAR = {"VStar_attribute": 115, "VStar_spatial": 76}
VSTAR_ALL = "VStar_overall"
MMBENCH, MVBENCH = "MMBench_V11_Test", "MVBench_Test"
SMALL = ("Qwen2.5VL-7B", "InternVL3-14B")
LARGE = ("Qwen2.5VL-72B", "InternVL3-78B", "GPT-4o-0513")
STATED = {SMALL: (5.8, 6.7), LARGE: (2.6, 4.1)}  # gains on MMBench and MVBench
CELL = ["backbone", "benchmark"]


def gam_agent(load: Load = published.traced) -> pd.DataFrame:
    """Return the claims of GAM-Agent (arXiv 2505.23399), as `audit.dixitworld` does."""
    accuracy, ablation = load("gam_agent_accuracy"), load("gam_agent_ablation")
    totals = {**VSTAR, VSTAR_ALL: sum(VSTAR.values())}
    claims = [
        *(_vstar_counts(accuracy, name, total) for name, total in totals.items()),
        _vstar_wholes(accuracy),
        _same_order(accuracy),
        *(_gains(accuracy, models) for models in STATED),
        *_repeated(printed_twice(load)),
        _default(load("gam_agent_hyperparameters")),
        _without_debate(ablation),
        _uncertainty(load("gam_agent_uncertainty")),
    ]
    return as_frame(claims)


def vstar(accuracy: pd.DataFrame) -> pd.DataFrame:
    """Return V*Bench, one row a system: the overall value beside the means of its parts."""
    rows = accuracy[accuracy["benchmark"].str.startswith("VStar")]
    keys = ["backbone", "framework"]
    wide = rows.pivot_table("accuracy_pct", keys, "benchmark").reset_index()
    sources = rows.groupby(keys)["source"].agg(list).map(lines).reset_index()
    whole = published.wholes(wide.rename_axis(columns=None), VSTAR_ALL, VSTAR)
    return whole.merge(sources, on=keys, validate="one_to_one")


def gains(accuracy: pd.DataFrame) -> pd.DataFrame:
    """Return what GAM-Agent adds to its backbone on MMBench and MVBench."""
    rows = accuracy[accuracy["benchmark"].isin([MMBENCH, MVBENCH])]
    found = published.gains(rows, CELL, "framework", "Base")
    return found[found["framework"] == "GAM-Agent"]


def printed_twice(load: Load = published.traced) -> pd.DataFrame:
    """Return accuracies on MMBench that two tables print for one system.

    Returns
    -------
    DataFrame
        system, main (accuracy in the main table), again (in another one), source (of both).
    """
    main = load("gam_agent_accuracy")
    main = main[main["benchmark"] == MMBENCH].set_index(["backbone", "framework"])
    ablation = load("gam_agent_ablation").set_index("variant")
    cost = load("gam_agent_cost").set_index("system")
    twins = [
        (("InternVL3-14B", "Base"), ablation.loc["base"]),
        (("InternVL3-14B", "GAM-Agent"), ablation.loc["full"]),
        (("InternVL3-78B", "GAM-Agent"), cost.loc["InternVL3-78B + GAM-Agent"]),
        (("InternVL3-78B", "GAM-Agent"), cost.loc["InternVL3-78B, 3 debate rounds"]),
        (("Qwen2.5VL-72B", "GAM-Agent"), cost.loc["Qwen2.5VL-72B + GAM-Agent"]),
        (("Qwen2.5VL-7B", "GAM-Agent"), cost.loc["Qwen2.5VL-7B, 3 debate rounds"]),
    ]
    rows = [
        (
            " ".join(key),
            main.loc[key, "accuracy_pct"],
            twin["accuracy_pct"],
            f"{main.loc[key, 'source']} {twin['source']}",
        )
        for key, twin in twins
    ]
    return pd.DataFrame(rows, columns=["system", "main", "again", "source"])


def _vstar_counts(accuracy: pd.DataFrame, name: str, total: int) -> Claim:
    rows = accuracy[accuracy["benchmark"] == name]
    claim = counts(name, rows, "accuracy_pct", total)
    known, _, _ = claim.recomputed.partition("; not ")
    return Claim(claim.claim, claim.source, f"{len(rows)} values", known, claim.verdict)


def _vstar_wholes(accuracy: pd.DataFrame) -> Claim:
    whole = vstar(accuracy)
    fits = whole["fits"].value_counts()
    named = ", ".join(f"{fits.get(name, 0)} {name}" for name in ("weighted", "plain", "neither"))
    return Claim(
        "V*Bench overall is the accuracy over all items",
        lines(accuracy.loc[accuracy["benchmark"].str.startswith("VStar"), "source"]),
        f"{len(whole)} values",
        f"mean of the two printed parts that it equals: {named}",
        "recomputed" if fits.get("weighted", 0) == len(whole) else "disagrees",
    )


def _same_order(accuracy: pd.DataFrame) -> Claim:
    rows = accuracy[accuracy["framework"] != "SEAL"]
    found = published.orders(rows, CELL, "framework", "accuracy_pct")
    return Claim(
        "The frameworks differ",
        lines(rows["source"]),
        f"{rows['framework'].nunique()} frameworks in {found['cells'].sum()} cells",
        f"{len(found)} order in all cells: {found['order'].iloc[0]}",
        "undecided",
    )


def _gains(accuracy: pd.DataFrame, models: Sequence[str]) -> Claim:
    found = gains(accuracy)
    found = found[found["backbone"].isin(models)]
    low, high = STATED[models]
    inside = found["gain"].between(low, high).all()
    ends = found["gain"].min(), found["gain"].max()
    same = tuple(round(end, 1) for end in ends) == (low, high)
    return Claim(
        f"Gains of {', '.join(models)} on MMBench and MVBench",
        lines(found["source"]),
        f"+{low} to +{high}",
        f"+{ends[0]:.2f} to +{ends[1]:.2f}"
        + (" (within what is stated, whose ends no cell reaches)" if inside and not same else ""),
        "recomputed" if same else "disagrees",
    )


def _repeated(twice: pd.DataFrame) -> list[Claim]:
    return [
        Claim(
            f"{row.system} on MMBench",
            row.source,
            f"{row.main:.2f} and {row.again:.2f}",
            f"difference {row.again - row.main:+.2f}",
            "recomputed" if row.main == row.again else "disagrees",
        )
        for row in twice.itertuples()
    ]


def _default(parameters: pd.DataFrame) -> Claim:
    best = parameters.loc[parameters["accuracy_pct"].idxmax()]
    default = parameters[(parameters["parameter"] == "beta") & (parameters["value"] == "1.5")]
    value = default["accuracy_pct"].iloc[0]
    return Claim(
        "The default hyperparameters are a trade-off",
        lines(parameters["source"]),
        f"{value:.2f} at the default; best {best['accuracy_pct']:.2f} at {best['parameter']} "
        f"= {best['value']}",
        f"all {len(parameters)} values within {parameters['accuracy_pct'].agg(_span):.2f} points, "
        "one run each, no interval",
        "undecided",
    )


def _without_debate(ablation: pd.DataFrame) -> Claim:
    row = ablation.set_index("variant").loc["without debate"]
    return Claim(
        "The variant without debate does not debate",
        row["source"],
        f"{row['debate_rounds']:g} debate round, triggered in {row['trigger_pct']:g}%",
        "a variant without debate would have 0 rounds",
        "disagrees" if row["debate_rounds"] else "recomputed",
    )


def _uncertainty(table: pd.DataFrame) -> Claim:
    return Claim(
        "Uncertainty is more accurate, better calibrated and more adaptive",
        lines(table["source"]),
        f"{len(table)} rows with two decimals",
        "needs uncertainties and outcomes of single items, and the threshold",
        "not recomputable",
    )


def _span(values: pd.Series) -> float:
    return float(values.max() - values.min())
