import pytest

from dixitlib.game.arena import play_match
from dixitlib.records import Move
from dixitlib.study import exam


@pytest.fixture
def rounds(toy_deck, scripted):
    return play_match(scripted("teller"), scripted("teller"), toy_deck)


def test_every_listener_hears_every_seat_of_every_round(rounds, toy_deck, scripted):
    cards = {card.id: card for card in toy_deck}
    listeners = [scripted("a", {"vote": Move(choice=0)}), scripted("b")]
    votes = exam.sit(rounds, cards, listeners, seed=1)
    # 24 rounds, three listening seats, two listeners.
    assert len(votes) == 24 * 3 * 2
    assert set(votes["n_candidates"]) == {3}
    first = [r.candidates[s][0] == r.target for r in rounds for s in range(4) if r.candidates[s]]
    assert votes.loc[votes["listener"] == "a", "correct"].tolist() == first
    _, clue, shown = listeners[0].calls[0]
    assert clue == rounds[0].clue
    assert [card.id for card in shown] == list(rounds[0].candidates[1])


def test_votes_do_not_depend_on_the_company(rounds, toy_deck, scripted):
    cards = {card.id: card for card in toy_deck}
    alone = exam.sit(rounds, cards, [scripted("a")], seed=1)
    together = exam.sit(rounds, cards, [scripted("b"), scripted("a")], seed=1)
    assert together[together["listener"] == "a"]["correct"].tolist() == alone["correct"].tolist()


def test_failed_votes_are_no_answers_and_void_rounds_are_passed_over(toy_deck, scripted):
    cards = {card.id: card for card in toy_deck}
    silent = scripted("s", {"tell": Move(status="refused")})
    assert exam.sit(play_match(silent, silent, toy_deck), cards, [silent], seed=1).empty
    played = play_match(scripted("t"), scripted("t"), toy_deck)
    lost = exam.sit(played, cards, [scripted("l", {"vote": Move(status="error")})], seed=1)
    assert lost["correct"].isna().all() and len(lost) == 72
