"""The pane of the corpus: its text with tokens, or its rows, or for word counts its words."""

from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from explorer.core.corpus import Corpus
from explorer.gui.frame import Pane, Segments, Tool
from explorer.gui.models.corpus_losses import corpus_losses
from explorer.gui.models.finding import Found
from explorer.gui.models.training_words import coming
from explorer.gui.painting.paint import thousands
from explorer.gui.views.corpus_find import CorpusFind
from explorer.gui.views.corpus_rows import CorpusRows
from explorer.gui.views.corpus_search import CorpusSearch
from explorer.gui.views.corpus_text import CorpusText
from explorer.gui.views.lateness import Lateness
from explorer.gui.views.offer import Offer
from explorer.gui.views.word_table import WordTable
from explorer.sources.exemplars import exemplar_named
from explorer.workspace.workspace import Workspace

RECONSTRUCTION = "chronicle"  # the exemplar that is one


class Shown(Enum):
    """How the corpus is shown; the value is its word in the header."""

    TEXT = "text"
    TABLE = "table"
    WORDS = "words"


class CorpusPane(Pane):
    """The user sees name and size of the corpus and what of it is lost, under them its text, its rows or its words; Ctrl+F finds text.

    Hears corpus, run and place. A row that is clicked brings its text into view; a place that another view shows
    brings the text to the front. Where nothing is open a button asks for a corpus by `open_wanted`.
    """

    open_wanted = Signal()

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.text = CorpusText(workspace)
        self.rows = CorpusRows()
        self.words = WordTable(workspace)
        self.finder = CorpusFind()
        self._search = CorpusSearch(workspace.lanes, self.finder.forget)
        self._read: Corpus | None = None  # what the active run read, which is what is searched
        self.open = Offer("Open corpus…", "open", self.text.viewport())
        self.plain_choice = Segments((Shown.TEXT.value, Shown.TABLE.value), 0, "Corpus as")
        self.counts_choice = Segments((Shown.WORDS.value, Shown.TABLE.value), 0, "Corpus as")
        self._find_button = Tool("search", "Find in the corpus", "Ctrl+F")
        self._stack = QStackedWidget()
        super().__init__("Corpus", self._build_body(), self.plain_choice, self.counts_choice, self._find_button)
        self._find_button.clicked.connect(self.finder.begin)
        self.open.clicked.connect(self.open_wanted)
        QShortcut(QKeySequence.StandardKey.Find, self, self.finder.begin, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._connect()
        self._show_corpus()
        Lateness(workspace, self)

    @property
    def shown(self) -> Shown:
        """What is in front."""
        return {id(self.text): Shown.TEXT, id(self.rows): Shown.TABLE}.get(id(self._stack.currentWidget()), Shown.WORDS)

    def show_as(self, shown: Shown) -> None:
        """Brings the text, the rows or the words to the front."""
        self._stack.setCurrentWidget({Shown.TEXT: self.text, Shown.TABLE: self.rows, Shown.WORDS: self.words}[shown])
        for choice in (self.plain_choice, self.counts_choice):
            choice.set_place(int(shown is Shown.TABLE))

    def _build_body(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for view in (self.text, self.rows, self.words):
            self._stack.addWidget(view)
        column.addWidget(self.finder)
        column.addWidget(self._stack, 1)
        return body

    def _connect(self) -> None:
        self._workspace.corpus_changed.connect(self._show_corpus)
        self._workspace.run_changed.connect(self._show_run)
        self._workspace.place_shown.connect(self._show_place)
        self._workspace.task_changed.connect(self._show_coming)
        self.plain_choice.chosen.connect(lambda place: self.show_as((Shown.TEXT, Shown.TABLE)[place]))
        self.counts_choice.chosen.connect(lambda place: self.show_as((Shown.WORDS, Shown.TABLE)[place]))
        self.rows.row_activated.connect(self._on_row)
        self.words.row_activated.connect(self.rows.show_row)
        self.finder.wanted.connect(self._find)
        self.finder.given_up.connect(self._search.stop)
        self.finder.closed.connect(lambda: self._stack.currentWidget().setFocus(Qt.FocusReason.OtherFocusReason))

    def _show_corpus(self) -> None:
        corpus = self._workspace.corpus
        weighted = corpus is not None and corpus.weights is not None
        self.plain_choice.setVisible(corpus is not None and not weighted and len(corpus.rows) > 0)
        self.counts_choice.setVisible(weighted and corpus is not None and len(corpus.rows) > 0)
        self._show_coming()
        self._find_button.allow("" if corpus else "Nothing is open.")
        self._tell()
        self.finder.forget()
        if corpus is None:
            return
        self.rows.show_rows(corpus.rows)
        table = self.shown is Shown.TABLE and len(corpus.rows) > 0
        self.show_as(Shown.TABLE if table else Shown.WORDS if weighted else Shown.TEXT)

    def _show_run(self) -> None:
        self._tell()
        if self.text.corpus is not self._read:  # another recipe reads its line ends otherwise
            self._read = self.text.corpus
            self.finder.forget()

    def _show_coming(self) -> None:
        """Where nothing is open, says what is on its way, or offers to open something."""
        none = self._workspace.corpus is None
        self.open.offer(none and not coming(self._workspace.task))
        if none:
            self.text.viewport().update()

    def _tell(self) -> None:
        corpus = self._workspace.corpus
        if corpus is None:
            self.set_facts("")
            return
        timeline = self._workspace.timeline
        losses = corpus_losses(timeline) if timeline else ()
        facts = " · ".join((corpus_facts(corpus), *(f"{loss.words} lost" for loss in losses)))
        self.set_facts(facts, "\n".join((*filter(None, (corpus_notes(corpus),)), *(loss.why for loss in losses))))

    def _show_place(self, offset: int) -> None:
        """The text view moves by itself; here it, or the word, comes to the front."""
        corpus = self._workspace.corpus
        if corpus is None:
            return
        self.show_as(Shown.TEXT if corpus.weights is None else Shown.WORDS)
        if corpus.weights is not None:
            self.words.show_text(corpus.text_at(offset))

    def _on_row(self, row: int) -> None:
        corpus = self._workspace.corpus
        if corpus is not None and corpus.weights is not None:
            self.words.show_text(row)
        else:
            self.text.show_number(row + 1)

    def _find(self, text: bytes, backwards: bool) -> None:
        corpus = self._workspace.corpus
        if corpus is None:
            return
        self.show_as(Shown.TEXT if corpus.weights is None else Shown.WORDS)
        if corpus.weights is not None:
            self._search.look(self.words.finding(text), lambda texts: self._show_words(texts, backwards), self.finder.tell_searching)
        elif shown := self.text.corpus:
            steps = self.text.finding(text, backwards=backwards)
            self._search.look(steps, lambda hit: self._show_hit(shown, text, *hit), self.finder.tell_searching)

    def _show_words(self, texts: list[int], backwards: bool) -> None:
        self.words.show_found(texts, backwards=backwards)
        self.finder.tell(len(texts))

    def _show_hit(self, searched: Corpus, text: bytes, found: Found, at: int) -> None:
        if found is Found.NOWHERE:
            self.finder.tell(0)
        else:
            self.text.show_found(at, at + len(text))
            note = "from the other end" if found is Found.FROM_THE_OTHER_END else ""
            self._search.count(searched.data, text, lambda places: self.finder.tell(places, note))


def corpus_facts(corpus: Corpus) -> str:
    """Name and size of a corpus in one line; word counts distinct and weighted."""
    name = corpus.file.name if corpus.file else corpus.name
    parts = [name]
    if corpus.file and corpus.file.sha256 == exemplar_named(RECONSTRUCTION).sha256:
        parts.append("reconstruction")
    if corpus.weights is not None:
        parts.append(f"{_counted(len(corpus), 'word')}, {thousands(int(corpus.weights.sum()))} in all")
        return " · ".join(parts)
    line_feeds = corpus.line_places.line_feeds
    parts.append(_counted(len(corpus.data), "byte"))
    if not corpus.ended:
        parts.append(_counted(line_feeds + (corpus.data[-1:] != b"\n" and len(corpus.data) > 0), "line"))
    else:
        parts.append(_counted(len(corpus), "entry", "entries") if line_feeds == len(corpus) else _counted(len(corpus), "row"))
    return " · ".join(parts)


def corpus_notes(corpus: Corpus) -> str:
    """What the tooltip adds: the file on disk, and what was told when it was read; a line each."""
    file = corpus.file
    lines = [f"file of {_counted(file.bytes, 'byte')}, sha256 {file.sha256[:16]}"] if file else []
    return "\n".join([*lines, *corpus.notes])


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{thousands(number)} {one if number == 1 else many or one + 's'}"
