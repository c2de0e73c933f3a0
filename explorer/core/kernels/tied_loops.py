"""The pairs that share the greatest count: found when the last one of a greater count is gone, and kept in tie order.

A pair that is tied loses no occurrence while it stays so, or it would not be tied: what decides between it and others,
its text or its first place, is looked up once.
"""

import numpy as np

from explorer.core.kernels.compiling import inlined, kernel, prefetch
from explorer.core.kernels.pair_loops import (
    BUCKETS,
    BY_FIRST_PLACE,
    NONE,
    RARE,
    Int64s,
    Number,
    Pairs,
    Queue,
    Tokens,
    before,
    bucket_of,
    left_of,
    right_of,
    sink,
    wait,
)
from explorer.core.kernels.training_state import BORN, HEAPED, KEPT_FROM, LEVEL, MET, RULE, TIED, Corpus, History


@inlined
def place_key(pair: Number, rule: Number, pairs: Pairs, tokens: Tokens, corpus: Corpus) -> Number:
    """The first place of a pair, or its last negated, so that the smallest wins. A pair that occurs has one."""
    left, right = left_of(pairs.ids[pair]), right_of(pairs.ids[pair])
    width = tokens.width[left]
    start = pairs.start[pair]
    end = start + pairs.places[pair]
    if rule == BY_FIRST_PLACE:
        for at in range(start, end):
            slot = np.int64(corpus.pool[at])
            if corpus.ids[slot] == left and corpus.ids[slot + width] == right:
                return slot
    else:
        for back in range(end - start):
            slot = np.int64(corpus.pool[end - 1 - back])
            if corpus.ids[slot] == left and corpus.ids[slot + width] == right:
                return -slot
    return np.int64(0)


@inlined
def join_tied(state: Int64s, pair: Number, queue: Queue, pairs: Pairs, tokens: Tokens, corpus: Corpus, history: History) -> None:
    """Adds a pair that has the greatest count at the end of the heap.

    While it stays tied it loses no occurrence, so that its place needs to be found once.
    """
    rule = state[RULE]
    queue.heap[state[HEAPED]] = pair
    state[HEAPED] += 1
    state[TIED] += 1
    if rule >= BY_FIRST_PLACE:
        pairs.key[pair] = place_key(pair, rule, pairs, tokens, corpus)
        history.met_pair[state[MET]] = pair
        history.met_key[state[MET]] = pairs.key[pair]
        state[MET] += 1


@inlined
def sort_out(state: Int64s, bucket: Number, queue: Queue, pairs: Pairs) -> Number:
    """Moves the pairs of a bucket that belong elsewhere; the greatest count among those that stay, NONE for none."""
    level = state[LEVEL]
    pair = np.int64(queue.buckets[bucket])
    staying = np.int64(NONE)
    greatest = np.int64(NONE)
    while pair >= 0:
        after = np.int64(pairs.after[pair])
        count = pairs.counts[pair]
        if count >= state[KEPT_FROM]:
            belongs = bucket_of(count, level)
            if belongs == bucket:
                pairs.after[pair] = staying
                staying = pair
                greatest = max(greatest, count)
            else:
                pairs.after[pair] = queue.buckets[belongs]
                queue.buckets[belongs] = pair
        pair = after
    queue.buckets[bucket] = staying
    return greatest


@inlined
def open_bucket(
    state: Int64s, bucket: Number, level: Number, queue: Queue, pairs: Pairs, tokens: Tokens, corpus: Corpus, history: History
) -> None:
    """Makes `level` the greatest count; of the pairs of a bucket, which none exceeds, those that have it are tied."""
    state[LEVEL] = level
    pair = np.int64(queue.buckets[bucket])
    queue.buckets[bucket] = NONE
    while pair >= 0:
        after = np.int64(pairs.after[pair])
        if after >= 0:
            prefetch(pairs.counts, after)
            prefetch(pairs.after, after)
        if pairs.counts[pair] == level:
            join_tied(state, pair, queue, pairs, tokens, corpus, history)
        elif pairs.counts[pair] >= state[KEPT_FROM]:
            wait(queue, pairs, pair, level)
        pair = after


@inlined
def lower_level(state: Int64s, queue: Queue, pairs: Pairs, tokens: Tokens, corpus: Corpus, history: History) -> None:
    """Finds the greatest count there is now, and all pairs that have it. Nothing is tied after it where no pair is left.

    The buckets of rare counts come last, when all others are empty. Where no pair of a bucket still has its count the next
    one below is opened.
    """
    for at in range(state[HEAPED]):
        pair = queue.heap[at]
        if state[KEPT_FROM] <= pairs.counts[pair] < state[LEVEL]:
            wait(queue, pairs, pair, state[LEVEL])
    state[HEAPED] = 0
    for bucket in range(RARE + 1, BUCKETS):
        if queue.buckets[bucket] >= 0:
            greatest = sort_out(state, bucket, queue, pairs)
            if greatest >= 0:
                open_bucket(state, bucket, greatest, queue, pairs, tokens, corpus, history)
                break
    count = min(state[LEVEL], RARE - 1)
    while state[TIED] == 0 and count >= state[KEPT_FROM]:
        if queue.buckets[count] >= 0:
            open_bucket(state, count, count, queue, pairs, tokens, corpus, history)
        count -= 1
    size = state[HEAPED]
    for back in range(size // 2):
        sink(queue.heap, size // 2 - 1 - back, size, state[RULE], pairs, tokens)


@inlined
def second(state: Int64s, queue: Queue, pairs: Pairs, tokens: Tokens) -> Number:
    """The pair that comes after the one being merged, unless that changes it; NONE where there is none to be seen in the heap."""
    if state[HEAPED] < 3:
        return np.int64(NONE)
    one, other = np.int64(queue.heap[1]), np.int64(queue.heap[2])
    return one if before(one, other, state[RULE], pairs, tokens) else other


@inlined
def winner(state: Int64s, queue: Queue, pairs: Pairs, tokens: Tokens) -> Number:
    """The first of the tied pairs by the rule. Pairs that lost an occurrence since they came into the heap leave it."""
    while True:
        pair = np.int64(queue.heap[0])
        if pairs.counts[pair] == state[LEVEL]:
            for at in range(1, min(3, state[HEAPED])):  # one of them comes next
                prefetch(pairs.start, np.int64(queue.heap[at]))
                prefetch(pairs.places, np.int64(queue.heap[at]))
            return pair
        state[HEAPED] -= 1
        size = state[HEAPED]
        queue.heap[0] = queue.heap[size]
        if size > 0:
            sink(queue.heap, 0, size, state[RULE], pairs, tokens)
        if pairs.counts[pair] >= state[KEPT_FROM]:
            wait(queue, pairs, pair, state[LEVEL])


@kernel
def find_greatest(state: Int64s, queue: Queue, pairs: Pairs, tokens: Tokens, corpus: Corpus, history: History) -> Number:
    """The greatest count there is, 0 where there is no pair, NONE where the history has no room for the pairs that are tied."""
    if state[TIED] == 0:
        if state[RULE] >= BY_FIRST_PLACE and state[MET] + state[BORN] > history.met_pair.size:
            return np.int64(NONE)
        lower_level(state, queue, pairs, tokens, corpus, history)
    return state[LEVEL] if state[TIED] > 0 else np.int64(0)


@kernel
def fill_queue(state: Int64s, queue: Queue, pairs: Pairs, first: Number, last: Number) -> None:
    """Puts the pairs [first, last) as they were counted at first into their buckets."""
    for pair in range(first, last):
        if pairs.counts[pair] >= state[KEPT_FROM]:
            wait(queue, pairs, pair, state[LEVEL])
