import pytest
import yaml

from dixitlib.paths import REPOSITORY
from dixitlib.study import asking, params, players

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
        ({"sensitivity": {"run": "other"}}, "sensitivity: run is 'other', not one of mine"),
        ({"sensitivity": {"run": "mine", "presets": ["CODE"]}}, "presets is 'CODE', not one of"),
        ({"counterfactual": {"run": "mine"}}, "counterfactual: 'storytellers' is missing"),
        ({"bench": {"run": "a", "players": [], "methods": ["indirect"]}}, "'indirect', not one of"),
        ({"name": "other"}, "name is 'other', not one of mine"),
        ({"eyes": {"mine": ["s", "xl"]}}, "eyes: size is 'xl', not one of s, m, l"),
        ({"eyes": {"yours": ["s"]}}, "eyes is 'yours', not one of mine"),
        ({"executor": "dusk"}, "executor is 'dusk', not one of threads, dask"),
        ({"scheduler": "tcp://x:1"}, "scheduler: is of no use without executor: dask"),
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


MODELS = {
    "endpoints": {"here": {"url": "http://localhost/v1", "key_env": "MY_KEY"}},
    "models": {"toy": {"endpoint": "here", "parameters": {"max_tokens": 9, "logprobs": True}}},
}


def test_models_are_read_with_their_defaults(tmp_path):
    made = read(tmp_path, GIVEN | MODELS)
    assert made.endpoints["here"].concurrency == 16
    assert (made.models["toy"].pictures.longest, made.models["toy"].wording.paraphrase) == (768, 0)
    assert made.runs == ("mine",) and made.seated("mine") == ("random", "first")
    assert made.bench_name == ""


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"endpoints": {"here": {"url": "http://x", "api_key": "SECRET"}}}, "unknown 'api_key'"),
        ({"endpoints": {"here": {"url": "http://x", "key_env": "sk-SECRET"}}}, "key_env is not"),
        ({"endpoints": {"here": {"url": "http://u:SECRET@x/v1"}}}, "the url holds a key"),
        ({"endpoints": {"here": {"url": "http://x/v1?api-key=SECRET"}}}, "the url holds a key"),
        ({"endpoints": {"here": "sk-SECRET"}}, "endpoints: here: expected settings"),
        (
            {"models": {"toy": {"endpoint": "here", "parameters": {"a": {"api_key": "SECRET"}}}}},
            "parameters.a.api_key looks like a key",
        ),
        (
            {"models": {"toy": {"endpoint": "here", "parameters": {"b": ["Bearer SECRET"]}}}},
            "parameters.b.0 looks like a key",
        ),
    ],
)
def test_a_key_in_the_file_is_refused_and_not_repeated(tmp_path, change, place):
    with pytest.raises(ValueError) as refused:
        read(tmp_path, GIVEN | MODELS | change)
    assert place in str(refused.value) and "SECRET" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"models": {"toy": {"endpoint": "there"}}},
            "models: endpoint is 'there', not one of here",
        ),
        (
            {"models": {"toy": {"endpoint": "here", "wordings": {}}}},
            "models: toy: unknown 'wordings'",
        ),
        (
            {"models": {"toy": {"endpoint": "here", "wording": {"paraphrase": 3}}}},
            "wording: paraphrase is 3, not one of 0, 1, 2",
        ),
        ({"models": {"toy": {}}}, "models: toy: 'endpoint' is missing"),
        ({"endpoints": {"here": {"url": "x", "concurrency": 0}}}, "should be above 0"),
        ({"endpoints": {"here": {"url": "x", "timeout": "long"}}}, "should be a number"),
        ({"max_usd": -1}, "max_usd is -1, it should be 0 or more"),
        (
            {"bench": {"run": "mine", "players": ["toy"], "per_tier": 4}},
            "per_tier is 4, which leaves no other card's clue to show",
        ),
        ({"workers": 1.5}, "workers is 1.5, it should be a whole number"),
        ({"clues_by": "nobody"}, "clues_by is 'nobody', not one of toy"),
        (
            {"arena": {"tables": {"mine": ["toy"]}}, "sensitivity": {"run": "mine"}},
            "sensitivity: toy is a model, to be paid anew for every tournament",
        ),
    ],
)
def test_every_fault_of_a_model_is_named(tmp_path, change, words):
    with pytest.raises(ValueError) as refused:
        read(tmp_path, GIVEN | MODELS | change)
    assert words in str(refused.value)


def test_who_sits_counterfactual_tables_plays_in_their_run(tmp_path):
    crossed = {"run": "else", "storytellers": ["first", "random"], "listeners": ["central"]}
    made = read(tmp_path, GIVEN | {"counterfactual": crossed})
    assert made.runs == ("mine", "else")
    assert made.seated("else") == ("first", "random", "central")
    assert made.crossed("else").tables is None and made.crossed("mine") is None


def test_words_of_a_model_and_other_decks_have_a_benchmark_of_their_own(tmp_path):
    assert read(tmp_path, GIVEN | MODELS | {"clues_by": "toy"}).bench_name == "mine"
    assert read(tmp_path, GIVEN | {"deck": {"folder": "data/tarot"}}).bench_name == "mine"


@pytest.mark.parametrize("name", ["openrouter", "openai", "vllm", "ollama", "faulty"])
def test_the_params_files_with_models_are_valid_and_hold_no_key(name):
    path = REPOSITORY / f"notebooks/params/{name}.yaml"
    made = params.read(path)
    players.check(made)
    assert made.models and set(made.models) <= set(made.seated(name))
    assert made.runs == (name,)


def test_openrouter_pins_the_models_of_the_paper():
    made = params.read(REPOSITORY / "notebooks/params/openrouter.yaml")
    unpinned = [name for name, model in made.models.items() if not model.provider]
    assert len(made.models) == 7 and unpinned == ["qwen2.5-vl-7b"]  # nobody is known to serve it
    pinned = asking.requested(made.models["gpt-4o"])["provider"]
    assert pinned == {"order": ["openai"], "allow_fallbacks": False}
    assert made.models["gpt-4o"].id == "openai/gpt-4o-2024-08-06"


def test_files_that_are_played_after_another_are_read_with_it():
    names = [each.name for each in params.with_others(REPOSITORY / "notebooks/params/offline.yaml")]
    assert names == ["offline", "faulty"]


def test_a_model_can_not_take_the_name_of_a_local_player(tmp_path):
    shadow = MODELS | {"models": {"random": {"endpoint": "here"}}}
    with pytest.raises(ValueError, match="models are named like local players: random"):
        players.check(read(tmp_path, GIVEN | shadow))
