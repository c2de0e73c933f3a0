"""The nine tests of the first document and the three refusals of a table, each by its name, on the chronicle itself.

The rooms' own tests go further; these are the sentences of the document made checkable.
"""

import json
import random
from functools import cache
from pathlib import Path

import pytest

from explorer.core.encoding import corpus_encoding_steps, encode
from explorer.core.progress import drain
from explorer.core.recipe import Recipe
from explorer.core.table_file import read_table, write_table
from explorer.core.training import Training, train
from explorer.errors import CorpusFileError, TableFileError, TokenError
from explorer.places import exemplar
from explorer.sources.annals import read_chronicle
from explorer.sources.exemplars import open_exemplar

CHAPTER = Recipe.of("chapter-81")
DASHED = "the gate was open again — and nobody saw it".encode()


def dump() -> bytes:
    return exemplar("chronicle.jsonl").read_bytes()


@cache
def trained() -> Training:
    return train(open_exemplar("chronicle"), CHAPTER)


def test_the_dump_is_one_row_a_line() -> None:
    entries = read_chronicle(dump())
    assert len(entries) == dump().count(b"\n") == 91
    assert [entry.number for entry in entries] == list(range(1, 92))


def test_the_corpus_is_the_text_column_and_nothing_else() -> None:
    rows = [json.loads(line) for line in dump().splitlines()]
    assert open_exemplar("chronicle").data == "".join(row["text"] + "\n" for row in rows).encode()


@pytest.mark.parametrize("cut", [1, 2, 60, 5000])
def test_a_half_written_dump_is_an_error_and_not_a_short_history(cut: int) -> None:
    half = dump()[:-cut]
    with pytest.raises(CorpusFileError) as caught:
        read_chronicle(half)
    assert caught.value.line == half.count(b"\n") + 1


INPUTS = {
    "the whole corpus": open_exemplar("chronicle").data,
    "an entry": open_exemplar("chronicle").data.partition(b"\n")[0],
    "a sentence from outside": b"Nobody on the far shore has counted the lanterns.",
    "nothing": b"",
    "a dash": DASHED,
    "a dash cut in two": DASHED[:26],
    "every byte": bytes(range(256)),
    "512 seeded bytes": random.Random(81).randbytes(512),
}


@pytest.mark.parametrize("name", INPUTS)
def test_encode_then_decode_is_the_input(name: str) -> None:
    table, data = trained().table, INPUTS[name]
    assert table.decode(encode(table, data).ids.tolist()) == data


def test_encoding_the_corpus_lands_on_the_trained_count() -> None:
    encoded = drain(corpus_encoding_steps(trained().table, trained().corpus))
    assert len(encoded) == trained().length(256) == 1419


def test_no_merge_crosses_the_end_of_an_entry() -> None:
    pieces = trained().table.pieces[256:]
    assert len(pieces) == 256
    assert not any(b"\n" in piece.bytes for piece in pieces)


def test_the_same_corpus_trains_the_same_table() -> None:
    again = train(open_exemplar("chronicle"), CHAPTER)
    assert again.merges == trained().merges


def test_a_merge_table_survives_being_written_down(tmp_path: Path) -> None:
    write_table(tmp_path / "table.txt", trained())
    table = read_table(tmp_path / "table.txt").table
    assert (table.merges, table.pieces, table.recipe) == (trained().table.merges, trained().table.pieces, CHAPTER)


def test_a_token_from_another_vocabulary_is_an_error() -> None:
    with pytest.raises(TokenError, match=r"Token 2 of 3: there is no token 700 in a table of 512"):
        trained().table.decode([65, 700, 66])


def edited(tmp_path: Path, *rows: tuple[int, bytes]) -> TableFileError:
    """What is said of a table of eight merges, written by us, in which some merges (0-based) are replaced by other rows."""
    path = tmp_path / "hand.txt"
    write_table(path, train(open_exemplar("chronicle"), CHAPTER.asking(merges=8)))
    lines = path.read_bytes().split(b"\n")
    first = next(at for at, line in enumerate(lines) if line.startswith(b"256\t"))
    for merge, row in rows:
        lines[first + merge] = row
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(TableFileError) as caught:
        read_table(path)
    assert caught.value.line is not None
    assert caught.value.line == first + rows[0][0] + 1
    return caught.value


def test_refusal_a_row_out_of_order(tmp_path: Path) -> None:
    error = edited(tmp_path, (0, b'257\t105\t110\t"in"'), (1, b'256\t110\t100\t"nd"'))
    assert "mints token 257 where token 256 comes next" in str(error)


def test_refusal_a_half_that_does_not_exist_yet(tmp_path: Path) -> None:
    error = edited(tmp_path, (0, b'256\t9999\t100\t"nd"'))
    assert (error.column, "can only be made of tokens that already exist" in str(error)) == (2, True)


def test_refusal_a_fourth_column_that_disagrees(tmp_path: Path) -> None:
    error = edited(tmp_path, (2, b'258\t97\t256\t"ant"'))
    assert error.column == 4
    assert '"ant"' in str(error)
    assert '"and"' in str(error)
