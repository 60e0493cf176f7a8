# SPDX-License-Identifier: Apache-2.0
"""Reads a columns file (`--format columns`, docs/reference/columns.md) without copying it.

    file = ColumnFile("nodes.columns")
    file.document["totals"]["macs"]
    file.tables["nodes"]["macs"].values       # a memoryview of int64

A column borrows the mapped file, which lives as long as a column of it; the file itself may be
deleted at once. Thread rule: read only, any thread.
"""

from __future__ import annotations

import json
import mmap
import struct

from .errors import HostError

_MARK = b"RIDGECOL"
_SCHEMA = "ridge.columns/1"
#: Type of a column to the format of `memoryview.cast`.
FORMATS = {"int64": "q", "uint64": "Q", "float64": "d", "bool": "?", "word": "i"}


class Column:
    """One column: `type`, and its buffers as memoryviews of the mapped file.

    `values`: one element a row, of what the format of its type says (codes of `words` for "word",
    bytes in UTF-8 for "text" and "json", between `offsets`). `valid`: a bitmap, least significant
    bit first, or None where every row has a value.
    """

    __slots__ = ("type", "rows", "values", "offsets", "valid", "words")

    def __init__(self, type, rows, values, offsets=None, valid=None, words=None):
        self.type, self.rows = type, rows
        self.values, self.offsets, self.valid, self.words = values, offsets, valid, words

    def __len__(self) -> int:
        return self.rows

    def __iter__(self):
        return (self[row] for row in range(self.rows))

    def has(self, row: int) -> bool:
        return self.valid is None or bool(self.valid[row >> 3] >> (row & 7) & 1)

    def __getitem__(self, row: int):
        """The value of a row: int, float, bool, str, or None; of a "json" column its text."""
        if not self.has(row):
            return None
        if self.offsets is not None:
            return str(self.values[self.offsets[row]:self.offsets[row + 1]], "utf-8")
        if self.words is not None:
            return self.words[self.values[row]]
        return self.values[row]


class ColumnFile:
    """`document`: what `--format json` prints, without the lists that are tables. `tables`: name
    of each such list to its columns, a dictionary by name. `rows`: name to its number of rows."""

    def __init__(self, path: str):
        self._path = path
        try:
            with open(path, "rb") as file:
                self._bytes = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except ValueError:  # nothing to map
            raise self._broken("it is empty") from None
        footer = self._footer()
        self.document = footer["document"]
        self.rows = {name: table["rows"] for name, table in footer["tables"].items()}
        self.tables = {
            name: {c["name"]: self._column(c, table["rows"]) for c in table["columns"]}
            for name, table in footer["tables"].items()
        }

    def _broken(self, why: str) -> HostError:
        return HostError(
            f"{self._path}: no columns file: {why}",
            "write it again with --format columns",
            "RIDGE-PY-0005",
        )

    def _footer(self) -> dict:
        size = len(self._bytes)
        if size < 24 or self._bytes[:8] != _MARK or self._bytes[-8:] != _MARK:
            raise self._broken("it does not begin and end with RIDGECOL")
        (length,) = struct.unpack("<Q", self._bytes[-16:-8])
        if length > size - 24:
            raise self._broken(f"its footer of {length} bytes does not fit")
        try:
            footer = json.loads(bytes(self._bytes[size - 16 - length:size - 16]))
        except ValueError as error:
            raise self._broken(f"its footer is no JSON: {error}") from None
        if footer.get("schema") != _SCHEMA:
            raise self._broken(f"its schema is '{footer.get('schema')}', not '{_SCHEMA}'")
        return footer

    def _part(self, place, format: str, least: int) -> memoryview:
        offset, size = place
        if offset < 0 or size < 0 or offset + size > len(self._bytes):
            raise self._broken(f"a buffer at {offset} of {size} bytes does not fit")
        part = self._bytes[offset:offset + size]
        out = part if format == "B" else part.cast(format)
        if len(out) < least:
            raise self._broken(f"a buffer at {offset} has {len(out)} elements, {least} expected")
        return out

    def _column(self, c: dict, rows: int) -> Column:
        valid = self._part(c["valid"], "B", (rows + 7) // 8) if c.get("valid") else None
        if c["type"] in ("text", "json"):
            data = self._part(c["data"], "B", 0)
            offsets = self._part(c["offsets"], "q", rows + 1)
            if offsets[0] != 0 or offsets[rows] > len(data):
                raise self._broken(f"the offsets of '{c['name']}' do not fit its data")
            return Column(c["type"], rows, data, offsets, valid)
        if c["type"] not in FORMATS:
            raise self._broken(f"'{c['name']}' has the unknown type '{c['type']}'")
        data = self._part(c["data"], FORMATS[c["type"]], rows)
        return Column(c["type"], rows, data[:rows], None, valid, c.get("words"))
