"""The window: it places the views and hands the commands on, and does nothing else.

Bars of chrome above and below, panes of page between; the line between the thirds runs from the transport to the
status line. The labs are pages over the panes.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMainWindow, QMessageBox, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from explorer import __version__
from explorer.core.recipe import PRESETS
from explorer.core.runs import Run
from explorer.gui import wear
from explorer.gui.actions import STEP_KEYS, Actions
from explorer.gui.frame import Push, Rule
from explorer.gui.menus import Menus
from explorer.gui.notice_bar import NoticeBar
from explorer.gui.panes import Panes
from explorer.gui.plots.series import Scale
from explorer.gui.scrolled import Scrolled
from explorer.gui.theme import px
from explorer.gui.tinting import Tinting
from explorer.gui.turns import PaneTurns
from explorer.gui.views.context_pane import ContextPane
from explorer.gui.views.corpus_pane import CorpusPane
from explorer.gui.views.curve_pane import CurvePane
from explorer.gui.views.greed_lab import GreedLab
from explorer.gui.views.next_merge_pane import NextMergePane
from explorer.gui.views.progress_line import ProgressLine
from explorer.gui.views.recipe_bar import RecipeBar
from explorer.gui.views.status_line import StatusLine
from explorer.gui.views.tie_lab import TieLab
from explorer.gui.views.timeline import PAGE
from explorer.gui.views.transport import Transport
from explorer.gui.views.tree_pane import TreePane
from explorer.gui.views.welcome_strip import WelcomeStrip
from explorer.gui.views.your_text_pane import YourTextPane
from explorer.sources.files import shown_name
from explorer.sources.opening import columns_of
from explorer.workspace.settings import Preferences
from explorer.workspace.values import Level, Notice
from explorer.workspace.workspace import Workspace

LEAST = (900, 600)
BARS_IN_LABS_FROM = 560.0  # pixels at 100 %: under a window lower than this a lab gets the room of the recipe and of the transport
LEAST_LAB = (590, 335)  # pixels at 100 %; a lab makes do with little room, but not with less
ZOOM_STEP = 1.1
CORPUS_KINDS = "Corpora (*.txt *.jsonl *.ndjson *.tsv);;All files (*)"
TABLE_KINDS = "Merge tables (*.txt *.bpe *.tsv);;All files (*)"


class MainWindow(QMainWindow):
    """All panes and bars over one Workspace; remembers its own shape in the preferences."""

    def __init__(self, workspace: Workspace, preferences: Preferences) -> None:
        super().__init__()
        self.workspace, self.preferences = workspace, preferences
        self._path: Path | None = None  # the file asked for last
        self._opened: Path | None = None  # the file of the open corpus
        self.setMinimumSize(*LEAST)
        self.setAcceptDrops(True)
        self.actions_table = Actions(workspace, self)
        self._build_views()
        self._build_layout()
        self.menus = Menus(self.menuBar(), self.actions_table, workspace.open_exemplar, self.open_path, self.read_column)
        self._connect()
        self._restore_shape()
        self._show_corpus()
        self._show_checks()

    # --- building ---------------------------------------------------------------------------------------------------

    def _build_views(self) -> None:
        workspace = self.workspace
        self.turns = PaneTurns(self)
        workspace.run_changed.connect(self._hold_for_run)  # before any view hears of it
        workspace.merge_changed.connect(self._hold_for_step)
        self.recipe_bar, self.transport, self.progress = RecipeBar(workspace), Transport(workspace), ProgressLine(workspace)
        self.welcome, self.notices, self.status = WelcomeStrip(workspace), NoticeBar(workspace), StatusLine(workspace)
        self.corpus, self.context = CorpusPane(workspace), ContextPane(workspace)
        self.next_merge, self.tree = NextMergePane(workspace), TreePane(workspace)
        self.your_text, self.curve = YourTextPane(workspace), CurvePane(workspace)
        self.ties, self.greed = TieLab(workspace), GreedLab(workspace)
        panes = self.transport, self.next_merge, self.corpus, self.tree, self.your_text, self.curve, self.context
        self._by_step: tuple[QWidget, ...] = (*panes, self.status)  # what a step to another merge changes
        self._by_run: tuple[QWidget, ...] = (*self._by_step, self.recipe_bar)

    def _hold_for_run(self) -> None:
        self.turns.begin(self._by_run)

    def _hold_for_step(self) -> None:
        self.turns.begin(self._by_step)

    def _build_layout(self) -> None:
        self.arranged = Panes(self.corpus, self.context, self.next_merge, self.tree, self.your_text, self.curve)
        self.panes = self.arranged.whole
        self.pages = QStackedWidget()
        for page in (self.panes, self.ties, self.greed):
            self.pages.addWidget(page)
        for lab in (self.ties, self.greed):
            lab.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        scrolls = QWidget()
        column = _column(scrolls)
        self._bars: tuple[QWidget, ...] = (self.recipe_bar, Rule(), self.transport)
        for widget in (*self._bars, self.progress, Rule(), self.welcome, self.notices):
            column.addWidget(widget)
        column.addWidget(self.pages, 1)
        centre = QWidget()
        whole = _column(centre)
        self.scrolled = Scrolled(scrolls)
        whole.addWidget(self.scrolled, 1)
        whole.addWidget(Rule())
        whole.addWidget(self.status)
        self.setCentralWidget(centre)

    def _connect(self) -> None:
        workspace = self.workspace
        commands: dict[str, Callable[[], object]] = {
            "open": self.ask_for_corpus, "open_table": self.ask_for_table, "save_table": self.ask_where_to_save, "quit": self.close,
            "undo": workspace.undo, "redo": workspace.redo, "paste": self.paste, "cancel": workspace.cancel,
            "back": workspace.back, "forward": workspace.forward,
            "larger": lambda: self.set_zoom(self.preferences.settings.zoom * ZOOM_STEP),
            "smaller": lambda: self.set_zoom(self.preferences.settings.zoom / ZOOM_STEP),
            "normal_size": lambda: self.set_zoom(1.0),
            "reset_layout": self.reset_layout,
            "first": lambda: workspace.go_to_merge(0), "step_back": lambda: workspace.step(-1), "play": self.transport.player.toggle,
            "step": lambda: workspace.step(1), "last": lambda: workspace.go_to_merge(workspace.learned),
            "back_ten": lambda: workspace.step(-PAGE), "forward_ten": lambda: workspace.step(PAGE),
            "recipe_settings": self.recipe_bar.more.click,
            "previous_tie": workspace.previous_tie, "next_tie": workspace.next_tie,
            "ties": lambda: self.show_page(self.ties), "greed": lambda: self.show_page(self.greed),
            "find_command": self.menus.box.begin, "welcome": self.show_welcome, "about": self.show_about,
        }  # fmt: skip
        for theme_name in ("auto", "light", "dark", "contrast"):
            commands[f"theme_{theme_name}"] = partial(self.set_theme, theme_name)
        for kind in Tinting:
            commands[f"tint_{kind.value}"] = partial(self.preferences.set, tinting=kind.value)
        for name in PRESETS:
            commands[f"recipe_{name}"] = partial(self.recipe_bar.take_preset, name)
        commands["reduce_motion"] = lambda: self.preferences.set(reduce_motion=not self.preferences.settings.reduce_motion)
        for name, run in commands.items():
            self.actions_table[name].triggered.connect(lambda _=False, run=run: run())
            self.actions_table[name].triggered.connect(self._show_checks)  # a click on what is on already leaves it on
        workspace.corpus_changed.connect(self._show_corpus)
        workspace.recipe_changed.connect(self._show_checks)
        workspace.compared_changed.connect(self._show_compared)
        self.corpus.open_wanted.connect(self.ask_for_corpus)
        self.ties.left.connect(lambda: self.show_page(self.panes))
        self.greed.left.connect(lambda: self.show_page(self.panes))
        self.your_text.facts_changed.connect(self.status.show_facts)
        compare = Push("Compare with…", "compare")
        compare.clicked.connect(self.actions_table["ties"].trigger)
        self.recipe_bar.add_button(compare)
        self.welcome.step_wanted.connect(lambda: workspace.step(1))
        self.welcome.text_wanted.connect(self.begin_text)
        self.welcome.tie_wanted.connect(self.show_a_tie)
        self.welcome.greed_wanted.connect(self.show_greed)
        self.welcome.closed.connect(self.hide_welcome)
        self._keep_choices()
        self.preferences.changed.connect(self._show_settings)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._show_settings)  # the system turned light or dark
        self._show_settings()

    def _show_compared(self, run: Run | None) -> None:
        if run:
            self.show_page(self.ties)

    def _keep_choices(self) -> None:
        """Takes over what a person chose in a view the last time, and remembers what is chosen now."""
        settings, keep = self.preferences.settings, self.preferences.set
        self.your_text.blanks_action.setChecked(settings.blanks)
        self.your_text.blanks_action.toggled.connect(lambda on: keep(blanks=on))
        self.transport.player.set_speed(settings.merges_a_second)
        self.transport.player.speed_changed.connect(lambda speed: keep(merges_a_second=speed))
        self.curve.set_scale(Scale.LOG if settings.logarithmic else Scale.LINEAR)
        self.curve.scale_changed.connect(lambda scale: keep(logarithmic=scale is Scale.LOG))

    # --- opening and saving -----------------------------------------------------------------------------------------

    def open_path(self, path: Path) -> None:
        """Opens a corpus file; one that could be opened is remembered among the recent ones."""
        self._path = path
        self.workspace.open_file(path)

    def read_column(self, column: str) -> None:
        """Opens the file again with the text of another column."""
        if self._opened:
            self._path = self._opened
            self.workspace.open_file(self._opened, column=column)

    def ask_for_corpus(self) -> None:
        """Asks for a corpus file and opens it."""
        path, _ = QFileDialog.getOpenFileName(self, "Open corpus", "", CORPUS_KINDS)
        if path:
            self.open_path(Path(path))

    def ask_for_table(self) -> None:
        """Asks for a merge table and replays it on the open corpus."""
        path, _ = QFileDialog.getOpenFileName(self, "Open merge table", "", TABLE_KINDS)
        if path:
            self.workspace.open_table(Path(path))

    def ask_where_to_save(self) -> None:
        """Asks for a name and writes the merge table there."""
        corpus = self.workspace.corpus
        proposed = f"{corpus.name if corpus else 'table'}-merges.txt"
        path, _ = QFileDialog.getSaveFileName(self, "Save merge table", proposed, TABLE_KINDS)
        if path:
            self.workspace.save_table(Path(path))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if len(paths) > 1:
            self.workspace.notify(Notice(Level.INFO, f"{len(paths)} files were dropped; {paths[0].name} is opened."))
        if paths:
            event.acceptProposedAction()
            self.open_path(paths[0])

    # --- pages, welcome, look ---------------------------------------------------------------------------------------

    def show_page(self, page: QWidget) -> None:
        """Shows the panes or a lab."""
        self.pages.setCurrentWidget(page)
        self._fit()
        focus = self.transport.timeline if page is self.panes else page
        focus.setFocus(Qt.FocusReason.OtherFocusReason)
        self.scrolled.to_beginning()

    def _fit(self) -> None:
        """Lets everything take the form that the window has room for at this zoom."""
        self._show_bars()
        self.arranged.fit(self.width())
        page = self.pages.currentWidget()
        grows = QSizePolicy.Policy.Preferred if page is self.panes else QSizePolicy.Policy.Ignored
        self.panes.setSizePolicy(grows, grows)  # a page that is not shown asks for no room
        for lab in (self.ties, self.greed):
            lab.setMinimumSize(*(round(px(length)) if lab is page else 0 for length in LEAST_LAB))
        self.menus.fit(self.width())

    def _show_bars(self) -> None:
        """Recipe, transport and welcome make room where a lab would have none."""
        shown = self.pages.currentWidget() is self.panes or self.height() >= px(BARS_IN_LABS_FROM)
        for bar in self._bars:
            bar.setVisible(shown)
        self.welcome.setVisible(shown and self.preferences.settings.welcome)

    def begin_text(self) -> None:
        """Puts the cursor into your text, which is among the panes."""
        self.show_page(self.panes)
        self.your_text.begin()
        self.scrolled.ensureWidgetVisible(self.your_text)

    def paste(self) -> None:
        """Pastes as your text, where it can be seen."""
        self.show_page(self.panes)
        self.your_text.paste()
        self.scrolled.ensureWidgetVisible(self.your_text)

    def show_a_tie(self) -> None:
        """Forks at the tie under the cursor, or at the next one, to its first rival."""
        workspace = self.workspace
        if workspace.moment is None or len(workspace.moment.tied) < 2:
            workspace.next_tie()
        moment = workspace.moment
        if moment and len(moment.tied) > 1:
            rival = next(pair for pair in moment.tied if pair != workspace.next_pair)
            workspace.fork(moment.k, rival)

    def show_greed(self) -> None:
        """Opens the corpus on which greed loses, and the tree of its choices."""
        self.workspace.open_exemplar("taste", at_once=True)
        self.show_page(self.greed)

    def show_welcome(self) -> None:
        """Brings the strip of the first start back."""
        self.preferences.set(welcome=True)

    def hide_welcome(self) -> None:
        """Takes the strip away for good."""
        self.preferences.set(welcome=False)

    def set_zoom(self, zoom: float) -> None:
        """Scales everything, 0.5 to 3."""
        self.preferences.set(zoom=max(0.5, min(3.0, round(zoom, 2))))

    def set_theme(self, name: str) -> None:
        """auto, light, dark or contrast."""
        self.preferences.set(theme=name)

    def reset_layout(self) -> None:
        """Puts every pane where it was at the first start."""
        self.arranged.reset()

    def show_about(self) -> None:
        """Tells name and version."""
        QMessageBox.about(self, "About BPE Explorer", f"BPE Explorer {__version__}\n\nWatch byte pair encoding build its merge table.")

    # --- events -----------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key that no view wanted: stepping, Enter on a button, and Esc out of a lab or to the timeline, where the first key steps."""
        shift = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        name = STEP_KEYS.get((Qt.Key(event.key()), shift)) if shift or not event.modifiers() else None
        button = self.focusWidget() if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) else None
        if event.key() == Qt.Key.Key_Alt:
            self.menus.show_letters()
        elif name:
            self.actions_table[name].trigger()
        elif event.key() == Qt.Key.Key_Escape:
            self.show_page(self.panes)
        elif isinstance(button, QAbstractButton):
            button.click()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if event.key() == Qt.Key.Key_Alt:
            self.menus.leave_letters()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow() and hasattr(self, "menus"):
            self.menus.leave_letters()  # Alt+Tab: that Alt was let go is told to another window

    def closeEvent(self, event: QCloseEvent) -> None:
        self.transport.player.pause()
        self.preferences.set(
            geometry=bytes(self.saveGeometry().toHex().data()).decode(),
            splitters=self.arranged.sizes(),
        )
        self.preferences.save()
        self.workspace.close()
        super().closeEvent(event)

    def _restore_shape(self) -> None:
        settings = self.preferences.settings
        if settings.geometry:
            self.restoreGeometry(QByteArray.fromHex(settings.geometry.encode()))
        self.arranged.restore(settings.splitters)
        QTimer.singleShot(0, self, self.transport.timeline.setFocus)

    def _show_settings(self, _: object = None) -> None:
        settings = self.preferences.settings
        wear.wear(settings)
        self._fit()
        self.menus.show_recent(settings.recent)
        self._show_checks()

    def _show_checks(self) -> None:
        """Checks the commands that say what is on: theme, tints, motion, recipe."""
        settings = self.preferences.settings
        checked = {f"theme_{name}": settings.theme == name for name in ("auto", "light", "dark", "contrast")}
        checked |= {f"tint_{kind.value}": settings.tinting == kind.value for kind in Tinting}
        checked |= {f"recipe_{name}": self.workspace.recipe.preset == name for name in PRESETS}
        checked["reduce_motion"] = settings.reduce_motion
        for name, on in checked.items():
            self.actions_table[name].setCheckable(True)
            self.actions_table[name].setChecked(on)

    def _show_corpus(self) -> None:
        corpus = self.workspace.corpus
        name = (corpus.file.name if corpus.file else corpus.name) if corpus else ""
        self.setWindowTitle(f"{name} – BPE Explorer" if name else "BPE Explorer")
        opened = self._path if self._path and corpus and corpus.file and shown_name(self._path) == corpus.file.name else None
        self._opened = opened
        self.menus.show_columns(columns_of(opened) if opened else ())
        if opened:
            self.preferences.set(recent=self.preferences.settings.with_recent(str(opened.absolute())).recent)


def _column(widget: QWidget) -> QVBoxLayout:
    """Bars and panes stand on each other without a gap."""
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column
