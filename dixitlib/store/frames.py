"""Runs as tidy frames, for analysis.

What a void round or a failed move leaves undefined is missing (NaN), never zero. Counts
and points that can be missing are therefore floats, and yes-or-no that can be missing is
pandas' ``boolean``. The dtypes are the same whatever a run holds.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from dixitlib.records import Round
from dixitlib.store.manifest import NAME, existing, locate
from dixitlib.store.runs import iter_answers, iter_rounds

_TEXT = pd.StringDtype(na_value=np.nan)
_PLACE = {"match": "int64", "phase": "int64", "round": "int64"}
_ROUNDS = _PLACE | {
    "storyteller": _TEXT,
    "storyteller_seat": "int64",
    "stream": "int64",
    "opponent": _TEXT,
    "cross": "bool",
    "clue": _TEXT,
    "target": _TEXT,
    "correct": "float64",
    "outcome": _TEXT,
    "storyteller_points": "float64",
    "status": _TEXT,
    "failed": "bool",
}
_VOTES = _PLACE | {
    "storyteller": _TEXT,
    "listener": _TEXT,
    "listener_seat": "int64",
    "cross": "bool",
    "own_clue": "bool",
    "clue": _TEXT,
    "target": _TEXT,
    "vote": _TEXT,
    "correct": "boolean",
    "points": "float64",
    "target_position": "float64",
    "choice_position": "float64",
    "n_candidates": "float64",
    "status": _TEXT,
    "failed": "bool",
}
_COUNTERFACTUAL = {
    "table": "int64",
    "target": _TEXT,
    "storyteller": _TEXT,
    "listener": _TEXT,
    "own_clue": "bool",
    "clue": _TEXT,
    "choice": _TEXT,
    "correct": "boolean",
    "target_position": "int64",
    "choice_position": "float64",
    "n_candidates": "int64",
    "status": _TEXT,
}
_REPLIES = {
    "key": _TEXT,
    "model": _TEXT,
    "status": _TEXT,
    "finish": _TEXT,
    "tokens_in": "float64",
    "tokens_out": "float64",
    "cost": "float64",
    "served_by": _TEXT,
    "served_model": _TEXT,
    "faults": _TEXT,
    "problem": _TEXT,
}
_ANSWERS = {
    "player": _TEXT,
    "item": _TEXT,
    "tier": _TEXT,
    "method": _TEXT,
    "control": _TEXT,
    "rotation": "int64",
    "choice": _TEXT,
    "credit": "float64",
    "tied": "int64",
    "coverage": "float64",
    "status": _TEXT,
}


def read_rounds(run: str | Path) -> pd.DataFrame:
    """Return one row a round.

    Parameters
    ----------
    run
        Folder of a run; a relative one lies in the home (see `paths`).

    Returns
    -------
    DataFrame
        match, phase, round
            Place in the tournament.
        storyteller, storyteller_seat, stream
            Name and seat of the player that told, and the stream of cards it played.
        opponent, cross
            Name of the player at the two other seats, and whether it is another one.
        clue, target
            What was said of which card.
        correct
            Number of listeners that found the target.
        outcome, storyteller_points
            ``partial``, ``all_correct`` or ``all_wrong``, and what it paid.
        status, failed
            ``ok`` or why the round is void, and whether the storyteller's own move failed.

        Columns of the run's ``meaning.csv``, where there is one, are joined on the place.
    """
    rounds = _frame(map(_round_row, iter_rounds(run)), _ROUNDS)
    measures = locate(run) / "meaning.csv"
    if not measures.exists():
        return rounds
    meaning = pd.read_csv(measures)
    return rounds.merge(
        meaning, how="left", on=list(_PLACE), suffixes=(False, False), validate="one_to_one"
    )


def read_votes(run: str | Path) -> pd.DataFrame:
    """Return one row a listener and round, three a round.

    Parameters
    ----------
    run
        Folder of a run; a relative one lies in the home (see `paths`).

    Returns
    -------
    DataFrame
        match, phase, round
            Place in the tournament.
        storyteller, listener, listener_seat
            Names of who told and who listened, and the listener's seat.
        cross, own_clue
            Whether two different players are at the table, and whether the clue comes
            from the same player that listens.
        clue, target, vote
            What was said of which card, and which one the listener took it for.
        correct, points
            Whether the vote hit the target, and all the listener won; missing in void rounds.
        target_position, choice_position, n_candidates
            Places of target and vote, from 1, among the candidates as this listener saw
            them, and how many it saw.
        status, failed
            ``ok`` or why the round is void, and whether this listener's own move failed.
    """
    return votes_of(iter_rounds(run))


def votes_of(rounds: Iterable[Round]) -> pd.DataFrame:
    """Return rounds that need not be stored as `read_votes` gives them."""
    rows = (_vote_row(played, seat) for played in rounds for seat in _listeners(played))
    return _frame(rows, _VOTES)


def read_answers(run: str | Path) -> pd.DataFrame:
    """Return one row an answer: the fields of `records.Answer` but scores and replies.

    `credit` is missing where there is no answer. Scores are in `iter_answers`.
    """
    rows = ({name: getattr(answer, name) for name in _ANSWERS} for answer in iter_answers(run))
    return _frame(rows, _ANSWERS)


def read_counterfactual(run: str | Path) -> pd.DataFrame:
    """Return one row a vote over a run's counterfactual tables.

    Returns
    -------
    DataFrame
        table, target
            Number of the table, from 0, and its target.
        storyteller, listener, own_clue
            Who told and who listened, and whether that is the same player.
        clue, choice, correct
            What was said, which card it was taken for, and whether that is the target.
        target_position, choice_position, n_candidates
            Places of target and choice, from 1, as this listener saw them, and how many.
        status
            ``ok``, or why there is no vote; where the storyteller failed there is no clue.
        similarity, margin
            As in `read_rounds`; only where the deck has literal captions.
    """
    return pd.read_csv(existing(run, "counterfactual.csv"), dtype=_COUNTERFACTUAL)


def read_sensitivity(run: str | Path) -> pd.DataFrame:
    """Return one row a vote of a run's tournaments under other presets and seeds.

    Columns are preset, seed, and of those of `read_votes`: match, phase, round,
    storyteller, listener, own_clue, correct, points and n_candidates.
    """
    votes = pd.read_parquet(existing(run, "sensitivity.parquet"))
    names = dict.fromkeys(["preset", "storyteller", "listener"], _TEXT)
    votes = votes.astype(names | {"correct": "boolean"})
    return votes.assign(own_clue=votes["storyteller"] == votes["listener"])


def read_replies(run: str | Path) -> pd.DataFrame:
    """Return one row a reply that a model gave in a run, in the order in which they came.

    Columns are the fields of `records.Reply` but text and tokens, besides key and model;
    `faults` counts what went wrong before by kind, as ``kind:times`` joined by semicolons.
    """
    rows = [_reply_row(json.loads(line)) for line in _reply_lines(run)]
    return _frame(rows, _REPLIES)


def _reply_lines(run: str | Path) -> Iterator[str]:
    existing(run, NAME)  # says how runs are made, if there is none
    for path in sorted((locate(run) / "replies").glob("*.jsonl")):
        whole = path.read_bytes().rpartition(b"\n")[0]
        yield from (line.decode() for line in whole.split(b"\n") if line)


def _reply_row(line: Mapping[str, object]) -> dict[str, object]:
    kinds = Counter(line.get("faults", ()))
    told = {name: line.get(name) for name in _REPLIES}
    faults = ";".join(f"{kind}:{times}" for kind, times in sorted(kinds.items()))
    return told | {"status": line.get("status", "ok"), "faults": faults}


def _frame(rows: Iterable[Mapping[str, object]], dtypes: Mapping[str, object]) -> pd.DataFrame:
    return pd.DataFrame.from_records(list(rows), columns=list(dtypes)).astype(dtypes)


def _round_row(played: Round) -> dict[str, object]:
    teller, players = played.storyteller, played.players
    scored = played.outcome is not None
    return _shared(played) | {
        "storyteller_seat": teller,
        "stream": played.streams[teller],
        "opponent": players[(teller + 2) % len(players)],
        "correct": played.votes.count(played.target) if scored else None,
        "outcome": played.outcome,
        "storyteller_points": played.points[teller] if scored else None,
        "failed": teller in played.failed,
    }


def _vote_row(played: Round, seat: int) -> dict[str, object]:
    listener, vote, shown = played.players[seat], played.votes[seat], played.candidates[seat]
    scored = played.outcome is not None
    return _shared(played) | {
        "listener": listener,
        "listener_seat": seat,
        "own_clue": listener == played.players[played.storyteller],
        "vote": vote,
        "correct": vote == played.target if scored else None,
        "points": played.points[seat] if scored else None,
        "target_position": _position(played.target, shown),
        "choice_position": _position(vote, shown),
        "n_candidates": len(shown) or None,
        "failed": seat in played.failed,
    }


def _shared(played: Round) -> dict[str, object]:
    return {
        "match": played.match,
        "phase": played.phase,
        "round": played.round,
        "storyteller": played.players[played.storyteller],
        "cross": len(set(played.players)) > 1,
        "clue": played.clue,
        "target": played.target,
        "status": played.status,
    }


def _listeners(played: Round) -> list[int]:
    return [seat for seat in range(len(played.players)) if seat != played.storyteller]


def _position(card: str | None, shown: tuple[str, ...]) -> int | None:
    """Return a card's place, from 1, or None if it was not shown."""
    return shown.index(card) + 1 if card in shown else None
