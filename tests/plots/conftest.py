"""Axes to draw on, which no test leaves open."""

from __future__ import annotations

import pytest

from dixitlib import plots


@pytest.fixture
def ax():
    figure, axes = plots.subplots()
    yield axes
    plots.style.plt.close(figure)
