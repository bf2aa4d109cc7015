"""A person who answers by callback plays the same rounds as anybody else."""

from __future__ import annotations

import pytest

from dixitlib import store, viewer
from dixitlib.game.arena import play_match
from dixitlib.records import Move
from dixitlib.study.seat import Sitting


class Fake:
    """A person whose moves come when the test sends them."""

    def __init__(self):
        self.asked, self.shown, self.complaints, self.waits = [], [], [], []

    def greet(self, words, take):
        self.take = take

    def tell(self, hand, answer):
        self.asked.append(("tell", None, hand, answer))

    def submit(self, clue, hand, answer):
        self.asked.append(("submit", clue, hand, answer))

    def vote(self, clue, candidates, answer):
        self.asked.append(("vote", clue, candidates, answer))

    def resolve(self, words, page, go_on):
        self.shown.append((words, page, go_on))

    def wait(self, words):
        self.waits.append(words)

    def complain(self, words):
        self.complaints.append(words)

    def move(self, choice, clue=None):
        self.asked[-1][3](Move(choice, clue))

    def play(self, sitting, rounds):
        """Choose the first card whenever asked, until so many rounds are played."""
        while len(sitting.rounds) < rounds:
            before = len(sitting.rounds)
            self.move(0, "a door")
            if before < len(sitting.rounds) < 12:
                self.shown[-1][2]()


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DIXITWORLD_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def person():
    return Fake()


@pytest.fixture
def seated(person, toy_deck, scripted):
    """Sit the person down among the named players, or others."""

    def sit(code="owl-7", names="abc", others=None, seed=7):
        others = others or [scripted(name) for name in names]
        sitting = Sitting(person, others, toy_deck, study="s", seed=seed)
        sitting.begin()
        person.take(code)
        return sitting

    return sit


@pytest.fixture
def sitting(seated):
    return seated()


def kept(number=0):
    return list(store.iter_rounds(f"data/human/s/matches/owl-7/{number}"))


def test_a_round_waits_for_the_person_and_goes_on_when_the_move_comes(sitting, person):
    assert [step for step, *_ in person.asked] == ["tell"]
    assert sitting.rounds == []
    person.move(1, "a door")
    (played,) = sitting.rounds
    assert (played.clue, played.players) == ("a door", ("owl-7", "a", "b", "c"))
    assert played.target == played.hands[0][1] and played.status == "ok"
    words, page, go_on = person.shown[0]
    points = f"{played.points[0]} points for you, {played.points[0]} in all"
    assert words == f"Round 1 of 12: {points}. Kept in data/human/s/matches/owl-7/0."
    assert "“a door”" in page and go_on is not None


def test_a_listening_person_lays_and_votes(sitting, person):
    person.move(0, "a door")
    person.shown[0][2]()
    assert [step for step, *_ in person.asked] == ["tell", "submit"]
    clue, hand = person.asked[-1][1:3]
    person.move(3)
    assert person.asked[-1][:2] == ("vote", clue)
    candidates = person.asked[-1][2]
    person.move(2)
    played = sitting.rounds[1]
    assert played.storyteller == 1 and played.clue == clue
    assert played.submissions[0] == hand[3].id
    assert played.votes[0] == candidates[2].id and hand[3] not in candidates


def test_twelve_rounds_and_no_more(sitting, person):
    person.play(sitting, 12)
    assert person.shown[-1][2] is None
    assert [played.round for played in sitting.rounds] == list(range(1, 13))


def test_it_is_the_arenas_own_game(person, seated, toy_deck, scripted):
    """A person who plays as a scripted player does plays the very same rounds."""
    moves = {step: Move(0, "a door" if step == "tell" else None) for step in ("tell", "submit")}
    moves["vote"] = Move(0)
    player = scripted("same", moves)
    sitting = seated(others=[player] * 3)
    person.play(sitting, 12)
    arena = play_match(player, player, toy_deck, seed=7)[:12]
    assert [r.votes for r in sitting.rounds] == [r.votes for r in arena]
    assert [r.hands for r in sitting.rounds] == [r.hands for r in arena]


def test_a_player_that_breaks_is_told_and_the_move_can_be_made_again(person, seated, scripted):
    class Breaking:
        name, broken = "b", True

        def submit(self, clue, hand, rng):
            if self.broken:
                raise ConnectionError("no line")
            return Move(0)

        def vote(self, clue, candidates, rng):
            return Move(0)

    breaking = Breaking()
    sitting = seated(others=[breaking, scripted("c"), scripted("d")])
    with pytest.raises(ConnectionError):
        person.move(0, "a door")
    assert "no line" in person.complaints[0] and sitting.rounds == []
    breaking.broken = False
    person.move(0, "a door")
    assert sitting.rounds[0].clue == "a door" and sitting.rounds[0].status == "ok"


def test_every_round_is_kept_before_the_next_and_says_that_a_person_played(sitting, person):
    person.play(sitting, 2)
    assert kept() == sitting.rounds
    manifest = store.read_manifest("data/human/s/matches/owl-7/0")
    assert manifest["parameters"]["origin"] == "person"
    assert manifest["parameters"]["others"] == ["a", "b", "c"]
    assert set(manifest) == {"parameters", "inputs", "provenance"}, "nothing else about a person"


def test_another_kernel_goes_on_where_the_match_stopped(person, seated):
    whole = seated("cat")
    person.play(whole, 12)
    person.play(seated(), 5)
    again = seated()
    assert len(again.rounds) == 5 and person.asked[-1][0] == "submit"
    person.play(again, 12)
    assert [r.hands for r in kept()] == [r.hands for r in whole.rounds]
    assert [r.votes for r in kept()] == [r.votes for r in whole.rounds]


def test_a_match_that_is_over_or_on_other_terms_is_left_alone_and_a_new_one_dealt(person, seated):
    person.play(seated(), 12)
    person.play(seated(), 1)
    person.play(seated(names="abd"), 1)
    person.play(seated(names="abd", seed=8), 1)
    assert [len(kept(number)) for number in range(4)] == [12, 1, 1, 1]
    assert [kept(number)[0].match for number in range(4)] == [0, 1, 2, 3]
    assert len({kept(number)[0].hands for number in range(4)}) == 4, "other cards each time"


def test_what_a_crash_tears_is_played_again(home, person, seated):
    person.play(seated(), 3)
    path = home / "data/human/s/matches/owl-7/0/rounds.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    person.play(seated(), 3)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("code", ["", "Owl 7", "../up", "b"])
def test_a_code_that_will_not_do_is_told_and_nothing_is_written(home, person, seated, code):
    sitting = seated(code)
    assert "code" in person.complaints[-1] and person.asked == []
    assert list(home.rglob("*")) == []
    person.take("owl-7")
    person.play(sitting, 1)
    assert len(kept()) == 1


def test_a_round_that_could_not_be_kept_is_shown_and_kept_when_that_is_mended(person, seated):
    sitting = seated()
    run = store.locate("data/human/s/matches/owl-7/0")
    (run / "rounds.jsonl").mkdir()
    person.move(0, "a door")
    words, _, go_on = person.shown[-1]
    assert "could not be kept" in words and sitting.rounds == []
    (run / "rounds.jsonl").rmdir()
    go_on()
    assert kept() == sitting.rounds and "Kept in" in person.shown[-1][0]


def test_a_round_without_a_player_that_could_be_reached_is_played_again(person, seated, scripted):
    away = scripted("b", {"vote": Move(status="error")})
    sitting = seated(others=[away, scripted("c"), scripted("d")])
    person.move(0, "a door")
    assert "could not be reached" in person.shown[-1][0] and sitting.rounds == []
    away.moves = {}
    person.shown[-1][2]()
    person.move(0, "a door")
    assert [played.round for played in kept()] == [1]


def test_a_match_that_a_person_played_is_a_page_to_leaf_through(person, sitting, toy_deck):
    person.play(sitting, 2)
    page = viewer.match_html(kept(), toy_deck)
    assert "owl-7 won" in page and page.count("<article") == 2
