"""python -m explorer: reads the arguments, then opens the window or takes its picture."""

import argparse
import os
import sys
from pathlib import Path

from explorer.core.recipe import PRESETS
from explorer.processes import cutting


def main(argv: list[str] | None = None) -> int:
    """Runs the program; the exit code."""
    if (sys.argv[1:] if argv is None else argv)[:1] == [cutting.ASKED_FOR]:  # a frozen program is its own interpreter
        cutting.main()
    options = _parser().parse_args(argv)
    if options.shot:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from explorer.gui import app  # Qt is loaded only after the arguments are known to be good

    files = tuple(options.files) + ((options.open,) if options.open else ())
    opening = app.Opening(files, options.recipe, options.step, options.text)
    if not options.shot:
        return app.run(opening)
    app.prepare_offscreen(str(options.scale))
    return app.take(app.Shot(options.shot, options.size, options.theme, options.page, options.welcome), opening)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("bpe-explorer", description="Watch byte pair encoding build its merge table.")
    parser.add_argument("files", nargs="*", type=Path, help="a corpus to open: text, JSON Lines or word counts")
    parser.add_argument("--open", type=Path, metavar="FILE", help="the same")
    parser.add_argument("--recipe", choices=sorted(PRESETS), help="train this recipe")
    parser.add_argument("--step", type=_merges, metavar="K", help="go to merge K")
    parser.add_argument("--text", help="your text")
    shot = parser.add_argument_group("a picture of the window, taken without a screen")
    shot.add_argument("--shot", type=Path, metavar="OUT.png", help="take it, save it there, and end")
    shot.add_argument("--size", type=_size, default=(1440, 900), metavar="WxH")
    shot.add_argument("--theme", choices=("light", "dark", "contrast"), default="light")
    shot.add_argument("--scale", type=float, default=1, help="pixels per point, as 2")
    shot.add_argument("--page", choices=("panes", "ties", "greed"), default="panes")
    shot.add_argument("--welcome", action="store_true", help="with the strip of the first start")
    return parser


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is no size: say WIDTHxHEIGHT, as 1440x900")
    return int(width), int(height)


def _merges(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of merges")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
