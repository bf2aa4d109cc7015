"""Sitting a benchmark: a chooser is asked every item, and each answer is kept.

Methods ask in different ways. `direct` shows all options and takes one; `entailment` shows
each option alone and takes ratings. They differ in two things at once, so the two mixed
ways tell which one matters: `rate_together` takes ratings of options that are shown
together, `choose_alone` a yes or no to each option alone. `circular` is direct under every
rotation of the options. Three controls say which clue is shown: the item's own, another item's, or
none. A failed reply is no answer: its credit is None and its status says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, Literal

from dixitlib.bench.questions import Method, Question, prepare
from dixitlib.records import Answer, Card, Chooser, Item, Judge, Move, Sink

DECIMALS = 6
CHUNK = 16  # items a process is sent at a time, each time with a copy of the chooser

Ask = Callable[[Chooser, Question], list[Answer]]


def direct(
    chooser: Chooser,
    items: Sequence[Item],
    deck: Iterable[Card],
    *,
    clue: Literal["own", "permuted"] | None = "own",
    seed: int = 42,
    executor: Executor | None = None,
    sink: Sink | None = None,
    progress: Callable[[Sequence[Question]], Iterable[Question]] = iter,
) -> list[Answer]:
    """Ask for one of all options, shown together in the item's order.

    Parameters
    ----------
    chooser
        Who sits the benchmark.
    items
        What is asked.
    deck
        Holds the cards that items name.
    clue
        ``own``; ``permuted``, the clue of another item of the tier whose target is not
        among the options; or None, no clue. The last two tell what options alone give away.
    seed
        Decides the permutation, and what the chooser draws for each item.
    executor
        Asks items side by side; by default one after the other. The answers are the same.
    sink
        Takes each tier's answers as one unit, (player, method, control, tier). A unit
        that it calls finished is not asked again.
    progress
        Wraps the list of questions to be asked, as ``tqdm`` does, and yields them again.

    Returns
    -------
    list of Answer
        Tier by tier in the order of `items`; without the units that were finished before.

    Raises
    ------
    ValueError
        If items name cards the deck lacks, if a tier is too small to permute, or if the
        chooser returns what was not asked for.
    """
    return _sit(
        "direct",
        _ask_direct,
        chooser,
        items,
        deck,
        clue=clue,
        seed=seed,
        executor=executor,
        sink=sink,
        progress=progress,
    )


def entailment(
    chooser: Chooser, items: Sequence[Item], deck: Iterable[Card], **conditions: Any
) -> list[Answer]:
    """Ask for a rating from 0 to 100 of each option alone; the highest wins.

    Options that share the highest rating share the credit: 1/k if the target is among k,
    so their order gains nothing. If one rating fails, the item is unanswered.

    Parameters
    ----------
    chooser, items, deck
        As in `direct`.
    **conditions
        The keywords of `direct`.
    """
    return _sit("entailment", _ask_entailment, chooser, items, deck, **conditions)


def rate_together(
    judge: Judge, items: Sequence[Item], deck: Iterable[Card], **conditions: Any
) -> list[Answer]:
    """Ask for a rating of each option with all of them in view; the highest wins.

    Ties share the credit as in `entailment`.

    Parameters
    ----------
    judge, items, deck
        As in `direct`.
    **conditions
        The keywords of `direct`.
    """
    return _sit("rate_together", _ask_together, judge, items, deck, **conditions)


def choose_alone(
    judge: Judge, items: Sequence[Item], deck: Iterable[Card], **conditions: Any
) -> list[Answer]:
    """Ask of each option alone whether it is the one; a yes counts as 100, a no as 0.

    Options with a yes share the credit, and if none has one, all options do.

    Parameters
    ----------
    judge, items, deck
        As in `direct`.
    **conditions
        The keywords of `direct`.
    """
    return _sit("choose_alone", _ask_yes_or_no, judge, items, deck, **conditions)


def circular(
    chooser: Chooser, items: Sequence[Item], deck: Iterable[Card], **conditions: Any
) -> list[Answer]:
    """Ask as `direct` does, once for each rotation of the options: six answers an item.

    Scores are given in the item's own order.

    Parameters
    ----------
    chooser, items, deck
        As in `direct`.
    **conditions
        The keywords of `direct`.
    """
    return _sit("circular", _ask_circular, chooser, items, deck, **conditions)


def _sit(
    method: Method,
    ask: Ask,
    chooser: Chooser,
    items: Sequence[Item],
    deck: Iterable[Card],
    *,
    clue: Literal["own", "permuted"] | None = "own",
    seed: int = 42,
    executor: Executor | None = None,
    sink: Sink | None = None,
    progress: Callable[[Sequence[Question]], Iterable[Question]] = iter,
) -> list[Answer]:
    finished = () if sink is None else sink.finished()
    questions = prepare(chooser, method, items, deck, clue, seed)
    questions = [question for question in questions if question.unit not in finished]
    answers: list[Answer] = []
    # All tiers at once: an executor shall not run dry between one and the next.
    with closing(_ask_all(partial(ask, chooser), questions, executor)) as replies:
        answered = zip(progress(questions), replies, strict=True)
        for unit, group in groupby(answered, key=lambda pair: pair[0].unit):
            batch = [answer for _, reply in group for answer in reply]
            if sink is not None:
                sink.write(unit, batch)
            answers += batch
    return answers


def _ask_all(
    ask: Callable[[Question], list[Answer]],
    questions: Sequence[Question],
    executor: Executor | None,
) -> Iterator[list[Answer]]:
    """Yield each question's answers in order; once closed, no further question is asked."""
    yield from executor.map(ask, questions, chunksize=CHUNK) if executor else map(ask, questions)


def _ask_direct(chooser: Chooser, question: Question) -> list[Answer]:
    return [_choose(chooser, question, 0)]


def _ask_circular(chooser: Chooser, question: Question) -> list[Answer]:
    return [_choose(chooser, question, rotation) for rotation in range(len(question.cards))]


def _choose(chooser: Chooser, question: Question, rotation: int) -> Answer:
    cards = question.cards
    shown = cards[rotation:] + cards[:rotation]
    move = chooser.choose(question.clue, shown, question.chance(rotation))
    blank = replace(question.blank, rotation=rotation, status=move.status, replies=move.replies)
    if move.status != "ok":
        return blank
    _check_choice(question, move)
    choice = shown[move.choice].id
    turn = len(move.probabilities) - rotation
    scores = (move.probabilities[turn:] + move.probabilities[:turn]) if move.probabilities else ()
    return replace(
        blank,
        choice=choice,
        credit=_credit(question, float(choice == question.item.target)),
        scores=tuple(round(float(score), DECIMALS) for score in scores),
        coverage=move.coverage,
    )


def _ask_entailment(chooser: Chooser, question: Question) -> list[Answer]:
    return _ask_alone(chooser.rate, question)


def _ask_yes_or_no(judge: Judge, question: Question) -> list[Answer]:
    return _ask_alone(judge.accept, question)


def _ask_together(judge: Judge, question: Question) -> list[Answer]:
    move = judge.rate_together(question.clue, question.cards, question.chance(0))
    blank = replace(question.blank, status=move.status, replies=move.replies)
    if move.status != "ok":
        return [blank]
    if len(move.ratings) != len(question.cards):
        shown, given = len(question.cards), len(move.ratings)
        raise ValueError(f"{question} gave {given} ratings for {shown} cards")
    return [_highest(question, blank, move.ratings)]


def _ask_alone(ask: Callable[..., Move], question: Question) -> list[Answer]:
    moves = [
        ask(question.clue, card, question.chance(step)) for step, card in enumerate(question.cards)
    ]
    replies = tuple(key for move in moves for key in move.replies)
    status = next((move.status for move in moves if move.status != "ok"), "ok")
    blank = replace(question.blank, status=status, replies=replies)
    return [blank if status != "ok" else _highest(question, blank, [m.rating for m in moves])]


def _highest(question: Question, blank: Answer, given: Sequence[float | None]) -> Answer:
    ratings = tuple(_rating(question, rating) for rating in given)
    rated = zip(question.item.options, ratings, strict=True)
    best = [card for card, rating in rated if rating == max(ratings)]
    share = round(1 / len(best), DECIMALS)
    return replace(
        blank,
        choice=best[0],
        credit=_credit(question, share if question.item.target in best else 0.0),
        tied=len(best),
        scores=ratings,
    )


def _credit(question: Question, earned: float) -> float | None:
    """Return what an answer earned; None where it can't be known."""
    return earned if question.item.target else None


def _rating(question: Question, rating: float | None) -> float:
    if rating is None or not 0 <= rating <= 100:
        raise ValueError(f"{question} rated {rating!r}; a rating lies between 0 and 100")
    return round(float(rating), DECIMALS)


def _check_choice(question: Question, move: Move) -> None:
    shown, given = len(question.cards), len(move.probabilities)
    if move.choice not in range(shown):
        raise ValueError(f"{question} chose {move.choice!r}; {shown} cards were shown, from 0")
    if given not in (0, shown):
        raise ValueError(f"{question} gave {given} probabilities for {shown} cards")
