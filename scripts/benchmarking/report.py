"""What was measured, as ratios against the bars: JSON for machines, a table to read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarking.measuring import OURS, NotRun, Taken
from benchmarking.rows import Bar, Row

Json = dict[str, Any]  # Any: JSON values


@dataclass(frozen=True, slots=True)
class Result:
    """A row with what each side took. `bytes` is the size of its corpus, 0 where it has none."""

    row: Row
    taken: Mapping[str, Taken]
    bytes: int = 0

    def value(self, who: str) -> float | None:
        """The median of a side's figure; None where there is none."""
        values = self.taken[who].values(self.row.figure)
        return median(values) if values else None

    @property
    def against(self) -> str | None:
        """The peer with the least figure, which the ratio is taken against; None where none was run."""
        found = [(value, who) for who in self.row.peers if (value := self.value(who)) is not None]
        return min(found)[1] if found else None

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the peer we are, or how many times its memory or time we need, as the bar wants it."""
        ours, theirs = self.value(OURS), self.value(self.against) if self.against else None
        if not ours or not theirs or self.row.bar is Bar.AT_MOST:
            return None
        return theirs / ours if self.row.bar is Bar.FASTER else ours / theirs

    @property
    def met(self) -> bool | None:
        """Whether the bar is reached; None where that is not known."""
        row, ours, ratio = self.row, self.value(OURS), self.ratio
        if row.bar is Bar.AT_MOST:
            return None if ours is None else ours * 1000 <= row.value
        if ours is None:
            return None
        if row.never_over_ms is not None and ours * 1000 > row.never_over_ms:
            return False
        if ratio is None:
            return None
        return ratio >= row.value if row.bar is Bar.FASTER else ratio <= row.value

    @property
    def same(self) -> bool | None:
        """Whether all who promise our result gave it; None where nobody does."""
        ours = {run.digest for run in self.taken[OURS].runs} - {""}
        theirs = {run.digest for who in self.row.peers for run in self.taken[who].runs} - {""}
        return len(ours | theirs) == 1 if ours and theirs else None

    def to_json(self) -> Json:
        """The row as JSON values."""
        return {
            "work": self.row.work, "corpus": self.row.corpus, "figure": self.row.figure, "unit": self.unit,
            "ours": self._side(OURS), "peers": [self._side(who) for who in self.row.peers], "against": self.against,
            "ratio": self.ratio, "bar": self.row.value, "bar_means": self.bar_means, "met": self.met, "same_result": self.same,
        }

    def _side(self, who: str) -> Json:
        taken = self.taken[who]
        if taken.not_run and not taken.runs:
            return {"name": who, "not_run": taken.not_run.why}
        first = taken.runs[0]
        return {
            "name": who, "engine": first.engine, "median": self.value(who), "values": taken.values(self.row.figure),
            "runs": [{"figures": run.figures, "peak_bytes": run.peak_bytes} for run in taken.runs],
        }

    @property
    def unit(self) -> str:
        """What the figures are counted in."""
        if self.row.figure == "peak":
            return "bytes"
        on_the_clock = self.row.figure.endswith("wall") or self.row.bar is Bar.AT_MOST
        return "seconds on the clock" if on_the_clock else "processor seconds"

    @property
    def bar_means(self) -> str:
        """The bar in words."""
        also = "" if self.row.never_over_ms is None else f", and never over {self.row.never_over_ms:g} ms"
        return f"{self.row.value:g} {self.row.bar.value}{also}"


def shown(result: Result, who: str) -> str:
    """A side's figure as a person reads it: "0.110 s", "1,199 MB", "12.3 ms", "not run"."""
    value = result.value(who)
    if value is None:
        return "not run"
    if result.row.figure == "peak":
        return f"{value / 1e6:,.0f} MB"
    if result.row.bar is Bar.AT_MOST or result.row.never_over_ms is not None:
        return f"{value * 1000:.1f} ms"
    rate = f" {result.bytes / 1e6 / value:.0f} MB/s" if result.bytes and result.row.job.task in ("encode", "spans") else ""
    return f"{value:.3f} s{rate}"


def table(results: Sequence[Result]) -> str:
    """All rows as columns, then what to know of each."""
    signs = {True: "yes", False: "NO", None: "?"}
    lines = [("work", "ours", "fastest peer", "ratio", "bar", "met")]
    for result in results:
        against = result.against
        theirs = f"{against} {shown(result, against)}" if against else ("none has it" if not result.row.peers else "not run")
        ratio = "" if result.ratio is None else f"{result.ratio:.3g}"
        lines.append((result.row.work, shown(result, OURS), theirs, ratio, _short_bar(result), signs[result.met]))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([rows[0], "-" * len(rows[0]), *rows[1:], "", *filter(None, map(_remarks, results))])


def _short_bar(result: Result) -> str:
    signs = {Bar.FASTER: f">= {result.row.value:g}", Bar.WITHIN: f"<= {result.row.value:g}", Bar.AT_MOST: f"<= {result.row.value:g} ms"}
    also = "" if result.row.never_over_ms is None else f", {result.row.never_over_ms:g} ms"
    return signs[result.row.bar] + also


def _remarks(result: Result) -> str:
    """What the columns have no room for: who answered, how often, the other peers, whether the results agree."""
    parts = [_remark(result, who) for who in (OURS, *result.row.peers)]
    if result.same is not None:
        parts.append("all results the same" if result.same else "RESULTS DIFFER")
    return f"{result.row.work}: {'; '.join(parts)}."


def _remark(result: Result, who: str) -> str:
    taken = result.taken[who]
    if not taken.runs:
        why = taken.not_run or NotRun("nothing was asked")
        return f"{who} not run: {why.why}"
    times = "" if len(taken.runs) == 1 else f", median of {len(taken.runs)}"
    if result.value(who) is None:
        return f"{who} ({taken.runs[0].engine}): no such figure on this system"
    return f"{who} ({taken.runs[0].engine}) {shown(result, who)}{times}"
