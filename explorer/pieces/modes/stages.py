"""`pieces stages`: what is learned once merges may cross the boundary between words."""

import argparse

from explorer.core.progress import drain
from explorer.labs.stages import Crossing, TwoStages, stage_steps
from explorer.pieces.layout import block, figures, quoted, table
from explorer.pieces.modes.mode import Answer, Mode
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, head, merge_values


def answer(options: argparse.Namespace) -> Answer:
    """Trains in two stages, and in one of the same size."""
    subject = subject_of(options)
    stages = drain(stage_steps(subject.corpus, subject.recipe))
    return Answer(_values(subject, stages), _lines(subject, stages))


def _values(subject: Subject, stages: TwoStages) -> Values:
    first, training, alone = stages.first_stage, stages.training, stages.alone
    return {
        **head("stages", subject, training.recipe),
        "lift": stages.lift,
        "lift_rank": training.lift_rank,
        "stage_one": {"merges": first.learned, "rows": first.rows, "length": first.length(first.learned)},
        "stage_two": {
            "merges": [_crossing(stages, crossing) for crossing in stages.crossings],
            "rows": training.rows,
            "length": training.length(training.learned),
            "spanning": stages.spanning,
            "of_whole_words": stages.of_whole_words,
        },
        "one_stage": {"merges": alone.learned, "rows": alone.rows, "length": alone.length(alone.learned)},
    }


def _crossing(stages: TwoStages, crossing: Crossing) -> Values:
    told = {"spans": crossing.spans, "parts": crossing.parts, "whole_words": crossing.whole_words}
    return {**merge_values(stages.training, crossing.rank), **told}


def _lines(subject: Subject, stages: TwoStages) -> list[str]:
    first, training, alone = stages.first_stage, stages.training, stages.alone
    lines = [f"{subject.corpus.name} in two stages, the boundary lifted at {stages.lift} rows"]
    lines += block("stage one, inside words", figures([
        ("merges", first.learned), ("rows", first.rows), ("length", first.length(first.learned)),
    ]))
    lines += block("stage two, over whole texts", figures([
        ("merges", len(stages.crossings)), ("rows", training.rows), ("length", training.length(training.learned)),
        ("pieces that span a boundary", stages.spanning), ("of those, whole words alone", stages.of_whole_words),
    ]))
    rows = [_row(stages, crossing) for crossing in stages.crossings]
    lines += block("what stage two learned", table(("rank", "piece", "count", "saved", "length", "", ""), rows) if rows else ["nothing"])
    return lines + block("one stage alone, asked for the same size", figures([
        ("merges", alone.learned), ("rows", alone.rows), ("length", alone.length(alone.learned)),
    ]))


def _row(stages: TwoStages, crossing: Crossing) -> tuple[int, str, int, int, int, str, str]:
    merge = stages.training.merges[crossing.rank]
    spans = f"{crossing.parts} parts" if crossing.spans else "inside a word"
    whole = "whole words" if crossing.spans and crossing.whole_words else ""
    return crossing.rank, quoted(crossing.piece, stages.training.alphabet), merge.count, merge.saved, merge.length, spans, whole


MODE = Mode("stages", "two stages: merges inside words, then over whole texts", answer, corpus="eighteen")
