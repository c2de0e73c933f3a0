"""The training loop over arrays: choose a pair, merge it everywhere, tell its neighbours.

One merge (a, b) -> X takes two passes over the places of the pair. The first writes X and tallies the neighbours; what a
neighbour L loses as (L, a) is what it gains as (L, X), so one tally gives the loss, the birth and the history. The second
writes the places of the pairs just born. A place is stale once its slots no longer say a and b; nobody looks for it to
remove it.

`learn` can stop at every choice and inside both passes: it does about as much work as `budget` says (in places) and
returns a reason. All it must remember is in `state`. It never runs out of room half way: room is looked after before
anything is written, and the caller makes more.
"""

import numpy as np

from explorer.core.kernels.compiling import inlined, kernel
from explorer.core.kernels.pair_loops import (
    BY_FIRST_PLACE,
    BY_TEXT,
    NONE,
    Int32s,
    Int64s,
    Number,
    Pairs,
    Queue,
    Tokens,
    enter,
    fetch_pair,
    find,
    ids_of,
    left_of,
    right_of,
    rise,
    wait,
)
from explorer.core.kernels.place_loops import fetch_places, fetch_pool, merge_places, place_births
from explorer.core.kernels.tied_loops import join_tied, lower_level, second, winner
from explorer.core.kernels.training_state import (
    BORN,
    CHOOSING,
    CHOSEN_LEFT,
    CHOSEN_RIGHT,
    COUNT_THEN,
    CURSOR,
    CURSOR_TO,
    DISTINCT,
    DOUBLES,
    DOUBLES_AT,
    DOUBLES_SAVED,
    DOUBLES_WEIGHT,
    END,
    ENTERED,
    FIRST_ID,
    FREE,
    FREE_UNTIL,
    HEAPED,
    KEPT_FROM,
    LEAST,
    LEFT,
    LEFT_SAVED,
    LEVEL,
    LOST,
    M_COUNT,
    M_LEFT,
    M_PAIR,
    M_RIGHT,
    M_SAVED,
    M_TIED,
    MADE,
    MERGE_COST,
    MERGING,
    MET,
    MET_LEFT,
    MET_RIGHT,
    NAME_ASKED,
    NAMES_GIVEN,
    NO_PAIR,
    NOTED,
    PAIR,
    PAUSED,
    PHASE,
    PLACES,
    PLACING,
    POOLED,
    REACHED,
    RIGHT,
    RIGHT_SAVED,
    ROOM_FOR_LOSSES,
    ROOM_FOR_MERGES,
    ROOM_FOR_PAIRS,
    ROOM_FOR_TEXT,
    ROOM_FOR_TIES,
    ROOM_IN_TABLE,
    RULE,
    RUN,
    SAVED,
    SITES,
    STOP_AT,
    TEXT_USED,
    TIED,
    TIED_THEN,
    WEIGHT,
    Corpus,
    History,
    Neighbours,
    Sites,
)


@inlined
def room_for_births(state: Int64s, table: Int32s, pairs: Pairs, tokens: Tokens, history: History) -> Number:
    """Whether there is room for what any one merge may bring: a birth and a loss for each token on either side.

    It has at most as many places as the greatest count there was, and each of them one neighbour on either side.
    """
    new = state[FIRST_ID] + state[MADE]
    most = 2 * min(new, state[LEVEL]) + 4
    if new >= tokens.width.size or state[MADE] >= history.merges.shape[0]:
        return ROOM_FOR_MERGES
    if state[BORN] + most > pairs.ids.size:
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
    state: Int64s, queue: Queue, table: Int32s, pairs: Pairs, tokens: Tokens, corpus: Corpus, history: History
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
        pair = np.int64(find(table, pairs, ids_of(state[LEFT], state[RIGHT])))
        if pair >= 0 and pairs.counts[pair] == 0:
            pair = np.int64(NONE)
    else:
        if state[TIED] == 0 or state[LEVEL] < state[LEAST]:
            return NO_PAIR
        pair = winner(state, queue, pairs, tokens)
        state[LEFT], state[RIGHT] = left_of(pairs.ids[pair]), right_of(pairs.ids[pair])
    state[PAIR] = pair
    return name_ready(state, tokens)


@inlined
def name_ready(state: Int64s, tokens: Tokens) -> Number:
    """Whether the text of the token to come is written, which is done if that is all it takes; if not the reason to stop."""
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
def lose(state: Int64s, left: Number, right: Number, weight: Number, table: Int32s, pairs: Pairs, history: History) -> None:
    """Takes occurrences from a pair beside the merged one, which has lost all already."""
    if left == state[LEFT] and right == state[RIGHT]:
        return
    pair = find(table, pairs, ids_of(left, right))
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
    """Makes a pair with room for its places; returns where they go, NONE where it is not worth keeping.

    They go where the merged pair had its own, which nobody asks for again, as long as there is room. All that is born on
    the left finds it, being no more than the sites; so a merge takes no more of the pool than it has sites, and the pool,
    which has room for all sites there can ever be, is never full.
    """
    state[DISTINCT] += 1
    if weight < state[KEPT_FROM]:
        return np.int64(NONE)
    pair, cursor = state[BORN], state[FREE]
    if cursor + places <= state[FREE_UNTIL]:
        state[FREE] += places
    else:
        cursor = state[POOLED]
        state[POOLED] += places
    pairs.ids[pair] = ids_of(left, right)
    pairs.counts[pair], pairs.born[pair] = weight, weight
    pairs.start[pair], pairs.places[pair] = cursor, places
    enter(table, pairs.ids[pair], pair)
    state[BORN] += 1
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
    state[FREE] = pairs.start[state[PAIR]]
    state[FREE_UNTIL] = state[FREE] + pairs.places[state[PAIR]]
    for at in range(state[MET_LEFT]):  # their slots of the table are on their way since they were met
        fetch_pair(table, pairs, ids_of(near.left_met[at], left))
    for at in range(state[MET_RIGHT]):
        fetch_pair(table, pairs, ids_of(right, near.right_met[at]))
    for at in range(state[MET_LEFT]):
        token = np.int64(near.left_met[at])
        weight, places = near.left[token, WEIGHT], near.left[token, PLACES]
        near.left[token, WEIGHT] = 0
        lose(state, token, left, weight, table, pairs, history)
        near.left[token, CURSOR_TO] = bear(state, token, new, weight, places, table, pairs)
    for at in range(state[MET_RIGHT]):
        token = np.int64(near.right_met[at])
        weight, places = near.right[token, WEIGHT], near.right[token, PLACES]
        near.right[token, WEIGHT] = 0
        lose(state, right, token, weight, table, pairs, history)
        near.right[token, CURSOR_TO] = bear(state, new, token, weight, places, table, pairs)
    if state[DOUBLES] > 0:
        lose(state, right, left, state[DOUBLES_WEIGHT], table, pairs, history)
        state[DOUBLES_AT] = bear(state, new, new, state[DOUBLES_WEIGHT], state[DOUBLES], table, pairs)
    if left != right:  # or it is the pair merged, of which nothing is left
        note_doubles(state, left, -state[LEFT_SAVED], history)
        note_doubles(state, right, -state[RIGHT_SAVED], history)
    note_doubles(state, new, state[DOUBLES_SAVED], history)


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
            reason = choose(state, queue, table, pairs, tokens, corpus, history)
            if reason != PAUSED:
                return reason
            begin_merge(state, pairs, tokens)
            state[PHASE] = MERGING
        if state[PHASE] == MERGING:
            if state[PAIR] >= 0:
                budget = merge_places(state, budget, table, pairs, tokens, corpus, near, sites)
                if state[CURSOR] < pairs.places[state[PAIR]]:
                    return PAUSED
                to_come = second(state, queue, pairs, tokens)
                fetch_pool(to_come, pairs, corpus)
                settle_neighbours(state, table, pairs, near, history)
                fetch_places(to_come, pairs, corpus)
            state[CURSOR] = 0
            state[PHASE] = PLACING
        budget = place_births(state, max(budget, 1), tokens, corpus, near, sites) - MERGE_COST
        if state[CURSOR] == state[SITES]:
            end_merge(state, queue, pairs, tokens, corpus, history)
            state[PHASE] = CHOOSING
    return PAUSED
