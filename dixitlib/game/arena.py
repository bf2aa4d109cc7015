"""The arena: players at a table, for a phase, a match or a round robin.

A phase of a match is the unit of work. It travels to an executor and comes back, in
canonical order, as `Round` records; a sink keeps them. The arena knows nothing of files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import combinations_with_replacement

from dixitlib.game import rules
from dixitlib.game.rules import CORRECTED, Preset
from dixitlib.game.table import Play, Request, Table, open_phase, play_round
from dixitlib.records import Card, Move, Player, Round, Sink

__all__ = [
    "Phase",
    "Request",
    "Table",
    "ask_in_threads",
    "ask_in_turn",
    "ask_player",
    "ask_together",
    "match_phases",
    "open_phase",
    "play_match",
    "play_phase",
    "play_round",
    "round_robin",
]

Ask = Callable[[Sequence[Player], Sequence[Request]], Sequence[Move]]


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of a match, ready to be played anywhere: the players by seat, and the table."""

    players: tuple[Player, ...]
    table: Table

    @property
    def unit(self) -> tuple[int, int]:
        """Name of this unit of work: (match, phase)."""
        return self.table.match, self.table.phase


def match_phases(
    a: Player,
    b: Player,
    deck: Sequence[Card],
    *,
    preset: Preset = CORRECTED,
    seed: int = 42,
    match: int = 0,
) -> list[Phase]:
    """Return the two phases of a match: `a` takes seats 0 and 1, `b` seats 2 and 3."""
    players = (a, a, b, b)
    names = tuple(player.name for player in players)
    return [
        Phase(players, open_phase(names, deck, preset=preset, seed=seed, match=match, phase=phase))
        for phase in rules.PHASES
    ]


def ask_in_turn(players: Sequence[Player], requests: Sequence[Request]) -> list[Move]:
    """Ask one seat after another."""
    return [ask_player(players[request.seat], request) for request in requests]


def ask_together(executor: Executor) -> Ask:
    """Return a way to ask all seats at once, for models that are waited for.

    The executor must not be the one that plays the phases, which would wait for itself.
    """

    def ask(players: Sequence[Player], requests: Sequence[Request]) -> list[Move]:
        if len(requests) == 1:
            return ask_in_turn(players, requests)
        seated = [players[request.seat] for request in requests]
        return list(executor.map(ask_player, seated, requests))

    return ask


def ask_in_threads(players: Sequence[Player], requests: Sequence[Request]) -> list[Move]:
    """Ask all seats at once in threads of this step's own, as any process can."""
    with ThreadPoolExecutor(len(requests)) as executor:
        return list(ask_together(executor)(players, requests))


def ask_player(player: Player, request: Request) -> Move:
    """Put one request to a player."""
    if request.step == "tell":
        return player.tell(request.cards, request.rng)
    ask = player.submit if request.step == "submit" else player.vote
    return ask(request.clue, request.cards, request.rng)


def play_phase(phase: Phase, ask: Ask = ask_in_turn) -> list[Round]:
    """Play the twelve rounds of a phase.

    Parameters
    ----------
    phase
        Who plays what.
    ask
        Puts simultaneous requests to the players (given by seat) and returns their moves
        in order: one after another unless told otherwise. For models behind a network,
        threads may do better. It must be picklable where processes play.
    """
    table, played = phase.table, []
    for _ in range(rules.ROUNDS):
        played.append(_drive(play_round(table), phase.players, ask))
        table = table.after(played[-1])
    return played


def play_match(
    a: Player,
    b: Player,
    deck: Sequence[Card],
    *,
    preset: Preset = CORRECTED,
    seed: int = 42,
    match: int = 0,
    ask: Ask = ask_in_turn,
) -> list[Round]:
    """Play a match of two phases, 24 rounds: `a` at seats 0 and 1, `b` at seats 2 and 3.

    `match` is the match's number in a tournament: under another number the same two
    players get other cards and other chances.
    """
    phases = match_phases(a, b, deck, preset=preset, seed=seed, match=match)
    return [played for phase in phases for played in play_phase(phase, ask)]


def round_robin(
    players: Sequence[Player],
    deck: Sequence[Card],
    *,
    preset: Preset = CORRECTED,
    seed: int = 42,
    executor: Executor | None = None,
    sink: Sink | None = None,
    progress: Callable[[Sequence[Phase]], Iterable[Phase]] = iter,
    ask: Ask = ask_in_turn,
) -> list[Round]:
    """Play every player against every other and against itself.

    Matches are numbered from 0 in canonical order: player 1 with 1, 2, ... n, then player
    2 with 2, ... n, and so on. Phases are units of work; whatever the executor, their
    rounds come back and reach the sink in canonical order.

    Parameters
    ----------
    players
        Players of different names; six give 21 matches and 504 rounds.
    deck
        Cards with different ids.
    preset, seed
        Rules in force, and the seed of all chance.
    executor
        Where phases are played; None plays them here, one after another.
    sink
        Keeps the rounds phase by phase under the unit (match, phase), and names the
        phases that need not be played again.
    progress
        Wraps the list of phases to be played, as ``tqdm`` does.
    ask
        How simultaneous requests are put to players; see `play_phase`.

    Returns
    -------
    list of Round
        The rounds played now; those that the sink had already are not among them.

    Raises
    ------
    ValueError
        If names or ids repeat, or the deck is too small.
    Exception
        Whatever a player raises. Nothing after that phase is written, and phases that
        have not begun are cancelled.
    """
    phases = _unplayed(players, deck, preset, seed, () if sink is None else sink.finished())
    played = []
    with closing(_play_all(phases, executor, ask)) as results:
        for phase in progress(phases):
            rounds = next(results)
            if sink is not None:
                sink.write(phase.unit, rounds)
            played += rounds
    return played


def _unplayed(
    players: Sequence[Player],
    deck: Sequence[Card],
    preset: Preset,
    seed: int,
    finished: Iterable[object],
) -> list[Phase]:
    names = Counter(player.name for player in players)
    if repeated := [name for name, count in names.items() if count > 1]:
        raise ValueError(f"players need different names, but these repeat: {', '.join(repeated)}")
    return [
        phase
        for match, (a, b) in enumerate(combinations_with_replacement(players, 2))
        for phase in match_phases(a, b, deck, preset=preset, seed=seed, match=match)
        if phase.unit not in finished
    ]


def _play_all(
    phases: Sequence[Phase], executor: Executor | None, ask: Ask
) -> Iterator[list[Round]]:
    """Yield the rounds of each phase in order; once closed, no further phase begins.

    Players go with the function, not with every phase: a cluster sends a function once, and
    what a player has seen in one phase it then knows in the next.
    """
    run = map if executor is None else executor.map
    known = {player.name: player for phase in phases for player in phase.players}
    yield from run(partial(_play_at, known, ask), [phase.table for phase in phases])


def _play_at(known: Mapping[str, Player], ask: Ask, table: Table) -> list[Round]:
    return play_phase(Phase(tuple(known[name] for name in table.players), table), ask)


def _drive(play: Play, players: Sequence[Player], ask: Ask) -> Round:
    """Answer a round's requests until it is over."""
    requests = next(play)
    while True:
        try:
            requests = play.send(ask(players, requests))
        except StopIteration as over:
            return over.value
