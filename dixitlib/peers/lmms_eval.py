"""DixitBench as a task of lmms-eval: a YAML file and the functions that it names.

Both are given files, copied beside the data set of `hugging_face`, since lmms-eval loads
them without this project. From the folder that holds both::

    python -m lmms_eval --model ... --tasks dixitbench --include_path lmms_eval
"""

from __future__ import annotations

import shutil
from pathlib import Path

TASK = Path(__file__).parent / "lmms_task"
FILES = ("dixitbench.yaml", "utils.py")


def write(folder: Path) -> Path:
    """Copy the task into a folder, made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(TASK / name, folder / name)
    return folder
