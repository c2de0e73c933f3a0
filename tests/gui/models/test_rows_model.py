"""The rows of a corpus file as a table model: nothing is read before it is shown."""

from dataclasses import dataclass, field

from PySide6.QtCore import Qt

from explorer.gui.models.rows_model import CELL_LETTERS, RIGHT, ROWS_KEPT, SAMPLED, RowsModel


@dataclass
class Counted:
    """Rows that remember which were read."""

    columns: tuple[str, ...]
    table: list[tuple[str, ...]]
    read: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.table)

    def cells(self, row: int) -> tuple[str, ...]:
        self.read.append(row)
        return self.table[row]


def texts(model: RowsModel, row: int) -> list[object]:
    return [model.data(model.index(row, column)) for column in range(model.columnCount())]


def test_number_and_all_columns_with_names_for_what_has_no_picture(qapp: object) -> None:
    model = RowsModel()
    model.show_rows(Counted(("tick", "text"), [("0", "one\ttwo"), ("-450", "a\x00b\n")]))
    heads = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert heads == ["row", "tick", "text"]
    assert texts(model, 1)[:2] == ["2", "-450"]
    assert "NUL" in str(texts(model, 1)[2]) and "\x00" not in str(texts(model, 1)[2])
    assert model.alignment(1) == RIGHT and model.alignment(2) != RIGHT


def test_two_hundred_thousand_rows_are_read_as_they_are_shown(qapp: object) -> None:
    rows = Counted(("text",), [(f"row {n}",) for n in range(200_000)])
    model = RowsModel()
    model.show_rows(rows)
    assert model.rowCount() == 200_000
    assert texts(model, 150_000) == ["150\u2009001", "row 150000"]
    assert set(rows.read) == {*range(SAMPLED), 150_000}
    before = len(rows.read)
    texts(model, 150_000)
    assert len(rows.read) == before
    for row in range(2 * ROWS_KEPT):
        model.cell(row, 0)
    model.cell(150_000, 0)
    assert rows.read[-1] == 150_000, "what was shown long ago is read again, not kept for ever"


def test_cut_cells_short_rows_and_lone_surrogates(qapp: object) -> None:
    model = RowsModel()
    model.show_rows(Counted(("a", "b"), [("x" * (CELL_LETTERS + 1),), ("\ud83d", "\udcff")]))
    assert model.cell(0, 0) == "x" * CELL_LETTERS + "…"
    assert model.cell(0, 1) == "", "a row with too few cells"
    assert model.cell(1, 0) == "EDA0BD", "half an emoji is three stray bytes"
    assert model.cell(1, 1) == "FF"


def test_no_rows_no_columns(qapp: object) -> None:
    model = RowsModel()
    assert (model.rowCount(), model.columnCount()) == (0, 0)
