"""How numbers are written in messages: the same in the core, the readers of files and the window."""

from pathlib import Path

import pytest

import explorer
from explorer.core.figures import duration, thousands


def test_three_digits_stand_together_after_a_thin_space() -> None:
    assert [thousands(number) for number in (0, 999, 1000, 7123, 2**63)] == [
        "0", "999", "1\u2009000", "7\u2009123", "9\u2009223\u2009372\u2009036\u2009854\u2009775\u2009808",
    ]  # fmt: skip


def test_no_message_groups_its_digits_in_another_way() -> None:
    package = Path(explorer.__file__).parent
    sources = {path: path.read_text("utf-8") for path in package.rglob("*.py")}
    assert len(sources) > 150
    apart = [path.name for path, text in sources.items() if text.count(":,}") != text.count(':,}".replace(",", "\\u2009")')]
    assert not apart


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "about 1 s"), (40.4, "about 40 s"), (89, "about 89 s"), (180, "about 3 min"), (7200, "about 2.0 h")]
)
def test_a_time_is_told_as_a_person_would(seconds: float, said: str) -> None:
    assert duration(seconds) == said
