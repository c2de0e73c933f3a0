"""Where the nodes of a token's tree stand: pure geometry, in pixels at the zoom that is on; it draws nothing.

    layout = lay_out(table, 291, ruler, room=(520, 360))
    layout.spots[0]          the root; parts follow, left before right
    layout.spots[0].level    merges above the leaves; a leaf is at level 0
    layout.characters        characters that lie over several leaves, as the three bytes of a dash

x grows to the right, y downwards; the leaves stand at y = 0 and their parents above, so y is negative there. A
node stands in the middle of its two parts, and its box keeps inside the columns of its own leaves, so that no box
covers another. A token of a million equal letters has a million leaves: beyond `most` the tree is folded, and
a folded node says how many symbols lie under it.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from explorer.core.alphabet import Alphabet
from explorer.core.figures import thousands
from explorer.core.recipe import AlphabetKind
from explorer.core.table import MergeTable
from explorer.core.vocabulary import Pair, Piece, PieceKind, Rank, TokenId

MOST_LEAVES = 256
MOST_A_CHARACTER = 4  # bytes

Root = TokenId | Pair  # a token, or the pair that would become one


@dataclass(frozen=True, slots=True)
class Ruler:
    """Measures texts, and says how far apart things stand; all in pixels."""

    label: Callable[[Piece], float]  # a piece as a node writes it
    hex: Callable[[str], float]  # the bytes under a leaf
    figure: Callable[[str], float]  # a token id
    unit: float = 1.0  # one pixel at 100 % zoom

    def px(self, length: float) -> float:
        """A length at 100 % zoom as it is now."""
        return length * self.unit


BOX = 24.0  # height of a node
PAD = 7.0  # between the edge of a node and its letters
LEAF = 26.0  # least width of a leaf
GAP = 10.0  # between two leaves
PITCH = 36.0  # least distance of two leaves that are one byte each
WIDEST = 64.0  # distance of two leaves where there is room
RISE = (40.0, 72.0)  # least and greatest distance of two levels, as they are seen
NARROW = 20.0  # a node is never narrower
ROOT = 300.0  # nor the root wider
UNDER = 40.0  # room under the leaves, for their bytes
EDGE = 14.0  # room around the tree


@dataclass(frozen=True, slots=True)
class Spot:
    """A node and where it stands.

    `token_id` and `rank` are None where there is none (`token_id` for what a pair would make, `rank` for a symbol too).
    `parts` and `parent` are places in `TreeLayout.spots`. `left` and `right` bound the columns of its leaves.
    `start` is the offset of its first byte in the root. `folded` is the number of symbols under a node that is not unfolded.
    """

    piece: Piece
    token_id: TokenId | None
    rank: Rank | None
    parts: tuple[int, int] | None
    parent: int | None
    start: int
    level: int
    x: float
    y: float
    left: float
    right: float
    width: float
    folded: int = 0

    @property
    def is_leaf(self) -> bool:
        """Whether nothing stands under it."""
        return self.parts is None


@dataclass(frozen=True, slots=True)
class Character:
    """A character of several bytes over the leaves that hold them: `leaves` are places in `TreeLayout.spots`, in order."""

    text: str
    leaves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """All nodes in reading order (a node before its parts, left before right), and the size of the whole."""

    spots: tuple[Spot, ...]
    characters: tuple[Character, ...]
    width: float
    top: float  # above the leaves: negative
    foot: float

    @property
    def height(self) -> float:
        """From above the root to under the bytes."""
        return self.foot - self.top

    @property
    def leaves(self) -> Iterator[int]:
        """The places of the leaves, from left to right."""
        return (place for place, spot in enumerate(self.spots) if spot.is_leaf)


def lay_out(
    table: MergeTable, root: Root, ruler: Ruler, room: tuple[float, float], *, least_scale: float = 1.0, most: int = MOST_LEAVES
) -> TreeLayout:
    """The tree of a token, or of what a pair would make, spread over `room` (width, height) as far as looks well.

    It is never closer set than can be read. A tree that is too wide for the room is meant to be drawn smaller, by
    `least_scale` at the utmost, and its levels are set as far apart as that leaves room for. At most `most` leaves are
    unfolded. TokenError for an id that the table has not.
    """
    nodes = _in_reading_order(_grown(table, root, most))
    levels = _levels(nodes)
    columns = _columns(nodes, table.alphabet, ruler, room[0])
    scale = max(least_scale, min(1.0, room[0] / (columns[-1][1] + 2 * ruler.px(EDGE))))
    rise = _rise(levels[0], ruler, room[1] / scale, RISE[1] / scale)
    spots = _placed(nodes, levels, columns, rise, ruler)
    width = columns[-1][1]
    reach = spots[0].width / 2 + ruler.px(EDGE)  # the root may be wider than its leaves
    shift = max(0.0, reach - spots[0].x)
    edge = ruler.px(EDGE)
    moved = tuple(_moved(spot, shift + edge) for spot in spots)
    width = max(width + shift, shift + spots[0].x + reach + ruler.figure(str(spots[0].token_id or 0))) + 2 * edge
    top = spots[0].y - ruler.px(BOX / 2) - edge
    return TreeLayout(moved, _characters(moved), width, top, ruler.px(BOX / 2 + UNDER))


@dataclass(slots=True)
class _Node:
    piece: Piece
    token_id: TokenId | None
    rank: Rank | None
    parts: tuple["_Node", "_Node"] | None = None
    place: int = 0
    parent: int | None = None
    start: int = 0
    folded: int = 0


def _grown(table: MergeTable, root: Root, most: int) -> _Node:
    """The nodes under a root, nearest first, until there are `most` leaves."""

    def node(token_id: TokenId) -> _Node:
        return _Node(table.piece(token_id), token_id, table.rank_of_id(token_id))

    leaves, waiting = 1, deque[_Node]()
    if isinstance(root, tuple):
        top = _Node(table.piece(root[0]).joined(table.piece(root[1])), None, None)
        top.parts = node(root[0]), node(root[1])
        leaves, waiting = 2, deque(top.parts)
    else:
        top = node(root)
        waiting.append(top)
    while waiting:
        each = waiting.popleft()
        assert each.token_id is not None  # only a pair's root has none, and it never waits
        pair = table.parts(each.token_id)
        if pair and leaves < most:
            each.parts = node(pair[0]), node(pair[1])
            waiting.extend(each.parts)
            leaves += 1
        elif pair:
            each.folded = table.symbol_counts[each.token_id]
    return top


def _in_reading_order(top: _Node) -> list[_Node]:
    nodes: list[_Node] = []
    waiting = [top]
    while waiting:
        node = waiting.pop()
        node.place = len(nodes)
        nodes.append(node)
        if node.parts:
            left, right = node.parts
            left.parent = right.parent = node.place
            left.start, right.start = node.start, node.start + len(left.piece.bytes)
            waiting += (right, left)
    return nodes


def _levels(nodes: list[_Node]) -> list[int]:
    levels = [0] * len(nodes)
    for node in reversed(nodes):
        if node.parts:
            levels[node.place] = 1 + max(levels[part.place] for part in node.parts)
    return levels


def _columns(nodes: list[_Node], alphabet: Alphabet, ruler: Ruler, room: float) -> list[tuple[float, float]]:
    """Left and right edge of the column of each leaf, in order."""
    own_ids = alphabet.kind is not AlphabetKind.BYTES
    least = ruler.px(PITCH)
    wide = {node.place: max(least, _leaf_width(node, ruler, own_ids)) for node in nodes if not node.parts}
    for node in nodes:
        if node.parts and node.parts[0].place in wide and node.parts[1].place in wide:  # two leaves: no room but theirs
            half = ruler.label(node.piece) / 2 + ruler.px(PAD) + _beside(node, ruler)
            for part in node.parts:
                wide[part.place] = max(wide[part.place], half)
    widths = list(wide.values())
    whole, free = sum(widths), room - 2 * ruler.px(EDGE)
    if whole < free:
        stretch = min(free / whole, max(1.0, ruler.px(WIDEST) / least))
        widths = [width * stretch for width in widths]
    edges: list[tuple[float, float]] = []
    at = 0.0
    for width in widths:
        edges.append((at, at + width))
        at += width
    return edges


def _beside(node: _Node, ruler: Ruler) -> float:
    """The room that the id of a node takes at its right."""
    return ruler.px(6) + ruler.figure(str(node.token_id))


def _leaf_width(node: _Node, ruler: Ruler, with_id: bool) -> float:
    under = max(ruler.hex(leaf_bytes(node.piece, node.folded)), ruler.figure(str(node.token_id)) if with_id else 0.0)
    return max(_box_width(node.piece, ruler), under) + ruler.px(GAP)


def leaf_bytes(piece: Piece, folded: int = 0) -> str:
    """What stands under a leaf: its bytes as hex, the number of symbols if it is folded.

    >>> leaf_bytes(Piece("é".encode()))
    'C3 A9'
    """
    return f"{thousands(folded)} symbols" if folded else piece.bytes.hex(" ").upper()


def _box_width(piece: Piece, ruler: Ruler) -> float:
    return max(ruler.px(LEAF), ruler.label(piece) + 2 * ruler.px(PAD))


def _rise(levels: int, ruler: Ruler, room: float, most: float) -> float:
    return min(ruler.px(most), max(ruler.px(RISE[0]), (room - ruler.px(BOX + UNDER + 2 * EDGE)) / max(1, levels)))


def _placed(nodes: list[_Node], levels: list[int], columns: list[tuple[float, float]], rise: float, ruler: Ruler) -> list[Spot]:
    xs, lefts, rights = [0.0] * len(nodes), [0.0] * len(nodes), [0.0] * len(nodes)
    for node, (left, right) in zip((node for node in nodes if not node.parts), columns, strict=True):
        xs[node.place], lefts[node.place], rights[node.place] = (left + right) / 2, left, right
    spots: list[Spot] = []
    for node in reversed(nodes):
        at, parts = node.place, None
        if node.parts:
            one, two = parts = node.parts[0].place, node.parts[1].place
            xs[at], lefts[at], rights[at] = (xs[one] + xs[two]) / 2, lefts[one], rights[two]
        width = _box_width(node.piece, ruler)
        if node.parent is None:
            width = min(width, max(ruler.px(ROOT), ruler.px(NARROW)))
        elif node.parts:
            free = 2 * min(xs[at] - lefts[at] - ruler.px(2), rights[at] - xs[at] - _beside(node, ruler))
            width = max(ruler.px(NARROW), min(ruler.label(node.piece) + 2 * ruler.px(PAD), free))
        spots.append(
            Spot(node.piece, node.token_id, node.rank, parts, node.parent, node.start, levels[at], xs[at], -levels[at] * rise,
                 lefts[at], rights[at], width, node.folded)
        )  # fmt: skip
    return spots[::-1]


def _moved(spot: Spot, by: float) -> Spot:
    return replace(spot, x=spot.x + by, left=spot.left + by, right=spot.right + by)


def _characters(spots: tuple[Spot, ...]) -> tuple[Character, ...]:
    """The characters whose every byte is a leaf of its own, where there are at least two."""
    at = {spot.start: place for place, spot in enumerate(spots) if _is_one_byte(spot)}
    found: list[Character] = []
    for start in sorted(at):
        some = spots[0].piece.bytes[start : start + MOST_A_CHARACTER]
        letter = some.decode("utf-8", "ignore")[:1]  # a first byte is never in the middle of a character, whatever stands before it
        size = len(letter.encode())
        if size > 1 and some.startswith(letter.encode()):
            leaves = tuple(at[byte] for byte in range(start, start + size) if byte in at)
            if len(leaves) == size:
                found.append(Character(letter, leaves))
    return tuple(found)


def _is_one_byte(spot: Spot) -> bool:
    return spot.is_leaf and not spot.folded and len(spot.piece.bytes) == 1 and spot.piece.kind is PieceKind.BYTE


class Way(Enum):
    """Where an arrow key leads from a node."""

    UP = "to the node it is a part of"
    DOWN = "to its left part"
    LEFT = "to the nearest node of about its height on the left"
    RIGHT = "to the nearest node of about its height on the right"


def neighbour(layout: TreeLayout, place: int, way: Way) -> int:
    """The node that an arrow key leads to from a node; where there is none, the node itself."""
    spot = layout.spots[place]
    if way is Way.UP:
        return place if spot.parent is None else spot.parent
    if way is Way.DOWN:
        return spot.parts[0] if spot.parts else place
    side = -1 if way is Way.LEFT else 1
    beside = [at for at, other in enumerate(layout.spots) if (other.x - spot.x) * side > 0 and not _over(layout, at, place)]
    return min(beside, key=lambda at: _distance(layout.spots[at], spot), default=place)


def _over(layout: TreeLayout, above: int, below: int) -> bool:
    """Whether one node holds the other: those are reached with up and down."""
    one, two = layout.spots[above], layout.spots[below]
    return (one.left <= two.left and two.right <= one.right) or (two.left <= one.left and one.right <= two.right)


def _distance(one: Spot, two: Spot) -> tuple[float, float]:
    return abs(one.level - two.level), abs(one.x - two.x)
