"""Players that are made when first asked."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from dixitlib.study.waking import Waking


def test_a_waking_player_moves_as_the_player_of_that_name(toy_deck):
    player = Waking("first")
    rng = np.random.default_rng(0)
    assert player.name == "first"
    assert player.submit("a door", toy_deck[:4], rng).choice == 0
    assert player.vote("a door", toy_deck[:3], rng).choice == 0
    assert player.tell(toy_deck[:4], rng).clue


def test_nobody_waits_for_torch_before_the_first_move():
    script = "import sys; from dixitlib.study import rating, seat, waking; waking.Waking('first')"
    loaded = f"{script}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", loaded]).returncode == 0


def test_an_unknown_player_is_named_at_its_first_move(toy_deck):
    with pytest.raises(ValueError, match="no player is called nobody; there are s-literal"):
        Waking("nobody").vote("a door", toy_deck[:3], np.random.default_rng(0))
