#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ridge analyze` beside onnx-tool on the same files, both as whole processes that print their page.

    bench/vs_onnx_tool.py build/ridge PYTHON MODEL[,input=1x3x224x224]... [--pairs 5] [--wall] [--check]

PYTHON is an interpreter that has the package onnx-tool (python3 -m venv V && V/bin/pip install onnx-tool==1.0.1). Runs alternate; printed are the
least and median CPU time of each and the ratio of the medians; with --wall the time from the start of a process until its whole output is
read (of ridge the JSON document), as who calls it from Python waits. Inputs with free sizes need their shape. With --check it exits 1 where a
ratio is below 100. Standard library only.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time

PEER = """
import sys, numpy, onnx_tool
shapes = {}
for name, shape in (a.split("=") for a in sys.argv[2:]):
    floating = "id" not in name and "mask" not in name
    shapes[name] = numpy.zeros([int(d) for d in shape.split("x")], numpy.float32 if floating else numpy.int64)
onnx_tool.model_profile(sys.argv[1], shapes or None, save_profile=None)
"""


def cpu_seconds(argv):
    with open(os.devnull, "w") as nothing:
        process = subprocess.Popen(argv, stdout=nothing, stderr=subprocess.PIPE)
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(argv)}: status {status}\n{error.decode(errors='replace')[-800:]}")
    return usage.ru_utime + usage.ru_stime


def wall_seconds(argv):
    start = time.perf_counter()
    done = subprocess.run(argv, capture_output=True)
    seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"{' '.join(argv)}: status {done.returncode}\n{done.stderr.decode(errors='replace')[-800:]}")
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ridge")
    parser.add_argument("python")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--wall", action="store_true")
    parser.add_argument("--check", action="store_true")
    a = parser.parse_args()
    seconds, what = (wall_seconds, "wall-clock") if a.wall else (cpu_seconds, "CPU")
    version = subprocess.run([a.python, "-c", "import importlib.metadata as m; print(m.version('onnx-tool'))"], capture_output=True, text=True, check=True)
    print(f"onnx-tool {version.stdout.strip()}, {a.pairs} alternating pairs, {what} time of whole processes, load {os.getloadavg()[0]:.1f}")
    worst = float("inf")
    for model in a.models:
        path, *shapes = model.split(",")
        flags = [word for shape in shapes for word in ("--shape", shape)]
        flags += ["--format", "json"] if a.wall else []
        ours, theirs = [], []
        for _ in range(a.pairs):
            ours.append(1e3 * seconds([a.ridge, "analyze", path, *flags]))
            theirs.append(1e3 * seconds([a.python, "-c", PEER, path, *shapes]))
        ratio = statistics.median(theirs) / statistics.median(ours)
        worst = min(worst, ratio)
        print(f"{os.path.basename(path):<28} ridge {statistics.median(ours):7.2f} ms (least {min(ours):.2f})   "
              f"onnx-tool {statistics.median(theirs):8.1f} ms (least {min(theirs):.1f})   {ratio:6.0f} x", flush=True)
    return 1 if a.check and worst < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
