"""Our side of every measurement: the program's own functions, called as the program calls them.

Runs in a process of its own under the program's Python. Where the compiled engine cannot answer the readable one does, and the answer says
so. Reading the file is timed, importing and loading kernels are not (nor are they for the peers).
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from benchmarking.fresh import HARD, Answer, Job, answer_one, digest_of, hard_text, peak_bytes

from explorer.core import encoding, engines, kernels
from explorer.core.alphabet import Alphabet
from explorer.core.corpus import Corpus
from explorer.core.mapped import PART, ByteStore
from explorer.core.progress import drain
from explorer.core.recipe import PreTokenRule, Recipe
from explorer.core.table import MergeTable
from explorer.core.training import Training
from explorer.workers import Workers

QUERIES = 300  # random merges at which the ranking is asked for
TOP = 50
WARM = 3  # passes after the first
READY = b"Ready? " + b"a" * 10_000  # a long piece as well: it is encoded by loops of its own

Ids = npt.NDArray[np.int32]


def main() -> int:
    """The exit status."""
    return answer_one(work)


def work(job: Job, answer: Answer, who: str) -> None:
    """Does one job."""
    assert who == "ours", who
    tasks = {
        "train": train, "encode": encode, "spans": encode_with_spans, "hard": encode_hard, "timeline": ask_timeline,
        "window": keep_window_alive, "start": start_window, "rehearse": rehearse,
    }
    if job.task != "start":
        compiled()
    tasks[job.task](job, answer)


def compiled() -> bool:
    """Whether the compiled engine is there; loads its kernels."""
    return kernels.is_warm() and engines.loaded()


def recipe_of(job: Job) -> Recipe:
    """The recipe that a job asks for."""
    presets = {PreTokenRule.ENTRIES.value: "chapter-81", PreTokenRule.GPT2.value: "gpt2", PreTokenRule.CL100K.value: "cl100k"}
    return Recipe.of(presets[job.rule]).asking(merges=job.merges)


def threads_of(job: Job) -> Workers | None:
    """As many threads as the job says; None for one."""
    return Workers(job.threads) if job.threads > 1 else None


def corpus_of(job: Job) -> Corpus:
    """The corpus of a job as the program has it: in memory, or a large one on the disk."""
    path = Path(job.corpus)
    store = ByteStore(path.stat().st_size)
    with path.open("rb") as file:
        while part := file.read(PART):
            store.write(part)
    return Corpus.of_text(store.data())


def train(job: Job, answer: Answer) -> Training:
    """Reads and trains."""
    recipe = recipe_of(job)
    lent = threads_of(job)
    training = answer.time("work", lambda: engines.train(corpus_of(job), recipe, map_chunks=lent))
    answer.peak_bytes = peak_bytes()  # before the result is turned into pieces to be compared
    answer.engine = training.engine.value
    if training.engine.value != "compiled":
        answer.engine += f" ({engines.answering(training.corpus, recipe).why})"
    answer.digest = digest_of(piece.bytes for piece in training.table.pieces[256:])
    return training


def cl100k(ranks: str) -> tuple[MergeTable, Ids]:
    """The table of cl100k, and what its ids are called in that vocabulary (it has the single bytes in another order)."""
    numbers = np.loadtxt(ranks, np.int32)
    merges = tuple((left, right) for left, right in numbers[128:].tolist())
    recipe = Recipe.of("cl100k").asking(merges=len(merges))
    names = np.arange(256 + len(merges), dtype=np.int32)
    names[:256] = numbers[:128].ravel()
    return MergeTable(recipe, Alphabet.of_bytes(), merges), names


def encode(job: Job, answer: Answer) -> None:
    """Encodes a corpus by cl100k in one call, ids alone; the first time and again."""
    encode_by(job, answer, partial(ids_of, threads=threads_of(job)))


def encode_with_spans(job: Job, answer: Answer) -> None:
    """The same with byte spans."""
    encode_by(job, answer, partial(ids_with_spans, threads=threads_of(job)))


def encode_by(job: Job, answer: Answer, ids: Callable[[MergeTable, bytes], Ids]) -> None:
    """Encodes a corpus the first time and again."""
    table, names = ready_table(job, answer, ids)
    data = Path(job.corpus).read_bytes()
    answer.digest = digest_of([_named(names, answer.time("first", lambda: ids(table, data)))])
    answer.again("warm", WARM, lambda: ids(table, data))


def encode_hard(job: Job, answer: Answer) -> None:
    """Encodes each of the texts that are one long piece, once."""
    table, names = ready_table(job, answer, ids_of)
    found = []
    for letters in HARD:
        data = hard_text(letters).encode()
        found.append(_named(names, answer.time(letters, partial(ids_of, table, data))))
    answer.digest = digest_of(found)


def ready_table(job: Job, answer: Answer, ids: Callable[[MergeTable, bytes], Ids]) -> tuple[MergeTable, Ids]:
    """cl100k after its first use, which builds what the table keeps and loads every loop, as a peer does when it loads a vocabulary."""
    table, names = cl100k(job.ranks)
    ids(table, READY)
    answer.engine = "compiled" if compiled() else "readable"
    return table, names


def _named(names: Ids, ids: Ids) -> bytes:
    """Ids by the names of the vocabulary, as they are compared."""
    return names[ids].astype("<u4").tobytes()


def ids_of(table: MergeTable, data: bytes, threads: Workers | None = None) -> Ids:
    """The ids of a text."""
    if not compiled():
        return encoding.encode(table, data).ids
    from explorer.core.fast_encoding import ids_steps  # imports numba

    return drain(ids_steps(table, data, map_chunks=threads))


def ids_with_spans(table: MergeTable, data: bytes, threads: Workers | None = None) -> Ids:
    """The ids of a text whose spans were found as well."""
    if not compiled():
        return encoding.encode(table, data).ids
    from explorer.core.fast_encoding import fast_encoding_steps

    return drain(fast_encoding_steps(table, data, map_chunks=threads)).ids


def ask_timeline(job: Job, answer: Answer) -> None:
    """Trains, makes the timeline, and asks for the top pairs at random merges; figures in seconds on the clock."""
    training = train(job, answer)
    answer.peak_bytes, answer.digest = None, ""
    history = answer.time("building", lambda: engines.timeline_of(training))
    answer.engine = type(history).__name__
    chance, taken = random.Random(1), []
    for _ in range(QUERIES):
        k = chance.randint(0, training.learned)
        began = time.perf_counter()
        history.ranked(k, TOP)
        taken.append(time.perf_counter() - began)
    answer.figures |= {"median": float(np.median(taken)), "p99": float(np.percentile(taken, 99)), "most": max(taken)}


def rehearse(job: Job, answer: Answer) -> None:
    """Calls once what will be measured, so that no measurement compiles anything; asks for nothing but the ranks of cl100k."""
    corpus = Corpus.of_text(b"".join(b"%d rehearsed\n" % number for number in range(1000)))
    for preset in ("chapter-81", "gpt2", "cl100k"):
        training = engines.train(corpus, Recipe.of(preset).asking(merges=300))
    answer.engine = training.engine.value
    if job.ranks:
        table, _ = cl100k(job.ranks)
        for ids in (ids_of, ids_with_spans):
            ids(table, READY)
    engines.timeline_of(training).ranked(training.learned // 2, TOP)


def keep_window_alive(job: Job, answer: Answer) -> None:
    """How late the ticks of the event loop come while something is done in the window; figures in seconds on the clock."""
    from benchmarking.window import lateness

    found = lateness(job.doing, job.corpus, recipe_of(job), job.seconds)
    late, idle = found.working, float(np.percentile(found.idle, 99))
    most, median = max(late), float(np.median(late))
    answer.engine = f"{found.note}; {median * 1000:.1f} ms median, {most * 1000:.0f} ms most, {idle * 1000:.1f} ms with nothing to do"
    answer.figures = {
        "median": median, "p99": float(np.percentile(late, 99)), "most": most, "ticks": float(len(late)),
        "idle p99": idle,
    }


def start_window(job: Job, answer: Answer) -> None:
    """How long the program takes from the call until its first window is drawn, the second time it is started; seconds on the clock."""
    root, scripts = Path(engines.__file__).parents[2], Path(__file__).parents[1]
    found = f"import sys; sys.path[:0] = [{str(root)!r}, {str(scripts)!r}]"
    code = f"{found}; from benchmarking.window import start_until_drawn; start_until_drawn()"
    for figure in ("first", "again"):
        began = time.perf_counter()
        with subprocess.Popen([sys.executable, "-P", "-c", code], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None, "it was asked for"
            said = process.stdout.readline()
            answer.figures[figure] = time.perf_counter() - began
        if process.returncode or said != "drawn\n":
            raise RuntimeError(f"the program did not draw its window: exit status {process.returncode}")
    answer.engine = f"the time before {answer.figures['first']:.1f} s"


if __name__ == "__main__":
    sys.exit(main())
