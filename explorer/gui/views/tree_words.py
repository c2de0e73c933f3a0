"""The token tree in words: what a screen reader and a tooltip say of it."""

from explorer.core.vocabulary import Piece
from explorer.gui.painting.paint import thousands
from explorer.gui.painting.piece_spelling import piece_label
from explorer.gui.views.tree_layout import Spot, TreeLayout

TOLD = 24  # merges of a tree that are told; nobody listens to more
LABEL = 60  # letters of a piece in a sentence


def short_label(piece: Piece) -> str:
    """A piece as one line of at most `LABEL` letters."""
    if len(piece.bytes) > 8 * LABEL:  # before it is spelled: a piece may be a whole book
        return f"{piece_label(Piece(piece.bytes[:LABEL]))}…"
    label = piece_label(piece)
    return label if len(label) <= LABEL else f"{label[: LABEL - 1]}…"


def bytes_words(count: int) -> str:
    """A number of bytes in words."""
    return "1 byte" if count == 1 else f"{thousands(count)} bytes"


def spot_words(spot: Spot, layout: TreeLayout) -> str:
    """One node: its id, what it reads, its merge and its parts, its bytes."""
    name = short_label(spot.piece)
    first = f"token {spot.token_id}, {name}" if spot.token_id is not None else f"not made yet, {name}"
    said = [first]
    if spot.parts:
        left, right = (short_label(layout.spots[part].piece) for part in spot.parts)
        said.append(f"merge {spot.rank} of {left} and {right}" if spot.rank is not None else f"{left} and {right}")
    elif spot.folded:
        said.append(f"merge {spot.rank}, {thousands(spot.folded)} symbols, folded")
    if len(spot.piece.bytes) <= 16:
        said.append(f"{spot.piece.bytes.hex(' ').upper()} hex" if spot.piece.bytes else "no bytes")
    else:
        said.append(bytes_words(len(spot.piece.bytes)))
    return ", ".join(said)


def tree_words(layout: TreeLayout, *, own_ids: bool) -> str:
    """The whole tree: the root, then what every part is made of, largest first; beyond `TOLD` merges only how many more."""
    root = layout.spots[0]
    leaves = sum(1 for _ in layout.leaves)
    kind = "symbol" if own_ids else "byte"
    said = [f"{spot_words(root, layout)}; {leaves} {kind}{'' if leaves == 1 else 's'}, {root.level} levels"]
    merges = [spot for spot in layout.spots[1:] if spot.parts]
    said += [spot_words(spot, layout) for spot in merges[:TOLD]]
    if len(merges) > TOLD:
        said.append(f"and {len(merges) - TOLD} more merges")
    said += [f"{character.text} is {len(character.leaves)} bytes" for character in layout.characters[:TOLD]]
    return ". ".join(said) + "."
