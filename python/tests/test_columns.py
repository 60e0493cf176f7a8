# SPDX-License-Identifier: Apache-2.0
"""The reader of columns files, and tables, against files written by hand."""
import math
import unittest

import columns_file
import numpy
import pandas
import polars
import pyarrow
import ridgeline
from ridgeline.columns import ColumnFile
from ridgeline.table import Table
from support import Case

COLUMNS = [
    {"name": "macs", "type": "int64", "data": [7, 0, -3], "valid": [True, False, True]},
    {"name": "bytes", "type": "int64", "data": [1, 2, 3]},
    {"name": "seed", "type": "uint64", "data": [1, 2, 2**64 - 1]},
    {"name": "share", "type": "float64", "data": [0.5, 0.0, 2.5], "valid": [True, False, True]},
    {"name": "assumed", "type": "bool", "data": [True, False, True]},
    {"name": "known", "type": "bool", "data": [True, False, False], "valid": [True, True, False]},
    {"name": "name", "type": "text", "data": ["Conv", "", "größe"], "valid": [True, True, True]},
    {"name": "reason", "type": "text", "data": ["", "size", ""], "valid": [False, True, False]},
    {"name": "inputs", "type": "json", "data": ['["a"]', "[]", '{"b":1}']},
    {"name": "status", "type": "word", "data": [1, 0, 1], "words": ["zero", "counted"]},
    {"name": "bound", "type": "word", "data": [0, 0, 0], "words": ["x"], "valid": [True, False, True]},
]
VALUES = {
    "macs": [7, None, -3],
    "bytes": [1, 2, 3],
    "seed": [1, 2, 2**64 - 1],
    "share": [0.5, None, 2.5],
    "assumed": [True, False, True],
    "known": [True, False, None],
    "name": ["Conv", "", "größe"],
    "reason": [None, "size", None],
    "inputs": ['["a"]', "[]", '{"b":1}'],
    "status": ["counted", "zero", "counted"],
    "bound": ["x", None, "x"],
}


class Columns(Case):
    def setUp(self):
        super().setUp()
        columns_file.write(self.path("t"), {"schema": "x/1"}, {"rows": (3, COLUMNS)})
        file = ColumnFile(self.path("t"))
        self.table = Table(file.tables["rows"], file.rows["rows"])

    def test_every_type_is_read(self):
        self.assertEqual({n: list(c) for n, c in self.table._columns.items()}, VALUES)

    def test_pandas_has_nullable_integers_nan_categories_and_texts(self):
        frame = self.table.to_pandas()
        types = {name: str(kind) for name, kind in frame.dtypes.items()}
        self.assertEqual(types["macs"], "Int64")
        self.assertEqual(types["bytes"], "int64")
        self.assertEqual(types["seed"], "uint64")
        self.assertEqual(types["share"], "float64")
        self.assertEqual(types["known"], "boolean")
        self.assertEqual(types["name"], "string")
        self.assertIsInstance(frame["status"].dtype, pandas.CategoricalDtype)
        for name, values in VALUES.items():
            shown = [None if pandas.isna(v) else v for v in frame[name]]
            self.assertEqual(shown, values, name)

    def test_arrow_and_polars_have_the_same_values(self):
        self.assertEqual(self.table.to_arrow().to_pydict(), VALUES)
        self.assertEqual(self.table.to_polars().to_dict(as_series=False), VALUES)

    def test_arrow_copies_no_numbers(self):
        column = self.table._columns["bytes"]
        array = self.table.to_arrow()["bytes"].chunk(0)
        self.assertEqual(array.buffers()[1].address, numpy.frombuffer(column.values).ctypes.data)

    def test_numpy_views_the_file_and_masks_what_has_no_value(self):
        self.assertEqual(self.table["bytes"].tolist(), [1, 2, 3])
        self.assertFalse(self.table["bytes"].flags.writeable)
        self.assertEqual(self.table["macs"].tolist(), [7, None, -3])
        self.assertEqual(self.table["macs"].sum(), 4)
        self.assertEqual(self.table["name"].tolist(), VALUES["name"])

    def test_a_column_that_is_not_there_names_the_near_one(self):
        with self.assertRaisesRegex(KeyError, "no column 'mac'; did you mean 'macs'"):
            self.table["mac"]

    def test_rows_are_iterated_and_shown(self):
        self.assertEqual([row["macs"] for row in self.table], VALUES["macs"])
        self.assertEqual(len(self.table), 3)
        self.assertIn("<td>größe</td>", self.table._repr_html_())
        self.assertNotIn("<style", self.table._repr_html_())

    def test_no_rows_are_a_frame_without_rows(self):
        columns = [dict(c, data=[], **({"valid": []} if "valid" in c else {})) for c in COLUMNS]
        columns_file.write(self.path("e"), {"schema": "x/1"}, {"rows": (0, columns)})
        file = ColumnFile(self.path("e"))
        table = Table(file.tables["rows"], file.rows["rows"])
        self.assertEqual(table.to_pandas().shape, (0, len(COLUMNS)))
        self.assertEqual(table.to_arrow().num_rows, 0)
        self.assertEqual(table.to_polars().height, 0)

    def test_frames_outlive_the_file_and_the_table(self):
        frame, arrow = self.table.to_pandas(), self.table.to_arrow()
        (self.folder / "t").unlink()
        del self.table
        self.assertEqual(frame["bytes"].sum(), 6)
        self.assertEqual(arrow["seed"].to_pylist(), VALUES["seed"])


class BrokenFiles(Case):
    def refused(self, data, why):
        (self.folder / "x").write_bytes(data)
        with self.assertRaises(ridgeline.HostError) as caught:
            ColumnFile(self.path("x"))
        self.assertEqual(caught.exception.message, f"{self.path('x')}: no columns file: {why}")
        self.assertEqual(caught.exception.code, "RIDGE-PY-0005")

    def test_each_is_refused_with_its_reason(self):
        columns_file.write(self.path("t"), {"schema": "x/1"}, {"rows": (3, COLUMNS[:1])})
        good = (self.folder / "t").read_bytes()
        self.refused(b"", "it is empty")
        self.refused(good[:-1], "it does not begin and end with RIDGECOL")
        self.refused(good[:-16] + b"\xff" * 8 + good[-8:],
                     f"its footer of {2**64 - 1} bytes does not fit")
        self.refused(good.replace(b"ridge.columns/1", b"ridge.columns/9"),
                     "its schema is 'ridge.columns/9', not 'ridge.columns/1'")
        self.refused(good.replace(b"[128, 24]", b"[999, 24]"),
                     "a buffer at 999 of 24 bytes does not fit")
        self.refused(good.replace(b'"rows": 3', b'"rows": 4'),
                     "a buffer at 128 has 3 elements, 4 expected")
        self.refused(good.replace(b'"int64"', b'"int65"'), "'macs' has the unknown type 'int65'")


class RowsOfJson(Case):
    """Tables of what stands as JSON in a row: the points of a sweep."""

    def test_rows_become_columns_and_rows_again(self):
        rows = [
            {"index": 0, "big": 2**63, "share": 1, "text": "é", "on": True, "list": [1, {"a": None}]},
            {"index": 1, "big": 1, "share": math.pi, "text": None, "on": False, "list": []},
        ]
        table = Table.of_rows(rows, None)
        types = {name: column.type for name, column in table._columns.items()}
        self.assertEqual(types, {"index": "int64", "big": "uint64", "share": "float64",
                                 "text": "text", "on": "bool", "list": "json"})
        self.assertEqual(list(table._columns["share"]), [1.0, math.pi])
        self.assertEqual(table["list"].tolist(), ['[1, {"a": null}]', "[]"])
        self.assertEqual(table.to_pandas()["text"].isna().tolist(), [False, True])


if __name__ == "__main__":
    unittest.main()
