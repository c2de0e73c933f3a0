"""What of a corpus its tokens can never give back, in words: spaces and line ends between words, characters a table does not know."""

from dataclasses import dataclass

from explorer.core.timeline import Timeline
from explorer.core.training import Stopped
from explorer.gui.models.text_facts import counted


@dataclass(frozen=True, slots=True)
class Loss:
    """One kind of loss: how much of it ("18 line ends"), and a sentence that says where and why."""

    words: str
    why: str


def corpus_losses(timeline: Timeline) -> tuple[Loss, ...]:
    """The losses of the corpus of a training, a kind each; none where every byte comes back."""
    losses = timeline.training.pretokens.losses
    cut_away = ((losses.spaces, "space", losses.first_space), (losses.line_ends, "line end", losses.first_line_end))
    found = [_cut_away(count, noun, first) for count, noun, first in cut_away if count]
    if unknown := _unknown(timeline):
        words = counted(unknown, "character")
        found.append(Loss(words, f"{words} that the table does not know: the stand-in stands there, and decoding gives it back instead."))
    return tuple(found)


def _cut_away(count: int, noun: str, first: int) -> Loss:
    words = counted(count, noun)
    place = f"{'' if count == 1 else 'the first '}at byte {first}"
    return Loss(words, f"{words} between words, {place}: no token stands for what is cut away, and decoding does not give it back.")


def _unknown(timeline: Timeline) -> int:
    """Characters of the corpus without a row. An alphabet that was learned from it has them all: only a table from a file can lack some."""
    training = timeline.training
    stand_in = training.alphabet.stand_in
    return timeline.token_count(0, stand_in) if stand_in is not None and training.stopped is Stopped.GIVEN else 0
