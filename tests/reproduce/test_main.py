from pathlib import Path

import pytest

from dixitlib.reproduce import __main__ as command
from dixitlib.reproduce.compare import Difference

OFFLINE = Path("notebooks/params/offline.yaml")


def lay(folder, **files):
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with something given and something made."""
    monkeypatch.setattr(command, "REPOSITORY", tmp_path)
    lay(tmp_path, data__clues__bank_dot_csv="clue\na\n", data__weights__s="w", data__cards__x="old")
    lay(
        tmp_path, figures__f_dot_txt="old", figures__gone_dot_txt="old", notebooks__params__p="kept"
    )
    return tmp_path


def test_a_fresh_home_holds_what_is_given_and_nothing_made(repository):
    lay(repository / "build/offline", data__runs__left_over="from the last time")
    home = command.fresh_home(OFFLINE)
    found = {p.relative_to(home).as_posix() for p in home.rglob("*") if p.is_file()}
    assert found == {"data/clues/bank.csv", "data/weights/s"}


def test_accepting_takes_over_what_was_made_and_only_that(repository):
    home = repository / "build/offline"
    lay(home, data__cards__x="new", data__clues__assigned_dot_csv="new", data__bench__b="new")
    for run in ("offline", "nulls", "faulty"):
        lay(home, **{f"data__runs__{run}__r": "new"})
    lay(home, data__weights__s="other")
    lay(repository, data__runs__offline__gone="old", data__runs__paid__replies="dear")
    lay(home, figures__f_dot_txt="new", notebooks__n_dot_ipynb="new")
    lay(home, data__human__offline__cases_dot_csv="new")  # into a folder that is not there yet
    assert command.accept(OFFLINE) == 0
    assert (repository / "data/human/offline/cases.csv").read_text() == "new"
    assert (repository / "data/cards/x").read_text() == "new"
    assert (repository / "figures/f.txt").read_text() == "new"
    assert not (repository / "figures/gone.txt").exists()
    assert (repository / "data/runs/nulls/r").read_text() == "new"
    assert not (repository / "data/runs/offline/gone").exists()
    assert (repository / "data/runs/paid/replies").read_text() == "dear"
    assert (repository / "notebooks/params/p").read_text() == "kept"
    assert (repository / "data/weights/s").read_text() == "w"


def test_there_is_nothing_to_accept_before_it_is_made(repository, capsys):
    assert command.accept(OFFLINE) == 1
    assert "run make reproduce" in capsys.readouterr().out
    assert (repository / "data/cards/x").read_text() == "old"


@pytest.mark.parametrize(
    ("verdicts", "status", "words"),
    [
        ([], 0, "no difference"),
        (["rounding"], 0, "0 differences, 1 of rounding"),
        (["rounding", "different"], 1, "make accept"),
    ],
)
def test_only_real_differences_fail(capsys, verdicts, status, words):
    differences = [Difference("figures/f.png", verdict, "by a hair") for verdict in verdicts]
    assert command.report(differences) == status
    said = capsys.readouterr().out
    assert words in said and said.count("figures/f.png") == len(verdicts)


def test_what_was_paid_for_is_never_paid_for_anew(repository, tmp_path, capsys):
    params = tmp_path / "mine.yaml"
    params.write_text("endpoints: {o: {url: https://somewhere/v1}}")
    lay(repository / "build/mine", data__runs__mine__replies="dear")
    assert command.reproduce(params) == 1
    assert "make play" in capsys.readouterr().out
    assert (repository / "build/mine/data/runs/mine/replies").read_text() == "dear"


@pytest.mark.parametrize("content", ["name: x", "endpoints: {here: {url: 'loopback:faulty'}}"])
def test_a_script_of_ours_may_be_played_anew(tmp_path, content):
    (tmp_path / "mine.yaml").write_text(content)
    assert not command.asks_elsewhere(tmp_path / "mine.yaml")


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "No such file"), ("name: {", "while parsing"), ("- x", "no names with values")],
)
def test_what_is_no_params_file_is_refused_in_one_message(tmp_path, capsys, content, words):
    path = tmp_path / "mine.yaml"
    if content:
        path.write_text(content)
    with pytest.raises(SystemExit) as ended:
        command.main(["reproduce", str(path)])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "mine.yaml" in said and words in said
