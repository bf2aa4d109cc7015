"""A panel of models, from the params file to what the notebook reads, over HTTP."""

from __future__ import annotations

import json
import math
import shutil
import zlib
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dixitlib import paths, store
from dixitlib.analysis import panel as analysis
from dixitlib.cards.deck import write_cards
from dixitlib.models.base import Scripted
from dixitlib.panel.said import Question
from dixitlib.paths import REPOSITORY
from dixitlib.records import Reply, Token
from dixitlib.reproduce import notebooks
from dixitlib.study import __main__ as study
from dixitlib.study import model_panel, panel_run, panels, params
from dixitlib.study.checks import ParamsError
from dixitlib.study.params import ModelPanelParams

MINE = """
name: mine
deck: {folder: data/cards}
clues: data/clues/bank.csv
endpoints: {here: {url: "loopback:obliging"}}
models: {toy: {endpoint: here, id: scripted/faulty, pictures: {longest: 48}}}
arena: {tables: {}}
bench: {run: alone, players: []}
model_panel: {run: gam, model: toy, per_tier: 1, teller: random, opponent: first}
"""
SECTION = ModelPanelParams("gam", "toy", "random", "first")


class Hashed:
    """An encoder that knows texts only by their checksums."""

    def encode(self, texts):
        rows = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=8) for text in texts]
        return np.array([row / np.linalg.norm(row) for row in rows]).reshape(-1, 8)


@pytest.fixture
def home(tmp_path, toy_deck, monkeypatch):
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path))
    monkeypatch.setattr(study, "default_encoder", Hashed)
    write_cards(paths.data("cards"), toy_deck[:60], "none", "nobody")
    paths.data("clues").mkdir()
    for name in ("clues/bank.csv", "prices.yaml"):
        shutil.copy(REPOSITORY / "data" / name, paths.data(name))
    (tmp_path / "mine.yaml").write_text(MINE)
    return tmp_path


def questions(toy_deck):
    return [Question.choosing(f"clue {k}", toy_deck[6 * k : 6 * k + 6]) for k in range(2)]


def test_the_whole_run_leaves_what_the_notebook_reads_and_is_paid_once(home, capsys):
    study.main([str(home / "mine.yaml")])
    folder = paths.data("runs", "gam")
    told = capsys.readouterr().out
    assert "gam: a panel at 4 items, and 1 match" in told and "scripted/faulty" in told
    answers = pd.read_parquet(folder / "answers.parquet")
    systems = pd.read_csv(folder / "systems.csv")
    assert systems["sits"].all()
    assert {"MAD", "DMAD", "DMPL", "ChatEval", "DebUnc", "plain debate"} <= set(systems["system"])
    ablations = systems.loc[systems["kind"] == "ablation", "system"]
    assert set(ablations) == {
        *("without uncertainty", "without dynamic weights", "without debate"),
        *("without claims", "without critics", "one agent"),
    }
    assert answers.groupby("system", observed=True).size().eq(4).all()
    table = analysis.summary(answers, 0.5).set_index("system")
    assert table.loc["panel", "usd"] > 0 and table.loc["single: Object Recognition", "calls"] == 1
    scales = json.loads((folder / "scales.json").read_text())
    assert scales["theta_u"] == 0.45 and scales["wording"]["texts"] > 0
    votes = store.read_votes(folder)
    assert (votes["listener"] == "panel").sum() == model_panel.HEARD
    account = store.read_manifest(folder)["account"]["models"]["toy"]
    # The most is told before: no debate can take more than the one that never ends.
    planned = sum(int(line.split()[1].replace(",", "")) for line in told.splitlines()
                  if line.startswith("scripted/faulty"))  # fmt: skip
    assert 0 < account["calls"] <= planned
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    study.main([str(home / "mine.yaml")])
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.takes(25)
def test_the_notebook_reads_what_models_said_and_they_are_not_seated_anew(home):
    # So doubtful that all debate, and as no price is known, calls stand for cost.
    settled = "settings: {theta_u: 0.05, converged: 0.01}, sweeps: {beta: [0]}"
    (home / "mine.yaml").write_text(MINE.replace("per_tier: 1", f"per_tier: 1, {settled}"))
    study.main([str(home / "mine.yaml")])
    paths.data("published").symlink_to(REPOSITORY / "data" / "published")
    evaluation = REPOSITORY / "notebooks" / "12_panel_evaluation.ipynb"
    done = notebooks.execute(evaluation, home / evaluation.name, {"panel": "gam"}, home)
    assert "a panel of one model in several roles, and 4 items" in done.read_text()
    tables = home / "figures" / "tables"
    sat = pd.read_csv(tables / "12_panel_evaluation.csv").set_index("system")
    assert {*panels.NEED_LANGUAGE, "self-consistency, equal tokens"} <= set(sat.index)
    assert sat["items"].eq(4).all() and sat["note"].isna().all()
    assert sat.loc["panel", "calls"] > 4 and (home / "figures" / "12_cost.png").exists()
    assert json.loads((tables / "12_panel_evaluation.json").read_text())["run"] == "gam"
    with pytest.raises(ValueError, match="the panel of run gam were models"):
        panel_run.seated("gam", Hashed())


# A cluster that ends leaves connections half closed.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_cluster_leaves_the_same(home):
    distributed = pytest.importorskip("distributed")
    folder, file = paths.data("runs", "gam"), home / "mine.yaml"
    study.main([str(file)])
    here = kept(folder)
    shutil.rmtree(folder)
    with distributed.LocalCluster(
        n_workers=2, processes=False, protocol="tcp://", dashboard_address="127.0.0.1:0"
    ) as started:
        file.write_text(f"{MINE}executor: dask\nscheduler: {started.scheduler_address}\n")
        study.main([str(file)])
    assert kept(folder) == here and len(list((folder / "replies").glob("*.jsonl"))) > 1


def kept(folder):
    files = [folder / name for name in ("answers.parquet", "debates.jsonl", "rounds.jsonl")]
    account = store.read_manifest(folder)["account"]["models"]
    return [*(file.read_bytes() for file in files), account]


def test_a_dry_run_asks_nobody(home, capsys):
    study.main([str(home / "mine.yaml"), "--dry-run"])
    assert "in all" in capsys.readouterr().out and not paths.data("runs").exists()


def test_a_rehearsal_counts_what_differs_and_goes_to_the_limit(toy_deck):
    stand_in = model_panel.Rehearsal()
    seated = model_panel.company(stand_in, None, SECTION, **model_panel.UNENDING)
    held = seated.first[0].decide(questions(toy_deck)[0])
    assert (held.ending, held.spent.calls, len(stand_in.asked)) == ("limit", 25, 25)
    singles = [each for each in seated.first if each.name.startswith("single")]
    for each in singles:
        each.decide(questions(toy_deck)[0])
    assert len(stand_in.asked) == 25  # the panel has asked for first answers already


def test_a_sweep_of_alpha_reads_uncertainty_anew_and_asks_for_nothing_new(toy_deck):
    odds = tuple((label, math.log(p)) for label, p in (("A", 0.7), ("B", 0.3)))
    said = json.dumps({"probabilities": {"A": 0.7, "B": 0.3}, "choice": "A"})
    reply = Reply(said, tokens=(Token("A", odds[0][1], odds),))
    asked = replace(SECTION, alternatives=2, sweeps={"alpha": (0.0, 1.0)}, settings={"theta_u": 1})
    company = model_panel.company(Scripted(lambda messages: reply), None, asked)
    question = Question.choosing("hush", toy_deck[:2])
    lead, entropy = (each.decide(question) for each in company.first if each.kind == "sweep")
    # Without entropy 1 - (.7 - .3); with it alone H(.7, .3) / log 2.
    assert lead.steps[0].system_uncertainty == pytest.approx(0.6)
    assert entropy.steps[0].system_uncertainty == pytest.approx(0.881291, abs=1e-6)
    (first, again) = ({turn.replies for turn in held.turns[:3]} for held in (lead, entropy))
    assert first == again


def test_wording_is_calibrated_on_what_a_run_said(toy_deck):
    # Three experts are sure and right of one item, in doubt and wrong of the other.
    def said(messages):
        sure = "clue 0" in str(messages[1].parts)
        words = "It is plain to see" if sure else "maybe, perhaps, not sure, hard to tell"
        return json.dumps({"reasoning": words, "choice": "A" if sure else "B"})

    panel = model_panel.company(Scripted(said), None, SECTION).panel
    found = model_panel.wording(panel, [(each, "A") for each in questions(toy_deck)])
    assert found["texts"] == 6 and found["k"] > 0 and 0 < found["offset"] < 1
    # Where the sure are wrong, nothing can be fitted, and the run says so.
    other = model_panel.wording(panel, [(each, "B") for each in questions(toy_deck)])
    assert "keep the defaults" in other["kept"]


def test_the_shipped_file_is_sound_and_sits_with_local_tellers():
    asked = params.read(REPOSITORY / "notebooks" / "params" / "panel.yaml")
    assert asked.model_panel.model in asked.models and asked.max_usd
    assert panels.FULL == "panel" and asked.notebooks == {"panel": asked.model_panel.run}


def test_a_model_does_not_tell_for_the_panel_and_settings_are_known(home):
    path = home / "mine.yaml"
    path.write_text(MINE.replace("teller: random", "teller: toy"))
    with pytest.raises(ParamsError, match="no player is called toy"):
        study.run(params.read(path))
    path.write_text(MINE.replace("per_tier: 1", "settings: {theta: 1}"))
    with pytest.raises(ParamsError, match="model_panel: settings is 'theta', not one of beta"):
        params.read(path)
