"""The embedder: a crop as a vector near those of other pictures of the same card of the same deck."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import onnxruntime as ort

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.model_files import load_session, missing_model

_EMBEDDER = CONFIG.identify.embedder


@dataclass(frozen=True, slots=True)
class Embeddings:
    """What the embedder makes of n crops: unit vectors (n, 128), log rank probabilities (n, 15), suit vectors (n, 32).

    Ranks are A to K as 0 to 12, then 13 for a paper and 14 for a back.
    """

    vectors: Floats
    rank: Floats
    suit: Floats

    def __len__(self) -> int:
        return len(self.vectors)


@dataclass(frozen=True)
class Embedder:
    """The embedder in a folder of models, with that many threads; loaded when first used."""

    folder: Path
    threads: int = 2

    @cached_property
    def _session(self) -> ort.InferenceSession:
        return load_session(self.folder / "embedder.onnx", self.threads)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the embedder's file: decks remember which embedder made their embeddings.

        Raises:
            ModelError: the file is missing.
        """
        try:
            return hashlib.sha256((self.folder / "embedder.onnx").read_bytes()).hexdigest()
        except OSError as error:
            raise missing_model(self.folder / "embedder.onnx") from error

    def embed(self, crops: Sequence[Picture]) -> Embeddings:
        """Embed crops, each (56, 160, 3) BGR uint8."""
        if not crops:
            return Embeddings(
                np.zeros((0, 128), np.float32), np.zeros((0, 15), np.float32), np.zeros((0, 32), np.float32)
            )
        each = [embeddings for _, embeddings in self.embed_ahead(crops)]
        parts = zip(*((embeddings.vectors, embeddings.rank, embeddings.suit) for embeddings in each), strict=True)
        return Embeddings(*(np.concatenate(part) for part in parts))

    def embed_ahead(self, crops: Sequence[Picture]) -> Iterator[tuple[slice, Embeddings]]:
        """Embed crops a batch at a time, each time saying which: while one is worked on, the next is embedded."""
        some = [slice(k, k + _EMBEDDER.batch) for k in range(0, len(crops), _EMBEDDER.batch)]
        session = self._session  # loaded before two threads want it
        asked = [self._aside.submit(_run_session, session, crops[each]) for each in some[1:]]
        for k, each in enumerate(some):
            yield each, asked[k - 1].result() if k else _run_session(session, crops[each])

    @cached_property
    def _aside(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, "embedder")


def _run_session(session: ort.InferenceSession, crops: Sequence[Picture]) -> Embeddings:
    # what goes in and out has the names that the network was written with
    embedding, rank, suit = session.run(["embedding", "rank", "suit"], {"strips": np.stack(crops)})
    rank = rank - rank.max(1, keepdims=True)
    rank -= np.log(np.exp(rank).sum(1, keepdims=True))
    return Embeddings(embedding, rank, suit)
