#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `ridge analyze` costs as a whole process: user and system time and wall time, start to end.

    bench/analyze_process.py build/ridge [--runs 30] [--check]

Cases: resnet50 (zoo) as JSON, and two graphs of 200,000 nodes (bench/large_model.py) as a page with --top 20. Prints the median with a
95 % interval from order statistics, and the least. With --check it exits 1 where a claim does not hold: resnet50 in 5 ms of CPU time,
the chain in 150 ms of wall time and 70 MiB, the blocks in 200 ms and 100 MiB. Standard library only.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def run(argv):
    """Runs once, output discarded. Returns (CPU seconds, wall seconds, peak MiB)."""
    with open(os.devnull, "w") as nothing:
        start = time.perf_counter()
        process = subprocess.Popen(argv, stdout=nothing, stderr=nothing)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    if status:
        sys.exit(f"{' '.join(argv)}: status {status}")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def interval(samples):
    """Median and its 95 % interval by order statistics (normal approximation of the binomial)."""
    ordered, n = sorted(samples), len(samples)
    half = 0.98 * n ** 0.5
    low, high = max(0, int(n / 2 - half)), min(n - 1, int(n / 2 + half) + 1)
    return ordered[n // 2], ordered[low], ordered[high]


def measure(name, argv, runs):
    run(argv)  # warms the page cache
    results = [run(argv) for _ in range(runs)]
    medians = {}
    for i, kind in enumerate(("CPU", "wall")):
        samples = [1e3 * r[i] for r in results]
        median, low, high = interval(samples)
        medians[kind] = median
        print(f"{name:<22} {kind:<4} median {median:8.2f} ms  [{low:.2f}, {high:.2f}]  least {min(samples):.2f} ms")
    medians["peak"] = max(r[2] for r in results)
    print(f"{name:<22} peak {medians['peak']:.1f} MiB", flush=True)
    return medians


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ridge")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--check", action="store_true")
    a = parser.parse_args()
    print(f"{a.runs} runs, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    small = measure("resnet50", [a.ridge, "analyze", "zoo:resnet50", "--format", "json"], a.runs)
    large = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "large.onnx")
        for kind in ("chain", "blocks"):
            subprocess.run([sys.executable, str(HERE / "large_model.py"), path, "--kind", kind], check=True)
            large[kind] = measure(f"200,000 nodes, {kind}", [a.ridge, "analyze", path, "--top", "20"], a.runs)
    failed = [] if small["CPU"] <= 5 else ["resnet50 within 5 ms of CPU time"]
    for kind, (limit, memory) in {"chain": (150, 70), "blocks": (200, 100)}.items():
        failed += [f"200,000 nodes, {kind}, within {limit} ms"] if large[kind]["wall"] > limit else []
        failed += [f"200,000 nodes, {kind}, within {memory} MiB"] if large[kind]["peak"] > memory else []
    for what in failed:
        print(f"does not hold: {what}")
    return 1 if a.check and failed else 0


if __name__ == "__main__":
    sys.exit(main())
