"""How fast to ask: requests and tokens a minute, calls at a time, and how long to back off.

One `Limits` belongs to one endpoint and is shared by all models asked there. Waiting never
touches results, so the jitter comes from the system's randomness, not from a seed.
"""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_JITTER = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often to try, and how long to wait in between (full jitter).

    Parameters
    ----------
    tries
        Attempts in all.
    base, cap
        The wait before the n-th repetition is drawn from 0 to ``min(cap, base * 2**n)`` s.
    patience
        Longest wait in seconds that a server may ask for; beyond it the call fails.
    """

    tries: int = 6
    base: float = 1.0
    cap: float = 30.0
    patience: float = 120.0

    def wait(self, failures: int, after: float | None = None) -> float:
        """Return how long to wait after so many failures; never less than the server asks."""
        drawn = _JITTER.uniform(0, min(self.cap, self.base * 2 ** (failures - 1)))
        return drawn if after is None else after + min(drawn, self.base)


class Window:
    """At most so much within any stretch of `period` seconds; None is no limit."""

    def __init__(self, limit: float | None, period: float) -> None:
        self.limit = limit
        self.period = period
        self._spent: deque[tuple[float, float]] = deque()

    def add(self, now: float, amount: float) -> None:
        """Count an amount spent now."""
        if self.limit is not None:
            self._spent.append((now, amount))

    def wait(self, now: float, amount: float) -> float:
        """Return for how long an amount has to wait; more than the limit waits for all else."""
        if self.limit is None:
            return 0.0
        while self._spent and self._spent[0][0] <= now - self.period:
            self._spent.popleft()
        over = amount + sum(spent for _, spent in self._spent) - self.limit
        wait = 0.0
        for when, spent in self._spent:
            if over <= 0:
                break
            over, wait = over - spent, when + self.period - now
        return wait


class Limits:
    """What one endpoint allows.

    Parameters
    ----------
    requests, tokens
        Allowed within any `period`; None is no limit.
    concurrency
        Calls at a time.
    period
        Seconds; endpoints count by the minute.
    clock, sleep
        Stand-ins for tests.
    """

    def __init__(
        self,
        requests: float | None = None,
        tokens: float | None = None,
        concurrency: int = 16,
        period: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.sleep = sleep
        self._clock = clock
        self._requests = Window(requests, period)
        self._tokens = Window(tokens, period)
        self._slots = threading.BoundedSemaphore(concurrency)
        self._lock = threading.Lock()
        self._held_until = -float("inf")

    @contextmanager
    def slot(self, tokens: float) -> Iterator[None]:
        """Wait until a call of about so many tokens is allowed, and hold a place for it."""
        with self._slots:
            while (wait := self._reserve(tokens)) > 0:
                self.sleep(wait)
            yield

    def hold(self, seconds: float) -> None:
        """Let no call start for a while: the server asked all of us to wait."""
        with self._lock:
            self._held_until = max(self._held_until, self._clock() + seconds)

    def correct(self, tokens: float) -> None:
        """Count tokens that a call took beyond what was thought."""
        with self._lock:
            self._tokens.add(self._clock(), max(0.0, tokens))

    def _reserve(self, tokens: float) -> float:
        with self._lock:
            now = self._clock()
            wait = max(
                self._held_until - now,
                self._requests.wait(now, 1),
                self._tokens.wait(now, tokens),
            )
            if wait <= 0:
                self._requests.add(now, 1)
                self._tokens.add(now, tokens)
            return wait
