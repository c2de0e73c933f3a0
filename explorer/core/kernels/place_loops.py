"""The two passes over the places of a pair that is merged, and what keeps places and slots in order.

The first pass writes the new token and tallies what stands beside it; the second writes the places of the pairs born of
that. A place is stale once its slots no longer say the pair; nobody looks for it to remove it.
"""

import numpy as np

from explorer.core.kernels.compiling import AHEAD, inlined, prefetch
from explorer.core.kernels.counting_loops import INSIDE, stretch_at
from explorer.core.kernels.pair_loops import Int32s, Int64s, Number, Pairs, Tokens, fetch_slot, ids_of
from explorer.core.kernels.training_state import (
    CURSOR,
    CURSOR_TO,
    DOUBLES,
    DOUBLES_AT,
    DOUBLES_SAVED,
    DOUBLES_WEIGHT,
    END,
    END_WEIGHT,
    FIRST_ID,
    LEFT,
    LEFT_SAVED,
    MADE,
    MET_LEFT,
    MET_RIGHT,
    PAIR,
    PLACES,
    RIGHT,
    RIGHT_SAVED,
    RUN,
    SAVED,
    SITES,
    WEIGHT,
    Corpus,
    Neighbours,
    Sites,
)


@inlined
def even_run_left(slot: Number, token: Number, tokens: Tokens, corpus: Corpus) -> Number:
    """Whether a run of a token that ends with the one merged is of even length: losing it, a merge of two would lose a place.

    `slot` is the last slot of the token before the one merged. One step a token of the run.
    """
    width = np.int64(tokens.width[token])
    even = False
    while corpus.ids[slot] == token:
        even = not even
        slot -= width
    return even


@inlined
def even_run_right(slot: Number, token: Number, tokens: Tokens, corpus: Corpus) -> Number:
    """The same of a run that begins with the one merged; `slot` is the first slot of the token after it."""
    width = np.int64(tokens.width[token])
    even = False
    while corpus.ids[slot] == token:
        even = not even
        slot += width
    return even


@inlined
def tally_right(
    state: Int64s, end: Number, weight: Number, own: Number, new: Number, site: Number, table: Int32s, tokens: Tokens, corpus: Corpus,
    near: Neighbours, sites: Sites,
) -> None:
    """Notes what stands right of a site, at slot `end`, once the next site is known not to touch it; `own` is the pair's right token."""
    token = np.int64(corpus.ids[end])
    sites.right[site] = token
    if token >= 0:
        if near.right[token, WEIGHT] == 0:
            near.right[token, PLACES] = 0
            near.right_met[state[MET_RIGHT]] = token
            state[MET_RIGHT] += 1
            fetch_slot(table, ids_of(own, token))
            fetch_slot(table, ids_of(new, token))
        near.right[token, PLACES] += 1
        near.right[token, WEIGHT] += weight
        if token == own and even_run_right(end, token, tokens, corpus):
            state[RIGHT_SAVED] += weight


@inlined
def tally_left(
    state: Int64s, slot: Number, weight: Number, own: Number, new: Number, site: Number, table: Int32s, tokens: Tokens, corpus: Corpus,
    near: Neighbours, sites: Sites,
) -> None:
    """Notes what stands left of a site that touches no other on that side; `own` is the pair's left token."""
    token = np.int64(corpus.ids[slot - 1])
    sites.left[site] = token
    if token >= 0:
        if near.left[token, WEIGHT] == 0:
            near.left[token, PLACES] = 0
            near.left_met[state[MET_LEFT]] = token
            state[MET_LEFT] += 1
            fetch_slot(table, ids_of(token, own))
            fetch_slot(table, ids_of(token, new))
        near.left[token, PLACES] += 1
        near.left[token, WEIGHT] += weight
        if token == own and even_run_left(slot - 1, token, tokens, corpus):
            state[LEFT_SAVED] += weight


@inlined
def tally_double(state: Int64s, weight: Number, new: Number, site: Number, sites: Sites) -> None:
    """Notes that a site stands right after another: a run, or the pair twice in a row."""
    state[DOUBLES] += 1
    state[DOUBLES_WEIGHT] += weight
    state[RUN] = 1 - state[RUN]
    if state[RUN] == 1:  # of a run of the new token every other pair could be merged
        state[DOUBLES_SAVED] += weight
    sites.right[site - 1] = new
    sites.left[site] = new


@inlined
def merge_places(
    state: Int64s, budget: Number, table: Int32s, pairs: Pairs, tokens: Tokens, corpus: Corpus, near: Neighbours, sites: Sites
) -> Number:
    """The first pass: writes the new token at every live place, left to right, and tallies what stands beside it.

    Returns the budget left; the pass is over where CURSOR has come to the last place. What changes at every site is held in
    variables and not in `state`, which after each write to another array would have to be read again.
    """
    pair, left, right, new = state[PAIR], state[LEFT], state[RIGHT], state[FIRST_ID] + state[MADE]
    ids, pool = corpus.ids, corpus.pool
    left_width, right_width = np.int64(tokens.width[left]), np.int64(tokens.width[right])
    begin, places = pairs.start[pair], np.int64(pairs.places[pair])
    stop = min(places, state[CURSOR] + budget)
    stretch, until = np.int64(0), np.int64(0)
    weight: Number = np.int64(0)
    site, end, end_weight, saved = state[SITES], state[END], state[END_WEIGHT], state[SAVED]
    for at in range(begin + state[CURSOR], begin + min(stop, state[CURSOR] + AHEAD)):
        prefetch(ids, np.int64(pool[at]))
    for at in range(begin + state[CURSOR], begin + stop):
        if at + AHEAD < begin + places:
            prefetch(ids, np.int64(pool[at + AHEAD]))
        slot = np.int64(pool[at])
        middle = slot + left_width
        if ids[slot] != left or ids[middle] != right:
            continue
        if slot >= until:
            stretch = stretch_at(corpus.weights, slot, stretch)
            until, weight = np.int64(corpus.weights.until[stretch]), corpus.weights.counts[stretch]
        saved += weight
        if slot == end:
            tally_double(state, weight, new, site, sites)
        else:
            state[RUN] = 0
            if end >= 0:
                tally_right(state, end, end_weight, right, new, site - 1, table, tokens, corpus, near, sites)
            tally_left(state, slot, weight, left, new, site, table, tokens, corpus, near, sites)
        sites.at[site] = slot
        site += 1
        end, end_weight = middle + right_width, weight
        ids[middle - 1], ids[middle] = INSIDE, INSIDE  # or a stale place inside the token might match again
        ids[slot], ids[end - 1] = new, new
    budget -= stop - state[CURSOR]
    if stop == places and end >= 0:
        tally_right(state, end, end_weight, right, new, site - 1, table, tokens, corpus, near, sites)
    state[CURSOR], state[SITES], state[END], state[END_WEIGHT], state[SAVED] = stop, site, end, end_weight, saved
    return budget


@inlined
def fetch_pool(pair: Number, pairs: Pairs, corpus: Corpus) -> None:
    """Has the first places of a pair brought near."""
    if pair >= 0:
        prefetch(corpus.pool, pairs.start[pair])


@inlined
def fetch_places(pair: Number, pairs: Pairs, corpus: Corpus) -> None:
    """Has the slots at the first places of a pair brought near. Most pairs have few, and of those no slot is fetched in time later."""
    if pair >= 0:
        start: Number = pairs.start[pair]
        for at in range(start, start + min(np.int64(pairs.places[pair]), AHEAD)):
            prefetch(corpus.ids, np.int64(corpus.pool[at]))


@inlined
def place_births(state: Int64s, budget: Number, tokens: Tokens, corpus: Corpus, near: Neighbours, sites: Sites) -> Number:
    """The second pass: writes the places of the new pairs, in order. Returns the budget left."""
    new = state[FIRST_ID] + state[MADE]
    stop = min(state[SITES], state[CURSOR] + budget)
    for site in range(state[CURSOR], stop):
        slot = np.int64(sites.at[site])
        left, right = np.int64(sites.left[site]), np.int64(sites.right[site])
        if left >= 0 and left != new:
            cursor = near.left[left, CURSOR_TO]
            if cursor >= 0:
                corpus.pool[cursor] = slot - tokens.width[left]
                near.left[left, CURSOR_TO] = cursor + 1
        if right == new:
            if state[DOUBLES_AT] >= 0:
                corpus.pool[state[DOUBLES_AT]] = slot
                state[DOUBLES_AT] += 1
        elif right >= 0:
            cursor = near.right[right, CURSOR_TO]
            if cursor >= 0:
                corpus.pool[cursor] = slot
                near.right[right, CURSOR_TO] = cursor + 1
    budget -= stop - state[CURSOR]
    state[CURSOR] = stop
    return budget
