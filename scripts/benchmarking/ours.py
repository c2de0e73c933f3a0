"""Our side of every measurement: the program's own functions, called as the program calls them.

Runs in a process of its own under the program's Python. Where a compiled engine does not do a task yet the readable one answers and the
answer says so; nothing here chooses between them. Reading the file is timed, importing and loading kernels are not (nor are they for the
peers).
"""

import random
import sys
import time
from pathlib import Path

import numpy as np
from benchmarking.fresh import Answer, Job, answer_one, digest_of, hard_text, peak_bytes

from explorer.core import encoding, engines, timeline
from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.progress import drain
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.core.table import MergeTable
from explorer.core.training import Training

QUERIES = 300  # random merges at which the ranking is asked for
TOP = 50
WARM = 3  # passes after the first


def main() -> int:
    """The exit status."""
    return answer_one(work)


def work(job: Job, answer: Answer, who: str) -> None:
    """Does one job."""
    assert who == "ours", who
    tasks = {"train": train, "encode": encode, "hard": encode_hard, "timeline": ask_timeline, "window": keep_window_alive}
    engines.loaded()
    tasks[job.task](job, answer)


def recipe_of(job: Job) -> Recipe:
    """The recipe that a job asks for."""
    presets = {PreTokenRule.ENTRIES.value: "chapter-81", PreTokenRule.GPT2.value: "gpt2", PreTokenRule.CL100K.value: "cl100k"}
    return Recipe.of(presets[job.rule]).asking(merges=job.merges)


def train(job: Job, answer: Answer) -> Training:
    """Reads and trains."""
    recipe = recipe_of(job)
    training = answer.time("work", lambda: engines.train(Corpus.of_text(Path(job.corpus).read_bytes()), recipe))
    answer.peak_bytes = peak_bytes()  # before the result is turned into pieces to be compared
    answer.engine = training.engine.value
    if training.engine.value != "compiled":
        answer.engine += f" ({engines.answering(training.corpus, recipe).why})"
    answer.digest = digest_of(piece.bytes for piece in training.table.pieces[256:])
    return training


def cl100k(ranks: str) -> tuple[MergeTable, "np.ndarray[tuple[int], np.dtype[np.int32]]"]:
    """The table of cl100k, and what its ids are called in that vocabulary (it has the single bytes in another order)."""
    numbers = np.loadtxt(ranks, np.int32)
    merges = tuple((left, right) for left, right in numbers[128:].tolist())
    recipe = Recipe.of("cl100k").asking(merges=len(merges))
    names = np.arange(256 + len(merges), dtype=np.int32)
    names[:256] = numbers[:128].ravel()
    return MergeTable(recipe, Alphabet.of_bytes(), merges), names


def encode(job: Job, answer: Answer) -> None:
    """Encodes a corpus by cl100k in one call, ids and byte spans; the first time and again."""
    _encode_again(job, answer, Path(job.corpus).read_bytes(), WARM)


def encode_hard(job: Job, answer: Answer) -> None:
    """Encodes a text that is one long piece, once."""
    _encode_again(job, answer, hard_text(job.letters).encode(), 0)


def _encode_again(job: Job, answer: Answer, data: bytes, times: int) -> None:
    table, names = cl100k(job.ranks)
    encoding.encode(table, b"ready")  # builds what the table keeps, as a peer does when it loads a vocabulary
    answer.engine = "readable (no compiled encoder yet)"
    encoded = answer.time("first", lambda: encoding.encode(table, data))
    answer.digest = digest_of([names[encoded.ids].astype("<u4").tobytes()])
    answer.again("warm", times, lambda: encoding.encode(table, data))


def ask_timeline(job: Job, answer: Answer) -> None:
    """Trains, makes the timeline, and asks for the top pairs at random merges; figures in seconds on the clock."""
    training = train(job, answer)
    answer.peak_bytes = None
    history = answer.time("building", lambda: drain(timeline.timeline_steps(training)))
    answer.engine = type(history).__name__
    chance, taken = random.Random(1), []
    for _ in range(QUERIES):
        k = chance.randint(0, training.learned)
        began = time.perf_counter()
        history.ranked(k, TOP)
        taken.append(time.perf_counter() - began)
    answer.figures |= {"median": float(np.median(taken)), "p99": float(np.percentile(taken, 99)), "most": max(taken)}


def keep_window_alive(job: Job, answer: Answer) -> None:
    """How late the ticks of the event loop come while a corpus trains in the window; figures in seconds on the clock."""
    from benchmarking.window import lateness

    late, ended = lateness(Corpus.of_text(Path(job.corpus).read_bytes()), recipe_of(job), job.seconds)
    answer.engine = "trained to the end" if ended else f"watched for {job.seconds:.0f} s of a training that takes longer"
    answer.figures = {
        "median": float(np.median(late)), "p99": float(np.percentile(late, 99)), "most": max(late), "ticks": float(len(late)),
    }


if __name__ == "__main__":
    sys.exit(main())
