"""``python -m dixitlib.book``: make the book under ``build/book``; ``make book`` does it.

Nothing is executed and nothing is fetched: the committed notebooks are shown with the
outputs that they have.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from dixitlib.book import layout
from dixitlib.paths import REPOSITORY


def main() -> None:
    """Make the book, and say where its first page is."""
    parser = argparse.ArgumentParser(prog="python -m dixitlib.book", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=REPOSITORY / "build" / "book")
    folder = parser.parse_args().folder
    failed = make(folder)
    if not failed:
        print(f"open {folder / 'html' / 'index.html'}")
    sys.exit(failed)


def make(folder: Path) -> int:
    """Make the book anew in a folder, which it replaces; return Sphinx's exit status.

    A warning of Sphinx, such as a link that leads nowhere, fails the book.
    """
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source"
    layout.lay_out(source)
    options = ["-q", "--fail-on-warning", "--keep-going", "-b", "html"]
    return build_main([*options, "-d", str(folder / "doctrees"), str(source), str(folder / "html")])


if __name__ == "__main__":
    main()
