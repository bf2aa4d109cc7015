"""Every merge says how many rows may meet how many: doubled ids would else multiply rows."""

from __future__ import annotations

import ast

from dixitlib.paths import REPOSITORY


def merges(path):
    """Yield each call of a merge in a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "merge":
            yield node


def test_every_merge_is_validated():
    # semantic_uncertainty#8: duplicate ids multiplied rows
    found = [(path, m) for path in (REPOSITORY / "dixitlib").rglob("*.py") for m in merges(path)]
    assert len(found) > 3
    loose = [
        f"{path.relative_to(REPOSITORY)}, line {merge.lineno}"
        for path, merge in found
        if "validate" not in {keyword.arg for keyword in merge.keywords}
    ]
    assert not loose, f"say validate= at {'; '.join(loose)}"
