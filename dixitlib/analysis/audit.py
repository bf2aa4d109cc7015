"""The published claims of DixitWorld, one by one, and what its own tables say of each.

Every claim is a row: where it is printed, what was printed, what follows from the tables
in ``data/published/``, and one of five verdicts:

- ``recomputed``: the figure follows from other printed figures;
- ``disagrees``: two printed figures of one thing differ;
- ``no such count``: a percentage is no share of the items or rounds that there were;
- ``undecided``: the table is too small to tell what is said of it;
- ``not recomputable``: it takes data that were not published.

A verdict says what a table can show, not how it came about: a disagreement may be a slip
of the pen, another run, or a total that the table does not name. `audit_panel` does the
same for GAM-Agent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
import pandas as pd
from scipy import stats

from dixitlib.analysis import published
from dixitlib.analysis.published import LeaveOneOut

Verdict = Literal["recomputed", "disagrees", "no such count", "undecided", "not recomputable"]
Load = Callable[[str], pd.DataFrame]

CARDS = 84
ITEMS = 168  # of DixitBench: each card once in either tier
POSSIBLE = 1260  # points that listener scores are divided by: 180 in each of seven matches


@dataclass(frozen=True, slots=True)
class Claim:
    """What was printed where, and what becomes of it."""

    claim: str
    source: str
    printed: str
    recomputed: str
    verdict: Verdict


def dixitworld(load: Load = published.traced) -> pd.DataFrame:
    """Return the claims of DixitWorld (arXiv 2510.10117): claim, source, printed, ...

    Parameters
    ----------
    load
        Gives a published table with its sources.
    """
    arena, bench, other = (load(f"dixitworld_{name}") for name in ("arena", "bench", "other"))
    facts = other.set_index("quantity")
    claims = [
        counts("storyteller scores", arena, "storyteller_pct", published.ROUNDS_TOLD),
        counts("listener scores", arena, "listener_pct", POSSIBLE),
        _overall(arena),
        _zero_rounds(arena, facts),
        _ranking(arena),
        counts("easy accuracies", bench, "easy_pct", CARDS),
        counts("hard accuracies", bench, "hard_pct", CARDS),
        _totals(bench),
        counts("total accuracies", bench, "total_pct", ITEMS),
        _gap(bench, facts),
        *_entailment(load("dixitworld_entailment"), bench),
        _position(facts),
        _left_out(facts, arena),
        _swap(facts, arena),
        _correlation(facts, arena),
        _people(facts),
    ]
    return as_frame(claims)


def as_frame(claims: Sequence[Claim]) -> pd.DataFrame:
    """Return claims as a frame, one row each."""
    return pd.DataFrame([asdict(claim) for claim in claims])


def lines(sources: Sequence[str]) -> str:
    """Return sources of one file in short: ``table.csv:2-7``."""
    files, numbers = zip(*(source.rsplit(":", 1) for source in sources), strict=True)
    first, last = min(map(int, numbers)), max(map(int, numbers))
    return f"{files[0]}:{first}" if first == last else f"{files[0]}:{first}-{last}"


def counts(what: str, table: pd.DataFrame, column: str, total: int) -> Claim:
    """Say which of a table's percentages are counts of a total."""
    known = published.attainable(table.dropna(subset=[column]), column, [total])
    misses = known[known[f"of_{total}"].isna()]
    luck = published.attainable_by_luck(total)
    found = f"{len(known) - len(misses)} of {len(known)} are k/{total} ({luck:.1%} would by luck)"
    if len(misses):
        found += "; not " + ", ".join(f"{value:.2f}" for value in misses[column])
    return Claim(
        f"{what} are shares of {total}",
        lines(known["source"]),
        ", ".join(f"{value:.2f}" for value in known[column]),
        found,
        "no such count" if len(misses) else "recomputed",
    )


def _overall(arena: pd.DataFrame) -> Claim:
    fit = published.fixed_weights(arena, "overall", ["storyteller_pct", "listener_pct"])
    return Claim(
        "Overall combines the two scores",
        lines(arena["source"]),
        ", ".join(f"{value:.2f}" for value in arena["overall"]),
        f"no fixed weights give it: the nearest miss by up to {fit.miss:.2f} in {fit.rows} rows",
        "not recomputable" if fit.miss > 0.02 else "recomputed",
    )


def _zero_rounds(arena: pd.DataFrame, facts: pd.DataFrame) -> Claim:
    rounds = published.ROUNDS_TOLD * len(arena)
    zero = 1 - storyteller_counts(arena).sum() / rounds
    printed = facts.loc["storyteller_zero_rounds_pct"]
    return Claim(
        "Most rounds score nothing for the storyteller",
        f"{printed['source']} {lines(arena['source'])}",
        f"over {printed['value']:.0f}% (later: 78%)",
        f"{zero:.1%} of {rounds}; random voters would make it 33.3%",
        "recomputed" if zero > printed["value"] / 100 else "disagrees",
    )


def _ranking(arena: pd.DataFrame) -> Claim:
    partial = storyteller_counts(arena)
    compared = published.pairs(partial.to_dict(), published.ROUNDS_TOLD)
    differ = (compared["p_holm"] < 0.05).sum()
    return Claim(
        "Some models tell better than others",
        lines(arena["source"]),
        f"{partial.min():.0f} to {partial.max():.0f} partial rounds of {published.ROUNDS_TOLD}",
        f"{differ} of {len(compared)} pairs differ after Holm (smallest p "
        f"{compared['p_holm'].min():.2f})",
        "recomputed" if differ else "undecided",
    )


def storyteller_counts(arena: pd.DataFrame) -> pd.Series:
    """Return the number of partial rounds of each model that was printed as a k/84."""
    shares = published.attainable(arena, "storyteller_pct", [published.ROUNDS_TOLD])
    return shares.set_index("model")[f"of_{published.ROUNDS_TOLD}"].dropna().astype(int)


def _totals(bench: pd.DataFrame) -> Claim:
    whole = published.wholes(bench, "total_pct", {"easy_pct": CARDS, "hard_pct": CARDS})
    fit = (whole["fits"] != "neither").sum()
    return Claim(
        "DixitBench totals are the means of the two tiers",
        lines(bench["source"]),
        ", ".join(f"{value:.2f}" for value in bench["total_pct"]),
        f"{fit} of {len(bench)} equal the mean of the printed halves",
        "recomputed" if fit == len(bench) else "disagrees",
    )


def _gap(bench: pd.DataFrame, facts: pd.DataFrame) -> Claim:
    gaps, printed = bench["easy_pct"] - bench["hard_pct"], facts.loc["easy_minus_hard_mean_pct"]
    low, high = stats.t.interval(0.95, len(gaps) - 1, gaps.mean(), stats.sem(gaps))
    return Claim(
        "Easy items are 4.8 points easier on average",
        f"{printed['source']} {lines(bench['source'])}",
        f"{printed['value']:.1f}",
        f"{gaps.mean():.2f} over {len(gaps)} models [{low:.1f}, {high:.1f}]",
        "recomputed" if abs(gaps.mean() - printed["value"]) <= 0.05 else "disagrees",
    )


def _entailment(table: pd.DataFrame, bench: pd.DataFrame) -> list[Claim]:
    drops = table["direct_pct"] - table["entailment_pct"]
    both = table.merge(bench, on="model", validate="one_to_one")
    same = (both["direct_pct"] == both["total_pct"]).all()
    drop = Claim(
        "Rating loses 5 to 20 points against choosing",
        lines(table["source"]),
        "5 to 20",
        f"{drops.min():.2f} and {drops.max():.2f} in the two rows known here",
        "recomputed" if same and drops.between(5, 20).all() else "disagrees",
    )
    return [counts("entailment accuracies", table, "entailment_pct", ITEMS), drop]


def _position(facts: pd.DataFrame) -> Claim:
    statistic, printed = facts.loc["position_chi2"], facts.loc["position_p"]
    p = published.chi_squared_p(statistic["value"], 4)
    return Claim(
        "The target's position is uniform",
        f"{statistic['source']} {printed['source']}",
        f"chi-squared {statistic['value']:.2f}, p = {printed['value']:.2f}",
        f"p = {p:.3f} with 3 degrees of freedom; it tests the shuffler, not the listeners",
        "recomputed" if round(p, 2) == printed["value"] else "disagrees",
    )


def _left_out(facts: pd.DataFrame, arena: pd.DataFrame) -> Claim:
    names = ("leave_one_listener_out_mean", "stability_index")
    (low, high), (least, most) = ((f"{name}_min", f"{name}_max") for name in names)
    value = facts["value"]
    ends = [LeaveOneOut(value[high], value[most]), LeaveOneOut(value[low], value[least])]
    implied = [published.implied_partial(end) for end in ends]
    partial = storyteller_counts(arena)
    (fewest,), (largest,) = implied  # each pair of figures fits one count
    return Claim(
        "Leaving one listener out changes little",
        f"{lines(facts.loc[[low, high, least, most], 'source'])} {lines(arena['source'])}",
        f"mean {value[high]:.2f} to {value[low]:.2f}, stability {value[least]} to {value[most]}",
        f"both follow from partial rates of {fewest}/84 to {largest}/84; "
        f"Table 1 has {partial.min()}/84 to {partial.max()}/84",
        "recomputed" if (fewest, largest) == (partial.min(), partial.max()) else "disagrees",
    )


def _swap(facts: pd.DataFrame, arena: pd.DataFrame) -> Claim:
    printed = facts.loc["hand_swap_difference_max"]
    share = printed["value"] / 3  # a partial round pays 3 points
    compared = published.pairs(storyteller_counts(arena).to_dict(), published.ROUNDS_TOLD)
    nearer = (compared["difference"].abs() < share).sum()
    return Claim(
        "Swapping hands changes scores little",
        f"{printed['source']} {lines(arena['source'])}",
        f"under {printed['value']} points",
        f"needs scores by phase; {printed['value']} points are a share of partial rounds of "
        f"{share:.2f}, and {nearer} of {len(compared)} pairs of models differ by less",
        "not recomputable",
    )


def _correlation(facts: pd.DataFrame, arena: pd.DataFrame) -> Claim:
    printed, models = facts.loc["bench_arena_r"], len(arena)
    reach = stats.norm.ppf(0.975) / np.sqrt(models - 3)
    low, high = np.tanh(np.arctanh(printed["value"]) + reach * np.array([-1, 1]))
    return Claim(
        "DixitBench tracks listening in the arena",
        f"{printed['source']} {lines(arena['source'])}",
        f"r = {printed['value']}",
        f"{arena['listener_pct'].notna().sum()} of {models} listener scores are known here; "
        f"over {models} models such an r has the interval [{low:.2f}, {high:.2f}]",
        "not recomputable",
    )


def _people(facts: pd.DataFrame) -> Claim:
    people, model = (
        facts.loc[name]
        for name in ("human_listener_accuracy_pct", "best_model_listener_accuracy_pct")
    )
    return Claim(
        "People and the best model listen about equally well",
        f"{people['source']} {model['source']}",
        f"{people['value']} and {model['value']}",
        "needs the number of cases: with 120 each, the difference's interval is about "
        f"\N{PLUS-MINUS SIGN}{100 * _reach(people['value'], model['value'], 120):.0f} points",
        "not recomputable",
    )


def _reach(first: float, second: float, cases: int) -> float:
    """Return half the interval of a difference of two percentages, as a share."""
    p = np.array([first, second]) / 100
    return float(stats.norm.ppf(0.975) * np.sqrt((p * (1 - p) / cases).sum()))
