# SPDX-License-Identifier: Apache-2.0
"""The points of a request of ridge bench as checks of ReFrame, for every scheduler that ReFrame knows.

    reframe -C settings.py -c ridgeline_checks.py -r
    reframe -C settings.py -c ridgeline_checks.py -r --performance-report

A check is a point, listed by ridge on this machine and named by its key, which is the same on every machine. Variables of
the environment say what is measured:

    RIDGE             the program, on this machine and on the nodes (ridge)
    RIDGE_REQUEST     the request (matrix.toml); what it names is relative to its folder
    RIDGE_NEEDS       features that a partition of the site's configuration must have: avx512_vnni,fast
    RIDGE_REFERENCE   a folder with documents of an earlier session (--prefix of it): references for these
    RIDGE_SLOWER      how much slower than its reference a point may be (0.05)

Each check leaves point.json, the table of its point, and runs.db, its run database, in the folder of its outputs;
ridge runs merge brings these together.
"""

import json
import os
import pathlib
import shlex
import subprocess
import tempfile

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import parameter, performance_function, run_after, run_before, sanity_function

RIDGE = os.environ.get("RIDGE", "ridge")
CALLED_IN = os.environ.get("PWD", os.getcwd())  # ReFrame changes to the folder of the checks
REQUEST = pathlib.Path(CALLED_IN, os.environ.get("RIDGE_REQUEST", "matrix.toml"))
NEEDS = [need for need in os.environ.get("RIDGE_NEEDS", "").split(",") if need]
REFERENCE = os.environ.get("RIDGE_REFERENCE")
SLOWER = float(os.environ.get("RIDGE_SLOWER", "0.05"))


def read_points(path):
    return json.loads(pathlib.Path(path).read_text())["points"]


def listed_points():
    """The matrix: key and name of each point that can be measured."""
    with tempfile.TemporaryDirectory() as folder:
        listing = os.path.join(folder, "points.json")
        subprocess.run([RIDGE, "bench", "--request", REQUEST, "--dry-run", "--format", "json", "--output", listing,
                        "--store", os.path.join(folder, "none.db")], cwd=REQUEST.parent, check=True)
        return [(p["key"], f'{p["model"]}, {p["point"]}, {p["runtime"]}') for p in read_points(listing) if p["key"]]


def references():
    """Latencies of an earlier session by the keys of their points, in milliseconds."""
    found = {}
    for path in sorted(pathlib.Path(CALLED_IN, REFERENCE).rglob("point.json")) if REFERENCE else []:
        found |= {p["key"]: p["median_ns"] / 1e6 for p in read_points(path) if p.get("median_ns")}
    return found


POINTS, KNOWN = listed_points(), references()


@rfm.simple_test
class RidgePoint(rfm.RunOnlyRegressionTest):
    point = parameter(POINTS, fmt=lambda point: point[0])
    valid_systems = [" ".join(f"+{need}" for need in NEEDS) or "*"]
    valid_prog_environs = ["*"]
    executable = RIDGE
    keep_files = ["point.json", "runs.db"]
    exclusive_access = True
    num_tasks = 1

    @run_after("init")
    def name_point(self):
        self.descr = self.point[1]
        self.prerun_cmds = [f"cd {shlex.quote(str(REQUEST.parent))}"]

    @run_before("run")
    def ask_for_point(self):
        def here(name):
            return shlex.quote(os.path.join(self.stagedir, name))
        self.executable_opts = ["bench", "--request", shlex.quote(str(REQUEST)), "--point", self.point[0],
                                "--store", here("runs.db"), "--format", "json", "--output", here("point.json")]

    @run_before("performance")
    def set_reference(self):
        if self.point[0] in KNOWN:
            self.reference = {"*": {"latency": (KNOWN[self.point[0]], None, SLOWER, "ms")}}

    @sanity_function
    def is_measured(self):
        return sn.assert_eq(self.result()["state"], "measured")

    @performance_function("ms")
    def latency(self):
        return self.result()["median_ns"] / 1e6

    @performance_function("1/s")
    def throughput(self):
        return self.result()["items_per_s"]

    def result(self):
        return next(p for p in read_points(os.path.join(self.stagedir, "point.json")) if p["key"] == self.point[0])
