"""The training loop over arrays: choose a pair, merge it everywhere, tell its neighbours.

One merge (a, b) -> X takes two passes over the places of the pair. The first writes X and tallies the neighbours; what a
neighbour L loses as (L, a) is what it gains as (L, X), so one tally gives the loss, the birth and the history. The second
writes the places of the pairs just born. A place is stale once its slots no longer say a and b; nobody looks for it to
remove it.

`learn` can stop at every choice and inside both passes: it does about as much work as `budget` says (in places) and
returns a reason. All it must remember is in `state`. It never runs out of room half way: room is looked after before
anything is written, and the caller makes more.
"""

from typing import NamedTuple

import numpy as np

from explorer.core.kernels.compiling import AHEAD, inlined, kernel, prefetch
from explorer.core.kernels.counting_loops import INSIDE, weight_at
from explorer.core.kernels.pair_loops import (
    BUCKETS,
    BY_FIRST_PLACE,
    BY_TEXT,
    NONE,
    Int32s,
    Int64s,
    Number,
    Pairs,
    Queue,
    Tokens,
    bucket_of,
    enter,
    find,
    rise,
    sink,
    wait,
)

# Why `learn` returned.
PAUSED = 0  # the budget is used up
REACHED = 1  # STOP_AT merges are made
NO_PAIR = 2  # no pair has LEAST occurrences
ROOM_FOR_PAIRS = 3
ROOM_FOR_LOSSES = 4
ROOM_FOR_PLACES = 5
ROOM_FOR_SITES = 6
ROOM_FOR_TEXT = 7
ROOM_IN_TABLE = 8
ROOM_FOR_TIES = 9
ROOM_FOR_MERGES = 10
NAME_ASKED = 11  # the text of the token that is about to be made is to be written by the caller

# Entries of `state`.
PHASE, MADE, BORN, POOLED, LEVEL, TIED, HEAPED, LOST, ENTERED, TEXT_USED, MET = range(11)
STOP_AT, FIRST_ID, KEPT_FROM, LEAST, RULE, NAMES_GIVEN, CHOSEN_LEFT, CHOSEN_RIGHT = range(11, 19)
PAIR, LEFT, RIGHT, CURSOR, SITES, END, END_WEIGHT, MET_LEFT, MET_RIGHT, DOUBLES, DOUBLES_WEIGHT, DOUBLES_AT = range(19, 31)
SAVED, TIED_THEN, COUNT_THEN, DISTINCT = range(31, 35)
NOTED, RUN, DOUBLES_SAVED, LEFT_SAVED, RIGHT_SAVED = range(35, 40)
STATE_SIZE = 40

# Phases: what `learn` is in the middle of.
CHOOSING, MERGING, PLACING = range(3)

# Columns of `History.merges`.
M_LEFT, M_RIGHT, M_COUNT, M_TIED, M_SAVED, M_PAIR = range(6)
COLUMNS = 6

MERGE_COST = 40  # what a merge costs beside its places, in places


class Neighbours(NamedTuple):
    """One entry a token on either side: what stands there so often, tallied for one merge; and the tokens that were met."""

    left_weight: Int64s
    left_places: Int32s
    left_cursor: Int64s
    left_met: Int32s
    right_weight: Int64s
    right_places: Int32s
    right_cursor: Int64s
    right_met: Int32s


class Sites(NamedTuple):
    """The places where one merge happened, left to right, with the tokens that stand beside each."""

    at: Int32s
    left: Int32s
    right: Int32s


class History(NamedTuple):
    """What the timeline is made of; `*_until` have one entry a merge and one more: where its stretch begins.

    `lost_pair` lost `lost_amount`; `met_pair` became one of the pairs with the greatest count, its place being `met_key`.
    Of a token `noted_token` beside itself a merge would really replace `noted_change` more or fewer than before.
    """

    merges: Int64s
    born_until: Int64s
    lost_until: Int64s
    met_until: Int64s
    distinct: Int64s
    lost_pair: Int32s
    lost_amount: Int64s
    met_pair: Int32s
    met_key: Int64s
    noted_until: Int64s
    noted_token: Int32s
    noted_change: Int64s


class Corpus(NamedTuple):
    """The slots of the corpus and how often each counts, and the pool of places."""

    ids: Int32s
    weights: Int64s
    pool: Int32s


@inlined
def place_key(pair: Number, rule: Number, pairs: Pairs, tokens: Tokens, corpus: Corpus) -> Number:
    """The first place of a pair, or its last negated, so that the smallest wins. A pair that occurs has one."""
    left, right = pairs.left[pair], pairs.right[pair]
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
    """Moves the pairs of a bucket that belong into a farther one; the greatest count among those that stay, NONE for none."""
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
def lower_level(state: Int64s, queue: Queue, pairs: Pairs, tokens: Tokens, corpus: Corpus, history: History) -> None:
    """Finds the greatest count there is now, and all pairs that have it. Nothing is tied after it where no pair is left."""
    for at in range(state[HEAPED]):
        pair = queue.heap[at]
        if state[KEPT_FROM] <= pairs.counts[pair] < state[LEVEL]:
            wait(queue, pairs, pair, state[LEVEL])
    state[HEAPED] = 0
    for bucket in range(1, BUCKETS):
        if queue.buckets[bucket] >= 0:
            greatest = sort_out(state, bucket, queue, pairs)
            if greatest >= 0:
                state[LEVEL] = greatest
                pair = np.int64(queue.buckets[bucket])
                queue.buckets[bucket] = NONE
                while pair >= 0:
                    after = np.int64(pairs.after[pair])
                    if pairs.counts[pair] == greatest:
                        join_tied(state, pair, queue, pairs, tokens, corpus, history)
                    else:
                        wait(queue, pairs, pair, greatest)
                    pair = after
                break
    size = state[HEAPED]
    for back in range(size // 2):
        sink(queue.heap, size // 2 - 1 - back, size, state[RULE], pairs, tokens)


@inlined
def winner(state: Int64s, queue: Queue, pairs: Pairs, tokens: Tokens) -> Number:
    """The first of the tied pairs by the rule. Pairs that lost an occurrence since they came into the heap leave it."""
    while True:
        pair = np.int64(queue.heap[0])
        if pairs.counts[pair] == state[LEVEL]:
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
def fill_queue(state: Int64s, queue: Queue, pairs: Pairs) -> None:
    """Puts the pairs counted at first into their buckets. One pass over the pairs."""
    for pair in range(state[BORN]):
        if pairs.counts[pair] >= state[KEPT_FROM]:
            wait(queue, pairs, pair, state[LEVEL])


@inlined
def room_for_births(state: Int64s, table: Int32s, pairs: Pairs, tokens: Tokens, history: History) -> Number:
    """Whether there is room for what any one merge may bring: a birth and a loss for each token on either side."""
    new = state[FIRST_ID] + state[MADE]
    most = 2 * new + 4
    if new >= tokens.width.size or state[MADE] >= history.merges.shape[0]:
        return ROOM_FOR_MERGES
    if state[BORN] + most > pairs.left.size:
        return ROOM_FOR_PAIRS
    if state[LOST] + most > history.lost_pair.size or state[NOTED] + 4 > history.noted_token.size:
        return ROOM_FOR_LOSSES
    if state[RULE] >= BY_FIRST_PLACE and state[MET] + state[BORN] + most > history.met_pair.size:
        return ROOM_FOR_TIES
    if 2 * (state[ENTERED] + most) > table.size:
        return ROOM_IN_TABLE
    return PAUSED


@inlined
def choose(
    state: Int64s, queue: Queue, table: Int32s, pairs: Pairs, tokens: Tokens, corpus: Corpus, history: History, sites: Sites
) -> Number:
    """Settles which pair comes next and that there is room to merge it; returns a reason to stop, PAUSED for none."""
    if state[MADE] >= state[STOP_AT]:
        return REACHED
    short = room_for_births(state, table, pairs, tokens, history)
    if short != PAUSED:
        return short
    if state[TIED] == 0:
        lower_level(state, queue, pairs, tokens, corpus, history)
    if state[CHOSEN_LEFT] >= 0:
        state[LEFT], state[RIGHT] = state[CHOSEN_LEFT], state[CHOSEN_RIGHT]
        pair = np.int64(find(table, pairs, state[LEFT], state[RIGHT]))
        if pair >= 0 and pairs.counts[pair] == 0:
            pair = np.int64(NONE)
    else:
        if state[TIED] == 0 or state[LEVEL] < state[LEAST]:
            return NO_PAIR
        pair = winner(state, queue, pairs, tokens)
        state[LEFT], state[RIGHT] = pairs.left[pair], pairs.right[pair]
    state[PAIR] = pair
    return room_and_name(state, pairs, tokens, corpus, sites)


@inlined
def room_and_name(state: Int64s, pairs: Pairs, tokens: Tokens, corpus: Corpus, sites: Sites) -> Number:
    """Whether there is room for the places of the pair that was chosen, and for the text of its token, which is written."""
    places = np.int64(0) if state[PAIR] < 0 else np.int64(pairs.places[state[PAIR]])
    if state[POOLED] + 2 * places + 4 > corpus.pool.size:
        return ROOM_FOR_PLACES
    if places + 1 > sites.at.size:
        return ROOM_FOR_SITES
    if state[NAMES_GIVEN] == 1:  # 2 once the name is there
        return NAME_ASKED
    if state[RULE] == BY_TEXT and state[NAMES_GIVEN] == 0 and not name(state, tokens):
        return ROOM_FOR_TEXT
    return PAUSED


@inlined
def name(state: Int64s, tokens: Tokens) -> Number:
    """Writes the text of the token about to be made, its parts' texts joined; whether there was room."""
    new = state[FIRST_ID] + state[MADE]
    left, right = state[LEFT], state[RIGHT]
    at, first, second = state[TEXT_USED], tokens.text_size[left], tokens.text_size[right]
    if at + first + second > tokens.text.size:
        return False
    for byte in range(first):
        tokens.text[at + byte] = tokens.text[tokens.text_start[left] + byte]
    for byte in range(second):
        tokens.text[at + first + byte] = tokens.text[tokens.text_start[right] + byte]
    tokens.text_start[new] = at
    tokens.text_size[new] = first + second
    state[TEXT_USED] = at + first + second
    return True


@inlined
def begin_merge(state: Int64s, pairs: Pairs, tokens: Tokens) -> None:
    """Takes the pair out of the count: it will not occur again, not even in a run of one letter."""
    new = state[FIRST_ID] + state[MADE]
    tokens.width[new] = tokens.width[state[LEFT]] + tokens.width[state[RIGHT]]
    if state[NAMES_GIVEN] == 2:
        state[NAMES_GIVEN] = 1
    state[TIED_THEN] = state[TIED]
    state[COUNT_THEN] = 0
    state[SITES], state[CURSOR], state[SAVED], state[END] = 0, 0, 0, NONE
    state[MET_LEFT], state[MET_RIGHT], state[DOUBLES], state[DOUBLES_WEIGHT] = 0, 0, 0, 0
    state[RUN], state[DOUBLES_SAVED], state[LEFT_SAVED], state[RIGHT_SAVED] = 0, 0, 0, 0
    pair = state[PAIR]
    if pair >= 0:
        state[COUNT_THEN] = pairs.counts[pair]
        if pairs.counts[pair] == state[LEVEL]:
            state[TIED] -= 1
        pairs.counts[pair] = 0
        state[DISTINCT] -= 1


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
    state: Int64s, end: Number, weight: Number, own: Number, site: Number, tokens: Tokens, corpus: Corpus, near: Neighbours, sites: Sites
) -> None:
    """Notes what stands right of a site, at slot `end`, once the next site is known not to touch it; `own` is the pair's right token."""
    token = corpus.ids[end]
    sites.right[site] = token
    if token >= 0:
        if near.right_places[token] == 0:
            near.right_met[state[MET_RIGHT]] = token
            state[MET_RIGHT] += 1
        near.right_places[token] += 1
        near.right_weight[token] += weight
        if token == own and even_run_right(end, token, tokens, corpus):
            state[RIGHT_SAVED] += weight


@inlined
def tally_left(
    state: Int64s, slot: Number, weight: Number, own: Number, site: Number, tokens: Tokens, corpus: Corpus, near: Neighbours, sites: Sites
) -> None:
    """Notes what stands left of a site that touches no other on that side; `own` is the pair's left token."""
    token = corpus.ids[slot - 1]
    sites.left[site] = token
    if token >= 0:
        if near.left_places[token] == 0:
            near.left_met[state[MET_LEFT]] = token
            state[MET_LEFT] += 1
        near.left_places[token] += 1
        near.left_weight[token] += weight
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
def merge_places(state: Int64s, budget: Number, pairs: Pairs, tokens: Tokens, corpus: Corpus, near: Neighbours, sites: Sites) -> Number:
    """The first pass: writes the new token at every live place, left to right, and tallies what stands beside it.

    Returns the budget left; the pass is over where CURSOR has come to the last place. What changes at every site is held in
    variables and not in `state`, which after each write to another array would have to be read again.
    """
    pair, left, right, new = state[PAIR], state[LEFT], state[RIGHT], state[FIRST_ID] + state[MADE]
    ids, pool = corpus.ids, corpus.pool
    left_width, right_width = np.int64(tokens.width[left]), np.int64(tokens.width[right])
    begin, places = pairs.start[pair], np.int64(pairs.places[pair])
    stop = min(places, state[CURSOR] + budget)
    site, end, end_weight, saved = state[SITES], state[END], state[END_WEIGHT], state[SAVED]
    for at in range(begin + state[CURSOR], begin + stop):
        if at + AHEAD < begin + places:
            prefetch(ids, np.int64(pool[at + AHEAD]))
        slot = np.int64(pool[at])
        middle = slot + left_width
        if ids[slot] != left or ids[middle] != right:
            continue
        weight = weight_at(corpus.weights, slot)
        saved += weight
        if slot == end:
            tally_double(state, weight, new, site, sites)
        else:
            state[RUN] = 0
            if end >= 0:
                tally_right(state, end, end_weight, right, site - 1, tokens, corpus, near, sites)
            tally_left(state, slot, weight, left, site, tokens, corpus, near, sites)
        sites.at[site] = slot
        site += 1
        end, end_weight = middle + right_width, weight
        ids[middle - 1], ids[middle] = INSIDE, INSIDE  # or a stale place inside the token might match again
        ids[slot], ids[end - 1] = new, new
    budget -= stop - state[CURSOR]
    if stop == places and end >= 0:
        tally_right(state, end, end_weight, right, site - 1, tokens, corpus, near, sites)
    state[CURSOR], state[SITES], state[END], state[END_WEIGHT], state[SAVED] = stop, site, end, end_weight, saved
    return budget


@inlined
def lose(state: Int64s, left: Number, right: Number, weight: Number, table: Int32s, pairs: Pairs, history: History) -> None:
    """Takes occurrences from a pair beside the merged one, which has lost all already."""
    if left == state[LEFT] and right == state[RIGHT]:
        return
    pair = find(table, pairs, left, right)
    if pair < 0:  # kept pairs are found: this one occurred once, and that is over
        state[DISTINCT] -= 1
    elif pairs.counts[pair] > 0:
        if pairs.counts[pair] == state[LEVEL]:
            state[TIED] -= 1
        pairs.counts[pair] -= weight
        if pairs.counts[pair] == 0:
            state[DISTINCT] -= 1
        history.lost_pair[state[LOST]] = pair
        history.lost_amount[state[LOST]] = weight
        state[LOST] += 1


@inlined
def bear(state: Int64s, left: Number, right: Number, weight: Number, places: Number, table: Int32s, pairs: Pairs) -> Number:
    """Makes a pair with room for its places; returns where they go, NONE where it is not worth keeping."""
    state[DISTINCT] += 1
    if weight < state[KEPT_FROM]:
        return np.int64(NONE)
    pair, cursor = state[BORN], state[POOLED]
    pairs.left[pair], pairs.right[pair] = left, right
    pairs.counts[pair], pairs.born[pair] = weight, weight
    pairs.start[pair], pairs.places[pair] = cursor, places
    enter(table, left, right, pair)
    state[BORN] += 1
    state[POOLED] += places
    state[ENTERED] += 1
    return cursor


@inlined
def note_doubles(state: Int64s, token: Number, change: Number, history: History) -> None:
    """Writes down how many pairs of a token with itself a merge would replace more, or fewer, than before."""
    if change != 0:
        history.noted_token[state[NOTED]] = token
        history.noted_change[state[NOTED]] = change
        state[NOTED] += 1


@inlined
def settle_neighbours(state: Int64s, table: Int32s, pairs: Pairs, near: Neighbours, history: History) -> None:
    """What the tallies say: every neighbour loses its pair with a half of the merge and gains one with the whole."""
    left, right, new = state[LEFT], state[RIGHT], state[FIRST_ID] + state[MADE]
    for at in range(state[MET_LEFT]):
        token = near.left_met[at]
        weight, places = near.left_weight[token], near.left_places[token]
        near.left_weight[token], near.left_places[token] = 0, 0
        lose(state, token, left, weight, table, pairs, history)
        near.left_cursor[token] = bear(state, token, new, weight, places, table, pairs)
    for at in range(state[MET_RIGHT]):
        token = near.right_met[at]
        weight, places = near.right_weight[token], near.right_places[token]
        near.right_weight[token], near.right_places[token] = 0, 0
        lose(state, right, token, weight, table, pairs, history)
        near.right_cursor[token] = bear(state, new, token, weight, places, table, pairs)
    if state[DOUBLES] > 0:
        lose(state, right, left, state[DOUBLES_WEIGHT], table, pairs, history)
        state[DOUBLES_AT] = bear(state, new, new, state[DOUBLES_WEIGHT], state[DOUBLES], table, pairs)
    if left != right:  # or it is the pair merged, of which nothing is left
        note_doubles(state, left, -state[LEFT_SAVED], history)
        note_doubles(state, right, -state[RIGHT_SAVED], history)
    note_doubles(state, new, state[DOUBLES_SAVED], history)


@inlined
def place_births(state: Int64s, budget: Number, tokens: Tokens, corpus: Corpus, near: Neighbours, sites: Sites) -> Number:
    """The second pass: writes the places of the new pairs, in order. Returns the budget left."""
    new = state[FIRST_ID] + state[MADE]
    stop = min(state[SITES], state[CURSOR] + budget)
    for site in range(state[CURSOR], stop):
        slot = np.int64(sites.at[site])
        left, right = np.int64(sites.left[site]), np.int64(sites.right[site])
        if left >= 0 and left != new:
            cursor = near.left_cursor[left]
            if cursor >= 0:
                corpus.pool[cursor] = slot - tokens.width[left]
                near.left_cursor[left] = cursor + 1
        if right == new:
            if state[DOUBLES_AT] >= 0:
                corpus.pool[state[DOUBLES_AT]] = slot
                state[DOUBLES_AT] += 1
        elif right >= 0:
            cursor = near.right_cursor[right]
            if cursor >= 0:
                corpus.pool[cursor] = slot
                near.right_cursor[right] = cursor + 1
    budget -= stop - state[CURSOR]
    state[CURSOR] = stop
    return budget


@inlined
def end_merge(state: Int64s, queue: Queue, pairs: Pairs, tokens: Tokens, corpus: Corpus, history: History) -> None:
    """Queues the pairs just born, now that their places are known, and writes the merge down."""
    made = state[MADE]
    for pair in range(history.born_until[made], state[BORN]):
        if pairs.counts[pair] == state[LEVEL]:
            join_tied(state, pair, queue, pairs, tokens, corpus, history)
            rise(queue.heap, state[HEAPED] - 1, state[RULE], pairs, tokens)
        elif pairs.counts[pair] >= state[KEPT_FROM]:
            wait(queue, pairs, pair, state[LEVEL])
    history.merges[made, M_LEFT], history.merges[made, M_RIGHT] = state[LEFT], state[RIGHT]
    history.merges[made, M_COUNT], history.merges[made, M_TIED] = state[COUNT_THEN], state[TIED_THEN]
    history.merges[made, M_SAVED], history.merges[made, M_PAIR] = state[SAVED], state[PAIR]
    state[MADE] = made + 1
    history.born_until[made + 1] = state[BORN]
    history.lost_until[made + 1] = state[LOST]
    history.met_until[made + 1] = state[MET]
    history.noted_until[made + 1] = state[NOTED]
    history.distinct[made + 1] = state[DISTINCT]


@kernel
def learn(
    state: Int64s, budget: Number, queue: Queue, table: Int32s, pairs: Pairs, tokens: Tokens, corpus: Corpus, near: Neighbours,
    sites: Sites, history: History,
) -> Number:
    """Merges until STOP_AT merges are made, no pair is left, room is short or the budget is used up; returns which."""
    while budget > 0:
        if state[PHASE] == CHOOSING:
            reason = choose(state, queue, table, pairs, tokens, corpus, history, sites)
            if reason != PAUSED:
                return reason
            begin_merge(state, pairs, tokens)
            state[PHASE] = MERGING
        if state[PHASE] == MERGING:
            if state[PAIR] >= 0:
                budget = merge_places(state, budget, pairs, tokens, corpus, near, sites)
                if state[CURSOR] < pairs.places[state[PAIR]]:
                    return PAUSED
                settle_neighbours(state, table, pairs, near, history)
            state[CURSOR] = 0
            state[PHASE] = PLACING
        budget = place_births(state, max(budget, 1), tokens, corpus, near, sites) - MERGE_COST
        if state[CURSOR] == state[SITES]:
            end_merge(state, queue, pairs, tokens, corpus, history)
            state[PHASE] = CHOOSING
    return PAUSED


@kernel
def compact_pool(
    state: Int64s, first: Number, written: Number, budget: Number, pairs: Pairs, tokens: Tokens, corpus: Corpus
) -> tuple[Number, Number]:
    """Moves the places that are still of use together, pair by pair from pair `first`, to the pool from `written` on.

    Where a quarter of a pair's places are stale they are dropped; of a weighted corpus that is a guess, and as good.
    Returns the pair it came to and where the pool is full up to. Only between two merges.
    """
    pair = first
    while pair < state[BORN] and budget > 0:
        start, places = pairs.start[pair], np.int64(pairs.places[pair])
        pairs.start[pair] = written
        if pairs.counts[pair] < state[KEPT_FROM]:
            pairs.places[pair] = 0
        elif pairs.counts[pair] * 4 < places * 3:
            left, right = pairs.left[pair], pairs.right[pair]
            width = np.int64(tokens.width[left])
            for at in range(start, start + places):
                if at + AHEAD < start + places:
                    prefetch(corpus.ids, np.int64(corpus.pool[at + AHEAD]))
                slot = np.int64(corpus.pool[at])
                if corpus.ids[slot] == left and corpus.ids[slot + width] == right:
                    corpus.pool[written] = slot
                    written += 1
            pairs.places[pair] = written - pairs.start[pair]
        else:
            for at in range(start, start + places):
                corpus.pool[written] = corpus.pool[at]
                written += 1
        budget -= places + 1
        pair += 1
    return pair, written


@kernel
def live_slots(ids: Int32s, widths: Int32s, first: Number, out: Int32s) -> tuple[Number, Number]:
    """Copies the tokens and borders from slot `first` on, each once, until `out` is full; returns the next slot and how many."""
    slot, found = np.int64(first), 0
    while slot < ids.size and found < out.size:
        token = ids[slot]
        out[found] = token
        found += 1
        slot += np.int64(widths[token]) if token >= 0 else 1
    return slot, found
