from __future__ import annotations

import pickle
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from dixitlib.models import sentences
from dixitlib.models.sentences import (
    BLOCK,
    Encoder,
    check_weights,
    default_encoder,
    near_duplicates,
    packaged_model,
    similarities,
)

# Lengths differ on purpose: in a batch the short ones are padded to the longest.
TEXTS = (
    "Thaw",
    "Owl hours",
    "What the frost wrote",
    "Home is whatever follows you",
    "Four beats ahead of the band, and nobody in the hall has noticed it yet",
    "On a sea of clouds at starry blue midnight, a mammoth hatches from a cracked egg.",
)


@pytest.fixture
def forgotten_model() -> Iterator[None]:
    """Make the next encoder load its model anew, and leave nothing of it behind."""
    sentences._load.cache_clear()
    yield
    sentences._load.cache_clear()


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Refuse every connection and look-up, and list what was tried."""
    tried: list[tuple[object, ...]] = []

    def refuse(*args: object, **kwargs: object) -> None:
        tried.append(args)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return tried


def run_python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout.strip()


def test_vectors_are_unit_rounded_float64() -> None:
    vectors = default_encoder().encode(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float64
    # Rounding moves each of 384 entries by at most 5e-7, so the norm by at most 1e-5.
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(vectors, np.round(vectors, 6))
    assert not np.signbit(vectors[vectors == 0]).any()


def test_agrees_with_sentence_transformers_in_single_precision() -> None:
    direct = SentenceTransformer(str(packaged_model()), device="cpu", local_files_only=True)
    expected = direct.encode(list(TEXTS), normalize_embeddings=True, show_progress_bar=False)
    assert expected.dtype == np.float32
    np.testing.assert_allclose(default_encoder().encode(TEXTS), expected, atol=1e-4)


def test_meaning_decides_which_is_nearer() -> None:
    snow, winter, trumpet = default_encoder().encode(["falling snow", "winter", "a trumpet"])
    assert snow @ winter > snow @ trumpet


def test_company_and_order_change_nothing() -> None:
    together = Encoder().encode(TEXTS)
    backwards = Encoder().encode(TEXTS[::-1])[::-1]
    alone = np.concatenate([Encoder().encode([text]) for text in TEXTS])
    assert together.tobytes() == backwards.tobytes() == alone.tobytes()


def test_a_text_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    encode = SentenceTransformer.encode

    def spy(self: SentenceTransformer, texts: list[str], **kwargs: object) -> np.ndarray:
        asked.extend(texts)
        return encode(self, texts, **kwargs)

    monkeypatch.setattr(SentenceTransformer, "encode", spy)
    encoder = Encoder()
    first = encoder.encode(["Thaw", "Curfew", "Thaw"])
    second = encoder.encode(["Gossip", "Curfew"])
    assert asked == ["Thaw", "Curfew", "Gossip"]
    np.testing.assert_array_equal(first[0], first[2])
    np.testing.assert_array_equal(first[1], second[1])


def test_who_changes_a_result_does_not_change_the_next() -> None:
    encoder = Encoder()
    encoder.encode(["Thaw"])[:] = 0
    assert encoder.encode(["Thaw"]).any()


def test_no_text_gives_no_vector() -> None:
    assert default_encoder().encode([]).shape == (0, 384)


def test_every_blank_text_is_named() -> None:
    with pytest.raises(ValueError, match=r"\[1, 3\]"):
        default_encoder().encode(["Thaw", "", "Curfew", " \n"])


def test_one_text_is_no_sequence() -> None:
    with pytest.raises(TypeError, match="'Thaw'"):
        default_encoder().encode("Thaw")


def test_threads_share_an_encoder() -> None:
    encoder = Encoder()
    texts = [f"{text}, {n}" for text in TEXTS for n in range(2)]
    with ThreadPoolExecutor(8) as pool:
        threaded = np.concatenate(list(pool.map(lambda text: encoder.encode([text]), texts)))
    assert threaded.tobytes() == Encoder().encode(texts).tobytes()


def test_an_encoder_travels_without_its_weights() -> None:
    default_encoder().encode(TEXTS)
    packed = pickle.dumps(default_encoder())
    assert len(packed) < 1000
    assert pickle.loads(packed) is default_encoder()


def test_the_default_path_needs_no_network(
    attempts: list[tuple[object, ...]], forgotten_model: None
) -> None:
    with pytest.raises(OSError, match="no network"):
        socket.create_connection(("localhost", 9))
    assert len(attempts) == 1  # the guard sees what it should see
    assert Encoder().encode(["Thaw"]).shape == (1, 384)
    assert len(attempts) == 1


def test_loading_shows_no_progress_bar(
    capfd: pytest.CaptureFixture[str], forgotten_model: None
) -> None:
    Encoder().encode(["Thaw"])
    assert capfd.readouterr() == ("", "")


def test_naming_an_encoder_imports_nothing_heavy() -> None:
    heavy = run_python(
        "import sys\n"
        "from dixitlib.models.sentences import default_encoder\n"
        "default_encoder().name\n"
        "print(sorted({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    assert heavy == "[]"


def test_tampered_weights_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten_model: None
) -> None:
    package = tmp_path / "tampered_minilm"
    weights = package / "model" / "model.safetensors"
    weights.parent.mkdir(parents=True)
    (package / "__init__.py").touch()
    shutil.copy(packaged_model() / "model.safetensors", weights)
    check_weights(weights)  # a faithful copy passes

    with weights.open("r+b") as file:
        file.seek(-1, 2)
        last = file.read(1)[0]
        file.seek(-1, 2)
        file.write(bytes([last ^ 1]))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sentences, "PACKAGE", package.name)
    with pytest.raises(ValueError, match="not the all-MiniLM-L6-v2 expected"):
        Encoder().encode(["Thaw"])


def test_a_folder_can_replace_the_packaged_model() -> None:
    other = Encoder(packaged_model())
    np.testing.assert_array_equal(other.encode(TEXTS), default_encoder().encode(TEXTS))


def test_names_tell_weights_apart_and_hold_no_path(tmp_path: Path) -> None:
    weights = tmp_path / "my-model" / "model.safetensors"
    weights.parent.mkdir()
    weights.write_bytes(b"some")
    before = Encoder(weights.parent).name
    assert before == Encoder(str(weights.parent)).name
    weights.write_bytes(b"others")
    after = Encoder(weights.parent).name
    assert before != after
    assert {name.partition("@")[0] for name in (before, after)} == {"my-model"}
    assert default_encoder().name == "all-MiniLM-L6-v2@53aa51172d14"
    assert Encoder("some-owner/some-model").name == "some-owner/some-model"


def test_a_missing_folder_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Encoder(tmp_path / "nowhere")


def test_similarities_are_cosines() -> None:
    # Unit vectors at 0, 90 and 60 degrees: cosines 1, 0 and 1/2.
    a = np.array([[1.0, 0.0]])
    b = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, np.sqrt(0.75)]])
    np.testing.assert_allclose(similarities(a, b), [[1, 0, 0.5]])


def test_near_duplicates_reach_the_threshold() -> None:
    # Angles 0, 10, 20 and 90 degrees; cos 10 = 0.985, cos 20 = 0.940, cos 70 = 0.342.
    angles = np.radians([0, 10, 20, 90])
    vectors = np.column_stack([np.cos(angles), np.sin(angles)])
    assert near_duplicates(vectors) == [(0, 1), (0, 2), (1, 2)]
    assert near_duplicates(vectors, threshold=0.95) == [(0, 1), (1, 2)]
    assert near_duplicates(np.array([[1.0, 0.0], [1.0, 0.0]]), threshold=1.0) == [(0, 1)]


@pytest.mark.parametrize("n", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 9])
def test_blocks_leave_no_pair_out(n: int) -> None:
    vectors = np.random.default_rng(n).normal(size=(n, 4))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    expected = np.argwhere(np.triu(vectors @ vectors.T >= 0.9, k=1))
    assert near_duplicates(vectors) == [tuple(pair) for pair in expected.tolist()]
