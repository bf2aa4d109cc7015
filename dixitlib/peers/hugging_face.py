"""DixitBench as a data set of the Hugging Face hub: one parquet file, a card, Croissant.

Each row holds its six pictures. They repeat from row to row, and parquet's dictionaries
keep every one of them once. The library's name for the column's type stands in the file, so
that `datasets.load_dataset` gives pictures, not bytes.
"""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dixitlib.bench.items import COLUMNS, to_frame
from dixitlib.peers import croissant
from dixitlib.peers.card import card
from dixitlib.peers.exam import LONGEST, Exam, jpeg

PARQUET = "data/test.parquet"
PICTURE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
ONE_DICTIONARY = 1 << 30  # bytes; beyond the default of 1 MB a picture would be stored anew
TEXTS = [name for name in COLUMNS if name != "answer"] + ["canary"]


def write(exam: Exam, folder: Path, longest: int = LONGEST) -> Path:
    """Write ``data/test.parquet``, ``README.md`` and ``croissant.json`` into a folder.

    The columns are those of `dixitbench.csv`, `images` (the six pictures as shown) and
    `canary`.

    Parameters
    ----------
    exam
        What is written.
    folder
        Made if need be.
    longest
        Pixels of a picture's longer side.
    """
    path = folder / PARQUET
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table(exam, longest), path, dictionary_pagesize_limit=ONE_DICTIONARY)
    (folder / "README.md").write_text(card(exam, PARQUET), encoding="utf-8")
    described = json.dumps(croissant.describe(exam, path, PARQUET), indent=2, ensure_ascii=False)
    (folder / "croissant.json").write_text(described + "\n", encoding="utf-8")
    return folder


def table(exam: Exam, longest: int = LONGEST) -> pa.Table:
    """Return the rows as an arrow table that knows which column holds pictures."""
    pictures = {
        id: {"bytes": jpeg(card, longest), "path": f"{card.sha256}.jpg"}
        for id, card in exam.cards.items()
    }
    shown = [[pictures[id] for id in item.options] for item in exam.items]
    frame = to_frame(exam.items).assign(canary=exam.canary)
    rows = pa.Table.from_pandas(frame, preserve_index=False)
    rows = rows.append_column("images", pa.array(shown, pa.list_(PICTURE)))
    return rows.replace_schema_metadata({"huggingface": json.dumps({"info": _features()})})


def _features() -> dict[str, object]:
    texts = {name: {"dtype": "string", "_type": "Value"} for name in TEXTS}
    texts["answer"] = {"dtype": "int64", "_type": "Value"}
    return {"features": texts | {"images": {"feature": {"_type": "Image"}, "_type": "Sequence"}}}
