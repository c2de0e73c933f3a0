"""The pane of the token tree: which token is shown and why, its figures, zoom and export."""

from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QVBoxLayout, QWidget

from explorer.core.disk import why
from explorer.core.vocabulary import Pair, Piece, TokenId
from explorer.gui import theme
from explorer.gui.frame import Pane, Tool
from explorer.gui.painting.paint import thousands
from explorer.gui.plots.export import Size, copy_picture, write_picture
from explorer.gui.views.lateness import Lateness
from explorer.gui.views.offer import Offer
from explorer.gui.views.select_motion import SelectMotion
from explorer.gui.views.token_tree import TokenTree
from explorer.gui.views.tree_layout import Root, TreeLayout
from explorer.gui.views.tree_picture import Marks, draw_tree, whole
from explorer.gui.views.tree_words import bytes_words, short_label
from explorer.workspace.values import Level, Notice, Selection
from explorer.workspace.workspace import Workspace

NOTHING_MADE = "No token is made yet. Step forward, or select a token."
NO_MERGE = "No merge was learned. Select a token to see it."
NOTHING_OPEN = "No corpus is open."


class TreePane(QWidget):
    """The tree of the selected token, of the token just made where none is selected, or of what a selected pair would make.

    A click inside selects a node everywhere, moves to its merge and leaves the tree as it is; a step, or a selection
    made elsewhere, shows another. Hears run_changed, merge_changed, moment_changed, selection_changed, hover_changed
    and compared_changed; calls go_to_token, hover and step.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._within = False  # the selection that comes was made in the tree
        self.tree = TokenTree()
        self.step = Offer("Step forward", "forward", self.tree)
        self.step.clicked.connect(lambda: workspace.step(1))
        self.pane = Pane("Token tree", self.tree, *self._build_tools())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.pane)
        self._connect()
        self._follow()
        Lateness(workspace, self.pane)

    def _build_tools(self) -> list[QWidget]:
        self._zooms = smaller, larger, fit = Tool("minus", "Smaller", "-"), Tool("plus", "Larger", "+"), Tool("fit", "Fit", "0")
        smaller.clicked.connect(self.tree.smaller)
        larger.clicked.connect(self.tree.larger)
        fit.clicked.connect(self.tree.fit)
        self._export = Tool("export", "Export the tree")
        self._export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self._export)
        menu.addAction("PNG picture…", lambda: self._ask_path("png"))
        menu.addAction("SVG picture…", lambda: self._ask_path("svg"))
        menu.addAction("Copy picture", self.copy)
        self._export.setMenu(menu)
        return [smaller, larger, fit, self._export]

    def _connect(self) -> None:
        workspace, tree = self._workspace, self.tree
        self._selecting = SelectMotion(workspace, self)
        self._selecting.moved.connect(self._mark)
        workspace.run_changed.connect(self._on_run)
        workspace.merge_changed.connect(self._on_merge)
        workspace.moment_changed.connect(self._on_moment)
        workspace.selection_changed.connect(self._on_selection)
        workspace.hover_changed.connect(self._on_hover)
        workspace.compared_changed.connect(self._on_compared)
        tree.selected.connect(self._on_node)
        tree.hovered.connect(workspace.hover)
        tree.rooted.connect(self._on_rooted)

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _on_run(self, run: object) -> None:
        self._follow()

    def _on_merge(self, k: int) -> None:
        if self._workspace.selection.token is None and not self._within:  # else the selection tells when it changes
            self._follow()
        else:
            self._tell()

    def _on_moment(self, moment: object) -> None:
        self._tell()

    def _on_compared(self, run: object) -> None:
        self._tell()

    def _on_selection(self, selection: Selection) -> None:
        if self._within:
            self._tell()
        else:
            self._follow()

    def _on_hover(self, piece: Piece | None) -> None:
        self._mark()

    def _on_node(self, token: TokenId) -> None:
        self._within = True
        self._workspace.go_to_token(token)
        self._within = False

    def _on_rooted(self, root: Root) -> None:
        self._tell()

    def _follow(self) -> None:
        """Shows the tree that the moment asks for."""
        workspace = self._workspace
        root, absent = self._wanted()
        if workspace.run is None:
            self.tree.show_nothing(NOTHING_OPEN)
        elif root is None:
            self.tree.show_nothing(absent)
        else:
            self.tree.show_root(workspace.run.training.table, root)
        self.step.offer(root is None and absent == NOTHING_MADE)
        self._tell()

    def _wanted(self) -> tuple[Root | None, str]:
        """The root to show, or a sentence that says why there is none."""
        workspace = self._workspace
        if workspace.run is None:
            return None, NOTHING_OPEN
        table, chosen = workspace.run.training.table, workspace.selection
        if chosen.token is not None:
            return table.find(chosen.token), f"This run has no token {short_label(chosen.token)}."
        if chosen.pair is not None:
            left, right = (table.find(piece) for piece in chosen.pair)
            return (None if left is None or right is None else (left, right)), "This run lacks a token of this pair."
        return workspace.new_token, NOTHING_MADE if workspace.learned else NO_MERGE

    def _tell(self) -> None:
        """The facts of the header, and the marks."""
        root = self.tree.root
        self.pane.set_facts("" if root is None else " · ".join(self._facts(root)))
        for tool in (*self._zooms, self._export):
            tool.setEnabled(root is not None)
        self._mark()

    def _mark(self) -> None:
        workspace = self._workspace
        new, table = workspace.new_token, self.tree.table
        made = table.pieces[new] if table is not None and new is not None and new < table.size else None
        comes_next, spread = self.tree.root == workspace.next_pair, self._selecting.spread
        self.tree.show_marks(Marks(made, workspace.selection.token, workspace.hovered, spread=spread, comes_next=comes_next))

    # --- facts --------------------------------------------------------------------------------------------------------

    def _facts(self, root: Root) -> list[str]:
        assert self.tree.table is not None
        table = self.tree.table
        if isinstance(root, tuple):
            piece = table.pieces[root[0]].joined(table.pieces[root[1]])
            return [self._pair_name(root), bytes_words(len(piece.bytes)), self._times(root)]
        piece = table.pieces[root]
        return [self._token_name(root), bytes_words(len(piece.bytes)), self._times(root), *self._elsewhere(root)]

    def _token_name(self, token: TokenId) -> str:
        workspace = self._workspace
        assert self.tree.table is not None
        rank = self.tree.table.rank_of_id(token)
        if token == workspace.new_token:
            return f"token {token}, just made"
        if rank is None:
            return f"token {token}"
        return f"token {token}, merge {rank}" if rank < workspace.k else f"token {token}, not made before merge {rank}"

    def _pair_name(self, pair: Pair) -> str:
        if pair == self._workspace.next_pair and self.tree.table:
            return f"will be token {self.tree.table.id_of_rank(self._workspace.k)}"
        return "not made"

    def _times(self, root: Root) -> str:
        """How often it stands in the corpus now; "…" while that is being counted."""
        workspace = self._workspace
        timeline, moment, run = workspace.timeline, workspace.moment, workspace.run
        if run and root == workspace.new_token:
            return _times(run.training.merges[workspace.k - 1].saved)  # each place it was put saved one token
        if timeline is None or moment is None or moment.k != workspace.k:
            return "… times"
        if isinstance(root, tuple):
            return _times(timeline.pair_count(workspace.k, root))
        return _times(timeline.token_count(workspace.k, root))

    def _elsewhere(self, token: TokenId) -> list[str]:
        """What the run that is compared makes the same piece of, where that differs."""
        compared = self._workspace.compared
        if compared is None or self.tree.table is None:
            return []
        here, there = self.tree.table, compared.training.table
        other = there.find(here.pieces[token])
        if other is None:
            return ["not in B"]
        ours, theirs = here.parts(token), there.parts(other)
        if ours is None or theirs is None:
            return []
        parts = [there.pieces[part] for part in theirs]
        return [] if parts == [here.pieces[part] for part in ours] else ["in B " + " + ".join(short_label(part) for part in parts)]

    # --- export -------------------------------------------------------------------------------------------------------

    def export(self, path: Path) -> None:
        """Writes the whole tree, at its own size, as PNG or SVG by the ending of the path; a failure becomes a notice."""
        if (drawn := self._drawing()) is None:
            return
        try:
            write_picture(path, drawn[0], drawn[1], title=f"Token tree: {self.pane.facts()}")
        except OSError as error:
            self._workspace.notify(Notice(Level.ERROR, f"The picture was not saved: {why(error)}."))

    def copy(self) -> None:
        """Puts the whole tree into the clipboard as a picture."""
        if drawn := self._drawing():
            copy_picture(*drawn)

    def _drawing(self) -> "tuple[_TreeDrawing, Size] | None":
        shown = self.tree.picture()
        if shown is None:
            return None
        box = whole(shown[0])
        return _TreeDrawing(*shown), Size.of(box.width(), box.height())

    def _ask_path(self, ending: str) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export the tree", f"token-tree.{ending}", f"{ending.upper()} (*.{ending})")
        if name:
            self.export(Path(name).with_suffix(f".{ending}"))


class _TreeDrawing:
    """The tree on a page of its own."""

    def __init__(self, layout: TreeLayout, marks: Marks) -> None:
        self._layout, self._marks = layout, marks

    def __call__(self, p: QPainter, box: QRectF, ratio: float) -> None:
        ink = theme.current()
        p.fillRect(box, ink.page)
        p.translate(0, -self._layout.top)
        draw_tree(p, ink, self._layout, self._marks, [(spot.x, spot.y) for spot in self._layout.spots])


def _times(count: int) -> str:
    return "1 time" if count == 1 else f"{thousands(count)} times"
