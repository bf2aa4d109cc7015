"""The plan as committed, what a plan may not say, and corrections by family."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import yaml

from dixitlib.analysis import plan
from dixitlib.paths import REPOSITORY

PLANNED = REPOSITORY / "data" / "analysis_plan.yaml"


def hypothesis(id, family="f", **more):
    told = dict.fromkeys(("claim", "estimand", "test", "notebook"), "x")
    return {"id": id, "family": family, **told, **more}


@pytest.fixture
def write(tmp_path):
    def written(*hypotheses, alpha=0.05):
        path = tmp_path / "analysis_plan.yaml"
        path.write_text(yaml.safe_dump({"alpha": alpha, "hypotheses": list(hypotheses)}))
        return path

    return written


def test_the_committed_plan_is_whole_and_names_what_exists():
    planned = plan.load(PLANNED)
    assert planned.alpha == 0.05
    notebooks = {h.notebook for h in planned.hypotheses.values()}
    assert notebooks >= {"09_entailment_vs_direct", "10_bench_vs_arena"}
    table = plan.table(planned, "10_bench_vs_arena")
    assert {"bench-tracks-listening", "bench-ranks-listeners"} <= set(table["id"])
    assert len(plan.table(planned)) == len(planned.hypotheses)


def test_every_fault_is_named(write):
    lacking = {k: v for k, v in hypothesis("b").items() if k != "claim"}
    path = write(
        hypothesis("a"),
        hypothesis("a", test="equivalence, t by match"),
        lacking | {"colour": "red"},
        alpha=5,
    )
    with pytest.raises(ValueError) as refused:
        plan.load(path)
    for fault in (
        "a stands there 2 times",
        "a tests equivalence without a margin",
        "b lacks claim",
        "b has unknown fields colour",
        "alpha must lie between 0 and 1",
    ):
        assert fault in str(refused.value)


def test_a_label_says_whether_it_was_planned(write):
    planned = plan.load(write(hypothesis("a", test="equivalence, t", margin=0.1)))
    assert plan.label(planned, "a") == "planned: a (equivalence, t, margin 0.1; family: f)"
    assert plan.label(planned, "b") == "exploratory: b is not in the analysis plan"


def test_a_family_is_corrected_for_what_was_not_tested(write):
    # Three planned, two tested: 3 * 0.01 and 2 * 0.03. The other family has one test.
    names = [hypothesis(name) for name in "abc"] + [hypothesis("d", family="g")]
    tests = pd.DataFrame({"hypothesis": ["b", "z", "a", "d"], "p": [0.03, 0.001, 0.01, 0.04]})
    found = plan.corrected(plan.load(write(*names)), tests)
    assert found["holm"].tolist() == pytest.approx([0.06, np.nan, 0.03, 0.04], nan_ok=True)
    assert found["family"].tolist() == ["f", "exploratory", "f", "g"]
    assert found["rejected"].tolist() == [False, False, True, True]


def test_a_hypothesis_tested_for_several_players_counts_as_often(write):
    tests = pd.DataFrame({"hypothesis": ["a", "a"], "p": [0.01, 0.02], "player": ["s", "m"]})
    found = plan.corrected(plan.load(write(hypothesis("a"), hypothesis("b"))), tests)
    assert found["holm"].tolist() == pytest.approx([0.03, 0.04])
    assert found["player"].tolist() == ["s", "m"]
