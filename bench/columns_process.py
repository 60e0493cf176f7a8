#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `ridge analyze --format columns` costs beside `--format json`, as whole processes in turns.

    bench/columns_process.py build/ridge [OTHER_RIDGE] [--pairs 40]

Two graphs of 200,000 nodes (bench/large_model.py). Each pair runs both formats, in alternating order, output discarded; with another
program its columns are a third column. Prints the median processor time (user and system) and peak memory of each, and the median ratio
of columns to JSON over the pairs, with a 95 % interval from order statistics. Standard library only.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from analyze_process import interval, run

HERE = pathlib.Path(__file__).resolve().parent


def measure(name, commands, pairs):
    """`commands`: by their name; the first is what the others are compared with."""
    for argv in commands.values():
        run(argv)  # warms the page cache
    seconds, peak = {c: [] for c in commands}, {c: [] for c in commands}
    for i in range(pairs):
        for c in list(commands)[:: 1 if i % 2 else -1]:
            cpu, _, memory = run(commands[c])
            seconds[c].append(cpu)
            peak[c].append(memory)
    base = next(iter(commands))
    for c in commands:
        median, low, high = interval([1e3 * s for s in seconds[c]])
        line = f"{name:<7} {c:<14} CPU {median:7.1f} ms [{low:.1f}, {high:.1f}]  peak {max(peak[c]):6.1f} MiB"
        if c != base:
            ratio, low, high = interval([s / b for s, b in zip(seconds[c], seconds[base])])
            line += f"  times {base}: {ratio:.3f} [{low:.3f}, {high:.3f}]"
        print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ridge")
    parser.add_argument("other", nargs="?", help="another ridge, whose columns are measured too")
    parser.add_argument("--pairs", type=int, default=40)
    a = parser.parse_args()
    print(f"{a.pairs} pairs, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "large.onnx")
        for kind in ("chain", "blocks"):
            subprocess.run([sys.executable, str(HERE / "large_model.py"), path, "--kind", kind], check=True)
            analyze = lambda ridge, form: [ridge, "analyze", path, "--format", form]
            commands = {"json": analyze(a.ridge, "json"), "columns": analyze(a.ridge, "columns")}
            if a.other:
                commands["other columns"] = analyze(a.other, "columns")
            measure(kind, commands, a.pairs)


if __name__ == "__main__":
    main()
