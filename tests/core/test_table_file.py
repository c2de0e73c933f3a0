"""The table file: it reads back whole, and refuses by line and column whatever is not one."""

import contextlib
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.progress import Stage
from explorer.core.recipe import PRESETS, Choice, Joints, Recipe
from explorer.core.table_file import TableFile, parse_table, read_table, table_bytes, write_table
from explorer.core.table_reading import parse_table_steps
from explorer.core.training import Training, train
from explorer.core.vocabulary import Piece
from explorer.errors import ExplorerError, TableFileError
from tests.core.strategies import corpora, recipes

CORPUS = Corpus.of_counts({b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3}, "four-words")
TEXTS = {
    "plain": Corpus.of_text(b"low lower newest widest\nlow low\n" * 3, "plain"),
    "counts": CORPUS,
    "rows": Corpus.of_rows([b"a row", b"two\nlines", b""], "rows"),
    "strange": Corpus.of_text(
        b'"\\ "\\ \t\t </w></w> [UNK][UNK] <0x41><0x41>\r\n\xff\xff \xe2\x80\x94\xe2\x80\x94 \x00\x00 \xe2\x80\xa8', 'str"ange\tname'
    ),
    "empty": Corpus.of_text(b"", "empty"),
}

TIED = Choice(0, Piece(b"s"), Piece(b"t", marked=True))  # as frequent as e and s, which the rule takes

CHAPTER_81 = (
    b"# a merge table for The World, one merge a line\n"
    b"# corpus 7123 bytes, sha256 9adbf2236921cdc7\n"
    b"# merges 5, vocabulary 261\n"
    b'256\t110\t100\t"nd"\n'
    b'257\t105\t110\t"in"\n'
    b'258\t97\t256\t"and"\n'
    b'259\t101\t32\t"e "\n'
    b'260\t32\t49\t" 1"\n'
)


def published(corpus: Corpus = CORPUS, **changes: object) -> Training:
    return train(corpus, replace(Recipe.of("published"), **changes))


def refusal(data: bytes, joints: Joints | None = None) -> TableFileError:
    with pytest.raises(TableFileError) as caught:
        parse_table(data, Path("table.txt"), joints)
    return caught.value


def edited(data: bytes, old: bytes, new: bytes) -> bytes:
    assert old in data
    return data.replace(old, new, 1)


# ---- what is written reads back


@pytest.mark.parametrize("corpus", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_reads_back_whole(preset: str, corpus: Corpus) -> None:
    training = train(corpus, Recipe.of(preset))
    data = table_bytes(training)
    read = parse_table(data)
    assert read == TableFile(training.table, corpus.name, len(corpus.data), corpus.sha256)
    assert read.table.pieces == training.table.pieces
    assert table_bytes(read) == data
    assert data.isascii()


@given(corpora, recipes())
def test_any_table_reads_back_whole(corpus: Corpus, recipe: Recipe) -> None:
    try:
        training = train(corpus, recipe)
    except ExplorerError:
        return  # a size below the floor, a layout too large: there is no table
    data = table_bytes(training)
    assert parse_table(data) == TableFile.of(training)
    assert table_bytes(parse_table(data)) == data


def test_two_stages_read_back_with_the_rank_of_the_lift() -> None:
    training = published(Corpus.of_text(b"of the of the of the\n" * 4), lift=14)
    data = table_bytes(training)
    assert training.lift_rank is not None
    assert f"# lift-rank {training.lift_rank}\n".encode() in data
    assert any(piece.breaks for piece in training.table.pieces)
    assert parse_table(data) == TableFile.of(training)


def test_a_pair_learned_again_across_the_boundary_reads_back() -> None:
    training = train(Corpus.of_text(b"aa aa a a\na a a a a a a a\n" * 2), Recipe.from_json({
        "alphabet": "characters", "pretokens": "words", "tie": "lexicographic", "lift": 3,
    }))
    pairs = [merge.pair for merge in training.merges]
    assert len(set(pairs)) < len(pairs)
    assert parse_table(table_bytes(training)) == TableFile.of(training)


def test_joints_and_choices_read_back() -> None:
    joints = Joints.of({b"newest": (b"new", b"est"), b"low": (b"lo", b"w")})
    training = published(joints=joints, choices=(TIED,))
    assert training.merges[0].pair != published(joints=joints).merges[0].pair
    assert parse_table(table_bytes(training)) == TableFile.of(training)


def test_joints_kept_by_digest_must_be_given() -> None:
    joints = Joints.of({f"ab{number}".encode(): (b"ab", str(number).encode()) for number in range(Joints.IN_FULL + 1)})
    training = published(joints=joints)
    data = table_bytes(training)
    assert parse_table(data, joints=joints) == TableFile.of(training)
    error = refusal(data)
    assert (error.line, "give the joints file" in error.reason) == (3, True)


def test_a_bare_table_names_no_corpus() -> None:
    table = published().table
    assert parse_table(table_bytes(table)) == TableFile(table)


def test_it_is_written_as_described() -> None:
    lines = table_bytes(published(merges=2)).decode().split("\n")
    assert lines[:2] == ["# bpe-explorer table 1", f'# corpus "four-words", 20 bytes, sha256 {CORPUS.sha256}']
    assert lines[2].startswith('# recipe {"alphabet": "characters", ')
    assert lines[3:5] == ["# row 0 stand-in", '# row 1 symbol 64 "d"']
    assert lines[12] == '# row 9 symbol 74 marked "t</w>"'
    assert lines[14:] == ['# row 11 symbol 77 marked "w</w>"', "# merges 2, vocabulary 14", '12\t2\t8\t"es"', '13\t12\t9\t"est</w>"', ""]


def test_text_that_spells_a_marker_is_told_from_one() -> None:
    training = published(Corpus.of_text(b"x</w> x</w> x x x"))
    data = table_bytes(training)
    assert rb'\x3c/w></w>"' in data
    read = parse_table(data).table
    assert read == training.table
    error = refusal(edited(data, rb'\x3c/w></w>"', rb'</w></w>"'))
    assert error.column == 4


# ---- the file on disk


def test_case_080_saving_what_was_read_gives_the_same_bytes_under_any_line_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "linesep", "\r\n")
    write_table(tmp_path / "one.txt", train(TEXTS["strange"], Recipe.of("chapter-81")))
    write_table(tmp_path / "two.txt", read_table(tmp_path / "one.txt"))
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "two.txt").read_bytes()
    assert b"\r" not in (tmp_path / "one.txt").read_bytes()


def test_case_031_a_full_disk_leaves_the_old_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.txt"
    write_table(path, published(merges=2))
    old, write = path.read_bytes(), os.write

    def full(descriptor: int, data: memoryview) -> int:
        if len(data) < len(old):
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:100])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(TableFileError, match=r"table\.txt: The table was not saved: No space left on device\..*unchanged"):
            write_table(path, published(merges=2))
    assert path.read_bytes() == old
    assert [file.name for file in tmp_path.iterdir()] == ["table.txt"]


def test_case_073_the_locale_has_no_say(tmp_path: Path) -> None:
    script = (
        "import sys; from explorer.core.table_file import read_table, write_table\n"
        "write_table(sys.argv[2], read_table(sys.argv[1]))\n"
    )
    corpus = Corpus.of_text("Ġ t Ġ t — naïve naïve\n".encode() * 3, "naïve—")
    write_table(tmp_path / "one.txt", published(corpus))
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-B", "-c", script, str(tmp_path / "one.txt"), str(tmp_path / "two.txt")]
    subprocess.run(command, cwd=root, env=environment, timeout=60, check=True)
    assert (tmp_path / "one.txt").read_bytes() == (tmp_path / "two.txt").read_bytes()
    assert read_table(tmp_path / "two.txt").corpus_name == "naïve—"


def test_a_file_that_cannot_be_read_or_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match="no such file"):
        read_table(tmp_path / "none.txt")
    with pytest.raises(TableFileError, match="folder"):
        read_table(tmp_path)
    with pytest.raises(TableFileError, match="folder"):
        write_table(tmp_path, published())
    with pytest.raises(TableFileError, match="not the name of a file"):
        read_table("a\0b")


def test_a_corpus_of_another_digest_is_told() -> None:
    file = TableFile.of(published())
    assert file.difference(CORPUS) is None
    assert replace(file, corpus_sha256=CORPUS.sha256[:16]).difference(CORPUS) is None
    assert TableFile(file.table).difference(CORPUS) is None
    told = file.difference(Corpus.of_text(b"other", "other"))
    assert told is not None
    assert "counted from 'four-words' (20 bytes" in told
    assert "not from 'other' (5 bytes" in told


def test_the_digest_is_that_of_the_text_as_the_recipe_reads_it() -> None:
    corpus = Corpus.of_text(b"a b\r\na b\r\n", "windows")
    recipe = Recipe.from_json({"alphabet": "characters", "pretokens": "words", "line_ends": "lf"})
    file = TableFile.of(train(corpus, recipe))
    assert file.corpus_bytes == 8
    assert file.difference(corpus) is None


# ---- chapter 81's form


def test_chapter_81s_file_reads_as_a_table_of_bytes() -> None:
    read = parse_table(CHAPTER_81)
    assert read.table.merges == ((110, 100), (105, 110), (97, 256), (101, 32), (32, 49))
    assert read.table.recipe.preset == "chapter-81"
    assert (read.table.recipe.merges, read.table.size, read.table.piece(258).bytes) == (5, 261, b"and")
    assert (read.corpus_name, read.corpus_bytes, read.corpus_sha256) == (None, 7123, "9adbf2236921cdc7")
    assert "chapter 81" in read.notes[0]


def test_chapter_81s_header_may_be_missing_and_the_last_line_unended() -> None:
    rows = CHAPTER_81.split(b"\n", 3)[3]
    assert parse_table(rows).table.merges == parse_table(rows[:-1]).table.merges == parse_table(CHAPTER_81).table.merges
    assert parse_table(b"# merges 0, vocabulary 256\n").table.merges == ()


def test_chapter_81s_table_saved_by_us_is_the_same_table() -> None:
    read = parse_table(CHAPTER_81)
    again = parse_table(table_bytes(read))
    assert (again.table, again.corpus_bytes, again.corpus_sha256) == (read.table, 7123, "9adbf2236921cdc7")


@pytest.mark.parametrize(
    ("ids", "quoted"),
    [
        (b"226\t128", rb'"\xe2\x80"'), (b"226\t128", rb'"\342\200"'), (b"195\t169", '"é"'.encode()), (b"195\t169", rb'"\u00e9"'),
        (b"195\t169", rb'"\U000000e9"'), (b"9\t10", rb'"\t\n"'), (b"9\t10", b'"\t\\n"'.replace(b"\t", rb"\011")), (b"92\t34", rb'"\\\""'),
        (b"92\t110", rb"`\n`"), (b"0\t13", rb'"\x00\r"'), (b"60\t47", b'"</"'),
    ],
)  # fmt: skip
def test_the_fourth_column_may_be_anything_go_reads(ids: bytes, quoted: bytes) -> None:
    assert len(parse_table(b"256\t" + ids + b"\t" + quoted + b"\n").table.merges) == 1


# ---- the three refusals of chapter 81, by name


def test_a_row_out_of_order_is_refused() -> None:
    error = refusal(edited(CHAPTER_81, b'256\t110\t100\t"nd"\n257\t105\t110\t"in"\n', b'257\t105\t110\t"in"\n256\t110\t100\t"nd"\n'))
    assert (error.line, error.column) == (4, 1)
    assert str(error) == "table.txt, line 4, column 1: this row mints token 257 where token 256 comes next."


def test_a_half_that_does_not_exist_yet_is_refused() -> None:
    error = refusal(edited(CHAPTER_81, b"256\t110\t", b"256\t9999\t"))
    assert (error.line, error.column) == (4, 2)
    assert "a token can only be made of tokens that already exist" in error.reason
    itself = refusal(edited(CHAPTER_81, b"258\t97\t256\t", b"258\t97\t258\t"))
    assert (itself.line, itself.column) == (6, 3)


def test_a_fourth_column_that_disagrees_is_refused() -> None:
    error = refusal(edited(CHAPTER_81, b'"and"', b'"end"'))
    assert (error.line, error.column) == (6, 4)
    assert error.reason == 'it says that token 258 is "end", and its halves make "and".'


# ---- everything else that is malformed


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "told"),
    [
        (b'256\t110\t100\t"nd"\n', b'256\t110\t100\t"nd"\r\n', 4, None, "carriage return"),
        (b'256\t110\t100\t"nd"\n', b'256\t110\t100\t"nd"\n\n', 5, None, "empty"),
        (b'\t"nd"', b"", 4, None, "3 columns here"),
        (b'"nd"', b'"nd"\t', 4, None, "5 columns here"),
        (b'"nd"', b'"n\td"', 4, None, "5 columns here"),
        (b'256\t110\t100\t"nd"', b'256 110 100 "nd"', 4, None, "1 column here"),
        (b"256\t110", b"256\t+110", 4, 2, "'+110' is not a token id"),
        (b"256\t110", b"256\t-1", 4, 2, "not a token id"),
        (b"256\t110", b"256\t0110", 4, 2, "leading zero"),
        (b"256\t110", b"256\t 110", 4, 2, "not a token id"),
        (b"256\t110", b"256\t1_1", 4, 2, "not a token id"),
        (b"256\t110", b"256\t", 4, 2, "not a token id"),
        (b"256\t110", "256\t١١٠".encode(), 4, 2, "not a token id"),
        (b"256\t110", b"256\t" + b"9" * 5000, 4, 2, "not a token id"),
        (b"256\t110", b"0x100\t110", 4, 1, "not a token id"),
        (b"\t100\t", b"\t1e2\t", 4, 3, "not a token id"),
        (b'"nd"', b"nd", 4, 4, "not a quoted string"),
        (b'"nd"', b'"nd', 4, 4, "not a quoted string"),
        (b'"nd"', rb'"\x6"', 4, 4, "not a quoted string"),
        (b'"nd"', rb'"nd\q"', 4, 4, "escape"),
        (b'"nd"', b'"nd" ', 4, 4, "not a quoted string"),
        (b'257\t105\t110\t"in"', b'257\t110\t100\t"nd"', 5, 2, "merged already, as token 256"),
        (b"merges 5,", b"merges 6,", 3, None, "says 6 merges and a vocabulary of 261; the file holds 5 and 261"),
        (b"vocabulary 261", b"vocabulary 260", 3, None, "a vocabulary of 260"),
        (b"merges 5,", b"merges five,", 3, None, "malformed. Expected # merges N, vocabulary N"),
        (b"7123 bytes", b"07123 bytes", 2, None, "malformed. Expected # corpus"),
        (b"9adbf2236921cdc7", b"9ADBF2236921CDC7", 2, None, "malformed"),
        (b"9adbf2236921cdc7", b"9adb", 2, None, "malformed"),
        (b"# merges 5, vocabulary 261\n", b"# merges 5, vocabulary 261\n" * 2, 4, None, "already, line 3"),
        (b'257\t105', b"# merges 5, vocabulary 261\n257\t105", 5, None, "above the first merge or nowhere"),
        (b'257\t105', b"# bpe-explorer table 1\n257\t105", 5, None, "must be the first"),
        (b'260\t32\t49\t" 1"\n', b"", 3, None, "the file holds 4 and 260. It was cut off or edited"),
        (b'\t" 1"\n', b'\t" 1', 8, 4, "not a quoted string"),
    ],
)
def test_what_is_malformed_is_refused_by_line_and_column(old: bytes, new: bytes, line: int, column: int | None, told: str) -> None:
    error = refusal(edited(CHAPTER_81, old, new))
    assert (error.line, error.column) == (line, column)
    assert re.search(re.escape(told), error.reason)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "The file is empty"),
        (b"<!DOCTYPE html>\n<title>404</title>", "HTML page"),
        (b"\n  <html>\n", "HTML page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "Git LFS pointer.*git lfs pull"),
        (b"\xef\xbb\xbf" + CHAPTER_81, "byte order mark"),
        (CHAPTER_81.decode().encode("utf-16"), "UTF-16"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"PK\x03\x04", "zip"),
        (b'{"version": "1.0"}', "JSON"),
        (b"# only\n# comments\n", "holds no merge"),
        (b"# bpe-explorer table 2\n", "version 2, and this program reads up to version 1. Use a newer program"),
        (b"# bpe-explorer table 1 \n", "no number"),
        (b"# bpe-explorer table 0\n", "no number"),
        (b"# bpe-explorer table \n", "no number"),
        (b"\x00\x01\x02\xff\n", "1 column here"),
        (b"\n", "empty"),
    ],
)
def test_other_files_are_refused_in_their_own_words(data: bytes, told: str) -> None:
    assert re.search(told, refusal(data).reason)


OURS = table_bytes(published(CORPUS, merges=3))
LIFTED = table_bytes(published(Corpus.of_text(b"of the of the of the\n" * 4), lift=14, merges=12))
BYTES = table_bytes(train(CORPUS, Recipe.of("chapter-81").asking(merges=2)))
FALLBACK = table_bytes(train(CORPUS, Recipe.of("fallback").asking(merges=2)))


def without(data: bytes, beginning: bytes) -> bytes:
    return b"".join(line + b"\n" for line in data.split(b"\n")[:-1] if not line.startswith(beginning))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (without(OURS, b"# recipe"), "stand under the recipe"),
        (without(BYTES, b"# recipe"), "without its line # recipe"),
        (without(OURS, b"# merges"), "without its line # merges"),
        (without(OURS, b"# row"), "row 0 is missing"),
        (without(OURS, b"# row 0"), "row 1 stands where row 0 comes next"),
        (without(OURS, b"# row 11"), "mints token 12 where token 11"),
        (edited(OURS, b'# row 1 symbol 64 "d"', b'# row 1 symbol 64 "e"'), 'row 1 is "e", and its bytes are "d"'),
        (edited(OURS, b'# row 1 symbol 64 "d"', b'# row 1 symbol 7a "z"'), "row 1 is missing, repeated or out of order"),
        (edited(OURS, b'# row 2 symbol 65 "e"', b'# row 2 symbol 64 "d"'), "repeated"),
        (edited(OURS, b'# row 1 symbol 64 "d"', b'# row 1 symbol 6465 "de"'), "no symbol"),
        (edited(OURS, b'# row 1 symbol 64 "d"', b'# row 1 symbol 20 " "'), "no symbol"),
        (edited(OURS, b'# row 1 symbol 64 "d"', b'# row 1 byte 64 "d"'), "no symbol"),
        (edited(OURS, b'# row 1 symbol 64 "d"', b'# row 1 symbol 64'), "malformed. Expected # row N"),
        (edited(OURS, b"# row 0 stand-in", b"# row 0 marker"), "missing, repeated or out of order"),
        (edited(OURS, b"# row 0 stand-in", b"# row 0 nothing"), "malformed"),
        (edited(OURS, b"# merges", b'# row 12 symbol 7a "z"\n# merges'), "mints token 12 where token 13"),
        (edited(OURS, b'"marker": true', b'"marker": false'), r'row 7 is "r</w>", and its bytes are "r"'),
        (edited(OURS, b'"unknown": "stand-in"', b'"unknown": "keep"'), "no symbol"),
        (edited(OURS, b'"tie": "lexicographic"', b'"tie": "random"'), "tie cannot be 'random'"),
        (edited(OURS, b'"tie"', b'"ties"'), "no field 'ties'"),
        (edited(OURS, b'"merges": 3', b'"merges": 2'), "asks for 2 merges and the file holds 3"),
        (edited(OURS, b'"merges": 3', b'"merges": "3"'), "merges cannot be '3'"),
        (edited(OURS, b'# recipe {', b'# recipe ['), "malformed. Expected # recipe"),
        (edited(OURS, b'# recipe {', b'# recipe ' + b"[" * 100_000 + b'{'), "malformed"),
        (edited(OURS, b'"joints": null', b'"joints": {}'), "joints"),
        (edited(OURS, b'"joints": null', b'"joints": {"sha256": 5}'), "joints"),
        (edited(OURS, b'"four-words"', rb'"four\qwords"'), "name of the corpus is not a quoted string"),
        (edited(OURS, b'"four-words", ', b'four-words, '), "malformed. Expected # corpus"),
        (edited(OURS, b"est</w>", b"est"), r'token 13 is "est", and its halves make "est</w>"'),
        (edited(BYTES, b"# merges", b'# row 0 byte 00 "\\x00"\n# merges'), "lists none"),
        (without(FALLBACK, b"# row 256 "), "row 257 stands where row 256"),
        (without(LIFTED, b"# lift-rank"), "without its line # lift-rank"),
        (re.sub(rb"# lift-rank \d+", b"# lift-rank 400", LIFTED), "ends a word, and no merge crosses words"),
        (re.sub(rb"# lift-rank \d+", b"# lift-rank none", LIFTED), "ends a word, and no merge crosses words"),
        (re.sub(rb"# lift-rank \d+", b"# lift-rank 4", LIFTED), "ends a word, and no merge crosses words"),
        (re.sub(rb"# lift-rank \d+", b"# lift-rank x", LIFTED), "malformed. Expected # lift-rank N"),
        (edited(OURS, b"# merges", b"# lift-rank 1\n# merges"), "does not lift the boundary at rank 1"),
    ],
)
def test_a_header_of_ours_that_contradicts_itself_is_refused(data: bytes, told: str) -> None:
    error = refusal(data)
    assert error.line is not None
    assert re.search(told, error.reason)


def test_a_choice_that_the_merges_do_not_follow_is_refused() -> None:
    free, chosen = published(), table_bytes(published(choices=(TIED,)))
    recipe = re.search(rb"# recipe .*\n", chosen)
    assert recipe is not None
    data = re.sub(rb"# recipe .*\n", lambda _: recipe[0], table_bytes(free))
    assert "chooses another pair at rank 0" in refusal(data).reason


def test_the_same_pair_again_in_the_second_stage_is_no_duplicate_but_in_the_first_it_is() -> None:
    assert parse_table(LIFTED).table.lift_rank is not None
    row = rb'12\t2\t8\t"es"'.replace(rb"\t", b"\t")
    data = edited(OURS, b'13\t12\t9\t"est</w>"', row.replace(b"12\t2", b"13\t2"))
    assert "the pair 2, 8 is merged already, as token 12" in refusal(data).reason


def test_a_merge_of_the_stand_in_is_refused() -> None:
    """It is in no pair: the merge would save tokens where its count says that it never occurs."""
    data = edited(OURS, b'12\t2\t8\t"es"', b'12\t0\t8\t"s"')
    error = refusal(data)
    assert (error.column, "they are in no pair" in error.reason) == (2, True)


@pytest.mark.parametrize("data", [OURS, LIFTED, BYTES, FALLBACK], ids=["characters", "lifted", "bytes", "fallback"])
def test_a_file_of_ours_cut_off_anywhere_is_refused(data: bytes) -> None:
    for cut in [*range(1, len(data) - 300, 37), *range(max(1, len(data) - 300), len(data) - 1)]:
        with pytest.raises(TableFileError):
            parse_table(data[:cut])


def test_chapter_81s_file_cut_off_below_its_header_is_refused() -> None:
    for cut in range(CHAPTER_81.index(b"256\t110"), len(CHAPTER_81) - 1):
        with pytest.raises(TableFileError):
            parse_table(CHAPTER_81[:cut])


@given(st.data())
def test_no_edited_byte_is_read_as_another_table(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(OURS) - 1))
    value = data.draw(st.integers(0, 255))
    damaged = OURS[:at] + bytes([value]) + OURS[at + 1 :]
    try:
        read = parse_table(damaged)
    except TableFileError as error:
        assert str(error)
    else:
        assert read.table.merges == parse_table(OURS).table.merges
        assert read.table.pieces == parse_table(OURS).table.pieces


@given(st.binary(max_size=80), st.sampled_from([b"", b"# bpe-explorer table 1\n", CHAPTER_81, OURS]))
def test_whatever_the_bytes_are_only_our_error_comes(data: bytes, before: bytes) -> None:
    with contextlib.suppress(TableFileError):
        parse_table(before + data)


def test_comments_of_ones_own_are_left_alone() -> None:
    commented = edited(OURS, b"# recipe", b"# made on a \xff rainy day\n#\n# recipe")
    commented = edited(commented, b"13\t12", b"# here it gets interesting\n13\t12")
    assert parse_table(commented) == parse_table(OURS)


def test_reading_is_sliced() -> None:
    data = FALLBACK + b"# a comment\n" * 20_000
    steps = list(parse_table_steps(data))
    assert len(steps) >= len(data) // (2 << 14)
    assert all(step.stage is Stage.READING and step.total == len(data) for step in steps)


