"""``python -m dixitlib.peers FOLDER``: the home's DixitBench in other people's formats.

Writes ``vlmevalkit/``, ``hugging_face/`` and ``lmms_eval/`` into the folder, and with
``--tarot`` also ``tarot_probe/`` (the extra `tarot`), which asks whether a deck is known.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dixitlib.cards import tarot
from dixitlib.peers import exam, hugging_face, lmms_eval, probe, vlmevalkit


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m dixitlib.peers", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--longest", type=int, default=exam.LONGEST, help="pixels of a picture")
    parser.add_argument("--tarot", action="store_true", help="write the probe as well")
    asked = parser.parse_args(arguments)
    sat = exam.from_home()
    vlmevalkit.write(sat, asked.folder / "vlmevalkit", asked.longest)
    hugging_face.write(sat, asked.folder / "hugging_face", asked.longest)
    lmms_eval.write(asked.folder / "lmms_eval")
    if asked.tarot:
        with tempfile.TemporaryDirectory() as laid:
            probe.write(tarot.lay(laid), asked.folder / "tarot_probe", asked.longest)
    print(f"{len(sat.items)} items in {asked.folder}, each marked: {sat.canary}")


if __name__ == "__main__":
    main()
