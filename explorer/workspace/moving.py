"""The verbs that move within what is open: to another merge, to another token or pair, to another text."""

from bisect import bisect_left, bisect_right

from explorer.core.vocabulary import Piece, TokenId
from explorer.workspace.history import Visit
from explorer.workspace.shown import Shown
from explorer.workspace.values import MergesUsed, Selection


class Moving(Shown):
    """Merge k, selection, hover and your text, each changed by its verb; back and forward over where one was."""

    # --- moving and selecting ---------------------------------------------------------------------------------------

    def go_to_merge(self, k: int) -> None:
        """Moves to merge k (cut to 0..learned) and selects the token just made."""
        k = max(0, min(k, self.learned))
        if k != self._k:
            self._move(k)
            made = self._piece(self.new_token)
            self._look_at(Selection(token=made, by_step=made is not None))

    def step(self, by: int) -> None:
        """Moves some merges forward, or back if negative."""
        self.go_to_merge(self._k + by)

    def next_tie(self) -> None:
        """Moves to the next merge that was a tie; stays where there is none."""
        ties = self.run.training.tied_ranks if self.run else ()
        if (after := bisect_right(ties, self._k)) < len(ties):
            self.go_to_merge(ties[after])

    def previous_tie(self) -> None:
        """Moves to the merge before that was a tie; stays where there is none."""
        ties = self.run.training.tied_ranks if self.run else ()
        if before := bisect_left(ties, self._k):
            self.go_to_merge(ties[before - 1])

    def select_token(self, piece: Piece | None, *, span: tuple[int, int] | None = None) -> None:
        """Selects a token everywhere; `span` is where it was touched in your text."""
        self._look_at(Selection(token=piece, span=span))

    def go_to_token(self, token: TokenId) -> None:
        """Selects a token of the active run everywhere, and moves to where its merge has just made it; a symbol has no such place."""
        rank = self.run.training.table.rank_of_id(token) if self.run else None
        if rank is not None and rank + 1 != self._k:
            self._move(rank + 1)
        self.select_token(self._piece(token))

    def select_pair(self, pair: tuple[Piece, Piece] | None) -> None:
        """Selects a pair everywhere."""
        self._look_at(Selection(pair=pair))

    def hover(self, piece: Piece | None) -> None:
        """Says which piece is under the mouse."""
        if piece != self._hovered:
            self._hovered = piece
            self.hover_changed.emit(piece)

    def show_place(self, offset: int) -> None:
        """Brings a byte of the corpus into view."""
        self.place_shown.emit(offset)

    def back(self) -> None:
        """Goes to the place looked at before."""
        self._revisit(self.trail.back())

    def forward(self) -> None:
        """Goes to the place that back left."""
        self._revisit(self.trail.forward())

    # --- your text --------------------------------------------------------------------------------------------------

    def set_text(self, data: bytes) -> None:
        """Replaces your text."""
        if data != self.text:
            self._your_text.data = data
            self.text_changed.emit(data)
            self._encode()

    def use_merges(self, used: MergesUsed) -> None:
        """Encodes your text with the first k merges, or with all."""
        if used is not self._used:
            self._used = used
            self.merges_used_changed.emit(used)
            self._encode()

    # --- how ----------------------------------------------------------------------------------------------------------

    def _move(self, k: int) -> None:
        self._k = k
        self.merge_changed.emit(k)
        self._count()
        if self._used is MergesUsed.FIRST_K:
            self._encode()

    def _select(self, selection: Selection) -> None:
        if selection != self._selection:
            self._selection = selection
            self.selection_changed.emit(selection)

    def _look_at(self, selection: Selection) -> None:
        """Selects something at merge k; the trail knows first, since who hears of the selection asks it for the way back."""
        self.trail.visit(Visit(self._k, selection))
        self._select(selection)

    def _revisit(self, visit: Visit | None) -> None:
        if visit:
            if visit.k != self._k:
                self._move(min(visit.k, self.learned))
            self._select(visit.selection)

    def _piece(self, token: TokenId | None) -> Piece | None:
        return self.run.training.table.pieces[token] if self.run and token is not None else None

    def _count(self) -> None:
        """Brings the moment to k."""
        if self.timeline:
            self._counter.count(self.timeline, self._k)

    def _encode(self) -> None:
        """Brings the tokens of your text up to date."""
        if self.run:
            table = self.run.training.table
            self._your_text.encode(table, self._k if self._used is MergesUsed.FIRST_K else len(table.merges))
