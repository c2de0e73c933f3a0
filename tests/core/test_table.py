"""The merge table: pieces, ids and ranks, trees, and decoding that refuses what is not its own."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.table import MergeTable
from explorer.core.training import train
from explorer.core.vocabulary import Pair, Piece, PieceKind, byte_piece
from explorer.errors import TokenError
from tests.core.strategies import corpora, recipes
from tests.core.trained import CHAPTER, PUBLISHED, counts


def small() -> MergeTable:
    return train(Corpus.of_text(b"abab abab"), CHAPTER).table


@pytest.mark.parametrize("stranger", [258, 9999, -1])
def test_a_token_from_another_vocabulary_is_an_error_that_names_its_place_and_the_size(stranger: int) -> None:
    table = small()
    assert table.size == 258
    with pytest.raises(TokenError, match=rf"^Token 3 of 4: there is no token {stranger} in a table of 258\.$"):
        table.decode([256, 97, stranger, 97])
    for ask in (table.piece, table.text, table.parts, table.tree):
        with pytest.raises(TokenError, match=f"{stranger}"):
            ask(stranger)


def test_a_piece_that_two_merges_make_has_two_ids() -> None:
    merges = ((97, 98), (98, 97), (256, 97), (97, 257))
    table = MergeTable(CHAPTER, small().alphabet, merges)
    assert table.find_all(byte_piece(97)) == (97,)
    assert table.find_all(table.piece(258)) == table.find_all(table.piece(259)) == (258, 259)
    assert table.find(table.piece(259)) == 258
    assert table.find_all(Piece(b"none")) == ()


def test_what_is_worked_out_beside_a_window_is_what_is_found_when_asked() -> None:
    beside, asked = small(), small()
    for _ in beside.ready_steps():
        pass
    assert beside.pieces == asked.pieces
    assert [beside.find_all(piece) for piece in asked.pieces] == [asked.find_all(piece) for piece in asked.pieces]


@pytest.mark.parametrize("shared", range(5))
@pytest.mark.parametrize("more", [(), ((98, 98),), ((97, 97), (256, 98), (257, 97))])
def test_what_is_known_of_the_first_merges_is_shared(shared: int, more: tuple[Pair, ...]) -> None:
    merges = ((97, 98), (98, 97), (256, 97), (97, 257))
    before = MergeTable(CHAPTER, small().alphabet, merges)
    unknown = MergeTable(CHAPTER, small().alphabet, (*merges[:shared], *more))
    for _ in unknown.ready_steps(before):  # of which nothing is known
        pass
    for _ in before.ready_steps():
        pass
    table = MergeTable(CHAPTER, small().alphabet, (*merges[:shared], *more))
    for _ in table.ready_steps(before):
        pass
    asked = MergeTable(CHAPTER, small().alphabet, (*merges[:shared], *more))
    ids = range(asked.size)
    assert table.pieces == unknown.pieces == asked.pieces
    assert [table.decode([each]) for each in ids] == [unknown.decode([each]) for each in ids] == [asked.decode([each]) for each in ids]
    assert [table.find_all(piece) for piece in asked.pieces] == [asked.find_all(piece) for piece in asked.pieces]
    assert all(table.pieces[256 + rank] is before.pieces[256 + rank] for rank in range(shared))


def test_decoding_concatenates_pieces() -> None:
    assert small().decode([257, 32, 256, 97]) == b"abab aba"
    assert small().decode([]) == b""
    mixed: list[int | bytes] = [97, b"\xff", 98]
    assert small().decode(iter(mixed)) == b"a\xffb"


def test_markers_decode_to_spaces_and_none_at_the_end() -> None:
    table = train(counts(ab=3), PUBLISHED).table
    whole = table.find(Piece(b"ab", marked=True, kind=PieceKind.MERGE))
    assert whole is not None
    assert table.decode([whole, whole]) == b"ab ab"
    assert table.decode([whole, 1]) == b"ab a"
    assert table.decode([whole, b"x"]) == b"ab x"
    assert table.decode([0, whole]) == b"[UNK]ab"


@settings(deadline=None, max_examples=100)
@given(corpora, recipes())
def test_ids_ranks_parts_and_pieces_agree(corpus: Corpus, recipe: Recipe) -> None:
    table = train(corpus, recipe).table
    first = table.alphabet.first_merged_id
    assert table.size == len(table.pieces) == first + len(table.merges)
    for token in range(table.size):
        rank, parts, tree = table.rank_of_id(token), table.parts(token), table.tree(token)
        assert (rank is None) == (parts is None) == (tree.parts is None) == (token < first)
        assert token in table.find_all(table.piece(token)) and table.find_all(table.piece(token))[0] == table.find(table.piece(token))
        assert table.marked[token] == table.piece(token).marked
        leaves = [node for node in tree.walk() if node.parts is None]
        assert b"".join(leaf.piece.bytes for leaf in leaves) == table.piece(token).bytes
        assert len(leaves) == table.symbol_counts[token]
        assert b"".join(leaf.piece.decoded() for leaf in leaves) == table.piece(token).decoded()
        if rank is not None and parts is not None:
            assert table.id_of_rank(rank) == token
            assert parts == table.merges[rank]
            assert max(parts) < token
            assert table.piece(token) == table.piece(parts[0]).joined(table.piece(parts[1]))
        found = table.find(table.piece(token))
        assert found is not None
        assert found <= token
        assert table.piece(found) == table.piece(token)


def test_a_piece_that_the_table_lacks_is_not_found() -> None:
    table = small()
    assert table.find(Piece(b"abab", kind=PieceKind.MERGE)) == 257
    assert table.find(Piece(b"abab", marked=True, kind=PieceKind.MERGE)) is None
    assert table.find(Piece(b"a")) is None  # a character; the table has the byte
    assert table.find(Piece(b"a", kind=PieceKind.BYTE)) == 97


def test_a_tree_goes_down_to_the_symbols_left_before_right() -> None:
    tree = small().tree(257)
    assert [(node.token_id, node.rank) for node in tree.walk()] == [
        (257, 1), (256, 0), (97, None), (98, None), (256, 0), (97, None), (98, None),
    ]
    assert tree.parts is not None
    assert tree.parts[0] is tree.parts[1]


def test_a_tree_as_deep_as_the_table_is_no_trouble() -> None:
    deep = 3000  # past the interpreter's limit of nested calls
    table = replace(small(), merges=((97, 97), *((256 + rank, 97) for rank in range(deep - 1))))
    assert sum(1 for _ in table.tree(256 + deep - 1).walk()) == 2 * deep + 1


def test_a_row_reads_as_a_person_reads_it() -> None:
    fallback = train(counts(ab=3), Recipe.of("fallback")).table
    assert [fallback.text(at) for at in (0x41, 0xFF, 256, 257, 258, 259)] == ["<0x41>", "<0xFF>", "</w>", "[UNK]", "a", "b</w>"]
    table = train(Corpus.of_text("éé é".encode()), CHAPTER).table
    assert [table.text(at) for at in (0x41, 0xC3, 256)] == ["A", None, "é"]
    stray = train(Corpus.of_text(b"\xffa \xffa"), PUBLISHED).table
    assert [stray.text(at) for at in range(stray.size)] == ["[UNK]", "a</w>", "<0xFF>", None]
