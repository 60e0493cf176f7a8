# SPDX-License-Identifier: Apache-2.0
"""Files of a run database, read again by DuckDB and pandas; what is true is the CSV of ridge, which
has SQL of its own."""
import csv
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import unittest
from unittest import mock

import duckdb
import pandas
import pyarrow.parquet
import ridgeline
from postgres import Server
from ridgeline import parquet, views
from support import RIDGE, ROOT, Case

RUNS = ROOT / "tests" / "runs"
ODD = ["=cmd|calc", 'größe "層"', "two\nlines", "-1", "bell\x07"]


def typed(cell, of):
    """A cell of CSV as docs/data.md says: null is empty."""
    if of == "text":
        return cell
    return None if cell == "" else int(cell) if of == "integer" else float(cell)


class Export(Case):
    @classmethod
    def setUpClass(cls):
        cls.kept = Case("setUp")
        cls.kept.setUp()
        odd = json.loads((RUNS / "ort.json").read_text())
        odd["model"]["path"] = "größe 模型.onnx"
        for node, name in zip(odd["nodes"], ODD):
            node["name"] = name
        pathlib.Path(cls.kept.path("odd.json")).write_text(json.dumps(odd))
        cls.store = ridgeline.Store(cls.kept.path("größe runs.db"))
        cls.store.add(*(RUNS / name for name in ("run.json", "another.json", "no_layers.json")))
        cls.store.add(cls.kept.path("odd.json"), RUNS / "openvino.json")
        cls.store.delete(2)
        ridgeline.evaluate("zoo:squeezenet1_1", duration="100ms", min_queries=5, bind={"batch": 1},
                           runtime="null", runtime_option={"ridge.service": "constant:100"},
                           store=cls.store)

    @classmethod
    def tearDownClass(cls):
        cls.kept.doCleanups()

    def cells(self):
        """View to its rows in CSV, and its names."""
        out = {}
        for view, path in self.store.export(self.path("csv"), "csv").items():
            with open(path, newline="", encoding="utf-8") as file:
                head, *out[view] = csv.reader(file)
            self.assertEqual(head, list(views.VIEWS[view]))
        return out

    def same_as_csv(self, files):
        for view, rows in self.cells().items():
            got = duckdb.sql(f"SELECT * FROM '{files[view]}'").fetchall()
            self.assertEqual(len(got), len(rows), view)
            self.assertGreater(len(got), 0, view)
            for row, cells in zip(got, rows):
                for (name, of), value, cell in zip(views.VIEWS[view].items(), row, cells):
                    if of != "text":
                        self.assertEqual(value, typed(cell, of), (view, name))
                    elif value is None:
                        self.assertEqual(cell, "", (view, name))
                    else:  # a spreadsheet must not evaluate it; control characters are shown
                        shown = ("'" if value[:1] in ("=", "+", "-", "@") else "") + value
                        self.assertEqual(shown.replace("\x07", "\\x07"), cell, (view, name))

    def test_parquet_has_what_csv_has(self):
        files = self.store.export(self.folder / "it's größe", "parquet")
        self.assertEqual(sorted(os.listdir(self.folder / "it's größe")),
                         sorted(f"{view}.parquet" for view in views.VIEWS))
        files = {view: path.replace("'", "''") for view, path in files.items()}
        self.same_as_csv(files)
        names = duckdb.sql(f"SELECT name FROM '{files['node_times']}' WHERE model LIKE 'größe%'")
        self.assertEqual([name for (name,) in names.fetchall()][:len(ODD)], ODD)

    def test_rows_in_many_groups_are_the_same(self):
        with mock.patch.object(parquet, "_ROWS_OF_A_GROUP", 5):
            files = self.store.export(self.path("groups"), "parquet")
        self.assertGreater(pyarrow.parquet.ParquetFile(files["node_times"]).num_row_groups, 4)
        self.same_as_csv(files)

    def test_pandas_has_integers_with_nulls_and_texts(self):
        files = self.store.export(self.path("tables"), "parquet")
        frame = pandas.read_parquet(files["layer_times"], dtype_backend="pyarrow")
        types = {"integer": "int64[pyarrow]", "real": "double[pyarrow]", "text": "string[pyarrow]"}
        wanted = {name: types[of] for name, of in views.VIEWS["layer_times"].items()}
        self.assertEqual({name: str(of) for name, of in frame.dtypes.items()}, wanted)
        run = self.store[1]
        of_run = frame[frame["run"] == 1]
        self.assertEqual(of_run["corrected_ns"].tolist(), run.layers["corrected_ns"].tolist())
        self.assertEqual(of_run["name"].tolist(), run.layers["name"].tolist())

    def test_a_database_without_rows_has_files_with_columns(self):
        empty = ridgeline.Store(self.path("empty.db"))
        empty.add(RUNS / "run.json")
        empty.delete(1)
        for view, path in empty.export(self.path("tables"), "parquet").items():
            table = pyarrow.parquet.read_table(path)
            self.assertEqual((table.num_rows, table.column_names), (0, list(views.VIEWS[view])))


class ExportOfServer(Export):
    """The same runs, merged into a PostgreSQL server."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Server()
        subprocess.run([RIDGE, "runs", "merge", cls.server.uri, cls.store.path], check=True,
                       capture_output=True)
        cls.store = ridgeline.Store(cls.server.uri)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        super().tearDownClass()


class Refused(Case):
    def setUp(self):
        super().setUp()
        self.store = ridgeline.Store(self.path("runs.db"))
        self.store.add(RUNS / "run.json")

    def refused(self, kind, text, folder, format="parquet"):
        with self.assertRaises(kind) as caught:
            self.store.export(folder, format)
        self.assertEqual(str(caught.exception).replace(str(self.folder), "."), text)

    def test_files_that_are_there(self):
        os.mkdir(self.path("t"))
        for format, code in (("parquet", "PY-0014"), ("csv", "CLI-0037")):
            there = self.folder / "t" / f"node_times.{format}"
            there.write_text("mine")
            self.refused(ridgeline.UsageError,
                         f"./t/node_times.{format}: the file is already there\n"
                         "  hint: name a new folder, or delete the earlier files\n"
                         f"  [RIDGE-{code}]", self.path("t"), format)
            self.assertEqual(there.read_text(), "mine")

    def test_folders_that_cannot_be(self):
        for format, code in (("parquet", "PY-0015"), ("csv", "IO-0015")):
            self.refused(ridgeline.HostError,
                         "./a/b: cannot create the folder\n  No such file or directory\n"
                         "  hint: the folder above it must exist and be writable\n"
                         f"  [RIDGE-{code}]", self.path("a/b"), format)
        self.refused(ridgeline.HostError,
                     "/proc/run_list.parquet: cannot write it: No such file or directory\n"
                     "  [RIDGE-PY-0015]", "/proc")

    def test_another_format(self):
        self.refused(ridgeline.UsageError,
                     "export writes csv or parquet, not 'xlsx'\n"
                     "  hint: results have to_pandas(), whose frames write other formats\n"
                     "  [RIDGE-PY-0013]", self.path("t"), "xlsx")

    def test_without_pyarrow(self):
        with mock.patch.dict(sys.modules, pyarrow=None):
            self.refused(ridgeline.HostError,
                         "this needs the package pyarrow\n  hint: pip install pyarrow\n"
                         "  [RIDGE-PY-0007]", self.path("t"))
        self.assertFalse((self.folder / "t").exists())

    def test_what_is_no_database(self):
        (self.folder / "runs.db").write_text("no database, but long enough to be read as one" * 9)
        for format in ("parquet", "csv"):
            with self.assertRaises(ridgeline.InputError) as caught:
                self.store.export(self.path("t"), format)
            self.assertEqual(caught.exception.code, "RIDGE-STORE-0001")
        self.assertFalse((self.folder / "t").exists())

    def test_a_value_of_another_type_leaves_no_part_of_a_file(self):
        with mock.patch.dict(views.VIEWS["layer_times"], date="integer"):
            self.refused(ridgeline.InputError,
                         "./runs.db: view layer_times: column date: a value of another type\n"
                         "  hint: restore it from a backup, or: sqlite3 ./runs.db .recover\n"
                         "  [RIDGE-PY-0016]", self.path("t"))
        self.assertEqual(os.listdir(self.path("t")), ["run_list.parquet"])

    def test_all_files_are_of_one_state(self):
        write, seen = parquet._write, []

        def changing(db, store, view, path):
            if view == "layer_times":  # between two files
                with sqlite3.connect(self.path("runs.db")) as other:
                    other.execute("PRAGMA foreign_keys = ON")
                    seen.append(other.execute("DELETE FROM run").rowcount)
            write(db, store, view, path)

        with mock.patch.object(parquet, "_write", changing):
            files = self.store.export(self.path("t"), "parquet")
        self.assertEqual((seen, len(self.store.runs().runs)), ([1], 0))
        rows = {view: pyarrow.parquet.read_table(path).num_rows for view, path in files.items()}
        self.assertEqual(rows, {"run_list": 1, "layer_times": 11, "node_times": 12, "evaluations": 0})


if __name__ == "__main__":
    unittest.main()
