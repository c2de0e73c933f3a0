"""What a training in compiled loops remembers: the entries of `state`, the reasons to stop, and the arrays.

`state` is an int64 array, so that a loop can stop anywhere and go on. The arrays are made and enlarged by fast_stage.py.
"""

from typing import NamedTuple

from explorer.core.kernels.counting_loops import Weights
from explorer.core.kernels.pair_loops import Int32s, Int64s

# Why `learn` returned.
PAUSED = 0  # the budget is used up
REACHED = 1  # STOP_AT merges are made
NO_PAIR = 2  # no pair has LEAST occurrences
ROOM_FOR_PAIRS = 3
ROOM_FOR_LOSSES = 4
ROOM_FOR_TEXT = 5
ROOM_IN_TABLE = 6
ROOM_FOR_TIES = 7
ROOM_FOR_MERGES = 8
NAME_ASKED = 9  # the text of the token that is about to be made is to be written by the caller

# Entries of `state`.
PHASE, MADE, BORN, POOLED, LEVEL, TIED, HEAPED, LOST, ENTERED, TEXT_USED, MET = range(11)
STOP_AT, FIRST_ID, KEPT_FROM, LEAST, RULE, NAMES_GIVEN, CHOSEN_LEFT, CHOSEN_RIGHT = range(11, 19)
PAIR, LEFT, RIGHT, CURSOR, SITES, END, END_WEIGHT, MET_LEFT, MET_RIGHT, DOUBLES, DOUBLES_WEIGHT, DOUBLES_AT = range(19, 31)
SAVED, TIED_THEN, COUNT_THEN, DISTINCT = range(31, 35)
NOTED, RUN, DOUBLES_SAVED, LEFT_SAVED, RIGHT_SAVED, FREE, FREE_UNTIL = range(35, 42)
STATE_SIZE = 42

# Phases: what `learn` is in the middle of.
CHOOSING, MERGING, PLACING = range(3)

# Columns of `History.merges`.
M_LEFT, M_RIGHT, M_COUNT, M_TIED, M_SAVED, M_PAIR = range(6)
COLUMNS = 6

MERGE_COST = 40  # what a merge costs beside its places, in places


class Neighbours(NamedTuple):
    """What stands on either side of the places of one merge: a row a token, and the tokens that were met.

    A row has columns for WEIGHT (how often the token stands there, weighted; 0 for all but those met) and PLACES (the same, not
    weighted), or, once that is known, CURSOR_TO (where the next place of its pair with the new token goes; NONE where that
    pair is not followed). Rows are met all over: the smaller they are the more of them stay near.
    """

    left: Int64s
    left_met: Int32s
    right: Int64s
    right_met: Int32s


WEIGHT, PLACES = range(2)
CURSOR_TO = PLACES
NEAR_COLUMNS = 2


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
    weights: Weights
    pool: Int32s
