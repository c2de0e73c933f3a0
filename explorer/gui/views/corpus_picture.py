"""The painting of the corpus text: blocks with their tokens, numbers in the gutter, what is marked, the keyboard's token."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.core.vocabulary import Pair, TokenId
from explorer.gui.painting import paint
from explorer.gui.painting.paint import thousands
from explorer.gui.text.token_text import Emphasis, TextLayout
from explorer.gui.theme import Ink, Role, px
from explorer.gui.tinting import merged_ids
from explorer.gui.views.corpus_geometry import CorpusGeometry
from explorer.gui.views.corpus_page import CorpusPage, CorpusToken
from explorer.workspace.workspace import Workspace

MARKED = 0.3  # strength of the ground over marked text


@dataclass(frozen=True, slots=True)
class Stresses:
    """What stands out: by the first id of a piece, and further ids where two merges make the same piece."""

    emphasis: Emphasis
    also_selected: tuple[TokenId, ...] = ()
    also_hovered: tuple[TokenId, ...] = ()


def stresses(workspace: Workspace, page: CorpusPage, spread: float = 0.0) -> Stresses:
    """What the workspace says stands out in the corpus; rings of the selection are `spread` pixels from their place."""
    new = workspace.new_token
    selected, hovered = page.ids.of(workspace.selection.token), page.ids.of(workspace.hovered)
    if new in selected:
        selected = ()  # the newest token has a tint and a line of its own; rings belong to the pair that comes next
    emphasis = Emphasis(
        new=new, pair=shown_pair(workspace, page),
        selected_id=selected[0] if selected else None, hovered_id=hovered[0] if hovered else None,
        spread=spread, merged=merged_ids(workspace.run),
    )  # fmt: skip
    return Stresses(emphasis, selected[1:], hovered[1:])


def shown_pair(workspace: Workspace, page: CorpusPage) -> Pair | None:
    """The pair that is selected, or the one that comes next."""
    if workspace.selection.pair is None:
        return workspace.next_pair
    left, right = (page.ids.of(piece) for piece in workspace.selection.pair)
    return (left[0], right[0]) if left and right else None


def draw_corpus(
    p: QPainter, ink: Ink, geometry: CorpusGeometry, clip: QRectF,
    stressed: Stresses, marked: tuple[int, int] | None, cursor: CorpusToken | None,
) -> None:  # fmt: skip
    """Draws what `clip` touches, in coordinates of the picture; `marked` are bytes of the corpus."""
    for block in geometry.blocks_in(clip.top(), clip.bottom()):
        origin, layout = geometry.origin(block), geometry.page.layout(block)
        p.save()
        p.translate(origin)
        layout.paint(p, clip.translated(-origin), stressed.emphasis)
        _ring_more(p, ink, layout, stressed)
        p.restore()
        _draw_numbers(p, ink, geometry, block, clip)
        for box in geometry.rows_of(*marked, block) if marked else ():
            p.fillRect(box, paint.soft(ink.accent, MARKED))
    for box in geometry.boxes(cursor) if cursor else ():
        paint.ring(p, box.adjusted(-px(1), -px(1), px(1), px(1)), ink.ink, 2)


def _ring_more(p: QPainter, ink: Ink, layout: TextLayout, stressed: Stresses) -> None:
    ids = layout.spans.ids
    spread = stressed.emphasis.spread
    for more, colour, width, out in ((stressed.also_selected, ink.accent, 2.0, spread), (stressed.also_hovered, ink.ink_2, 1.5, 0.0)):
        for n in (n for token_id in more for n in (ids == token_id).nonzero()[0].tolist()):
            for box in layout.boxes(n):
                paint.ring(p, box.adjusted(-out, -out, out, out), colour, width)


def _draw_numbers(p: QPainter, ink: Ink, geometry: CorpusGeometry, block: int, clip: QRectF) -> None:
    """The number of each line beside its first row."""
    lines, rows, top = geometry.page.lines, geometry.page.layout(block).rows, geometry.heights.top(block)
    numbers, begin = lines.numbers_in(block), lines.block_span(block)[0]
    first, after = rows.rows_in(clip.top() - top, clip.bottom() - top)
    for row in range(first, after):
        if number := numbers.get(begin + rows.bytes_of_row(row)[0]):
            mid = top + (row + 0.5) * geometry.line
            paint.words_to(p, thousands(number), geometry.gutter - px(12), mid, Role.FIGURE_SMALL, ink.ink_3)
