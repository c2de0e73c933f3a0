"""One run of the benchmark: the options, the set-up, every row in its turn, and the report."""

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import setup_project
from benchmarking import corpora, peer_venv, ranks, report, rows
from benchmarking.fresh import Job
from benchmarking.measuring import OURS, Asked, Clock, Measurements, NotRun, Pythons
from benchmarking.rows import Row
from benchmarking.theirs import PEERS

QUICK_S = 50.0  # for all measurements; the rest of the minute is for starting and for the one process that is under way
QUICK_LIMIT_S = 10.0
LIMIT_S = 300.0
COMPILING_S = 600.0
ENCODING = ("encode", "spans", "hard")  # the tasks that need a vocabulary


@dataclass(frozen=True, slots=True)
class Place:
    """Where everything is: the cache folder, who runs what, and for each corpus the file or why there is none."""

    cache: Path
    pythons: Pythons
    texts: Mapping[str, corpora.Made | str]
    no_ranks: str | None

    @property
    def ranks(self) -> Path:
        """The file of cl100k's merges."""
        return self.cache / "cl100k.merges"

    def mapped(self, made: corpora.Made) -> Path:
        """The file of a corpus in which each byte is a letter."""
        return made.path.with_suffix(".map")


def main(description: str | None) -> int:
    """Runs the benchmark; the exit status is 0 when every row was measured or is said not to have been."""
    options = _parser(description).parse_args()
    return int(setup_project.or_clear_words(lambda: _run(options))) if options.python is None else _run(options)


def _parser(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("benchmark.py", description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="less than a minute, on 1 and 10 MB")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all figures there, as JSON")
    parser.add_argument("--only", metavar="WORDS", help="measure the rows whose name holds these words")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="the folder for what is set up (%(default)s)")
    parser.add_argument("--set-up", action="store_true", help="set up, and measure nothing")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help=f"for one measurement ({LIMIT_S:g}, with --quick {QUICK_LIMIT_S:g})")
    parser.add_argument("--python", type=Path, help="an interpreter that has what the program needs; else .venv is set up and taken")
    return parser


def default_cache() -> Path:
    """The folder for caches of this user's programs, and ours in it."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library/Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "bpe-explorer-benchmark"


def _run(options: argparse.Namespace) -> int:
    wanted = [row for row in (rows.quick_rows() if options.quick else rows.all_rows()) if (options.only or "") in row.work]
    place = set_up(options.cache.resolve(), options.python, wanted)
    if options.set_up:
        return 0
    limit = options.limit or (QUICK_LIMIT_S if options.quick else LIMIT_S)
    clock = Clock(limit, time.monotonic() + QUICK_S if options.quick else None)
    results = measure(wanted, place, clock)
    facts = machine()
    print("\n".join(["", report.table(results), "", *notes(place), "; ".join(f"{name} {value}" for name, value in facts.items())]))
    if options.json:
        whole = {
            "quick": options.quick, "machine": facts, "corpora": {name: _corpus_json(found) for name, found in place.texts.items()},
            "rows": [result.to_json() for result in results],
        }
        options.json.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    return 0


def set_up(cache: Path, python: Path | None, wanted: Sequence[Row]) -> Place:
    """Brings everything there that the rows need; what cannot be had is noted, not raised."""
    cache.mkdir(parents=True, exist_ok=True)
    ours = python.absolute() if python else _own_python()  # not resolved: an environment's interpreter is a link to another
    venv, absent = peer_venv.provide(cache, peer_venv.requirements(setup_project.ROOT / "pyproject.toml"), _tell)
    missing = {peer: absent[distribution] for (peer, _), (distribution, _) in PEERS.items() if distribution in absent}
    made = corpora.make(cache / "corpora", sorted({row.corpus for row in wanted if row.corpus}), _tell)
    scratch = cache / "scratch"
    scratch.mkdir(exist_ok=True)
    pythons = Pythons(ours, peer_venv.python_of(venv), missing, setup_project.ROOT, scratch)
    place = Place(cache, pythons, made, _make_ranks(cache, venv))
    for found in made.values():
        if isinstance(found, corpora.Made):
            corpora.map_letters(found.path, place.mapped(found))
    _compile(place)
    return place


def _own_python() -> Path:
    """The program's interpreter, set up as scripts/run.py sets it up; the one that is there if that fails for want of network."""
    try:
        setup_project.set_up(extra="", platforms=("offscreen",))
    except setup_project.SetupError as error:
        if not setup_project.python_runs(setup_project.PYTHON):
            raise
        _tell(f"{error}\nMeasuring with .venv as it is.")
    return setup_project.PYTHON


def _make_ranks(cache: Path, venv: Path) -> str | None:
    target = cache / "cl100k.merges"
    if not target.is_file():
        _tell("Recovering the merges of cl100k from its ranks ...")
    try:
        ranks.make(peer_venv.site_packages_of(venv), target)
    except ranks.RanksError as error:
        return str(error)
    return None


def _compile(place: Place) -> None:
    """Compiles the program's kernels, as the window does on first use. Where that fails the readable engine is what is measured."""
    command = [str(place.pythons.ours), "-P", "-m", "explorer.core.kernels"]
    environment = {**os.environ, "PYTHONPATH": str(setup_project.ROOT)}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=COMPILING_S, check=False)
    except subprocess.TimeoutExpired:
        _tell(f"The kernels were not compiled within {COMPILING_S:g} s.")
        return
    if done.returncode:
        _tell(done.stderr.strip() or "The kernels were not compiled.")
        return
    rehearsed = place.pythons.run(OURS, Job("rehearse", ranks="" if place.no_ranks else str(place.ranks)), COMPILING_S)
    if isinstance(rehearsed, NotRun):
        _tell(f"The rehearsal {rehearsed.why}.")


def measure(wanted: Sequence[Row], place: Place, clock: Clock) -> list[report.Result]:
    """Every row. Stopped by the keyboard, what was measured until then."""
    measurements = Measurements(place.pythons.run, clock, _tell)
    asked = [ask(row, place) for row in wanted]
    try:
        measurements.take(asked, rows.ROUNDS)
    except KeyboardInterrupt:
        _tell("Stopped. What there is:")
    return [report.Result(each.row, measurements.of(each), size_of(each.row, place)) for each in asked]


def ask(row: Row, place: Place) -> Asked:
    """The row with the paths it needs, or why it cannot be measured."""
    job, found = row.job, place.texts.get(row.corpus)
    if isinstance(found, str):
        return Asked(row, job, found)
    if found is not None:
        job = replace(job, corpus=str(found.path), mapped=str(place.mapped(found)))
    if job.task in ENCODING:
        return Asked(row, replace(job, ranks=str(place.ranks)), place.no_ranks)
    return Asked(row, job)


def size_of(row: Row, place: Place) -> int:
    """The bytes of a row's corpus, 0 where it has none."""
    found = place.texts.get(row.corpus)
    return found.size if isinstance(found, corpora.Made) else 0


def notes(place: Place) -> list[str]:
    """What to know of the corpora, a line each."""
    return [f"{found.note}." for found in place.texts.values() if isinstance(found, corpora.Made) and found.note]


def _corpus_json(found: corpora.Made | str) -> dict[str, object]:
    if isinstance(found, str):
        return {"not_made": found}
    return {"file": found.path.name, "bytes": found.size, "sha256": found.sha256, "note": found.note}


def machine() -> dict[str, str]:
    """What the figures depend on besides the code."""
    facts = {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"), "system": platform.platform(),
        "processor": _processor(), "cores": str(os.cpu_count()), "Python": platform.python_version(),
    }
    if hasattr(os, "getloadavg"):
        facts["load"] = "{:.1f} {:.1f} {:.1f}".format(*os.getloadavg())
    return facts


def _processor() -> str:
    names = Path("/proc/cpuinfo")
    if names.is_file():
        for line in names.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _tell(words: str) -> None:
    print(words, flush=True)
