import pytest
import yaml

from dixitlib.paths import REPOSITORY
from dixitlib.study import params

GIVEN = {
    "name": "mine",
    "deck": {"folder": "data/cards"},
    "clues": "data/clues/bank.csv",
    "arena": {"tables": {"mine": ["random", "first"]}},
    "bench": {"run": "mine", "players": ["random"]},
}


def read(tmp_path, content, name="mine.yaml"):
    path = tmp_path / name
    path.write_text(yaml.safe_dump(content))
    return params.read(path)


def test_what_is_left_out_has_its_default(tmp_path):
    made = read(tmp_path, GIVEN)
    assert (made.seed, made.arena.preset, made.bench.basis) == (42, "CORRECTED", "clue")
    assert made.bench.players == ("random",)
    assert made.deck.painted == 0


def test_the_committed_params_file_is_valid():
    made = params.read(REPOSITORY / "notebooks/params/offline.yaml")
    assert len(made.arena.tables["offline"]) == 6
    assert made.deck.painted == 84


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sede": 1}, "unknown 'sede' (known: name, deck"),
        ({"deck": {"folder": "x", "paint": 84}}, "deck: unknown 'paint'"),
        ({"deck": {}}, "deck: 'folder' is missing"),
        ({"deck": "data/cards"}, "deck: expected names with values, found 'data/cards'"),
        ({"arena": {"tables": {}, "preset": "corrected"}}, "arena: preset is 'corrected'"),
        ({"bench": {"run": "a", "players": [], "methods": ["indirect"]}}, "'indirect', not one of"),
        ({"name": "other"}, "name is 'other', not one of mine"),
    ],
)
def test_every_fault_is_named(tmp_path, change, words):
    with pytest.raises(ValueError, match=r"mine\.yaml can't be played") as refused:
        read(tmp_path, GIVEN | change)
    assert words in str(refused.value)


def test_several_faults_come_in_one_message(tmp_path):
    with pytest.raises(ValueError) as refused:
        read(tmp_path, {"name": "mine", "sede": 1, "deck": {}})
    for words in ("'sede'", "'clues' is missing", "'arena' is missing", "deck: 'folder'"):
        assert words in str(refused.value)
