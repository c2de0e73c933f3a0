"""Two pieces side by side in the room there is: a short one leaves its room to a long one."""

from explorer.core.vocabulary import Piece
from explorer.gui.painting import paint
from explorer.gui.painting.piece_spelling import fitted, piece_spelling
from explorer.gui.painting.spelling import Spelling
from explorer.gui.theme import Role, px


def fitted_pair(left: Piece, right: Piece, role: Role, room: float) -> tuple[Spelling, Spelling]:
    """The spellings of a pair whose `paint.pair_chip` is to be at most `room` pixels wide, cut in the middle where they are too long."""
    one, two = piece_spelling(left), piece_spelling(right)
    letters = max(0.0, room - 4 * px(4) - px(1))
    widths = paint.piece_width(one, role), paint.piece_width(two, role)
    if sum(widths) <= letters:
        return one, two
    half = letters / 2
    if widths[0] <= half:
        return one, fitted(two, role, letters - widths[0])
    if widths[1] <= half:
        return fitted(one, role, letters - widths[1]), two
    return fitted(one, role, half), fitted(two, role, half)
