"""The way in: parse the command line, run the mode, write what it answers, give back the exit code."""

import io
import json
import os
import sys
from collections.abc import Sequence

from explorer.core.disk import why
from explorer.core.marking import lending
from explorer.errors import ExplorerError
from explorer.pieces.arguments import Parser, add_corpus_options, add_output_options, add_recipe_options
from explorer.pieces.modes import MODES, Answer
from explorer.processes import cutting
from explorer.processes.cutters import cutters

BAD_USE = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line (without the program's name; None: the process's own) and returns the exit code."""
    if (sys.argv[1:] if argv is None else argv)[:1] == [cutting.ASKED_FOR]:  # a frozen program is its own interpreter
        cutting.main()
    try:
        options = parser().parse_args(argv)
        with lending(cutters()):
            answer: Answer = options.answer(options)
    except ExplorerError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    text = json.dumps(answer.values, indent=1) if options.json else "\n".join(answer.lines)
    fault = _write(text + "\n")
    return _refuse(f"the answer could not be written: {fault}") if fault else answer.code


def parser() -> Parser:
    """The parser of every mode."""
    top = Parser(prog="pieces", description="Every figure of BPE Explorer at a terminal.")
    modes = top.add_subparsers(metavar="MODE", required=True, dest="mode", parser_class=Parser)
    for mode in MODES:
        made = modes.add_parser(mode.name, help=mode.shows, description=mode.shows, allow_abbrev=False)
        add_output_options(made)
        mode.add_options(made.add_argument_group("of this mode"))
        if mode.corpus is not None:
            add_corpus_options(made, mode.corpus)
            add_recipe_options(made)
        made.set_defaults(answer=mode.answer)
    return top


def _refuse(message: str) -> int:
    """One line on stderr, whatever the message holds."""
    _write(f"pieces: {' '.join(message.split())}\n", error=True)
    return BAD_USE


def _write(text: str, *, error: bool = False) -> str | None:
    """Writes to a terminal of any encoding; returns why it could not. Whoever closed the pipe has read enough."""
    stream = sys.stderr if error else sys.stdout
    if not stream:  # started with that output closed
        return None
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    try:
        stream.write(text)
        stream.flush()
    except OSError as failed:
        # Python flushes once more at exit and would complain then; what is left is given up.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return None if isinstance(failed, BrokenPipeError) else why(failed)
    return None
