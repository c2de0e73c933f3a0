"""What the pointer does over the tokens of your text, the same in the editor and in the read-only view.

Under the pointer a token is ringed in every view that shows it, and after a moment its card comes; a click selects
it everywhere. What stands out in the text is worked out here too, from the Workspace.
"""

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from explorer.core.vocabulary import Pair
from explorer.gui.models.text_spans import TextSpans
from explorer.gui.models.token_words import token_card
from explorer.gui.text.text_picture import Emphasis
from explorer.gui.tinting import merged_ids
from explorer.gui.views.select_motion import SelectMotion
from explorer.gui.views.token_card import TokenCard
from explorer.workspace.workspace import Workspace


class TokenPointer:
    """Hover, card and click of one view of your text."""

    def __init__(self, workspace: Workspace, owner: QWidget) -> None:
        self._workspace = workspace
        self.card = TokenCard(owner)
        self._selecting = SelectMotion(workspace, owner)
        self._selecting.moved.connect(owner.update)

    def over(self, spans: TextSpans | None, n: int | None, box: QRect) -> None:
        """The pointer is over the n-th token, which has this box in the owner; over none for None."""
        if spans is None or n is None:
            self.leave()
            return
        self._workspace.hover(spans.encoded.piece(n))
        self.tell(spans, n, box)

    def tell(self, spans: TextSpans, n: int, box: QRect) -> None:
        """Shows the card of the n-th token without the pointer, as for a key."""
        self.card.show_for(token_card(spans.encoded, n, spans.place(n)), box)

    def leave(self) -> None:
        """The pointer is over no token."""
        self.card.dismiss()
        self._workspace.hover(None)

    def select(self, spans: TextSpans | None, n: int | None) -> None:
        """Selects the n-th token everywhere."""
        if spans is not None and n is not None:
            self._workspace.select_token(spans.encoded.piece(n), span=spans.place(n))

    def emphasis(self, spans: TextSpans | None) -> Emphasis:
        """What stands out now, the rings of a selection perhaps still on their way."""
        return emphasis_of(self._workspace, spans, self._selecting.spread)


def emphasis_of(workspace: Workspace, spans: TextSpans | None, spread: float = 0.0) -> Emphasis:
    """What stands out in your text: the newest token, the pair that comes next or is selected, what is hovered and selected.

    The newest token has a tint of its own, so it is ringed as selected only where it was touched.
    """
    run = workspace.run
    if spans is None or run is None or spans.encoded.table is not run.training.table:
        return Emphasis()
    selected = spans.token_of(workspace.selection.token)
    touched = workspace.selection.span is not None
    return Emphasis(
        new=workspace.new_token,
        pair=_pair(workspace, spans),
        hovered_id=spans.token_of(workspace.hovered),
        selected_id=selected if touched or selected != workspace.new_token else None,
        spread=spread,
        merged=merged_ids(run),
    )


def _pair(workspace: Workspace, spans: TextSpans) -> Pair | None:
    if workspace.selection.pair is None:
        return workspace.next_pair
    left, right = (spans.token_of(piece) for piece in workspace.selection.pair)
    return None if left is None or right is None else (left, right)
