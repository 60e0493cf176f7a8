# SPDX-License-Identifier: Apache-2.0
"""What results are made of: records of a document's fields, and results, which are whole documents.

The classes themselves are in records.py, made from data/schema. `_kinds` of a class says which
fields are no plain values:

    "time_ns": ("record", "LayerTime", False)      # a record; True: may be null
    "ci95": ("interval", "", True)                 # [low, high]
    "members": ("list", "LayerMember", False)      # a list of records
    "bindings": ("map", "Binding", False)          # texts to records
"""

from __future__ import annotations

import json
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator


def _class_named(name: str) -> type:
    return getattr(sys.modules[__package__ + ".records"], name)


def _text(value: Any) -> str:
    """JSON without blanks, as ridge writes it: some of it is stored as it is, and compared."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _value(kind: str, name: str, value: Any) -> Any:
    """A value of a JSON document as an attribute."""
    if value is None or not name:
        return value
    cls = _class_named(name)
    if kind == "list":
        return [cls._of(item) for item in value]
    if kind == "map":
        return {key: cls._of(item) for key, item in value.items()}
    return cls._of(value)


def _keys(cls: type) -> list[tuple[str, str]]:
    """Attributes of a class and their keys in JSON: `from_` is "from"."""
    return [(name, name.rstrip("_")) for name in cls.__annotations__]


class _DataclassFields:
    """Makes a dataclass of a class when `dataclasses` asks for its fields.

    The decorator on 200 classes would triple the time of the first import.
    """

    def __get__(self, _: object, cls: type) -> dict:
        if not cls.__annotations__:
            raise AttributeError("a base of records is no dataclass")
        import dataclasses

        return dataclasses.dataclass(init=False, repr=False, eq=False)(cls).__dataclass_fields__


class Record:
    """A record of a document. Its fields are attributes; what is absent or null is None.

    Records are dataclasses: `dataclasses.asdict(record)` works.
    """

    __annotations__ = {}
    __dataclass_fields__ = _DataclassFields()
    _kinds = {}
    _optional = frozenset()

    @classmethod
    def _of(cls, fields: dict) -> Record:
        self = cls.__new__(cls)
        for attribute, key in _keys(cls):
            kind, of, _ = cls._kinds.get(key, ("", "", False))
            setattr(self, attribute, _value(kind, of, fields.get(key)))
        return self

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    __hash__ = None

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name}={value!r}" for name, value in self.__dict__.items() if value is not None
        )
        return f"{type(self).__name__}({shown})"


class RowPlan:
    """Rows of a table as records: which columns make which field.

    plan = RowPlan(AnalysisNode, columns)
    plan.fields(17)            # the row as in the JSON document
    """

    def __init__(self, cls: type, columns: dict, prefix: str = ""):
        self._steps, self._columns = [], []
        for _, name in _keys(cls):
            kind, of, nullable = cls._kinds.get(name, ("", "", False))
            nullable = nullable or name in cls._optional
            column = columns.get(prefix + name)
            if column is not None:
                own, read = [column], _reader(column)
            elif kind == "record":
                part = RowPlan(_class_named(of), columns, f"{prefix}{name}_")
                own, read = part._columns, part.present if nullable else part.fields
            elif kind == "interval" and f"{prefix}{name}_low" in columns:
                own = [columns[f"{prefix}{name}_{end}"] for end in ("low", "high")]
                read = _interval_reader(*map(_reader, own), nullable)
            else:
                continue
            self._columns += own
            self._steps.append((name, name in cls._optional, read))

    def fields(self, row: int) -> dict:
        out = {}
        for name, optional, read in self._steps:
            value = read(row)
            if value is not None or not optional:
                out[name] = value
        return out

    def present(self, row: int) -> dict | None:
        """None where no column of it has a value."""
        return self.fields(row) if any(column.has(row) for column in self._columns) else None


def _reader(column):
    """Reads the value of a row as it is in the JSON document."""
    if column.type != "json":
        return column.__getitem__
    return lambda row: json.loads(column[row]) if column.has(row) else None


def _interval_reader(low, high, nullable: bool):
    def read(row: int):
        pair = [low(row), high(row)]
        return None if nullable and pair == [None, None] else pair

    return read


class Result(Record):
    """A document of ridge. Lists of records are tables (`ridgeline.Table`), the rest as it is.

    `_tables`: field to the class of its rows ("" for rows whose columns differ from call to call).
    `_results`: field to the class of the documents in its list (the points of a sweep).
    """

    __annotations__ = {}
    _tables = {}
    _results = {}
    #: The page of `report`, if ridge wrote one.
    _page = None

    @classmethod
    def _of(cls, fields: dict, columns: dict | None = None, rows: dict | None = None) -> Result:
        """`columns`, `rows`: tables of a columns file; the other lists are in `fields`."""
        from .table import Table

        self = super()._of(fields)
        self._document = fields
        for name, of in cls._tables.items():
            row_class = _class_named(of) if of else None
            if columns and name in columns:
                setattr(self, name, Table(columns[name], rows[name], row_class))
            elif fields.get(name) is not None:
                setattr(self, name, Table.of_rows(fields[name], row_class))
        for name, of in cls._results.items():
            item = _class_named(of)
            documents = fields.get(name) or []
            if columns and name in columns:
                plan = RowPlan(item, columns[name])
                documents = [plan.fields(row) for row in range(rows[name])]
            setattr(self, name, [item._of(document) for document in documents])
        return self

    def to_json(self) -> str:
        """The document that `ridge --format json` prints: the same keys and values."""
        return "".join(self._json())

    def save(self, path: str) -> None:
        """Writes the document as JSON, for `ridge compare`, `ridge export` and other programs."""
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(self._json())

    def _json(self) -> Iterator[str]:
        before = "{"
        for name in type(self).__annotations__:
            value = getattr(self, name)
            if name in self._results:
                items = (item.to_json() for item in value)
            elif name in self._tables and value is not None:
                items = (_text(row) for row in value._fields())
            elif name in self._document:
                yield f"{before}{json.dumps(name)}:"
                yield _text(self._document[name])
                before = ",\n"
                continue
            else:
                continue
            yield f"{before}{json.dumps(name)}:["
            for i, item in enumerate(items):
                yield (",\n" if i else "\n") + item
            yield "]"
            before = ",\n"
        yield "}\n"

    def report(self, path: str) -> None:
        """Writes the report that ridge made of this result: one HTML file that opens offline.

        Errors: UsageError for results without one (analyses, generations, lists of runs).
        """
        from .errors import UsageError

        if self._page is None:
            raise UsageError(
                f"ridge makes no page of {type(self).__name__} results",
                "profile, compare, advise, evaluate, accelerate and bricks make one",
                "RIDGE-PY-0006",
            )
        with open(path, "wb") as file:
            file.write(self._page)

    def __repr__(self) -> str:
        tables = (name for name in self._tables if getattr(self, name) is not None)
        parts = [f"{name}: {len(getattr(self, name))} rows" for name in tables]
        model = getattr(self, "model", None)
        if getattr(model, "path", None):
            parts.insert(0, repr(model.path))
        return f"<{type(self).__name__} {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        """The page of the result in a frame of its own, so that no style leaves it; else tables."""
        import html

        if self._page is not None:
            page = html.escape(str(self._page[:], "utf-8"), quote=True)
            return (
                f'<iframe sandbox="allow-scripts" srcdoc="{page}" '
                'style="width:100%;height:640px;border:1px solid #ccc"></iframe>'
            )
        tables = (getattr(self, name) for name in self._tables)
        shown = "".join(table._repr_html_() for table in tables if table is not None)
        return f"<p>{html.escape(repr(self))}</p>{shown}"
