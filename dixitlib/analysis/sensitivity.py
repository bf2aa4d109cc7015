"""How much of a result belongs to the seed, and how much to the rules.

Votes of `store.read_sensitivity` in: the same players in tournaments of many seeds, and of
the four presets. What another seed does to a rank is the yardstick for all else.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from dixitlib.analysis.inference import cluster_interval
from dixitlib.analysis.outcomes import ROUND
from dixitlib.analysis.scores import LISTENER_MAXIMUM, STORYTELLER_MAXIMUM

TOURNAMENT = ["preset", "seed"]
MEASURES = ("partial", "listening", "overall")
OUTCOMES = ("partial", "all_correct", "all_wrong", "accuracy")
SAME = "same rules, other seed"


def standings(votes: pd.DataFrame) -> pd.DataFrame:
    """Return every player's place in every tournament.

    Returns
    -------
    DataFrame
        preset, seed, player, measure, value, rank (1 is highest; ties share the mean). The
        measures: partial (share of the rounds told), listening (vote accuracy on others'
        clues) and overall (points won over points possible).
    """
    keys = [*TOURNAMENT, "player"]
    told = rounds_of(votes).rename(columns={"storyteller": "player"}).groupby(keys)
    heard = votes.rename(columns={"listener": "player"}).astype({"correct": float})
    by_player = heard.groupby(keys)
    won = STORYTELLER_MAXIMUM * told["partial"].sum() + by_player["points"].sum()
    possible = STORYTELLER_MAXIMUM * told.size() + LISTENER_MAXIMUM * by_player.size()
    values = pd.DataFrame(
        {
            "partial": told["partial"].mean(),
            "listening": heard[~heard["own_clue"]].groupby(keys)["correct"].mean(),
            "overall": won / possible,
        }
    )
    frame = values.melt(ignore_index=False, var_name="measure").reset_index()
    places = frame.groupby([*TOURNAMENT, "measure"])["value"].rank(ascending=False)
    return frame.assign(rank=places)


def seeds(standing: pd.DataFrame, preset: str = "CORRECTED") -> pd.DataFrame:
    """Return how far other seeds move each player.

    Parameters
    ----------
    standing
        From `standings`.
    preset
        Whose tournaments to compare.

    Returns
    -------
    DataFrame
        measure, player, seeds, mean, sd (over seeds), rank (of the mean), best, worst (rank
        in any tournament), first (share of tournaments in which it was first). With one
        seed the sd is NaN.
    """
    played = standing[standing["preset"] == preset]
    grouped = played.groupby(["measure", "player"])
    frame = grouped["value"].agg(seeds="size", mean="mean", sd="std")
    frame["rank"] = frame.groupby("measure")["mean"].rank(ascending=False)
    frame["best"], frame["worst"] = grouped["rank"].min(), grouped["rank"].max()
    frame["first"] = (played["rank"] == 1).groupby([played["measure"], played["player"]]).mean()
    return frame.reset_index().sort_values(["measure", "rank"], kind="stable", ignore_index=True)


def presets(votes: pd.DataFrame, *, base: str = "CORRECTED", level: float = 0.95) -> pd.DataFrame:
    """Compare how rounds end under each preset with the base preset, match by match.

    Parameters
    ----------
    votes
        From `store.read_sensitivity`.
    base
        What is compared with.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        preset, measure (shares of outcomes, and vote accuracy), share (over all tournaments
        of the preset), chance (random voters' accuracy; missing for outcomes), matches (that
        both presets played), difference (from the base in these), low, high.
    """
    shares = rounds_of(votes).groupby("preset", sort=False)[list(OUTCOMES)].mean()
    chance = (1 / votes["n_candidates"]).groupby(votes["preset"]).mean()
    differences = dict(list(preset_differences(votes, base).groupby("preset")))
    rows = [
        (preset, measure, shares.loc[preset, measure],
         chance[preset] if measure == "accuracy" else np.nan,
         *_differs(differences.get(preset), measure, level))
        for preset in shares.index
        for measure in OUTCOMES
    ]  # fmt: skip
    columns = ["preset", "measure", "share", "chance", "matches", "difference", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def preset_differences(votes: pd.DataFrame, base: str = "CORRECTED") -> pd.DataFrame:
    """Return each match under each preset minus the same match under the base preset.

    Returns
    -------
    DataFrame
        preset, seed, match, cluster (seed and match in one), and the difference of each
        outcome's share and of vote accuracy; only seeds that both presets were played with.
    """
    keys = [*TOURNAMENT, "match"]
    means = rounds_of(votes).groupby(keys, sort=False)[list(OUTCOMES)].mean()
    against = means.loc[base].reindex(means.index.droplevel("preset"))
    found = (means - against.to_numpy()).dropna().drop(index=base, level="preset").reset_index()
    return found.assign(cluster=found["seed"].astype(str) + "/" + found["match"].astype(str))


def rank_agreement(standing: pd.DataFrame, base: str = "CORRECTED") -> pd.DataFrame:
    """Return how alike players are ranked under other rules, and under other seeds.

    Returns
    -------
    DataFrame
        measure, against (a preset, on the same seeds; or other seeds under the same rules,
        which is as alike as can be expected), comparisons, tau (mean of Kendall's), lowest,
        highest.
    """
    rows = []
    for measure, part in standing.groupby("measure"):
        table = part.pivot_table("value", "player", TOURNAMENT)
        others = [preset for preset in part["preset"].unique() if preset != base]
        rows.append((measure, SAME, *_taus(table[base], combinations(table[base], 2))))
        for preset in others:
            both = [((base, seed), (preset, seed)) for seed in table[preset]]
            rows.append((measure, preset, *_taus(table, both)))
    return pd.DataFrame(
        rows, columns=["measure", "against", "comparisons", "tau", "lowest", "highest"]
    )


def rounds_of(votes: pd.DataFrame) -> pd.DataFrame:
    """Return one row a round: preset, seed, its place, and 1 for how it ended, else 0."""
    hits = votes.astype({"correct": float}).groupby([*TOURNAMENT, *ROUND], sort=False)["correct"]
    share = hits.mean().rename("accuracy").reset_index()
    ended = {
        "partial": share["accuracy"].between(0, 1, inclusive="neither"),
        "all_correct": share["accuracy"] == 1,
        "all_wrong": share["accuracy"] == 0,
    }
    return share.assign(**{name: value.astype(float) for name, value in ended.items()})


def _differs(differences: pd.DataFrame | None, measure: str, level: float) -> tuple[float, ...]:
    if differences is None:
        return 0, np.nan, np.nan, np.nan
    return len(differences), *cluster_interval(differences, measure, "cluster", level)


def _taus(table: pd.DataFrame, comparisons: Iterable[tuple[object, object]]) -> tuple[float, ...]:
    taus = [stats.kendalltau(table[a], table[b]).statistic for a, b in comparisons]
    if not taus:
        return 0, np.nan, np.nan, np.nan
    return len(taus), float(np.mean(taus)), min(taus), max(taus)
