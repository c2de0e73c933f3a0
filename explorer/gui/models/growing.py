"""The figures of a training under way as arrays that grow with it, so that a picture costs the new merges and not all of them."""

from collections.abc import Sequence

from explorer.core.training import Merge, MergeColumns


class Growing:
    """Follows the merges that are learned; those of another training begin anew."""

    def __init__(self) -> None:
        self._last: Merge | None = None
        self.columns = MergeColumns.of(())

    def __len__(self) -> int:
        """How many merges there are."""
        return len(self.columns.saved)

    def follow(self, merges: Sequence[Merge]) -> bool:
        """Takes over what is learned so far; whether that is more, or something else, than before."""
        known = len(self)
        if known and (len(merges) < known or merges[known - 1] is not self._last):
            self.columns, known = MergeColumns.of(()), 0
        elif len(merges) == known:
            return False
        self.columns = self.columns.then(merges[known:])
        self._last = merges[-1] if merges else None
        return True

    def forget(self) -> bool:
        """Nothing is under way any more; whether something was."""
        had = len(self) > 0
        self._last, self.columns = None, MergeColumns.of(())
        return had
