"""`pieces round`: seven inputs encoded, decoded and compared; `--runes` shows what reading characters first destroys."""

import argparse

from explorer.core.progress import drain
from explorer.core.training import Training
from explorer.labs.round_trip import Trip, round_trip_steps
from explorer.pieces.layout import block, figures, table
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.subject import subject_of
from explorer.pieces.values import Values, head
from explorer.workers import workers

AROUND = 6  # bytes shown in hex from a little before the first difference


def answer(options: argparse.Namespace) -> Answer:
    """Makes the seven trips."""
    subject = subject_of(options)
    training = subject.trained()
    trips = drain(round_trip_steps(training.table, subject.corpus, options.runes, workers()))
    came_back = sum(trip.same for trip in trips)
    values = {
        **head("round", subject),
        "runes": options.runes,
        "vocabulary": training.table.size,
        "came_back": came_back,
        "inputs": [_trip(trip) for trip in trips],
    }
    return Answer(values, _lines(training, trips, options.runes))


def _trip(trip: Trip) -> Values:
    return {
        "name": trip.name,
        "bytes": len(trip.data),
        "tokens": trip.tokens,
        "back": len(trip.back),
        "same": trip.same,
        "first_difference": trip.first_difference,
    }


def _lines(training: Training, trips: tuple[Trip, ...], runes: bool) -> list[str]:
    alphabet = "characters, each byte that is none made U+FFFD first" if runes else training.recipe.alphabet.value
    lines = ["encoded, decoded and compared"]
    lines += block("by", [f"a table of {training.table.size} over {alphabet}"])
    rows = [(trip.name, len(trip.data), trip.tokens, len(trip.back), trip.same) for trip in trips]
    lines += block("seven inputs", table(("input", "bytes", "tokens", "back", "same"), rows))
    lines += block("result", [f"{sum(trip.same for trip in trips)} of {len(trips)} came back as the bytes they were"])
    shortest = min((trip for trip in trips if not trip.same), key=lambda trip: len(trip.data), default=None)
    return lines + (_difference(shortest) if shortest else [])


def _difference(trip: Trip) -> list[str]:
    at = trip.first_difference or 0
    start = max(0, min(at, len(trip.data) - AROUND))
    shown = [
        ("in", f"{len(trip.data)} bytes, from byte {start}", _hex(trip.data, start)),
        ("out", f"{len(trip.back)} bytes, from byte {start}", _hex(trip.back, start)),
    ]
    title = f"the shortest that did not: {trip.name}"
    return block(title, [*table(("", "", "in hex"), shown), *figures([("first byte that differs", at)])])


def _hex(data: bytes, start: int) -> str:
    shown = data[start : start + 2 * AROUND].hex(" ")
    return shown + (" ..." if len(data) > start + 2 * AROUND else "")


def _options(group: OptionGroup) -> None:
    group.add_argument("--runes", action="store_true", help="read each input as characters first, as a tokenizer over characters would")


MODE = Mode("round", "seven inputs there and back", answer, _options)
