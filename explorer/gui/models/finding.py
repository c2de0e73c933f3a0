"""Looking for bytes in a corpus: on from here, and round at the end."""

from enum import Enum

from explorer.core.mapped import Data


class Found(Enum):
    """What a search came to."""

    NOWHERE = "nowhere"
    FURTHER_ON = "further on"
    FROM_THE_OTHER_END = "from the other end"


def find_from(data: Data, text: bytes, marked: tuple[int, int] | None, start: int, *, backwards: bool) -> tuple[Found, int]:
    """The next (or previous) place of `text`, and how it was come by; -1 for nowhere.

    From the place that is marked, which is not found again before all others, or else from the byte `start`.
    """
    if not text:
        return Found.NOWHERE, -1
    if backwards:
        at = data.rfind(text, 0, max(0, (marked[1] if marked else start) - 1))
        other = data.rfind(text) if at < 0 else at
    else:
        at = data.find(text, marked[0] + 1 if marked else start)
        other = data.find(text) if at < 0 else at
    if other < 0:
        return Found.NOWHERE, -1
    return (Found.FURTHER_ON, at) if at >= 0 else (Found.FROM_THE_OTHER_END, other)
