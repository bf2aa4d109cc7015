"""Rounds, matches and debates as self-contained HTML in which nothing a player says can run."""

from dixitlib.viewer.debates import debate_html
from dixitlib.viewer.matches import match_html
from dixitlib.viewer.rounds import round_html

__all__ = ["debate_html", "match_html", "round_html"]
