"""The `pieces` command: every lab and every figure at a terminal, laid out for reading or, with `--json`, as one JSON object.

    pieces MODE [--corpus NAME|FILE] [recipe options] [--json]

    command     the way in: parse, run the mode, write, exit code
    arguments   the options that modes share, and errors in one line
    subject     which corpus and recipe a command line means
    values      the JSON of corpora, recipes, merges and tokens, the same in every mode
    layout      figures, tables and quoted pieces, the same in every mode
    modes       one module a mode or a family of modes; each makes values for JSON and, apart from them, lines for reading

Exit codes: 0 a result, a reported loss too; 1 a `script` that fails or an `annals` that differs; 2 bad use, in one line.
"""

from explorer.pieces.command import main

__all__ = ["main"]
