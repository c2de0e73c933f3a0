"""The tree of one token under two tables, side by side: how A makes it, and how B does, if it does."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.core.table import MergeTable
from explorer.core.vocabulary import Piece, TokenId
from explorer.gui import theme
from explorer.gui.frame import Elided, Label
from explorer.gui.models.comparison import Comparison, merged_at
from explorer.gui.theme import Role, Tone
from explorer.gui.views.token_tree import TokenTree
from explorer.gui.views.tree_picture import Marks
from explorer.gui.views.tree_words import short_label


class TreeSide(QWidget):
    """One of the two: the letter of its run and what is shown over the tree. It knows no Workspace."""

    def __init__(self, letter: str, tone: Tone) -> None:
        super().__init__()
        self._letter = letter
        self.facts, self.tree = Elided(), TokenTree()
        self.tree.setAccessibleName(f"Token tree of {letter}")
        head = QHBoxLayout()
        head.setContentsMargins(theme.measures().m, theme.measures().xs, theme.measures().m, 0)
        head.setSpacing(theme.measures().s)
        head.addWidget(Label(letter, Role.STRONG, tone))
        head.addWidget(self.facts, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.tree, 1)

    def show_piece(self, table: MergeTable, piece: Piece | None) -> None:
        """The tree of a piece as this run makes it; None where it has ended before the other one."""
        token = table.find(piece) if piece else None
        if piece is None or token is None:
            self.facts.setText("")
            self.tree.show_nothing(f"{self._letter} has no token {short_label(piece)}." if piece else f"{self._letter} has ended.")
            return
        self.facts.setText(_facts(table, token))
        self.tree.show_root(table, token)
        self.tree.show_marks(Marks(selected=piece))


class TwoTrees(QWidget):
    """The selected token in both tables; where none is selected, what each made at the first merge that differs.

    `token_wanted` tells the piece of a node that was clicked, `hovered` the one under the mouse.
    """

    token_wanted = Signal(object)  # Piece
    hovered = Signal(object)  # Piece | None

    def __init__(self) -> None:
        super().__init__()
        self._within = False  # the selection that comes was made in one of the trees
        self.one, self.other = TreeSide("A", Tone.ACCENT), TreeSide("B", Tone.TIE)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for side in (self.one, self.other):
            row.addWidget(side, 1)
            side.tree.selected.connect(lambda token, side=side: self._on_node(side, token))
            side.tree.hovered.connect(self.hovered)

    def show_trees(self, compared: Comparison | None, piece: Piece | None = None) -> None:
        """Both trees of a piece, or of what the first difference made; none where nothing is compared."""
        if self._within:  # the trees stay; what was clicked is ringed in both
            for side in (self.one, self.other):
                side.tree.show_marks(Marks(selected=piece))
            return
        for side, training in zip((self.one, self.other), (compared.one, compared.other) if compared else (None, None), strict=True):
            if training is None or compared is None or compared.first is None:
                side.facts.setText("")
                side.tree.show_nothing("A and B merge the same." if compared else "No other run is compared.")
                continue
            merged = merged_at(training, compared.first)
            side.show_piece(training.table, piece or (merged[0].joined(merged[1]) if merged else None))

    def _on_node(self, side: TreeSide, token: TokenId) -> None:
        if side.tree.table:
            self._within = True
            self.token_wanted.emit(side.tree.table.piece(token))
            self._within = False


def _facts(table: MergeTable, token: TokenId) -> str:
    rank = table.rank_of_id(token)
    return f"token {token}" if rank is None else f"token {token}, merge {rank}"
