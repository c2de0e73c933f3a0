"""What the context pane looks for, and the places found so far: gathered in slices, so that nothing waits for them."""

from collections.abc import Generator
from dataclasses import dataclass, field
from enum import Enum

from explorer.core.timeline import Place, Timeline
from explorer.core.vocabulary import Pair, Piece, TokenId
from explorer.gui.models.piece_ids import PieceIds
from explorer.gui.painting.paint import thousands
from explorer.workspace.workspace import Workspace

LISTED = 10_000  # places that are kept and can be scrolled through; more are only counted


class Subject(Enum):
    """What a place is a place of."""

    NEXT_PAIR = "the next pair"
    PAIR = "the selected pair"
    TOKEN = "token"


@dataclass(frozen=True, slots=True)
class Sought:
    """A token or a pair at merge k: its pieces (one or two), and the ids or pairs of ids that stand for it at k.

    `words` name it in a sentence; `reason` is the sentence for when it has no place.
    """

    subject: Subject
    pieces: tuple[Piece, ...]
    targets: tuple[Pair | TokenId, ...]
    k: int
    words: str
    reason: str


@dataclass(slots=True)
class Gathered:
    """The places of what is sought, in corpus order: at most `LISTED`. `count` is weighted, None until it is known."""

    timeline: Timeline
    sought: Sought
    places: list[Place] = field(default_factory=list)
    count: int | None = None
    complete: bool = False  # nothing more is looked for
    cut: bool = False  # there are more than are listed

    @property
    def across(self) -> int:
        """How many occurrences have no place, as they lie across two rows of word counts; 0 until all places are gathered."""
        if self.timeline.training.corpus.weights is None or not self.complete or self.cut:
            return 0
        return max(0, (self.count or 0) - sum(place.weight for place in self.places))

    @property
    def reason(self) -> str:
        """The sentence that stands where there is no place."""
        if self.across and not self.places:
            return f"{_counted(self.across, 'occurrence')} across two words, which stand in no row together: there is no place to show."
        return self.sought.reason

    def facts(self) -> str:
        """How many places of what, in honest words."""
        words, listed = self.sought.words, len(self.places)
        if self.count is None:
            return f"… places of {words}"
        if self.timeline.training.corpus.weights is not None:
            where = f" in {_counted(listed, 'word')}" if self.complete and not self.cut else ""
            if self.across:
                where = f"{where}, {thousands(self.across)} across words" if listed else " across words"
            return f"{_counted(self.count, 'time')}{where}: {words}"
        if self.cut:
            return f"first {thousands(listed)} of {thousands(self.count)} places of {words}"
        if self.complete and listed != self.count:  # occurrences that overlap, or that lie across texts
            return f"{_counted(listed, 'place')} of {words}, counted {thousands(self.count)}"
        return f"{_counted(self.count, 'place')} of {words}"


def gather(gathered: Gathered) -> Generator[None, None, None]:
    """Counts first, then fills in the places slice by slice; stops where the list is full.

    A piece with several ids is rare: all its places are gathered and put in order before any is left out.
    """
    sought, timeline = gathered.sought, gathered.timeline
    yield
    gathered.count = sum(count_of(timeline, target, sought.k) for target in sought.targets)
    yield
    for target in sought.targets:
        for found in timeline.occurrences(target, sought.k):
            gathered.places += found
            if len(gathered.places) > LISTED and len(sought.targets) == 1:
                break
            yield
    gathered.places.sort(key=lambda place: place.start)
    gathered.cut = len(gathered.places) > LISTED
    del gathered.places[LISTED:]
    gathered.complete = True


def count_of(timeline: Timeline, what: Pair | TokenId, k: int) -> int:
    """How often a pair or a token stands in the corpus at merge k, weighted; what the training noted is not counted again."""
    training = timeline.training
    if isinstance(what, tuple):
        if k < training.learned and training.merges[k].pair == what:
            return training.merges[k].count
        return timeline.pair_count(k, what)
    if k and what == training.table.id_of_rank(k - 1):
        return training.merges[k - 1].saved
    return timeline.token_count(k, what)


def sought_next(workspace: Workspace) -> Sought | None:
    """The pair that comes next; None where none does, or where it is still being counted."""
    run, pair = workspace.run, workspace.next_pair
    if run is None or pair is None:
        return None
    pieces = tuple(run.training.table.pieces[token] for token in pair)
    return Sought(Subject.NEXT_PAIR, pieces, (pair,), workspace.k, Subject.NEXT_PAIR.value, "")


def sought_selected(workspace: Workspace, ids: PieceIds) -> Sought | None:
    """The token or pair that is selected; None where nothing is."""
    run, selection, k = workspace.run, workspace.selection, workspace.k
    if run is None:
        return None
    made = run.training.alphabet.first_merged_id + k
    if selection.token:
        found = ids.of(selection.token)
        alive = tuple(token for token in found if token < made)
        words = f"token {(alive or found)[0]}" if found else "the selected token"
        return Sought(Subject.TOKEN, (selection.token,), alive, k, words, _why_no_token(workspace, found, alive))
    if selection.pair:
        lefts, rights = ([token for token in ids.of(piece) if token < made] for piece in selection.pair)
        pairs = tuple((left, right) for left in lefts for right in rights)
        return Sought(Subject.PAIR, selection.pair, pairs, k, Subject.PAIR.value, f"The selected pair stands nowhere at merge {k}.")
    return None


def _why_no_token(workspace: Workspace, found: tuple[TokenId, ...], alive: tuple[TokenId, ...]) -> str:
    assert workspace.run is not None
    if not found:
        return "The table of this run has no such token."
    if not alive:
        return f"Token {found[0]} is made by merge {workspace.run.training.table.rank_of_id(found[0])}; here {workspace.k} are made."
    return f"Token {alive[0]} stands nowhere at merge {workspace.k}."


def _counted(number: int, one: str) -> str:
    return f"{thousands(number)} {one}{'' if number == 1 else 's'}"
