"""The words of a text, each where it stands, and what is lost between them."""

from explorer.core.kernels import distinct_loops
from explorer.core.kernels.array_types import Bytes, Int32s, Int64s, Number
from explorer.core.kernels.byte_runs import BLANK, LF, word_end
from explorer.core.kernels.compiling import inlined, kernel
from explorer.core.kernels.distinct_loops import AT, TEXT, Texts, lose

GAP_TEXT, GAP_AT, AFTER_WORD, STAND_IN_BEFORE, STATE_SIZE = range(distinct_loops.STATE_SIZE, distinct_loops.STATE_SIZE + 5)
"""How far losses are tallied: the text, the byte after the last word of it, whether there was one, whether it ended in a stand-in."""


@kernel
def list_words(texts: Texts, stop: Number, state: Int64s, starts: Int64s, ends: Int64s) -> Number:
    """Writes where the words from state[AT] until `stop` start and end; returns how many. There must be room for one every other byte."""
    at = state[AT]
    text = state[TEXT]
    found = 0
    while at < stop:
        end = texts.starts[text + 1]
        if at >= end:
            text += 1
            continue
        after = word_end(texts.data, at, end)
        if texts.data[at] != BLANK and texts.data[at] != LF:
            starts[found] = at
            ends[found] = after
            found += 1
        at = after
    state[AT] = at
    state[TEXT] = text
    return found


@inlined
def end_text(texts: Texts, state: Int64s) -> None:
    """Tallies what follows the last word of a text, and goes on to the next."""
    text = state[GAP_TEXT]
    lose(texts.data, max(state[GAP_AT], texts.starts[text]), texts.starts[text + 1], False, 1, state)
    state[GAP_TEXT] = text + 1
    state[AFTER_WORD] = 0


@kernel
def tally_losses(
    texts: Texts, starts: Int64s, ends: Int64s, words: Number, symbols: Int32s, bounds: Int64s, stand_in: Number, marker: Number,
    state: Int64s,
) -> None:  # fmt: skip
    """Tallies what lies before each of the words; the marker of a word keeps one space, but a stand-in carries no marker."""
    for word in range(words):
        while starts[word] >= texts.starts[state[GAP_TEXT] + 1]:
            end_text(texts, state)
        before = max(state[GAP_AT], texts.starts[state[GAP_TEXT]])
        keeps = marker and state[AFTER_WORD] != 0 and state[STAND_IN_BEFORE] == 0
        lose(texts.data, before, starts[word], keeps, 1, state)
        state[GAP_AT] = ends[word]
        state[AFTER_WORD] = 1
        state[STAND_IN_BEFORE] = symbols[bounds[word + 1] - 1] == stand_in


@kernel
def tally_last_losses(texts: Texts, state: Int64s) -> None:
    """Tallies what follows the last word of all."""
    while state[GAP_TEXT] < texts.starts.size - 1:
        end_text(texts, state)


@kernel
def tally_gap(data: Bytes, start: Number, stop: Number, state: Int64s) -> None:
    """Tallies bytes that are lost."""
    lose(data, start, stop, False, 1, state)
