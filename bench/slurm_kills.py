#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Points over two Slurm nodes while what carries them is killed at random moments.

    bench/slurm_kills.py [--points 40] [--kills 50] [--seed 1]

Starts a Slurm of two nodes (scripts/lab_parts.py) and hands it evaluations of the null runtime, one a point, with
ridge submit. Meanwhile, at random moments, one of these is killed as by kill -9: a node daemon, a node daemon together
with the step of its job, a step alone, the controller, and ridge submit itself, which is then called again. Daemons
start again after one to four seconds. More kills come until there have been as many as asked for.

Each point must then be in the store once, and no process of a job be left. Prints the kills, then the counts. Exit
status 1: a point is missing or there twice, or a process is left.
"""

import argparse
import collections
import contextlib
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from lab_parts import Absent, Slurm  # noqa: E402

KINDS = ["node", "node and step", "step", "controller", "submit"]
LAB = """store = "runs.db"
[[slurm]]
partition = "lab"
folder = "jobs"
lease_s = 6
poll_s = 1
"""


class Submit:
    """ridge submit, called again until it ends by itself."""

    def __init__(self, args, folder, environment):
        self._command = [str(args.ridge.resolve()), "submit", *(f"point{i}.toml" for i in range(args.points)),
                         "--on", "lab.toml"]
        self._folder, self._environment = folder, environment
        self.calls = 0
        self.start()

    def start(self):
        self.calls += 1
        self._log = open(self._folder / f"submit{self.calls}.log", "w")
        self._process = subprocess.Popen(self._command, cwd=self._folder, env=self._environment,
                                         stdout=self._log, stderr=subprocess.STDOUT)

    def status(self):
        return self._process.poll()

    def kill(self):
        self._process.kill()
        self._process.wait()
        self._log.close()

    def words(self):
        return (self._folder / f"submit{self.calls}.log").read_text()


class Killer:
    def __init__(self, slurm, submit, seed):
        self._slurm, self._submit = slurm, submit
        self._random = random.Random(seed)
        self._down = {}  # part: moment of its next start
        self.kills = collections.Counter()

    def start_again(self, now=None):
        for part, moment in list(self._down.items()):
            if now is None or now >= moment:
                self._slurm.start(part)
                del self._down[part]

    def pause(self):
        return self._random.uniform(0.2, 3.5)

    def kill(self):
        kind = self._random.choice(KINDS)
        node = self._random.choice(["n1", "n2"])
        if "step" in kind:
            self._slurm.kill_job("step", node)
        if "node" in kind:
            self._end(node)
        if kind == "controller":
            self._end("controller")
        if kind == "submit":
            self._submit.kill()
            self._submit.start()
        self.kills[kind] += 1
        return kind

    def _end(self, part):
        self._slurm.kill(part)
        self._down[part] = time.monotonic() + self._random.uniform(1, 4)


def write_requests(args, folder):
    for i in range(args.points):
        (folder / f"point{i}.toml").write_text(
            f'verb = "eval"\nmodel = "zoo:squeezenet1_1"\nruntime = "null"\nduration = "{args.duration}"\nseed = {i}\n')
    (folder / "lab.toml").write_text(LAB)


def stored(folder):
    """How often each point is in the store, by its key there."""
    with contextlib.closing(sqlite3.connect(folder / "runs.db")) as store:
        return collections.Counter(point for (point,) in store.execute("select point from evaluation"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ridge", type=pathlib.Path, default=ROOT / "build" / "ridge")
    parser.add_argument("--points", type=int, default=40)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--duration", default="1s", help="of each evaluation")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ridge-kills-") as name, Slurm() as slurm:
        folder = pathlib.Path(name)
        write_requests(args, folder)
        begin = time.monotonic()
        submit = Submit(args, folder, os.environ | slurm.environment)
        killer = Killer(slurm, submit, args.seed)
        next_kill = begin + killer.pause()
        while submit.status() is None:
            now = time.monotonic()
            killer.start_again(now)
            if now >= next_kill and sum(killer.kills.values()) < args.kills:
                print(f"{now - begin:6.1f} s  {killer.kill()}", flush=True)
                next_kill = time.monotonic() + killer.pause()
            time.sleep(0.05)
        killer.start_again()
        print(submit.words())
        end = time.monotonic() + 15
        while slurm.processes() and time.monotonic() < end:
            time.sleep(0.2)
        left = slurm.processes()
        found = stored(folder)
        print(f"{time.monotonic() - begin:.0f} s, {sum(killer.kills.values())} kills: {dict(killer.kills)}")
        print(f"ridge submit called {submit.calls} times, the last ended with status {submit.status()}")
        print(f"points stored: {len(found)} of {args.points}; more than once: {sum(n > 1 for n in found.values())}; "
              f"processes left: {left or 0}")
        whole = len(found) == args.points and set(found.values()) <= {1}
        return 0 if whole and not left and submit.status() == 0 else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Absent as error:
        sys.exit(f"Slurm for the benchmark: {error}")
