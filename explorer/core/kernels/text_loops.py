"""The second stage of an encoding: which tokens lie in one text, and what they cover after they were merged."""

from explorer.core.kernels.array_types import Bytes, Int32s, Int64s, Number, Places
from explorer.core.kernels.byte_runs import LF
from explorer.core.kernels.compiling import kernel

TEXT, AT, GROUP, NUMBER, BOUNDS, STATE_SIZE = range(6)
"""Where `bound_texts` stands: text, byte up to which lines were looked for, last pre-token, texts begun, bounds written."""


@kernel
def bound_texts(
    data: Bytes, text_starts: Int64s, by_line: Number, starts: Places, groups: Places, first: Number, stop: Number, state: Int64s,
    bounds: Int64s, numbers: Int64s,
) -> None:  # fmt: skip
    """Writes which of the tokens [first, stop) begin what even the second stage does not cross, with the number of each.

    That is a text, and `by_line` a line of it or an LF that stands apart. `bounds` and `numbers` have room for all tokens.
    """
    for n in range(first, stop):
        if groups[n] == state[GROUP]:
            continue
        state[GROUP] = groups[n]
        begins = False
        while starts[n] >= text_starts[state[TEXT] + 1]:
            state[TEXT] += 1
            state[AT] = text_starts[state[TEXT]]
            begins = True
        if by_line:
            for at in range(state[AT], starts[n]):
                if data[at] == LF:
                    begins = True
            state[AT] = starts[n]
            begins = begins or data[starts[n]] == LF
        if begins:
            state[NUMBER] += 1
        if begins or n == 0:
            bounds[state[BOUNDS]] = n
            numbers[state[BOUNDS]] = state[NUMBER]
            state[BOUNDS] += 1


@kernel
def cover(
    ids: Int32s, bounds: Int64s, numbers: Int64s, first: Number, stop: Number, widths: Int32s, before: Number, starts: Places, ends: Places,
    out_starts: Places, out_ends: Places, out_groups: Places,
) -> Number:  # fmt: skip
    """Writes spans and groups of the tokens of the groups [first, stop), which were merged from tokens with the spans given.

    `before` is the first of those; returns the one after the last.
    """
    for group in range(first, stop):
        for n in range(bounds[group], bounds[group + 1]):
            out_groups[n] = numbers[group]
            out_starts[n] = starts[before]
            before += widths[ids[n]] if ids[n] < widths.size else 1
            out_ends[n] = ends[before - 1]
    return before
