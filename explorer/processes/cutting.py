"""What runs in a process of its own: the texts of passages come in, where the cuts of a split pattern start goes out.

The process is ended from outside whenever nobody wants its answer any more. Two threads stay awake while a match is looked for,
as `regex` lets go of the interpreter: one sees that whoever asked is gone, however that came about, as the standard input
ends; the other tells how far the pattern is, so that the place is known where it finds no end.

Messages, in bytes of this machine. In: a length and the pattern; then for every passage `PASSAGE`, the starts and the ends of
its texts, and its bytes. Out: `ANSWER` and as many starts as it says.
"""

import os
import signal
import struct
import sys
import threading
import time
from array import array
from queue import SimpleQueue
from typing import BinaryIO

import regex

from explorer.core.pattern_matches import SomeTexts
from explorer.errors import PatternTimeoutError, TooLargeError

LENGTH = struct.Struct("=q")
PASSAGE = struct.Struct("=qqqd")  # how many texts, how many bytes, where to stop, the limit in seconds
ANSWER = struct.Struct("=qqq")  # of which kind, up to which byte of the passage it is cut, how many starts follow
FOUND, DONE, STUCK, TOO_LARGE = range(4)
ASKED_FOR = "--cut-by-pattern"  # what a program without an interpreter of its own is started with for this
TELL_S = 0.25  # how often it is told how far the pattern is
SECOND_NET = 10  # times the limit, after which a process ends that nobody ended

Texts = list[tuple[int, int]]
Asked = tuple[Texts, bytes, int, float]


def main() -> None:
    """Answers until there is nobody who asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; whoever asked decides
    source, asked = sys.stdin.buffer, SimpleQueue[Asked]()
    pattern = regex.compile(_read(source, LENGTH.unpack(_read(source, LENGTH.size))[0]).decode("utf-8", "surrogatepass"))
    threading.Thread(target=_take, args=(source, asked), daemon=True).start()
    answers = _Answers(sys.stdout.buffer)
    threading.Thread(target=answers.keep_telling, daemon=True).start()
    while True:
        bounds, data, stop, limit_s = asked.get()
        answers.begin(SomeTexts(pattern, data, bounds, None, stop), limit_s)


class _Answers:
    """What is told about one passage after the other."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._one_at_a_time = threading.Lock()
        self._texts: SomeTexts | None = None  # of the passage at work
        self._told = 0
        self._limit_s = 0.0

    def begin(self, texts: SomeTexts, limit_s: float) -> None:
        """Cuts a passage and tells where its cuts start, and at last that it is done."""
        with self._one_at_a_time:
            self._texts, self._limit_s = texts, limit_s
            self._write(FOUND, 0, array("q"))  # it has begun
        kind = DONE
        try:
            for starts in texts.starts():
                self._tell(FOUND, texts, starts)
        except PatternTimeoutError:
            kind = STUCK
        except TooLargeError:
            kind = TOO_LARGE
        with self._one_at_a_time:
            self._texts = None
            self._write(kind, texts.through, array("q"))

    def keep_telling(self) -> None:
        """Tells how far the passage at work is where that has changed; ends the process where it does not for too long."""
        since = time.process_time()
        while True:
            time.sleep(TELL_S)
            texts = self._texts
            if texts is None or texts.through > self._told:
                since = time.process_time()
                if texts:
                    self._tell(FOUND, texts, array("q"))
            elif time.process_time() - since > SECOND_NET * self._limit_s:
                os._exit(STUCK)

    def _tell(self, kind: int, texts: SomeTexts, starts: "array[int]") -> None:
        with self._one_at_a_time:
            if texts is self._texts:  # or it is done meanwhile
                self._write(kind, texts.through, starts)

    def _write(self, kind: int, through: int, starts: "array[int]") -> None:
        self._told = through
        self._out.write(ANSWER.pack(kind, through, len(starts)))
        self._out.write(starts)
        self._out.flush()


def _take(source: BinaryIO, asked: "SimpleQueue[Asked]") -> None:
    """Takes passages as they come; ends the process when no more can come, or where memory does not hold one."""
    try:
        while True:
            count, size, stop, limit_s = PASSAGE.unpack(_read(source, PASSAGE.size))
            starts, ends = array("q", _read(source, 8 * count)), array("q", _read(source, 8 * count))
            asked.put((list(zip(starts, ends, strict=True)), _read(source, size), stop, limit_s))
    except MemoryError:
        os._exit(TOO_LARGE)  # or whoever asked would wait for ever


def _read(source: BinaryIO, size: int) -> bytes:
    data = source.read(size)
    if len(data) < size:
        os._exit(0)  # from whatever thread, in whatever match: nobody hears the answer
    return data


if __name__ == "__main__":
    main()
