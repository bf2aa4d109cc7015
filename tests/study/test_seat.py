"""A person who answers by callback plays the same rounds as anybody else."""

from __future__ import annotations

import pytest

from dixitlib.game.arena import play_match
from dixitlib.records import Move
from dixitlib.study.seat import Sitting


class Fake:
    """A person whose moves come when the test sends them."""

    name = "you"

    def __init__(self):
        self.asked, self.shown, self.complaints = [], [], []

    def tell(self, hand, answer):
        self.asked.append(("tell", None, hand, answer))

    def submit(self, clue, hand, answer):
        self.asked.append(("submit", clue, hand, answer))

    def vote(self, clue, candidates, answer):
        self.asked.append(("vote", clue, candidates, answer))

    def resolve(self, words, page, go_on):
        self.shown.append((words, page, go_on))

    def complain(self, words):
        self.complaints.append(words)

    def move(self, choice, clue=None):
        self.asked[-1][3](Move(choice, clue))


@pytest.fixture
def person():
    return Fake()


@pytest.fixture
def sitting(person, toy_deck, scripted):
    return Sitting(person, [scripted(name) for name in "abc"], toy_deck, seed=7)


def test_a_round_waits_for_the_person_and_goes_on_when_the_move_comes(sitting, person):
    sitting.begin()
    assert [step for step, *_ in person.asked] == ["tell"]
    assert sitting.rounds == []
    person.move(1, "a door")
    (played,) = sitting.rounds
    assert (played.clue, played.players) == ("a door", ("you", "a", "b", "c"))
    assert played.target == played.hands[0][1] and played.status == "ok"
    words, page, go_on = person.shown[0]
    assert words == f"Round 1 of 12: {played.points[0]} points for you, {played.points[0]} in all."
    assert "“a door”" in page and go_on is not None


def test_a_listening_person_lays_and_votes(sitting, person):
    sitting.begin()
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
    sitting.begin()
    while len(sitting.rounds) < 12:
        rounds = len(sitting.rounds)
        person.move(0, "a door")
        if 12 > len(sitting.rounds) > rounds:
            person.shown[-1][2]()
    assert person.shown[-1][2] is None
    assert [played.round for played in sitting.rounds] == list(range(1, 13))


def test_it_is_the_arenas_own_game(person, toy_deck, scripted):
    """A person who plays as a scripted player does plays the very same rounds."""
    moves = {step: Move(0, "a door" if step == "tell" else None) for step in ("tell", "submit")}
    moves["vote"] = Move(0)
    player = scripted("same", moves)
    sitting = Sitting(person, [player] * 3, toy_deck, seed=7)
    sitting.begin()
    while len(sitting.rounds) < 12:
        rounds = len(sitting.rounds)
        person.move(0, "a door")
        if 12 > len(sitting.rounds) > rounds:
            person.shown[-1][2]()
    arena = play_match(player, player, toy_deck, seed=7)[:12]
    assert [r.votes for r in sitting.rounds] == [r.votes for r in arena]
    assert [r.hands for r in sitting.rounds] == [r.hands for r in arena]


def test_a_player_that_breaks_is_told_and_the_move_can_be_made_again(person, toy_deck, scripted):
    class Breaking:
        name, broken = "b", True

        def submit(self, clue, hand, rng):
            if self.broken:
                raise ConnectionError("no line")
            return Move(0)

        def vote(self, clue, candidates, rng):
            return Move(0)

    breaking = Breaking()
    sitting = Sitting(person, [breaking, scripted("c"), scripted("d")], toy_deck)
    sitting.begin()
    with pytest.raises(ConnectionError):
        person.move(0, "a door")
    assert "no line" in person.complaints[0] and sitting.rounds == []
    breaking.broken = False
    person.move(0, "a door")
    assert sitting.rounds[0].clue == "a door" and sitting.rounds[0].status == "ok"
