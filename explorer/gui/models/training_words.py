"""What a training says about itself in words: one merge, how the next was decided, why it ended.

Values in, sentences out; the timeline, the next merge and the recipe bar say the same thing in the same
words because they ask here.
"""

from explorer.core.recipe import Counting, Recipe
from explorer.core.timeline import RankedPair
from explorer.core.training import Merge, Stopped, Training
from explorer.core.vocabulary import Pair, Rank
from explorer.gui.painting.paint import thousands
from explorer.gui.painting.piece_spelling import pair_label, piece_label
from explorer.workspace.values import Lane, Moment, Task

GOES_ON = "training goes on"


def times(count: int) -> str:
    """How often, in words: "once", "twice", "80 times"."""
    return {1: "once", 2: "twice"}.get(count, f"{thousands(count)} times")


def pair_words(training: Training, pair: Pair) -> str:
    """A pair by its pieces: `s· + stand`."""
    pieces = training.table.pieces
    return pair_label(pieces[pair[0]], pieces[pair[1]])


def merge_line(training: Training, rank: Rank) -> str:
    """One merge in a line: its rank, its pair and token, its count, and its ties."""
    merge, table = training.merges[rank], training.table
    made = piece_label(table.piece(table.id_of_rank(rank)))
    words = f"rank {rank} · {pair_words(training, merge.pair)} → {made} · {times(merge.count)}"
    if merge.saved != merge.count:
        words += f", saved {thousands(merge.saved)}"
    if merge.tied > 1 and not is_given(training):
        words += f" · tie of {merge.tied}"
    return words + (" · chosen" if training.recipe.choice_at(rank) else "")


def no_pair_left(recipe: Recipe) -> str:
    """Why a training ended before its size, as a clause: "no pair is left that occurs twice"."""
    return "no pair is left" if recipe.min_count <= 1 else f"no pair is left that occurs {times(recipe.min_count)}"


def no_pair(recipe: Recipe) -> str:
    """The same as a sentence, for where the next pair would stand."""
    if recipe.min_count <= 1:
        return "No pair is left."
    return "No pair occurs twice." if recipe.min_count == 2 else f"No pair reaches {thousands(recipe.min_count)}."


def size_line(training: Training) -> str:
    """What was learned of what was asked: "256 of 256 asked", "137 of 300 asked: no pair is left that occurs twice".

    In the unit of the question: rows where rows were asked for. Where no size was asked for, that no pair is left and
    how many merges that took.
    """
    recipe = training.recipe
    learned = training.rows if recipe.rows is not None else training.learned
    asked = recipe.rows if recipe.rows is not None else recipe.merges
    if asked is None and is_under_way(training):
        return f"{thousands(learned)} so far, {GOES_ON}"
    if asked is None:
        return f"{no_pair(recipe)} {thousands(learned)} merge{'' if learned == 1 else 's'} to the end"
    return f"{thousands(learned)} of {thousands(asked)} asked{_why_fewer(training) if learned < asked else ''}"


def learned_line(training: Training) -> str:
    """The fact of the recipe bar: "256 learned", and what was asked where that was more."""
    recipe = training.recipe
    words = f"{thousands(training.learned)} learned"
    asked = recipe.rows if recipe.rows is not None else recipe.merges
    learned = training.rows if recipe.rows is not None else training.learned
    if recipe.rows is not None:
        words += f", {thousands(training.rows)} rows"
    if asked is not None and learned < asked:
        words += f" of {thousands(asked)} asked{_why_fewer(training)}"
    return words


def is_under_way(training: Training) -> bool:
    """Whether this is what is shown of a training that goes on: it stopped at a size that is not the one asked for."""
    recipe = training.recipe
    whole = training.rows == recipe.rows if recipe.rows is not None else training.learned == recipe.merges
    return training.stopped is Stopped.SIZE and not whole


def coming(task: Task | None) -> str:
    """Which corpus is on its way while none is open; empty where none is."""
    if task and task.lane is Lane.READ:
        return f"Reading {task.what}\u2026"
    if task and task.lane is Lane.TRAIN:
        return f"Learning the first merges of {task.what}\u2026"
    return ""


def why_no_merge(training: Training | None) -> str:
    """Why there is no merge to step to at all; empty where there is one."""
    if training is None:
        return "Nothing is open."
    if training.learned:
        return ""
    return "Merges are being learned." if is_under_way(training) else f"{no_pair(training.recipe)} There is no merge."


def why_no_step(training: Training | None, k: int) -> str:
    """Why there is no merge after the first k; empty where there is one."""
    return why_no_merge(training) or ("Every merge is made." if training and k >= training.learned else "")


def _why_fewer(training: Training) -> str:
    if training.stopped is Stopped.NO_PAIR:
        return f": {no_pair_left(training.recipe)}"
    return f": {GOES_ON}" if is_under_way(training) else ""


def decision(training: Training, rank: Rank, moment: Moment | None) -> str:
    """How the pair of a merge was decided: by being alone, by the tie rule, or by a person's choice.

    `moment` is the ranking at that rank, None while it is not there: then the merge says less.
    """
    merge, rule = training.merges[rank], training.recipe.tie.value.replace("-", " ")
    first = moment.ranked[0] if moment and moment.k == rank and moment.ranked else None
    if training.recipe.choice_at(rank):
        return _of_choice(training, merge, rule, first)
    if is_given(training) and (first is None or first.pair != merge.pair):
        return _of_table(training, merge, first)
    if merge.tied > 1:
        return f"{merge.tied} pairs occur {times(merge.count)}. The rule, {rule}, takes the first."
    return f"No other pair occurs {times(merge.count)}."


def is_given(training: Training) -> bool:
    """Whether the merges come from a table and not from this corpus: then the commonest pair need not be the one merged."""
    return training.stopped is Stopped.GIVEN


def _of_table(training: Training, merge: Merge, first: RankedPair | None) -> str:
    if not merge.count:
        return "The table's merge; its pair does not occur here."
    if first and first.count == merge.count:
        return f"{merge.tied} pairs occur {times(merge.count)}; the table takes this one."
    return f"The table's merge; {pair_words(training, first.pair)} occurs {times(first.count)}." if first else "The table's merge."


def _of_choice(training: Training, merge: Merge, rule: str, first: RankedPair | None) -> str:
    if first is None:
        return "Your choice."
    if first.pair == merge.pair:
        return f"Your choice; the rule, {rule}, takes it too."
    other = pair_words(training, first.pair)
    if merge.count == first.count:
        return f"{merge.tied} pairs occur {times(merge.count)}. Your choice; the rule, {rule}, takes {other}."
    return f"Your choice; {other} occurs {times(first.count)}."


def overlap(recipe: Recipe, count: int, saved: int) -> str:
    """Why count and saved differ, empty where they do not."""
    if count == saved or recipe.counting is Counting.DISJOINT:
        return ""
    return f"Occurrences overlap: of {thousands(count)}, {thousands(saved)} can be replaced."
