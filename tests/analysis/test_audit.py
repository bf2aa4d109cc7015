"""Every claim of the two papers has a verdict that follows from the tables."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from dixitlib import paths
from dixitlib.analysis import audit, audit_panel, published

VERDICTS = {"recomputed", "disagrees", "no such count", "undecided", "not recomputable"}


@pytest.fixture(autouse=True, scope="module")
def at_home():
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DIXITWORLD_HOME", raising=False)
        yield


@pytest.fixture(scope="module")
def verdicts():
    frame = pd.concat([audit.dixitworld(), audit_panel.gam_agent()])
    return frame.set_index("claim")


def test_every_claim_is_traced_to_rows_that_exist(verdicts):
    assert set(verdicts["verdict"]) == VERDICTS
    for source in " ".join(verdicts["source"]).split():
        name, first, last = re.fullmatch(r"(\w+\.csv):(\d+)(?:-(\d+))?", source).groups()
        rows = paths.data("published", name).read_text().splitlines()
        assert 2 <= int(first) <= int(last or first) <= len(rows)


@pytest.mark.parametrize(
    ("claim", "verdict", "said"),
    [
        # Facts: every storyteller score is a k/84; listener scores fit k/1260.
        ("storyteller scores are shares of 84", "recomputed", "6 of 6"),
        ("listener scores are shares of 1260", "recomputed", "3 of 3"),
        # 39.05 and 36.67 fit no k/84 and k/168; 59.55, 48.27 no k/168.
        ("easy accuracies are shares of 84", "no such count", "not 39.05"),
        ("total accuracies are shares of 168", "no such count", "not 64.89, 36.67"),
        ("entailment accuracies are shares of 168", "no such count", "not 59.55, 48.27"),
        # 111 partial rounds of 504.
        ("Most rounds score nothing for the storyteller", "recomputed", "78.0% of 504"),
        ("Some models tell better than others", "undecided", "0 of 15 pairs"),
        ("The target's position is uniform", "recomputed", "p = 0.608"),
        ("Leaving one listener out changes little", "disagrees", "7/84 to 24/84"),
        ("Overall combines the two scores", "not recomputable", "2.53 in 3 rows"),
        # (5.95 + 1.19 + 14.29 + 1.20 + 1.19 + 4.76) / 6
        ("Easy items are 4.8 points easier on average", "recomputed", "4.76 over 6"),
        ("Rating loses 5 to 20 points against choosing", "recomputed", "9.47 and 16.05"),
        ("The frameworks differ", "undecided", "1 order in all cells: GAM-Agent > DebUnc"),
        ("VStar_attribute are shares of 115", "no such count", "2 of 36"),
        ("InternVL3-14B GAM-Agent on MMBench", "disagrees", "-1.35"),
    ],
)
def test_verdicts_are_those_derived_by_hand(verdicts, claim, verdict, said):
    row = verdicts.loc[claim]
    assert row["verdict"] == verdict
    assert said in row["recomputed"]


def test_a_table_that_adds_up_is_told_so():
    def load(name: str) -> pd.DataFrame:
        table = published.traced(name)
        if name == "dixitworld_arena":  # scores that Overall follows from: half of each
            table["listener_pct"] = [50.0, 40.0, 30.0, 20.0, 10.0, 60.0]
            table["overall"] = (table["storyteller_pct"] + table["listener_pct"]) / 2
        return table

    found = audit.dixitworld(load).set_index("claim")["verdict"]
    assert found["Overall combines the two scores"] == "recomputed"


def test_gains_are_those_of_the_main_table():
    found = audit_panel.gains(published.traced("gam_agent_accuracy"))
    small = found[found["backbone"].isin(audit_panel.SMALL)]["gain"]
    large = found[found["backbone"].isin(audit_panel.LARGE)]["gain"]
    # Facts: 6.41 to 6.64 (small models), 3.43 to 4.04 (large).
    assert [small.min(), small.max()] == pytest.approx([6.41, 6.64])
    assert [large.min(), large.max()] == pytest.approx([3.43, 4.04])
    assert len(found) == 10


def test_v_star_is_the_plain_mean_in_most_rows():
    whole = audit_panel.vstar(published.traced("gam_agent_accuracy"))
    assert whole["fits"].value_counts().to_dict() == {"plain": 18, "neither": 16, "weighted": 2}
    seal = whole.set_index("framework").loc["SEAL"]
    assert seal["fits"] == "weighted" and seal["source"] == "gam_agent_accuracy.csv:212-214"
