# SPDX-License-Identifier: Apache-2.0
"""Tables of results: columns as ridge wrote them.

    nodes = ridgeline.analyze("zoo:resnet50").nodes
    nodes.to_pandas()              # or to_polars(), to_arrow(): columns, no object a row
    nodes["macs"].sum()            # a column as a NumPy array
    for node in nodes: ...         # a record a row

Ownership: a table, and what is made of it without a copy, keeps the mapped columns file alive.
Thread rule: read only, any thread.
"""

from __future__ import annotations

import json
from array import array

from .columns import FORMATS, Column
from .errors import HostError
from .record import RowPlan, _class_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Generic, Iterator, TypeVar

    import pandas
    import polars
    import pyarrow

    Row = TypeVar("Row")

    class _Of(Generic[Row]):
        """Says of a table what its rows are."""
else:
    Row = None

    class _Of:
        def __class_getitem__(cls, row: object) -> type:
            return cls

_SHOWN_ROWS = 10
_LONGEST_TEXT = 60


def _package(name: str):
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        raise HostError(
            f"this needs the package {name}", f"pip install {name}", "RIDGE-PY-0007"
        ) from None


def _texts(column: Column) -> list:
    """Values of a column of texts, of words or of JSON; None where there is none."""
    if column.words is not None:
        out = [column.words[code] for code in column.values]
    else:
        starts = column.offsets[:column.rows + 1].tolist()
        data = bytes(column.values[:starts[-1]])
        if data.isascii():
            text = data.decode("ascii")
            out = [text[a:b] for a, b in zip(starts, starts[1:])]
        else:
            out = [str(data[a:b], "utf-8") for a, b in zip(starts, starts[1:])]
    if column.valid is not None:
        out = [value if column.has(row) else None for row, value in enumerate(out)]
    return out


def _mask(column: Column):
    """NumPy array of truths: where the column has no value; None: nowhere."""
    if column.valid is None:
        return None
    import numpy

    bits = numpy.unpackbits(
        numpy.frombuffer(column.valid, "u1"), count=column.rows, bitorder="little"
    )
    return bits == 0


def _arrow(column: Column, pa):
    """The column as an Arrow array over the same bytes; only truths are packed to bits."""
    types = {"int64": pa.int64(), "uint64": pa.uint64(), "float64": pa.float64()}
    valid = None if column.valid is None else pa.py_buffer(column.valid)
    data = pa.py_buffer(column.values)
    if column.offsets is not None:
        parts = [valid, pa.py_buffer(column.offsets), data]
        return pa.Array.from_buffers(pa.large_string(), column.rows, parts)
    if column.type == "word":
        codes = pa.Array.from_buffers(pa.int32(), column.rows, [valid, data])
        return pa.DictionaryArray.from_arrays(codes, pa.array(column.words, pa.string()))
    if column.type == "bool":
        return pa.Array.from_buffers(pa.uint8(), column.rows, [valid, data]).cast(pa.bool_())
    return pa.Array.from_buffers(types[column.type], column.rows, [valid, data])


def _pandas(column: Column, pd):
    """Nullable integers and truths, NaN for reals without a value, categories, texts."""
    import numpy

    if column.offsets is not None:
        try:
            import pyarrow
        except ImportError:
            return pd.array(_texts(column), dtype="string")
        return pd.array(_arrow(column, pyarrow), dtype="string[pyarrow]")
    values, mask = numpy.asarray(column.values), _mask(column)
    if column.type == "word":
        codes = values if mask is None else numpy.where(mask, numpy.int32(-1), values)
        return pd.Categorical.from_codes(codes, categories=column.words)
    if mask is None:
        return values
    if column.type == "float64":
        return numpy.where(mask, numpy.nan, values)
    of = pd.arrays.BooleanArray if column.type == "bool" else pd.arrays.IntegerArray
    return of(values, mask)


class Table(_Of[Row]):
    """Rows of one list of a document, stored as columns.

    A record in a row has a column for each of its fields, named FIELD_INNER (`time_ns_median`); an
    interval has two (`..._low`, `..._high`). Lists in a row are columns of JSON text. The unit of a
    figure is in its name.
    """

    def __init__(self, columns: dict[str, Column], rows: int, row_class: type | None = None):
        self._columns, self._rows, self._class = columns, rows, row_class

    @classmethod
    def of_rows(cls, rows: list[dict], row_class: type | None) -> Table:
        """A table of rows as they stand in a JSON document."""
        flat: list[dict] = [{} for _ in rows]
        hints: dict[str, str] = {}
        for row, out in zip(rows, flat):
            _flatten(row, row_class, "", out, hints)
        columns = {
            name: _column_of([row.get(name) for row in flat], hint)
            for name, hint in hints.items()
        }
        return cls(columns, len(rows), row_class)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns)

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, name: str) -> Any:
        """A column: a NumPy array over the mapped file where every row has a number, a masked one
        where some have none, an array of str and None of texts. Without NumPy: a list."""
        column = self._columns.get(name)
        if column is None:
            import difflib

            near = difflib.get_close_matches(str(name), self._columns, 1)
            also = f"did you mean '{near[0]}'?" if near else f"it has {', '.join(self._columns)}"
            raise KeyError(f"no column '{name}'; {also}")
        try:
            import numpy
        except ImportError:
            return list(column)
        if column.offsets is not None or column.words is not None:
            out = numpy.empty(self._rows, object)
            out[:] = _texts(column)
            return out
        mask = _mask(column)
        values = numpy.asarray(column.values)
        return values if mask is None else numpy.ma.array(values, mask=mask)

    def _fields(self) -> Iterator[dict]:
        """The rows as they stand in the JSON document."""
        if self._class is not None:
            plan = RowPlan(self._class, self._columns)
            return (plan.fields(row) for row in range(self._rows))
        return (
            {name: column[row] for name, column in self._columns.items()}
            for row in range(self._rows)
        )

    def __iter__(self) -> Iterator[Row]:
        """Records, one a row, made on the way: for few rows."""
        if self._class is None:
            return self._fields()
        return (self._class._of(fields) for fields in self._fields())

    def to_pandas(self) -> pandas.DataFrame:
        """A `pandas.DataFrame`: integers without a value in some row are nullable (`Int64`), words
        categories, texts `string`. Needs pandas; texts cost no object a row with pyarrow."""
        pd = _package("pandas")
        columns = {name: _pandas(column, pd) for name, column in self._columns.items()}
        return pd.DataFrame(columns, index=pd.RangeIndex(self._rows), copy=False)

    def to_arrow(self) -> pyarrow.Table:
        """A `pyarrow.Table` over the bytes of the mapped file. Needs pyarrow."""
        pa = _package("pyarrow")
        return pa.table({name: _arrow(column, pa) for name, column in self._columns.items()})

    def to_polars(self) -> polars.DataFrame:
        """A `polars.DataFrame`. Needs polars and pyarrow."""
        return _package("polars").from_arrow(self.to_arrow())

    def __repr__(self) -> str:
        return f"<Table of {self._rows} rows: {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        import html

        def cell(tag: str, value: object) -> str:
            text = "" if value is None else str(value)
            if len(text) > _LONGEST_TEXT:
                text = text[:_LONGEST_TEXT] + "…"
            return f"<{tag}>{html.escape(text)}</{tag}>"

        head = "".join(cell("th", name) for name in self._columns)
        rows = "".join(
            "<tr>" + "".join(cell("td", column[row]) for column in self._columns.values()) + "</tr>"
            for row in range(min(self._rows, _SHOWN_ROWS))
        )
        return f"<table><tr>{head}</tr>{rows}</table><p>{self._rows} rows</p>"


class _Json(str):
    """JSON text of a list or map."""


def _flatten(fields: dict, row_class: type | None, prefix: str, out: dict, hints: dict) -> None:
    """Fields of a row under the names of their columns. `hints`: name to the annotation."""
    kinds = row_class._kinds if row_class else {}
    annotations = row_class.__annotations__ if row_class else {}
    for name, value in fields.items():
        kind, of, _ = kinds.get(name, ("", "", False))
        column = prefix + name
        if value is not None and kind == "record":
            _flatten(value, _class_named(of), column + "_", out, hints)
            continue
        if value is not None and kind == "interval":
            parts = {f"{column}_low": value[0], f"{column}_high": value[1]}
        elif kind in ("record", "interval"):
            continue
        elif isinstance(value, (list, dict)):
            parts = {column: _Json(json.dumps(value, ensure_ascii=False))}
        else:
            parts = {column: value}
        out.update(parts)
        hints.update(dict.fromkeys(parts, annotations.get(name, "")))


def _type_of(values: list, hint: str) -> str:
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        types = {"int": "int64", "bool": "bool", "str": "text", "list": "json", "dict": "json"}
        return types.get(hint.split(" ")[0].split("[")[0], "float64")
    if kinds == {int}:
        return "uint64" if max(v for v in values if v is not None) >= 1 << 63 else "int64"
    if kinds <= {int, float}:
        return "float64"
    return "bool" if kinds == {bool} else "text" if kinds == {str} else "json"


def _valid(values: list) -> bytearray | None:
    if None not in values:
        return None
    valid = bytearray((len(values) + 7) // 8)
    for row, value in enumerate(values):
        valid[row >> 3] |= (value is not None) << (row & 7)
    return valid


def _text_column(of: str, values: list) -> Column:
    as_is = (str, _Json) if of == "text" else _Json
    texts = ["" if v is None else v if isinstance(v, as_is) else json.dumps(v) for v in values]
    parts = [text.encode() for text in texts]
    offsets = array("q", [0])
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    data = b"".join(parts)
    return Column(of, len(values), data, memoryview(offsets), _valid(values))


def _column_of(values: list, hint: str) -> Column:
    """A column of the type that ridge gives it; `hint`: its annotation, "" where it has none."""
    words = None
    if hint.startswith("Literal["):
        import ast

        words = ast.literal_eval(hint[len("Literal"):hint.rindex("]") + 1])
        codes = {word: code for code, word in enumerate(words)}
        values = [None if value is None else codes[value] for value in values]
    of = "word" if words else _type_of(values, hint)
    if of in ("text", "json"):
        return _text_column(of, values)
    format = "b" if of == "bool" else FORMATS[of]
    numbers = memoryview(array(format, [value or 0 for value in values]))
    if of == "bool":
        numbers = numbers.cast("B").cast("?")
    return Column(of, len(values), numbers, None, _valid(values), words)
