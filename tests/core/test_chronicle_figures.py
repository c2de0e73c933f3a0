"""Every figure of the chronicle that the core alone gives; labs and the command line have the others."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from explorer.core.corpus import Corpus
from explorer.core.encoding import corpus_encoding_steps, encode
from explorer.core.progress import drain
from explorer.core.timeline import timeline_of
from explorer.core.training import Stopped, Training, train
from explorer.places import exemplar
from tests.core.trained import CHAPTER

FIGURES: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors" / "chronicle.json").read_text())  # Any: JSON


@cache
def chronicle() -> Corpus:
    rows = exemplar("chronicle.jsonl").read_text("utf-8").removesuffix("\n").split("\n")
    return Corpus.of_rows([json.loads(row)["text"].encode() for row in rows])


@cache
def trained() -> Training:
    return train(chronicle(), CHAPTER)


def entries() -> list[bytes]:
    return chronicle().data.split(b"\n")[:-1]


def test_the_text_is_the_one_that_the_figures_are_of() -> None:
    data, text = chronicle().data, FIGURES["text"]
    assert (len(data), chronicle().sha256, len(chronicle())) == (text["bytes"], text["sha256"], text["rows"])
    assert (len(data.decode()), len(set(data))) == (text["characters"], text["distinct_bytes"])
    assert (len(data.split()), len(set(data.split()))) == (text["words"], text["distinct_words"])


def test_the_pairs_before_any_merge() -> None:
    timeline, pairs = timeline_of(trained()), FIGURES["pairs"]
    assert timeline.distinct(0) == pairs["distinct"]
    assert [[*row.pair, row.count] for row in timeline.ranked(0, len(pairs["top"]))] == pairs["top"]
    assert len(chronicle().data) - 2 * 91 == pairs["adjacent"]
    assert sum(timeline.pair_count(0, (a, b)) for a in range(256) for b in range(256)) == pairs["adjacent"]


def test_all_354_merges() -> None:
    training = trained()
    found = [
        {
            "rank": k, "id": 256 + k, "left": m.left, "right": m.right, "count": m.count, "tied": m.tied,
            "saved": m.saved, "length": m.length, "bytes": training.table.piece(256 + k).bytes.hex(),
        }
        for k, m in enumerate(training.merges)
    ]
    assert found == FIGURES["merges"]
    assert (training.learned, training.stopped) == (FIGURES["learned"], Stopped.NO_PAIR)


@pytest.mark.parametrize(("asked", "learned", "vocabulary", "tokens"), FIGURES["grow"])
def test_what_each_doubling_buys(asked: int, learned: int, vocabulary: int, tokens: int) -> None:
    training = train(chronicle(), CHAPTER.asking(merges=asked), prefix=trained())
    assert (training.learned, training.table.size, training.length(learned)) == (learned, vocabulary, tokens)
    assert len(drain(corpus_encoding_steps(trained().table, chronicle(), asked))) == tokens


def test_entry_51() -> None:
    entry = FIGURES["entry_51"]
    assert entries()[50] == entry["text"].encode()
    encoded = encode(trained().table, entry["text"].encode(), 256)
    assert encoded.ids.tolist() == entry["tokens"]
    assert encoded.exact


def test_the_first_entry_the_priced_sentence_and_year_81() -> None:
    table, priced, year = trained().table, FIGURES["priced_sentence"], FIGURES["year_81"]
    assert len(encode(table, entries()[0], 256)) == FIGURES["first_entry_tokens"]
    assert len(encode(table, priced["text"].encode(), 256)) == priced["tokens"]
    assert [n for n, entry in enumerate(entries(), 1) if priced["text"].encode() in entry] == priced["entry"]
    assert len(encode(table, year["text"].encode(), 256)) == year["tokens"]
    assert (year["text"].encode() in entries()) is year["in_chronicle"]


def test_the_longest_tokens() -> None:
    table, longest = trained().cut(256).table, FIGURES["longest"]
    size = max(len(piece.bytes) for piece in table.pieces)
    assert (size, min(at for at, piece in enumerate(table.pieces) if len(piece.bytes) == size)) == (longest["bytes"], longest["id"])
    assert table.text(longest["id"]) == longest["piece"]
    for merges in (32, 48, 64):
        assert max(len(piece.bytes) for piece in trained().cut(merges).table.pieces) == FIGURES[f"longest_at_{merges}"]


def test_the_corpus_encoded_lands_on_the_count() -> None:
    encoded = drain(corpus_encoding_steps(trained().table, chronicle(), 256))
    assert len(encoded) == FIGURES["corpus_tokens"] == trained().length(256)
    assert encoded.exact
