"""What a match asks of a model, counted by hand."""

import subprocess
import sys

from dixitlib.study.calls import of_match


def test_a_side_of_a_match_tells_half_of_it_and_hears_half_of_all_votes(toy_deck):
    # 24 rounds: each tells 12, and of the 72 listeners half are its own.
    plans = of_match("m", toy_deck)
    assert [plan.calls for plan in plans] == [12, 12, 36, 36]
    assert {plan.model for plan in plans} == {"m"}
    assert all(plan.tokens_out > 0 and plan.example for plan in plans)


def test_counting_calls_loads_no_client_and_no_torch():
    checks = "import dixitlib.study.calls, sys; print({'torch', 'openai'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", checks], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
