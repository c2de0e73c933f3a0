"""Where the next pre-token ends, as state machines over UTF-8: gpt2, cl100k, o200k, entries, words, byte-words.

Each function stands for one rule of splitting.py and is held equal to it. A pattern never looks back, so a text can be
cut from any place where a pre-token starts; it looks ahead as far as the end of the text, which is why `end` is always
the end of the text and never that of the slice at work. Under a pattern of one's own the matches were looked for before, and
the marks of where they start stand in the place of the classes of characters (marks.py).
"""

import numpy as np

from explorer.core.kernels import byte_runs as runs
from explorer.core.kernels.array_types import Bytes, Number
from explorer.core.kernels.byte_runs import CR, LF, QUOTE, SLASH
from explorer.core.kernels.compiling import inlined
from explorer.core.kernels.instructions import load_word, trailing_zeros
from explorer.core.kernels.unicode_classes import LETTER, LINE_END, LOWER, MARK, NUMBER, OTHER, SPACE, UPPER, WHITE
from explorer.core.kernels.utf8_loops import symbol_at

GPT2, CL100K, O200K, PATTERN, ENTRIES, WORDS, BYTE_WORDS = range(7)  # named as the rules in recipe.py; the patterns first

NO_RUN, LETTERS, NUMBERS, SIGNS, SPACES = range(5)  # what a pre-token of a pattern ends with, to be run through
RUN_BITS, RUN = 3, 7  # a run stands below the place where it goes on

BEGIN_WORDS = np.int64(1 << UPPER | 1 << LETTER | 1 << MARK)
END_WORDS = np.int64(1 << LOWER | 1 << LETTER | 1 << MARK)
HIGH = np.uint64(0x8080808080808080)
LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
CASE = np.uint64(0x2020202020202020)
FROM_A = np.uint64(0x1F1F1F1F1F1F1F1F)  # added to a byte of seven bits: the high bit is set from "a" on
PAST_Z = np.uint64(0x0505050505050505)  # and past "z"


@inlined
def class_at(data: Bytes, at: Number, end: Number, classes: Bytes) -> Number:
    """The class of the character at `at`, times 8, plus its length in bytes."""
    symbol = symbol_at(data, at, end)
    return (np.int64(classes[symbol >> 3]) << 3) | (symbol & 7)


@inlined
def is_letter(kind: Number) -> Number:
    """Whether a class is a letter of any kind."""
    return UPPER <= kind <= LETTER


@inlined
def begins_word(kind: Number) -> Number:
    """Whether a class may stand in the first part of a word of o200k."""
    return (BEGIN_WORDS >> kind) & 1


@inlined
def ends_word(kind: Number) -> Number:
    """Whether a class may stand in the second part of a word of o200k."""
    return (END_WORDS >> kind) & 1


@inlined
def letters_end(data: Bytes, at: Number, end: Number, classes: Bytes) -> Number:
    """Where the run of letters at `at` ends; ASCII eight bytes at a time."""
    while at < end:
        if at + 8 <= end:
            word = load_word(data, at)
            folded = (word | CASE) & LOW_BITS
            strange = ~((folded + FROM_A) & ~(folded + PAST_Z) & ~word) & HIGH
            if strange == 0:
                at += 8
                continue
            at += trailing_zeros(strange) >> 3
        first = data[at]
        if first < 0x80:
            if not is_letter(np.int64(classes[first])):
                return at
            at += 1
            continue
        while at < end and data[at] >= 0x80:
            seen = class_at(data, at, end, classes)
            if not is_letter(seen >> 3):
                return at
            at += seen & 7
    return at


@inlined
def numbers_end(data: Bytes, at: Number, end: Number, classes: Bytes, most: Number) -> Number:
    """Where the run of at most `most` numbers at `at` ends."""
    count = 0
    while at < end and count < most:
        seen = class_at(data, at, end, classes)
        if seen >> 3 != NUMBER:
            break
        at += seen & 7
        count += 1
    return at


@inlined
def others_end(data: Bytes, at: Number, end: Number, classes: Bytes) -> Number:
    """Where the run of what is no letter, number or space ends."""
    start = at
    while at < end:
        if at - start > 8:
            at = runs.past_signs(data, at, end)
            if at == end:
                break
        seen = class_at(data, at, end, classes)
        if seen >> 3 > MARK:
            break
        at += seen & 7
    return at


@inlined
def white_end(data: Bytes, at: Number, end: Number, classes: Bytes, rule: Number) -> Number:
    """Where the spaces at `at` are cut: past the last line end (cl100k, o200k), or before the last one of several.

    At the end of the text nothing follows that the last space could belong to: all of them are one. So says
    cl100k before it looks for line ends, o200k after.
    """
    before = at
    start = at
    past_line = np.int64(-1)
    while at < end:
        if at - start > 8:
            past = runs.past_blanks(data, at, end)
            before = past - 1 if past > at else before
            at = past
        seen = class_at(data, at, end, classes)
        if seen >> 3 < WHITE:
            break
        before = at
        at += seen & 7
        if seen >> 3 == LINE_END:
            past_line = at
    if rule == CL100K and at == end:
        return at
    if rule != GPT2 and past_line >= 0:
        return past_line
    if at < end and before > start:
        return before
    return at


@inlined
def contraction_length(data: Bytes, at: Number, end: Number, fold: Number) -> Number:
    """The length of 's, 't, 're, 've, 'm, 'll or 'd at `at`, 0 for none; with `fold` in any case, so that the long s is one too."""
    if at + 1 >= end or data[at] != QUOTE:
        return 0
    letter = np.int64(data[at + 1])
    if fold and 65 <= letter <= 90:
        letter += 32
    if letter == 115 or letter == 116 or letter == 109 or letter == 100:  # s t m d
        return 2
    if at + 2 >= end:
        return 0
    after = np.int64(data[at + 2])
    if fold and letter == 0xC5 and after == 0xBF:  # U+017F
        return 3
    if fold and 65 <= after <= 90:
        after += 32
    if ((letter == 114 or letter == 118) and after == 101) or (letter == 108 and after == 108):  # re ve ll
        return 3
    return 0


@inlined
def gpt2_run(data: Bytes, at: Number, end: Number, classes: Bytes) -> Number:
    """The run that the pre-token of gpt2 at `at` ends with, and where that run goes on."""
    short = contraction_length(data, at, end, False)
    if short:
        return ((at + short) << RUN_BITS) | NO_RUN
    seen = class_at(data, at, end, classes)
    kind = seen >> 3
    after = at + (seen & 7)
    if kind == SPACE and after < end:
        seen = class_at(data, after, end, classes)
        if seen >> 3 < WHITE:
            kind = seen >> 3
            after += seen & 7
    return (after << RUN_BITS) | run_of(kind)


@inlined
def run_of(kind: Number) -> Number:
    """The run that a character of a class is in."""
    if is_letter(kind):
        return LETTERS
    if kind == NUMBER:
        return NUMBERS
    return SIGNS if kind <= MARK else SPACES


@inlined
def signs_or_spaces(data: Bytes, kind: Number, after: Number, end: Number, classes: Bytes) -> Number:
    """The run of cl100k and o200k where no word and no number stands, after a first character of the class `kind`."""
    if kind <= MARK:
        return (after << RUN_BITS) | SIGNS
    if kind == SPACE and after < end and class_at(data, after, end, classes) >> 3 <= MARK:
        return (after << RUN_BITS) | SIGNS
    return (after << RUN_BITS) | SPACES


@inlined
def cl100k_run(data: Bytes, at: Number, end: Number, classes: Bytes) -> Number:
    """The run that the pre-token of cl100k at `at` ends with, and where that run goes on."""
    short = contraction_length(data, at, end, True)
    if short:
        return ((at + short) << RUN_BITS) | NO_RUN
    seen = class_at(data, at, end, classes)
    kind = seen >> 3
    after = at + (seen & 7)
    if is_letter(kind) or kind == NUMBER:
        return (after << RUN_BITS) | run_of(kind)
    if kind != LINE_END and after < end:
        seen = class_at(data, after, end, classes)
        if is_letter(seen >> 3):
            return ((after + (seen & 7)) << RUN_BITS) | LETTERS
    return signs_or_spaces(data, kind, after, end, classes)


@inlined
def small_letters_end(data: Bytes, at: Number, end: Number, classes: Bytes) -> Number:
    """Where the run of what may stand in the second part of a word of o200k ends."""
    start = at
    while at < end:
        if at - start > 8:
            at = runs.past_letters(data, at, end, runs.SMALL_A, runs.SMALL_Z)
            if at == end:
                break
        seen = class_at(data, at, end, classes)
        if not ends_word(seen >> 3):
            break
        at += seen & 7
    return at


@inlined
def o200k_word_end(data: Bytes, start: Number, end: Number, classes: Bytes, capitals: Number) -> Number:
    """Where the word at `start` ends, -1 if there is none: some of the first part and at least one of the second, or the other way round.

    The first part takes all it can. Where it must leave one to the second and no small letter follows, it gives back the
    last character that may be in both. `capitals` asks for the other kind of word, which is tried where the first is not there.
    """
    at = start
    both = np.int64(-1)
    kind = np.int64(OTHER)
    while at < end:
        if at - start > 8:
            at = runs.past_letters(data, at, end, runs.CAPITAL_A, runs.CAPITAL_Z)
            if at == end:
                break
        seen = class_at(data, at, end, classes)
        kind = seen >> 3
        if not begins_word(kind):
            break
        at += seen & 7
        if kind != UPPER:
            both = at
    if capitals:
        return np.int64(-1) if at == start else small_letters_end(data, at, end, classes)
    if at < end and kind == LOWER:
        return small_letters_end(data, at, end, classes)
    return both


@inlined
def o200k_run(data: Bytes, at: Number, end: Number, classes: Bytes) -> Number:
    """The run that the pre-token of o200k at `at` ends with, and where that run goes on; of a word nothing is left to run through.

    A mark may be the sign before a word as well as its first character: each kind of word is tried with the sign first.
    """
    seen = class_at(data, at, end, classes)
    kind = seen >> 3
    after = at + (seen & 7)
    if kind == NUMBER:
        return (after << RUN_BITS) | NUMBERS
    word = np.int64(-1)
    attempt = 0
    while attempt < 4 and word < 0 and kind != LINE_END:
        signed = attempt & 1 == 0
        if signed and not is_letter(kind):
            word = o200k_word_end(data, after, end, classes, attempt >= 2)
        elif not signed and (is_letter(kind) or kind == MARK):
            word = o200k_word_end(data, at, end, classes, attempt >= 2)
        attempt += 1
    if word >= 0:
        return ((word + contraction_length(data, word, end, True)) << RUN_BITS) | NO_RUN
    return signs_or_spaces(data, kind, after, end, classes)


@inlined
def pattern_end(data: Bytes, at: Number, end: Number, classes: Bytes, rule: Number) -> Number:
    """Where the pre-token of a split pattern at `at` ends."""
    if rule == GPT2:
        found = gpt2_run(data, at, end, classes)
    elif rule == CL100K:
        found = cl100k_run(data, at, end, classes)
    else:
        found = o200k_run(data, at, end, classes)
    run = found & RUN
    after = found >> RUN_BITS
    if run == NO_RUN:
        return after
    if run == LETTERS:
        return letters_end(data, after, end, classes)
    if run == NUMBERS:
        return numbers_end(data, after, end, classes, end if rule == GPT2 else 2)
    if run == SPACES:
        return white_end(data, at, end, classes, rule)
    after = others_end(data, after, end, classes)
    while rule != GPT2 and after < end and (data[after] == LF or data[after] == CR or (rule == O200K and data[after] == SLASH)):
        after += 1
    return after


@inlined
def mark_after(at: Number, end: Number, marks: Bytes) -> Number:
    """The next marked place after `at`, or the end; 57 places or more at a time."""
    at += 1
    while at < end:
        word = load_word(marks, at >> 3) >> np.uint64(at & 7)
        if word:
            return min(at + trailing_zeros(word), end)
        at += 64 - (at & 7)
    return end


@inlined
def next_end(data: Bytes, at: Number, end: Number, classes: Bytes, rule: Number) -> Number:
    """Where the cut that starts at `at` ends, by any rule, in a text that ends at `end`."""
    if rule == PATTERN:
        return mark_after(at, end, classes)
    if rule < ENTRIES:
        return pattern_end(data, at, end, classes, rule)
    if rule == ENTRIES:
        return at + 1 if data[at] == LF else runs.line_end(data, at, end)
    if rule == WORDS:
        return runs.word_end(data, at, end)
    return runs.byte_word_end(data, at, end)
