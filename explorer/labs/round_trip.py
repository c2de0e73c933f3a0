"""Whether encoding and decoding give back what went in: seven inputs, and what goes wrong when an encoder reads characters first.

Over bytes every input comes back, text or not. The variant `runes` decides beforehand that the input is characters and puts
U+FFFD for each byte that is none: five of the seven still come back, which is what makes the mistake hard to see.
"""

import random
import re
from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from explorer.core.corpus import Corpus
from explorer.core.distinct import MapChunks
from explorer.core.engines import corpus_encoding_steps, encoding_steps
from explorer.core.pretokens import corpus_read
from explorer.core.progress import Step
from explorer.core.splitting import CutKind, cut_text
from explorer.core.table import MergeTable
from explorer.labs.entries import entries_of
from explorer.labs.spellings import decoded_texts

SEED = 81
RANDOM_BYTES = 4096
UNHEARD = "Nobody on the far shore has counted the lanterns, and the ferryman will not say how many."
DASHED = "the gate was open again — and nobody saw it".encode()  # the dash, e2 80 94, begins at byte 24
CUT_AT = 26  # two bytes into the dash

_STRAY = re.compile("[\udc80-\udcff]")  # a byte that was part of no character, as decoding left it


@dataclass(frozen=True, slots=True)
class Input:
    """Something to encode, with the name it is shown by."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Trip:
    """One input, how many tokens it took, and what came back."""

    name: str
    data: bytes
    tokens: int
    back: bytes

    @property
    def same(self) -> bool:
        """Whether the very bytes came back."""
        return self.back == self.data

    @property
    def first_difference(self) -> int | None:
        """The first byte (0-based) that differs or is missing, None when all are the same."""
        return first_difference(self.data, self.back)


def first_difference(one: bytes, other: bytes) -> int | None:
    """Where two strings of bytes part (0-based), None where they do not."""
    if one == other:
        return None
    shorter = min(len(one), len(other))
    differ = np.flatnonzero(np.frombuffer(one[:shorter], np.uint8) != np.frombuffer(other[:shorter], np.uint8))
    return int(differ[0]) if differ.size else shorter


def as_runes(data: bytes) -> bytes:
    """The bytes with U+FFFD for each one that is not part of a character: what is left of them once they were read as text."""
    return _STRAY.sub("\ufffd", data.decode("utf-8", "surrogateescape")).encode()


def single_inputs(corpus: Corpus) -> tuple[Input, ...]:
    """The six inputs besides the corpus as a whole."""
    first = next(entries_of(corpus), b"")
    unheard = UNHEARD.encode()
    while unheard in corpus.data:
        unheard += b" " + UNHEARD.encode()
    return (
        Input("the first entry alone", first),
        Input("a sentence the corpus lacks", unheard),
        Input("nothing at all", b""),
        Input("a line with a dash in it", DASHED),
        Input(f"that line cut to {CUT_AT} bytes", DASHED[:CUT_AT]),
        Input(f"{RANDOM_BYTES} random bytes, seed {SEED}", random.Random(SEED).randbytes(RANDOM_BYTES)),
    )


def round_trip_steps(
    table: MergeTable, corpus: Corpus, runes: bool = False, map_chunks: MapChunks | None = None
) -> Generator[Step, None, tuple[Trip, ...]]:
    """The seven inputs through a table and back; `runes` reads each one as characters first. A long corpus on the caller's threads."""
    read = corpus_read(corpus, table.recipe)
    trips = [(yield from _corpus_trip(table, read, runes, map_chunks))]
    for given in single_inputs(read):
        encoded = yield from encoding_steps(table, as_runes(given.data) if runes else given.data)
        trips.append(Trip(given.name, given.data, len(encoded), encoded.decoded))
    return tuple(trips)


def _corpus_trip(table: MergeTable, corpus: Corpus, runes: bool, map_chunks: MapChunks | None) -> Generator[Step, None, Trip]:
    """The corpus, each text encoded and decoded apart and once; the LFs that a reader added are put back where no token stands for them."""
    given = _corpus_as_runes(corpus) if runes else corpus
    encoded = yield from corpus_encoding_steps(table, given, map_chunks=map_chunks)
    added = b"\n" if _lf_is_no_token(table, given) else b""
    back = [text + added for text in decoded_texts(encoded, given)]
    return Trip("the whole corpus", corpus.data[:], len(encoded), b"".join(back))


def _corpus_as_runes(corpus: Corpus) -> Corpus:
    texts = [as_runes(corpus.data[start:end]) for start, end, _ in corpus.texts()]
    return replace(corpus, data=b"".join(texts), starts=np.cumsum([0, *map(len, texts)], dtype=np.int64))


def _lf_is_no_token(table: MergeTable, corpus: Corpus) -> bool:
    return corpus.ended and any(cut.kind is CutKind.ADDED for cut in cut_text(table.recipe, b"\n", ended=True))
