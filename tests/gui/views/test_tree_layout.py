"""Where the nodes of a tree stand: reading order, levels, no box over another, characters over their bytes, folding."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.recipe import Recipe
from explorer.core.table import MergeTable
from explorer.core.training import train
from explorer.core.vocabulary import Piece
from explorer.errors import TokenError
from explorer.gui.views import tree_layout
from explorer.gui.views.tree_layout import BOX, Ruler, TreeLayout, Way, lay_out, leaf_bytes, neighbour
from explorer.gui.views.tree_words import spot_words, tree_words
from explorer.sources.exemplars import exemplar_named, open_exemplar

RULER = Ruler(label=lambda piece: 8.0 * len(piece.bytes), hex=lambda text: 7.0 * len(text), figure=lambda text: 6.0 * len(text))
ROOM = (500.0, 400.0)


@cache
def chronicle_table() -> MergeTable:
    return train(open_exemplar("chronicle"), Recipe.of("chapter-81").asking(merges=120)).table


@pytest.fixture
def chronicle() -> MergeTable:
    return chronicle_table()


@pytest.fixture(scope="module")
def words() -> MergeTable:
    return train(open_exemplar("four-words"), exemplar_named("four-words").recipe).table


def table_of(text: bytes, merges: int) -> MergeTable:
    return train(Corpus.of_text(text), Recipe.of("chapter-81").asking(merges=merges)).table


def pieces(layout: TreeLayout) -> list[bytes]:
    return [spot.piece.bytes for spot in layout.spots]


def test_the_tree_of_figure_81_1(chronicle: MergeTable) -> None:
    layout = lay_out(chronicle, 291, RULER, ROOM)
    assert pieces(layout) == [
        b"The Hollow", b"The Ho", b"The ", b"T", b"he ", b"h", b"e ", b"e", b" ", b"Ho", b"H", b"o",
        b"llow", b"ll", b"l", b"l", b"ow", b"o", b"w",
    ]  # fmt: skip
    assert [spot.token_id for spot in layout.spots[:5]] == [291, 289, 272, 84, 262]
    assert [spot.rank for spot in layout.spots[:5]] == [35, 33, 16, None, 6]
    assert [layout.spots[at].piece.bytes for at in layout.leaves] == [bytes([each]) for each in b"The Hollow"]
    assert [spot.level for spot in layout.spots[:5]] == [5, 4, 3, 0, 2]


def test_a_node_stands_in_the_middle_of_its_parts_and_above_them(chronicle: MergeTable) -> None:
    layout = lay_out(chronicle, 291, RULER, ROOM)
    for at, spot in enumerate(layout.spots):
        if spot.parts:
            one, two = (layout.spots[part] for part in spot.parts)
            assert spot.x == pytest.approx((one.x + two.x) / 2)
            assert spot.y < min(one.y, two.y)
            assert one.parent == two.parent == at
            assert (spot.left, spot.right) == (one.left, two.right)
        else:
            assert spot.y == 0


@given(st.integers(0, 375), st.floats(100, 3000), st.floats(50, 2000))
def test_no_box_covers_another_and_all_lie_inside(token: int, width: float, height: float) -> None:
    layout = lay_out(chronicle_table(), token, RULER, (width, height))
    boxes = [(spot.x - spot.width / 2, spot.x + spot.width / 2, spot.y - BOX / 2, spot.y + BOX / 2) for spot in layout.spots]
    for at, (left, right, top, foot) in enumerate(boxes):
        assert left >= 0
        assert right <= layout.width
        assert layout.top <= top
        assert foot <= layout.foot
        for other in boxes[at + 1 :]:
            assert right <= other[0] or other[1] <= left or foot <= other[2] or other[3] <= top


def test_room_is_used_as_far_as_looks_well(chronicle: MergeTable) -> None:
    small, large = (lay_out(chronicle, 291, RULER, room) for room in ((100, 100), (5000, 5000)))
    assert small.width < large.width < 800
    assert small.spots[0].y > large.spots[0].y >= -5 * 72


def test_a_pair_is_two_trees_under_a_root_without_an_id(chronicle: MergeTable) -> None:
    layout = lay_out(chronicle, (261, 288), RULER, ROOM)
    root = layout.spots[0]
    assert (root.piece.bytes, root.token_id, root.rank) == (b"s stand", None, None)
    assert root.parts
    assert [layout.spots[part].token_id for part in root.parts] == [261, 288]
    assert spot_words(root, layout).startswith("not made yet, s·stand, s· and stand, 73 20 73")


def test_a_character_lies_over_all_its_bytes_and_only_over_whole_ones() -> None:
    text = "é—👍 ".encode()
    table = table_of(text * 8, 9)
    whole = next(at for at in range(table.size) if table.pieces[at].bytes == text)
    layout = lay_out(table, whole, RULER, ROOM)
    assert [character.text for character in layout.characters] == ["é", "—", "👍"]
    held = [b"".join(layout.spots[at].piece.bytes for at in character.leaves) for character in layout.characters]
    assert held == ["é".encode(), "—".encode(), "👍".encode()]
    for part in range(256, table.size):
        if len(table.pieces[part].bytes.decode("utf-8", "ignore").encode()) < len(table.pieces[part].bytes):
            cut = lay_out(table, part, RULER, ROOM)
            assert all(len(character.leaves) == len(character.text.encode()) for character in cut.characters)
    half = table_of(b"\xe2\x80" * 4, 1)
    assert lay_out(half, 256, RULER, ROOM).characters == ()


def test_symbols_of_characters_are_leaves_with_their_bytes(words: MergeTable) -> None:
    layout = lay_out(words, words.size - 1, RULER, ROOM)
    leaves = [layout.spots[at] for at in layout.leaves]
    assert [spot.rank for spot in leaves] == [None] * len(leaves)
    assert leaves[-1].piece.marked
    assert layout.characters == ()
    assert leaf_bytes(Piece("—".encode())) == "E2 80 94"
    assert "symbols" in tree_words(layout, own_ids=True)


def test_a_single_symbol_is_a_tree_of_one_node(chronicle: MergeTable) -> None:
    layout = lay_out(chronicle, 65, RULER, ROOM)
    assert len(layout.spots) == 1
    assert layout.spots[0].is_leaf
    assert tree_words(layout, own_ids=False) == "token 65, A, 41 hex; 1 byte, 0 levels."
    assert all(neighbour(layout, 0, way) == 0 for way in Way)


def test_an_id_of_another_table_is_refused(chronicle: MergeTable) -> None:
    with pytest.raises(TokenError, match="no token 9999"):
        lay_out(chronicle, 9999, RULER, ROOM)


def test_a_token_of_a_million_letters_is_folded() -> None:
    table = table_of(b"a" * 4096, 11)
    layout = lay_out(table, table.size - 1, RULER, ROOM, most=64)
    leaves = [layout.spots[at] for at in layout.leaves]
    assert len(leaves) == 64
    assert {spot.folded for spot in leaves} == {32}
    assert sum(spot.folded for spot in leaves) == len(table.pieces[-1].bytes) == 2048
    assert "32 symbols, folded" in spot_words(leaves[0], layout)


def test_a_chain_of_merges_is_as_deep_as_it_is_long() -> None:
    merges = tuple((256 + at - 1 if at else 97, 98) for at in range(150))  # a b, ab b, abb b and so on
    table = MergeTable(Recipe.of("chapter-81"), table_of(b"", 0).alphabet, merges)
    layout = lay_out(table, table.size - 1, RULER, ROOM)
    assert layout.spots[0].level == 150
    assert sum(1 for _ in layout.leaves) == 151
    assert all(one.left <= one.x - one.width / 2 and one.x + one.width / 2 <= one.right for one in layout.spots[1:])


def test_arrows_walk_the_tree(chronicle: MergeTable) -> None:
    layout = lay_out(chronicle, 291, RULER, ROOM)
    at = {spot.piece.bytes: place for place, spot in reversed(list(enumerate(layout.spots)))}

    def to(place: bytes, way: Way) -> bytes:
        return layout.spots[neighbour(layout, at[place], way)].piece.bytes

    assert to(b"The Hollow", Way.DOWN) == b"The Ho"
    assert to(b"The Ho", Way.UP) == b"The Hollow"
    assert to(b"ll", Way.RIGHT) == b"ow"
    assert to(b"ow", Way.LEFT) == b"ll"
    assert to(b"T", Way.RIGHT) == b"h"
    assert to(b"T", Way.LEFT) == b"T"
    assert to(b"The Hollow", Way.UP) == b"The Hollow"
    assert to(b"w", Way.DOWN) == b"w"


def test_every_node_is_reached_with_the_arrows(chronicle: MergeTable) -> None:
    layout = lay_out(chronicle, 291, RULER, ROOM)
    reached, waiting = {0}, [0]
    while waiting:
        place = waiting.pop()
        for way in Way:
            there = neighbour(layout, place, way)
            if there not in reached:
                reached.add(there)
                waiting.append(there)
    assert reached == set(range(len(layout.spots)))


def chained(text: bytes) -> MergeTable:
    """A table whose last token is all of a text, a byte more at each merge."""
    recipe = Recipe.of("chapter-81")
    pairs = [(text[0] if at == 1 else 254 + at, text[at]) for at in range(1, len(text))]
    return MergeTable(recipe, Alphabet.of_bytes(), tuple(pairs))


PARTS = [b"a", "é".encode(), "漢".encode(), "😀".encode(), b"\xe6", b"\x80", b"\xf0\x9f", b"\xc0"]


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=8))
def test_characters_over_bytes_are_those_of_the_whole_text(parts: list[bytes]) -> None:
    text = b"".join(parts) + b"a"
    table = chained(text)
    layout = lay_out(table, table.size - 1, RULER, ROOM)
    expected, offset = [], 0
    for letter in text.decode("utf-8", "surrogateescape"):
        size = len(letter.encode("utf-8", "surrogateescape"))
        if size > 1:
            expected.append((letter, offset))
        offset += size
    assert [(each.text, layout.spots[each.leaves[0]].start) for each in layout.characters] == expected


def test_of_a_token_as_long_as_a_book_only_the_leaves_are_looked_at() -> None:
    table = table_of("é".encode() * 5_000, 14)
    layout = lay_out(table, table.size - 1, RULER, ROOM)

    class Book(bytes):
        def decode(self, *_: object) -> str:
            raise AssertionError("decoded whole")

    root = replace(layout.spots[0], piece=Piece(Book(layout.spots[0].piece.bytes)))
    assert len(root.piece.bytes) > 4_000
    assert tree_layout._characters((root, *layout.spots[1:])) == layout.characters  # noqa: SLF001
