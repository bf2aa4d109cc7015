"""Methods, controls, failures and order, with choosers that do as they are told."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dixitlib.bench.evaluate import (
    choose_alone,
    circular,
    direct,
    entailment,
    rate_together,
)
from dixitlib.records import Card, Item, Move

METHODS = {"direct": direct, "entailment": entailment, "circular": circular}
SIX = tuple("abcdef")
CARDS = [Card(id, load=None) for id in SIX]


@dataclass
class Told:
    """A chooser whose moves are functions of the clue and of the ids it is shown."""

    choice: object = lambda clue, ids: 0
    rating: object = lambda clue, id: 50.0
    name: str = "told"
    asked: list = field(default_factory=list)

    def choose(self, clue, candidates, rng):
        ids = tuple(card.id for card in candidates)
        self.asked.append((clue, ids))
        move = self.choice(clue, ids)
        return move if isinstance(move, Move) else Move(choice=move)

    def rate(self, clue, card, rng):
        self.asked.append((clue, card.id))
        rating = self.rating(clue, card.id)
        return rating if isinstance(rating, Move) else Move(rating=rating)

    def rate_together(self, clue, candidates, rng):
        ids = tuple(card.id for card in candidates)
        self.asked.append((clue, ids))
        return Move(ratings=tuple(self.rating(clue, id) for id in ids))

    def accept(self, clue, card, rng):
        self.asked.append((clue, card.id))
        return Move(rating=100.0 * (self.rating(clue, card.id) > 50))


@dataclass
class Guesser:
    """Draws everything, and travels to other processes."""

    name: str = "guesser"

    def choose(self, clue, candidates, rng):
        chances = rng.dirichlet([1.0] * len(candidates))
        return Move(choice=int(chances.argmax()), probabilities=tuple(chances))

    def rate(self, clue, card, rng):
        return Move(rating=float(rng.integers(101)))


class Kept:
    """A sink in memory."""

    def __init__(self, finished=()):
        self.units, self.done = {}, set(finished)

    def finished(self):
        return self.done

    def write(self, unit, records):
        assert unit not in self.units
        self.units[unit] = list(records)


def item(target="c", options=SIX, clue="a clue", id="hard-001", tier="hard"):
    return Item(id, tier, clue, target, tuple(options))


# --- one item ---------------------------------------------------------------------------


def test_direct_shows_all_options_in_the_items_order():
    chooser = Told(choice=lambda clue, ids: ids.index("c"))
    (answer,) = direct(chooser, [item(options="fedcba")], CARDS)
    assert chooser.asked == [("a clue", tuple("fedcba"))]
    assert (answer.choice, answer.credit, answer.tied) == ("c", 1.0, 1)
    assert (answer.player, answer.item, answer.tier) == ("told", "hard-001", "hard")
    assert (answer.method, answer.control, answer.rotation) == ("direct", "own", 0)


def test_a_wrong_choice_gets_no_credit():
    (answer,) = direct(Told(choice=lambda clue, ids: 5), [item()], CARDS)
    assert (answer.choice, answer.credit) == ("f", 0.0)


def test_circular_turns_the_options_and_turns_scores_back():
    # It always takes the first place, and halves its probabilities on the way.
    halves = (0.5, 0.25, 0.125, 0.0625, 0.03125, 0.03125)
    chooser = Told(choice=lambda clue, ids: Move(choice=0, probabilities=halves, coverage=0.9))
    answers = circular(chooser, [item(target="c")], CARDS)
    assert [answer.rotation for answer in answers] == [0, 1, 2, 3, 4, 5]
    assert [ids for _, ids in chooser.asked[:2]] == [tuple("abcdef"), tuple("bcdefa")]
    assert [answer.choice for answer in answers] == list("abcdef")
    assert [answer.credit for answer in answers] == [0, 0, 1, 0, 0, 0]
    # Under one turn "a" stands last: its score is the last, in the item's own order first.
    assert answers[1].scores == (halves[5], *halves[:5])
    assert {answer.coverage for answer in answers} == {0.9}
    assert all(a.scores["abcdef".index(a.choice)] == 0.5 for a in answers)


def test_entailment_takes_the_highest_rating():
    chooser = Told(rating=lambda clue, id: {"c": 90.0, "d": 80}.get(id, 10))
    (answer,) = entailment(chooser, [item()], CARDS)
    assert chooser.asked == [("a clue", id) for id in SIX]  # each alone
    assert (answer.choice, answer.credit, answer.tied) == ("c", 1.0, 1)
    assert answer.scores == (10, 10, 90, 80, 10, 10)


@pytest.mark.parametrize(
    ("best", "tied", "credit"),
    [("abcdef", 6, 0.166667), ("bce", 3, 0.333333), ("ab", 2, 0.0), ("cf", 2, 0.5)],
)
def test_ties_share_the_credit_wherever_they_stand(best, tied, credit):
    chooser = Told(rating=lambda clue, id: 70.0 if id in best else 0.0)
    for options in ("abcdef", "fedcba", "cabdef"):
        (answer,) = entailment(chooser, [item(options=options)], CARDS)
        assert (answer.tied, answer.credit) == (tied, credit)


def test_ratings_of_cards_together_are_taken_as_of_cards_alone():
    chooser = Told(rating=lambda clue, id: {"c": 90.0, "d": 80}.get(id, 10))
    (answer,) = rate_together(chooser, [item()], CARDS)
    assert chooser.asked == [("a clue", SIX)]  # once, with all of them in view
    assert (answer.choice, answer.credit, answer.tied) == ("c", 1.0, 1)
    assert answer.scores == (10, 10, 90, 80, 10, 10)
    assert answer.method == "rate_together"


def test_a_yes_to_several_cards_or_to_none_shares_the_credit():
    for yes, tied, credit in (("cd", 2, 0.5), ("", 6, 0.166667), ("ab", 2, 0.0)):
        chooser = Told(rating=lambda clue, id, yes=yes: 51.0 if id in yes else 50.0)
        (answer,) = choose_alone(chooser, [item()], CARDS)
        assert chooser.asked == [("a clue", id) for id in SIX]
        assert (answer.tied, answer.credit, answer.method) == (tied, credit, "choose_alone")
        assert set(answer.scores) <= {0, 100}


def test_together_too_a_failed_reply_is_no_answer_and_ratings_must_be_whole():
    chooser = Told()
    chooser.rate_together = lambda *asked: Move(status="refused", replies=("r",))
    (answer,) = rate_together(chooser, [item()], CARDS)
    assert (answer.credit, answer.status, answer.replies) == (None, "refused", ("r",))
    chooser.rate_together = lambda *asked: Move(ratings=(1.0, 2.0))
    with pytest.raises(ValueError, match="told at item hard-001 gave 2 ratings for 6 cards"):
        rate_together(chooser, [item()], CARDS)


def test_a_failed_reply_is_no_answer():
    failed = Move(status="refused", replies=("r1",))
    (answer,) = direct(Told(choice=lambda clue, ids: failed), [item()], CARDS)
    assert (answer.choice, answer.credit, answer.status) == (None, None, "refused")
    assert answer.replies == ("r1",)


def test_one_failed_rating_leaves_the_item_unanswered():
    def rate(clue, id):
        failed = id == "d"
        return Move(
            rating=None if failed else 10.0,
            status="empty" if failed else "ok",
            replies=(f"r-{id}",),
        )

    (answer,) = entailment(Told(rating=rate), [item()], CARDS)
    assert (answer.choice, answer.credit, answer.status) == (None, None, "empty")
    assert answer.scores == ()
    assert answer.replies == tuple(f"r-{id}" for id in SIX)


@pytest.mark.parametrize("choice", [6, -1, None])
def test_a_choice_that_was_not_shown_names_the_chooser(choice):
    with pytest.raises(ValueError, match=f"told at item hard-001 chose {choice}; 6 cards"):
        direct(Told(choice=lambda clue, ids: Move(choice=choice)), [item()], CARDS)


@pytest.mark.parametrize("rating", [-1.0, 100.5, float("nan"), None])
def test_a_rating_off_the_scale_names_the_chooser(rating):
    with pytest.raises(ValueError, match=r"told at item hard-001 rated .* between 0 and 100"):
        entailment(Told(rating=lambda clue, id: Move(rating=rating)), [item()], CARDS)


def test_probabilities_of_other_cards_name_the_chooser():
    move = Move(choice=0, probabilities=(0.5, 0.5))
    with pytest.raises(ValueError, match="told at item hard-001 gave 2 probabilities for 6"):
        direct(Told(choice=lambda clue, ids: move), [item()], CARDS)


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), min_size=6, max_size=6), st.permutations(SIX))
def test_entailment_gains_nothing_from_order(ratings, options):
    chooser = Told(rating=lambda clue, id: 10.0 * ratings[SIX.index(id)])
    (ordered,) = entailment(chooser, [item()], CARDS)
    (shuffled,) = entailment(chooser, [item(options=options)], CARDS)
    assert (ordered.credit, ordered.tied) == (shuffled.credit, shuffled.tied)
    best = [id for id, rating in zip(SIX, ratings, strict=True) if rating == max(ratings)]
    assert ordered.credit == (round(1 / len(best), 6) if "c" in best else 0)


# --- controls ---------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_without_clue_no_clue_is_shown(method):
    chooser = Told()
    answers = METHODS[method](chooser, [item()], CARDS, clue=None)
    assert {clue for clue, _ in chooser.asked} == {None}
    assert {answer.control for answer in answers} == {"none"}


def test_a_permuted_clue_is_anothers_of_the_tier_and_means_no_option(items, deck, clues):
    chooser = Told()
    answers = direct(chooser, items, deck, clue="permuted")
    meant = {clue: card for card, clue in clues.items()}
    by_id = {item.id: item for item in items}
    shown = Counter()
    for answer, (clue, ids) in zip(answers, chooser.asked, strict=True):
        assert by_id[answer.item].options == ids
        assert meant[clue] not in ids
        shown[answer.tier, clue] += 1
    assert set(shown.values()) == {1}  # a permutation within each tier
    assert {answer.control for answer in answers} == {"permuted"}


def test_the_permutation_depends_on_the_seed_only(items, deck):
    def shown(seed):
        chooser = Told()
        direct(chooser, items, deck, clue="permuted", seed=seed)
        return [clue for clue, _ in chooser.asked]

    assert shown(1) == shown(1)
    assert shown(1) != shown(2)


def test_a_tier_too_small_to_permute_says_so():
    with pytest.raises(ValueError, match=r"'hard' has too few items .* clue=None"):
        direct(Told(), [item()], CARDS, clue="permuted")


def test_an_unknown_control_and_missing_cards_are_refused():
    with pytest.raises(ValueError, match="clue is 'own', 'permuted' or None, not 'none'"):
        direct(Told(), [item()], CARDS, clue="none")
    with pytest.raises(ValueError, match="cards that the deck lacks: e, f"):
        direct(Told(), [item()], CARDS[:4])


def test_a_chooser_blind_to_clues_answers_alike_under_every_control(items, deck):
    # What it draws belongs to the item, so controls differ by the clue alone.
    choices = [[a.choice for a in direct(Guesser(), items, deck, clue=c)] for c in ("own", None)]
    assert choices[0] == choices[1]


# --- order, executors, sinks ------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_answers_come_in_canonical_order(method, items, deck):
    answers = METHODS[method](Guesser(), items, deck)
    repeats = 6 if method == "circular" else 1
    assert [answer.item for answer in answers] == [i.id for i in items for _ in range(repeats)]
    assert all(len(answer.scores) == 6 for answer in answers)


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork.*")
@pytest.mark.parametrize("method", METHODS)
def test_threads_and_processes_give_what_one_after_the_other_gives(method, items, toy_deck):
    few = items[::12]
    serial = METHODS[method](Guesser(), few, toy_deck)
    with ThreadPoolExecutor(8) as threads:
        assert METHODS[method](Guesser(), few, toy_deck, executor=threads) == serial
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as processes:
        assert METHODS[method](Guesser(), few, toy_deck, executor=processes) == serial


def test_an_item_is_answered_alike_alone_or_among_others(items, deck):
    among = direct(Guesser(), items, deck)
    alone = [answer for item in items[::50] for answer in direct(Guesser(), [item], deck)]
    assert alone == among[::50]


def test_two_players_draw_differently(items, deck):
    one, other = (direct(Guesser(name), items, deck) for name in ("one", "other"))
    assert [a.choice for a in one] != [a.choice for a in other]


def test_the_sink_gets_one_unit_a_tier_in_order(items, deck):
    sink = Kept()
    answers = direct(Guesser(), items, deck, sink=sink, clue=None)
    tiers = ("hard", "medium", "easy", "blocks")
    assert list(sink.units) == [("guesser", "direct", "none", tier) for tier in tiers]
    assert [answer for batch in sink.units.values() for answer in batch] == answers


def test_what_the_sink_has_is_not_asked_again(items, deck):
    whole = direct(Guesser(), items, deck)
    done = [("guesser", "direct", "own", tier) for tier in ("hard", "easy")]
    sink, chooser = Kept(done), Told(name="guesser")
    direct(chooser, items, deck, sink=sink)
    assert len(chooser.asked) == 168
    resumed = direct(Guesser(), items, deck, sink=Kept(done))
    assert resumed == [answer for answer in whole if answer.tier in ("medium", "blocks")]


def test_tiers_that_alternate_are_put_together():
    mixed = [item(id=f"i{k}", tier=("hard", "easy")[k % 2]) for k in range(4)]
    assert [a.item for a in direct(Told(), mixed, CARDS)] == ["i0", "i2", "i1", "i3"]


def test_progress_wraps_the_questions(items, deck):
    seen = []

    def bar(questions):
        assert len(questions) == len(items)
        for question in questions:
            seen.append(question.item.id)
            yield question
        seen.append("closed")

    direct(Guesser(), items, deck, progress=bar)
    assert seen == [*(item.id for item in items), "closed"]


def test_a_chooser_that_raises_stops_the_run_after_what_was_finished(items, deck):
    def choice(clue, ids):
        if clue == "clue of 050" and len(chooser.asked) > 84:
            raise RuntimeError("no more budget")
        return 0

    chooser, sink = Told(choice=choice), Kept()
    with pytest.raises(RuntimeError, match="no more budget"):
        direct(chooser, items, deck, sink=sink)
    assert [unit[-1] for unit in sink.units] == ["hard"]


def test_answers_hold_nothing_but_plain_values(items, deck):
    for answer in circular(Guesser(), items[:2], deck):
        for value in asdict(answer).values():
            assert type(value) in (str, int, float, tuple, type(None))
        assert all(type(score) is float for score in answer.scores)
