"""Your text and its tokens, kept up to date with the table and the merges it is encoded with."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from explorer.core.encoding import EncodedText
from explorer.core.engines import encoding_steps, is_loaded
from explorer.core.marking import Here, lending
from explorer.core.progress import drain
from explorer.core.table import MergeTable
from explorer.errors import PatternTimeoutError
from explorer.workers import workers
from explorer.workspace.job import Job, Lanes
from explorer.workspace.values import Lane

ENCODED_AT_ONCE = 30_000_000  # bytes x merges of a text encoded without a job: about 8 ms
TEXT_AT_ONCE = 20_000  # bytes
PATTERN_AT_ONCE_S = 0.03  # a split pattern of one's own that takes longer is matched where it can be stopped


class YourText(QObject):
    """Encodes a short text at once and a long one in a job; while that runs, there is no encoded text.

    Where a text cannot be encoded, as its split pattern finds no end, the one that was encoded last stays, if it was with the same
    merges; those of another table, or of fewer merges, are none of what is asked for.
    """

    encoded_changed = Signal(object)  # EncodedText | None

    def __init__(self, lanes: Lanes, then: Callable[[Job, Callable[[EncodedText | None], None]], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._lanes, self._then = lanes, then
        self.data = b""
        self.encoded: EncodedText | None = None
        self._last: EncodedText | None = None

    def encode(self, table: MergeTable, merges: int) -> None:
        """Brings the tokens up to date with the first merges of a table."""
        data = self.data
        if len(data) <= TEXT_AT_ONCE and (len(data) * merges <= ENCODED_AT_ONCE or is_loaded()):
            try:
                with lending(Here(PATTERN_AT_ONCE_S)):
                    encoded = drain(encoding_steps(table, data, merges))
            except PatternTimeoutError:
                pass
            else:
                self._lanes.drop(Lane.ENCODE)
                self._set(encoded)
                return
        steps = encoding_steps(table, data, merges, map_chunks=workers())
        self._lanes.run(Lane.ENCODE, "your text", lambda progress: drain(steps, progress), lambda job: self._on_encoded(job, table, merges))
        self._set(None)

    def _on_encoded(self, job: Job, table: MergeTable, merges: int) -> None:
        if not self._then(job, self._set):
            last = self._last
            self._set(last if last and last.table is table and last.merges == merges else None)

    def _set(self, encoded: EncodedText | None) -> None:
        self.encoded = encoded
        if encoded is not None:
            self._last = encoded
        self.encoded_changed.emit(encoded)
