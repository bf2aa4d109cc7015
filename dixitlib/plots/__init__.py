"""Figures and tables as a paper prints them.

Every figure is a function ``plot_x(frame, ax)`` of a tidy frame that `analysis` or `bench`
made; it draws on the axes it is given and returns them. `subplots` makes axes of one or
two columns' width, `save` and `save_table` write the files.
"""

from dixitlib.plots.arena import plot_listening, plot_meaning, plot_outcomes, plot_partial
from dixitlib.plots.bench import plot_accuracy, plot_learning_curves, plot_ranks
from dixitlib.plots.clues import plot_modes, plot_speakers
from dixitlib.plots.exam import plot_bench_arena, plot_correlations
from dixitlib.plots.files import save, save_table
from dixitlib.plots.methods import plot_calibration, plot_rounding, plot_two_by_two
from dixitlib.plots.opponents import plot_opponents, plot_pairs, plot_skill_and_clarity
from dixitlib.plots.panel import (
    plot_frontier,
    plot_gains,
    plot_reliability,
    plot_sweep,
    plot_trajectory,
)
from dixitlib.plots.people import plot_against_models, plot_proxies, plot_ratings
from dixitlib.plots.published import plot_differences
from dixitlib.plots.robustness import (
    plot_certificate,
    plot_drops,
    plot_effects,
    plot_equivalence,
    plot_places,
    plot_power,
    plot_recovery,
    plot_seeds,
)
from dixitlib.plots.scale import plot_held, plot_hours, plot_shares, plot_speed, plot_widths
from dixitlib.plots.style import ONE_COLUMN, TWO_COLUMNS, subplots

__all__ = [
    "ONE_COLUMN",
    "TWO_COLUMNS",
    "plot_accuracy",
    "plot_against_models",
    "plot_bench_arena",
    "plot_calibration",
    "plot_certificate",
    "plot_correlations",
    "plot_differences",
    "plot_drops",
    "plot_effects",
    "plot_equivalence",
    "plot_frontier",
    "plot_gains",
    "plot_held",
    "plot_hours",
    "plot_learning_curves",
    "plot_listening",
    "plot_meaning",
    "plot_modes",
    "plot_opponents",
    "plot_outcomes",
    "plot_pairs",
    "plot_partial",
    "plot_places",
    "plot_power",
    "plot_proxies",
    "plot_ranks",
    "plot_ratings",
    "plot_recovery",
    "plot_reliability",
    "plot_rounding",
    "plot_seeds",
    "plot_shares",
    "plot_skill_and_clarity",
    "plot_speakers",
    "plot_speed",
    "plot_sweep",
    "plot_trajectory",
    "plot_two_by_two",
    "plot_widths",
    "save",
    "save_table",
    "subplots",
]
