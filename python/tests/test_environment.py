# SPDX-License-Identifier: Apache-2.0
"""Environments: without a runtime, with two versions of one, read-only, with paths of any letters."""
import ctypes.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from unittest import mock

import numpy
import onnx
import ridgeline
from support import RIDGE, ROOT, Case, relu

NAME = "größe ß 模型 -x"
LOAD = {"duration": "50ms", "min_queries": 3, "bind": {"n": 1}}
RUNTIME = "libonnxruntime.so"


def plugins():
    """Folder of the plug-ins of the program under test."""
    program = pathlib.Path(RIDGE).resolve()
    for folder in (program.parent / "lib/ridge", program.parents[1] / "lib/ridge"):
        if (folder / "ridge_ort.so").exists():
            return folder
    raise unittest.SkipTest("no plug-in of ONNX Runtime beside the program")


def runtime_library():
    """The library that a load uses here."""
    result = ridgeline.evaluate(relu(), **LOAD)
    return pathlib.Path(result.points["runtime_library"][0])


class Environment(Case):
    """A virtual environment, as far as ridge knows: bin, lib/ridge and lib/python3.*."""

    def setUp(self):
        super().setUp()
        self.env = self.folder / "env"
        (self.env / "bin").mkdir(parents=True)
        shutil.copy(RIDGE, self.env / "bin" / "ridge")
        (self.env / "lib" / "ridge").mkdir(parents=True)
        for name in ("ridge_ort.so", "ridge_ort_observer.so"):
            if (plugins() / name).exists():
                shutil.copy(plugins() / name, self.env / "lib" / "ridge")
        elsewhere = {"RIDGE_PROGRAM": str(self.env / "bin" / "ridge"), "HOME": "/none",
                     "XDG_CACHE_HOME": "", "ONNXRUNTIME_ROOT": "", "LD_LIBRARY_PATH": ""}
        patch = mock.patch.dict(os.environ, elsewhere)
        patch.start()
        self.addCleanup(patch.stop)

    def capi(self, python):
        folder = self.env / "lib" / python / "site-packages" / "onnxruntime" / "capi"
        folder.mkdir(parents=True)
        return folder


class Runtimes(Environment):
    @classmethod
    def setUpClass(cls):
        cls.library = runtime_library()
        cls.version = cls.library.name.rpartition(".so.")[2]

    def used(self):
        points = ridgeline.evaluate(relu(), **LOAD).points
        return points["runtime_version"][0], points["runtime_library"][0]

    def put(self, folder, name):
        shutil.copy(self.library, folder / name)
        return str(folder / name)

    @unittest.skipIf(ctypes.util.find_library("onnxruntime"), "the system has ONNX Runtime")
    def test_none_is_installed(self):
        with self.assertRaises(ridgeline.HostError) as caught:
            ridgeline.evaluate(relu(), **LOAD)
        self.assertEqual(
            str(caught.exception),
            "no ONNX Runtime library was found\n"
            "  tried: libonnxruntime.so: cannot open shared object file: No such file or directory; "
            "libonnxruntime.so.1: cannot open shared object file: No such file or directory\n"
            "  hint: pip install onnxruntime into the Python environment of ridge, run "
            "scripts/fetch_onnxruntime.sh in a clone, or name one with --runtime-library PATH\n"
            "  [RIDGE-ORT-0001]",
        )

    def test_the_program_has_no_plug_in(self):
        shutil.rmtree(self.env / "lib" / "ridge")
        with self.assertRaises(ridgeline.HostError) as caught:
            ridgeline.evaluate(relu(), **LOAD)
        self.assertEqual(
            str(caught.exception),
            "ridge was built without the runtime 'ort'\n"
            f"  no lib/ridge/ridge_ort.so beside {self.env}/bin/ridge\n"
            "  hint: run scripts/fetch_onnxruntime.sh and build again\n"
            "  [RIDGE-RT-0002]",
        )

    def test_of_two_versions_in_one_folder_the_newer_is_used_and_named(self):
        folder = self.capi("python3.11")
        (folder / f"{RUNTIME}.1.9.0").write_bytes(b"an older one, whose name sorts last")
        newer = self.put(folder, f"{RUNTIME}.{self.version}")
        self.assertEqual(self.used(), (self.version, newer))

    def test_of_two_python_versions_the_newer_is_used(self):
        older = self.put(self.capi("python3.9"), f"{RUNTIME}.{self.version}")
        newer = self.put(self.capi("python3.12"), f"{RUNTIME}.{self.version}")
        self.assertEqual(self.used(), (self.version, newer))
        (self.env / "lib" / "python3.12").rename(self.env / "lib" / "unused")
        self.assertEqual(self.used(), (self.version, older))

    def test_a_broken_version_gives_way_to_one_that_opens(self):
        (self.capi("python3.12") / f"{RUNTIME}.9.9.9").write_bytes(b"cut short")
        whole = self.put(self.capi("python3.11"), f"{RUNTIME}.{self.version}")
        self.assertEqual(self.used(), (self.version, whole))

    def test_one_of_two_versions_is_named(self):
        named = self.put(self.folder, f"{NAME}.so")
        self.put(self.capi("python3.11"), f"{RUNTIME}.{self.version}")
        points = ridgeline.evaluate(relu(), runtime_library=named, **LOAD).points
        self.assertEqual(points["runtime_library"][0], named)


READ_ONLY = """
import os, sys, ridgeline
assert ridgeline.__file__.startswith(os.getcwd()), ridgeline.__file__
def refused(work):
    try: print("no error:", work())
    except (ridgeline.Error, OSError) as error: print(error)
result = ridgeline.analyze("model.onnx", bind={"n": 2})
print(result.totals.flops)
store = ridgeline.Store("runs.db")
print(len(store.runs().runs), len(store[1].layers))
print(sorted(store.export(os.environ["TMPDIR"] + "/tables", "parquet")))
refused(lambda: result.save("saved.json"))
refused(lambda: store.add("run.json"))
refused(lambda: store.delete(1))
refused(lambda: store.export("tables"))
refused(lambda: store.export("tables", "parquet"))
refused(lambda: ridgeline.bricks("plan", "zoo:squeezenet1_1", out="suite", bind={"batch": 1}))
refused(lambda: ridgeline.evaluate("model.onnx", duration="50ms", min_queries=3, bind={"n": 1}, store="new.db"))
os.environ["TMPDIR"] = os.getcwd()
refused(lambda: ridgeline.analyze("model.onnx"))
"""


SAID = """6
1 11
['evaluations', 'layer_times', 'node_times', 'run_list']
[Errno 30] Read-only file system: 'saved.json'
runs.db: the store cannot be written
  unable to open database file
  hint: you need permission to write the file and its folder
  [RIDGE-STORE-0007]
runs.db: the store cannot be written
  unable to open database file
  hint: you need permission to write the file and its folder
  [RIDGE-STORE-0007]
tables: cannot write it: Read-only file system
  [RIDGE-IO-0006]
tables: cannot write it: Read-only file system
  [RIDGE-PY-0015]
suite: cannot write it: Read-only file system
  [RIDGE-IO-0006]
new.db: cannot write it: Read-only file system
  [RIDGE-IO-0006]
.: no folder can be made there: Read-only file system
  hint: set TMPDIR to a folder that can be written
  [RIDGE-PY-0008]
"""


class RuntimeOfOnesOwn(Case):
    def test_is_named_by_the_path_of_its_plug_in(self):
        plugin = shutil.copy(plugins() / "ridge_null.so", self.folder / "mine.so")
        result = ridgeline.evaluate(relu(), runtime=["null", plugin], **LOAD)
        self.assertEqual(result.points["runtime_library"][1], str(plugin))


class ReadOnly(Environment):
    """The environment, the home and the working folder lie on what is mounted read-only."""

    def test_what_needs_no_file_works_and_the_rest_names_its_own(self):
        if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
            self.skipTest("no mount of its own for a process")
        shutil.copytree(ROOT / "python" / "ridgeline", self.env / "ridgeline",
                        ignore=shutil.ignore_patterns("__pycache__"))
        onnx.save(relu(), self.env / "model.onnx")
        shutil.copy(ROOT / "tests/runs/run.json", self.env)
        ridgeline.Store(self.env / "runs.db").add(self.env / "run.json")
        with tempfile.TemporaryDirectory() as writable:
            environment = dict(os.environ, HOME=str(self.env), PYTHONPATH=str(self.env), TMPDIR=writable)
            del environment["PYTHONDONTWRITEBYTECODE"]
            script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" && exec "$2" -W ignore -c "$3"'
            done = subprocess.run(
                ["unshare", "-rm", "sh", "-c", script, "sh", str(self.env), sys.executable, READ_ONLY],
                env=environment, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.replace(str(self.env), "."), SAID)


class Paths(Case):
    """Blanks, and letters of any language, in every path that a caller gives."""

    def setUp(self):
        super().setUp()
        self.folder /= NAME
        self.folder.mkdir()
        patch = mock.patch.dict(os.environ, TMPDIR=str(self.folder))
        patch.start()
        self.addCleanup(patch.stop)

    def test_models_data_results_reports_and_stores(self):
        onnx.save(relu(), self.path(f"{NAME}.onnx"))
        numpy.save(self.path(f"{NAME}.npy"), numpy.zeros((5, 3), "f4"))
        result = ridgeline.analyze(self.path(f"{NAME}.onnx"), input={"x": self.path(f"{NAME}.npy")})
        self.assertEqual(result.totals.flops, 15)
        result.save(self.path(f"{NAME}.json"))
        self.assertEqual(pathlib.Path(self.path(f"{NAME}.json")).read_text(), result.to_json())
        load = ridgeline.evaluate(self.path(f"{NAME}.onnx"), **LOAD, store=self.path(f"{NAME}.db"))
        load.report(self.path(f"{NAME}.html"))
        self.assertIn(f"{NAME}.onnx", pathlib.Path(self.path(f"{NAME}.html")).read_text())
        store = ridgeline.Store(self.path(f"{NAME}.db"))
        self.assertEqual(store["evaluation:1"].model.path, self.path(f"{NAME}.onnx"))
        for format in ("csv", "parquet"):
            for path in store.export(self.path(f"{NAME} {format}"), format).values():
                self.assertTrue(os.path.getsize(path) > 0)
        pieces = ridgeline.bricks("plan", "zoo:squeezenet1_1", out=self.path(f"{NAME} suite"), bind={"batch": 1})
        self.assertGreater(len(os.listdir(self.path(f"{NAME} suite"))), len(pieces.bricks) - 1)

    def test_a_program_and_what_it_says(self):
        program = self.path("ridge")
        shutil.copy(RIDGE, program)
        with mock.patch.dict(os.environ, RIDGE_PROGRAM=program), self.assertRaises(ridgeline.HostError) as caught:
            ridgeline.analyze(self.path(f"{NAME}.onnx"))
        self.assertEqual(
            str(caught.exception),
            f"{self.path(f'{NAME}.onnx')}: cannot open it: No such file or directory\n"
            "  hint: check the spelling of the path\n  [RIDGE-IO-0001]",
        )

    def test_bytes_that_are_no_utf_8(self):
        path = os.fsdecode(os.fsencode(str(self.folder)) + b"/\xff.onnx")
        onnx.save(relu(), path)
        with self.assertRaises(ridgeline.InputError) as caught:
            ridgeline.analyze(path)
        self.assertEqual(
            str(caught.exception),
            f"'model' is no text of Unicode: {self.folder}/\\udcff.onnx\n"
            "  hint: rename the file or folder; a model may be handed over as its bytes\n"
            "  [RIDGE-PY-0018]",
        )


if __name__ == "__main__":
    unittest.main()
