"""What a process has once, however often it arrives from another.

Whoever asks models travels to the workers of a cluster, again and again. Its log, budget,
endpoint and connections must be the same ones each time, or limits would be counted apart.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any

_held: dict[Hashable, Any] = {}
_lock = threading.RLock()  # what is made may hold other such things


def held_of(kind: type) -> list[Any]:
    """Return all of a kind that this process holds."""
    return [each for each in list(_held.values()) if isinstance(each, kind)]


def once(key: Hashable, make: Callable[..., Any], *arguments: Any) -> Any:
    """Return what this process holds under a key, made the first time it is asked for."""
    with _lock:
        if key not in _held:
            _held[key] = make(*arguments)
        return _held[key]
