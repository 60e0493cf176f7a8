#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decisions of examples/ci/gate.sh between equal models (false alarms) and with a planted slowdown (found).

    bench/gate_alarms.py [--decisions 20] [--compile] [-- OPTIONS OF RIDGE COMPARE]

The base is a chain of 20 equal convolutions. A slower model has more of them, so that its slowdown is known from how it
is made: 21 are 5 % more work of the same kind. --compile compiles a file of this repository over and over meanwhile.
Prints each decision, then both counts with their exact 95 % intervals (Clopper and Pearson 1934). Exit status 1: a false
alarm, or fewer than nine in ten slowdowns found.
"""

import argparse
import math
import os
import pathlib
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import onnx_file  # noqa: E402

BLOCKS, CHANNELS, SIDE = 20, 64, 28


def chain(blocks):
    """BLOCKS convolutions of 3x3, each followed by Relu; equal work in each."""
    draw = random.Random(1)
    count = CHANNELS * CHANNELS * 9
    weights, nodes, value = [], [], "x"
    for i in range(blocks):
        elements = struct.pack(f"<{count}f", *(draw.gauss(0, 0.04) for _ in range(count)))
        weights.append(onnx_file.tensor(f"w{i}", [CHANNELS, CHANNELS, 3, 3], elements))
        nodes.append(onnx_file.node("Conv", [value, f"w{i}"], [f"c{i}"], f"/block{i}/Conv", pads=[1, 1, 1, 1]))
        value = f"r{i}" if i + 1 < blocks else "y"
        nodes.append(onnx_file.node("Relu", [f"c{i}"], [value], f"/block{i}/Relu"))
    shape = [1, CHANNELS, SIDE, SIDE]
    return onnx_file.model("chain", nodes, weights, [onnx_file.value("x", shape)], [onnx_file.value("y", shape)])


def tail(n, k, p):
    """P(at least k of n), each with probability p."""
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


def where(rising, target):
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < target else (low, middle)
    return low


def exact_interval(k, n):
    low = 0.0 if k == 0 else where(lambda p: tail(n, k, p), 0.025)
    high = 1.0 if k == n else where(lambda p: tail(n, k + 1, p), 0.975)
    return low, high


def share(k, n):
    low, high = exact_interval(k, n)
    return f"{k} of {n} ({100 * low:.0f} to {100 * high:.0f} %)"


def decide(folder, head, program, options):
    """The gate's exit status, its reason and the seconds that it took."""
    environment = dict(os.environ, GITHUB_WORKSPACE=folder, RUNNER_TEMP=folder, GATE_BASE_MODEL="base.onnx",
                       GATE_MODEL=head, PATH=f"{program.parent}:{os.environ['PATH']}",
                       GITHUB_STEP_SUMMARY=os.path.join(folder, "summary.md"))
    started = time.monotonic()
    done = subprocess.run([ROOT / "examples/ci/gate.sh", *options], env=environment, capture_output=True, text=True)
    checks = re.findall(r"^check .*", done.stderr, re.MULTILINE)
    if done.returncode > 1 or not checks:
        sys.exit(f"{head}: status {done.returncode}: {done.stderr}")
    return done.returncode, checks[0], time.monotonic() - started


def compile_on(folder):
    """A shell that compiles one file over and over, in a process group of its own."""
    script = f"while :; do c++ -std=c++20 -O2 -I{ROOT}/src -c {ROOT}/src/compare/comparison.cc -o {folder}/x.o; done"
    return subprocess.Popen(["sh", "-c", script], stderr=subprocess.DEVNULL, start_new_session=True)


def campaign(args, folder):
    alarms = found = 0
    for i in range(args.decisions):
        order = ["equal.onnx", "slower.onnx"]
        for head in order if i % 2 == 0 else order[::-1]:
            status, check, seconds = decide(folder, head, args.ridge.resolve(), args.options)
            alarms += status == 1 and head == "equal.onnx"
            found += status == 1 and head == "slower.onnx"
            print(f"{i + 1:3} {head:11} {seconds:4.0f} s  load {os.getloadavg()[0]:.1f}  {check}", flush=True)
    return alarms, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ridge", type=pathlib.Path, default=ROOT / "build" / "ridge")
    parser.add_argument("--decisions", type=int, default=20, help="of each kind")
    parser.add_argument("--blocks", type=int, default=BLOCKS + 1, help=f"of the slower model; {BLOCKS} are the base's")
    parser.add_argument("--compile", action="store_true", help="a compiler runs meanwhile")
    parser.add_argument("options", nargs="*", help="of ridge compare, after --")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        for name, blocks in [("base", BLOCKS), ("equal", BLOCKS), ("slower", args.blocks)]:
            pathlib.Path(folder, f"{name}.onnx").write_bytes(chain(blocks))
        job = compile_on(folder) if args.compile else None
        try:
            alarms, found = campaign(args, folder)
        finally:
            if job:
                os.killpg(job.pid, signal.SIGTERM)
    print(f"false alarms between equal models: {share(alarms, args.decisions)}")
    print(f"slowdowns of {100 * (args.blocks / BLOCKS - 1):.0f} % found: {share(found, args.decisions)}")
    return 0 if alarms == 0 and 10 * found >= 9 * args.decisions else 1


if __name__ == "__main__":
    sys.exit(main())
