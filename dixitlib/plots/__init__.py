"""Figures and tables as a paper prints them.

Every figure is a function ``plot_x(frame, ax)`` of a tidy frame that `analysis` or `bench`
made; it draws on the axes it is given and returns them. `subplots` makes axes of one or
two columns' width, `save` and `save_table` write the files.
"""

from dixitlib.plots.arena import plot_listening, plot_meaning, plot_outcomes, plot_partial
from dixitlib.plots.bench import plot_accuracy, plot_learning_curves, plot_ranks
from dixitlib.plots.files import save, save_table
from dixitlib.plots.style import ONE_COLUMN, TWO_COLUMNS, subplots

__all__ = [
    "ONE_COLUMN",
    "TWO_COLUMNS",
    "plot_accuracy",
    "plot_learning_curves",
    "plot_listening",
    "plot_meaning",
    "plot_outcomes",
    "plot_partial",
    "plot_ranks",
    "save",
    "save_table",
    "subplots",
]
