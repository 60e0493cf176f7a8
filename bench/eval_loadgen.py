#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The load generator with the runtime that computes nothing, against LoadGen with a system under test
that answers at once, and against a bare loop that spins. In alternating turns; needs an otherwise
idle machine for figures that count, and prints its load before.

    bench/eval_loadgen.py [--ridge build/ridge] [--pairs 10] [--seconds 3] [rate|late|logs|memory]...

rate    queries per second of a single stream; ratio over the pairs, with its 95 % interval
late    lateness at --qps (10,000) Poisson arrivals of ridge, LoadGen and the spinning loop, which
        waits for ridge's own moments; shares later than 20 us with Wilson intervals
logs    --queries (10^6) queries: from program start to the first and from the last to the exit, ridge
        with --mlperf-logs
memory  bytes for each further query in the process that records

LoadGen is mlcommons-loadgen 6.0.17 from PyPI, its source archive built with g++ -O3 (as setup.py has
it) into the user's cache.
"""
import argparse
import csv
import hashlib
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
VERSION = "6.0.17"
ARCHIVE = "a2e85d09e3cc0c606f89bfe1fbf97537c8b5b238ae0afbd923ad9c710fcf2ca8"
# Student's t for 95 %, by degrees of freedom; 1.96 from 30 on.
T95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
       2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
       2.052, 2.048, 2.045]


def cache_folder():
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
    folder = cache / "ridge" / "loadgen"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def source_folder(cache):
    """LoadGen's sources, fetched and checked once."""
    name = f"mlcommons_loadgen-{VERSION}"
    if not (cache / name).is_dir():
        archive = cache / f"{name}.tar.gz"
        if not archive.is_file():
            subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                            "--no-binary=mlcommons-loadgen", "--dest", str(cache),
                            f"mlcommons-loadgen=={VERSION}"], check=True)
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        if digest != ARCHIVE:
            raise SystemExit(f"{archive} has the SHA-256 {digest}, expected {ARCHIVE}")
        with tarfile.open(archive) as tar:
            tar.extractall(cache, filter="data")
    return cache / name


def build():
    """Paths of loadgen_null and spin_late, built again where their source is newer."""
    cache = cache_folder()
    sources = source_folder(cache)
    programs = {"loadgen_null": [*sorted(sources.glob("*.cc")),
                                 sources / "generated" / "version_generated.cc"],
                "spin_late": []}
    out = []
    for name, further in programs.items():
        program, source = cache / name, HERE / f"{name}.cc"
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            subprocess.run(["g++", "-std=c++17", "-O3", "-DNDEBUG", f"-I{sources}", "-pthread", "-o",
                            str(program), str(source), *map(str, further)], check=True)
        out.append(str(program))
    return out


def evaluate(args, *flags):
    done = subprocess.run([args.ridge, "eval", args.model, "--runtime", "null", "--format", "json",
                           *flags], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)["points"][0]["figures"]


def loadgen(args, what, amount, qps=None):
    with tempfile.TemporaryDirectory() as folder:
        words = [args.loadgen, what, f"{amount:g}", folder, *([f"{qps:g}"] if qps else [])]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def interval(values):
    """Geometric mean of values above 0 with its 95 % interval; none for one value."""
    logs = [math.log(v) for v in values]
    mean = statistics.fmean(logs)
    if len(logs) < 2:
        return math.exp(mean), None
    t = T95[len(logs) - 2] if len(logs) < 31 else 1.96
    half = t * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(mean), (math.exp(mean - half), math.exp(mean + half))


def wilson(successes, trials):
    """95 % interval of a share (Wilson 1927)."""
    z, p = 1.959964, successes / trials
    center = p + z * z / (2 * trials)
    half = z * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (center - half) / scale), min(1.0, (center + half) / scale)


def with_interval(values, digits=2):
    value, ci = interval(values)
    return f"{value:.{digits}f}" + (f" ({ci[0]:.{digits}f} to {ci[1]:.{digits}f})" if ci else "")


def in_turns(pairs, *sides):
    """Runs the sides one after the other, beginning with another one each time."""
    results = [[] for _ in sides]
    for pair in range(pairs):
        for i in range(len(sides)):
            at = (pair + i) % len(sides)
            results[at].append(sides[at]())
    return results


def rate(args):
    def ridge():
        f = evaluate(args, "--duration", f"{args.seconds}s")
        return f["completed"]["per_s"]

    def theirs():
        r = loadgen(args, "rate", args.seconds)
        return (r["queries"] - 1) / r["seconds"]

    ours, other = in_turns(args.pairs, ridge, theirs)
    print(f"rate, M queries/s: ridge {with_interval([r / 1e6 for r in ours])}, "
          f"LoadGen {with_interval([r / 1e6 for r in other])}; "
          f"ratio {with_interval([a / b for a, b in zip(ours, other)])} of {args.pairs} pairs")


def late(args):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "queries.csv")
        flags = ("--scenario", "server", "--qps", str(args.qps), "--duration",
                 f"{args.seconds}s", "--queries", path)
        evaluate(args, *flags)  # the moments, the same in every turn

        def ridge():
            own = path + ".own"
            evaluate(args, *flags[:-1], own)
            rows = [int(row["late_ns"]) for row in csv.DictReader(open(own, encoding="utf-8"))]
            rows.sort()
            return {"queries": len(rows), "late": sum(ns > 20_000 for ns in rows),
                    "p50_ns": rows[len(rows) // 2], "p99_ns": rows[len(rows) * 99 // 100]}

        def spin():
            return json.loads(subprocess.run([args.spin, path], capture_output=True, text=True,
                                             check=True).stdout)

        sides = in_turns(args.pairs, ridge, spin, lambda: loadgen(args, "late", args.seconds,
                                                                  args.qps))
    for name, turns in zip(("ridge", "spinning loop", "LoadGen"), sides):
        queries, many = (sum(t[key] for t in turns) for key in ("queries", "late"))
        lo, hi = wilson(many, queries)
        p50, p99 = (statistics.median(t[key] for t in turns) for key in ("p50_ns", "p99_ns"))
        print(f"late at {args.qps:g}/s, {name}: p50 {p50 / 1e3:.2f} us, p99 {p99 / 1e3:.2f} us, "
              f"beyond 20 us {100 * many / queries:.4f} % ({100 * lo:.4f} to {100 * hi:.4f}) of "
              f"{queries}")


def logs(args):
    """Of ridge the time outside the load, which lasts from its first moment to its last answer."""
    qps = args.queries / 1.0

    def ridge():
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            f = evaluate(args, "--scenario", "server", "--qps", f"{qps:g}", "--duration", "1ms",
                         "--min-queries", str(args.queries), "--mlperf-logs", folder)
            return time.monotonic() - begun - f["duration_s"]

    def theirs():
        begun = time.monotonic()
        r = loadgen(args, "logs", args.queries, qps)
        return time.monotonic() - begun - r["seconds"]

    ours, other = in_turns(args.pairs, ridge, theirs)
    print(f"set-up and logs of {args.queries} queries, s: ridge {with_interval(ours)}, "
          f"LoadGen {with_interval(other)}")


def peak_of_child(ridge, flags):
    """Peak resident memory of the runtime's process, bytes."""
    process = subprocess.Popen([ridge, "eval", *flags], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    peak = 0
    done = threading.Event()

    def watch():
        nonlocal peak
        while not done.wait(0.01):
            try:
                children = pathlib.Path(
                    f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                for child in children:
                    status = pathlib.Path(f"/proc/{child}/status").read_text()
                    if "ridge-runtime" in status:
                        peak = max(peak, int(status.split("VmHWM:")[1].split()[0]) * 1024)
            except (OSError, IndexError):
                continue

    watcher = threading.Thread(target=watch)
    watcher.start()
    process.wait()
    done.set()
    watcher.join()
    return peak


def peak_of(words):
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_maxrss * 1024


def memory(args):
    few, many = args.queries // 2, args.queries * 2

    def ridge(count):
        return peak_of_child(args.ridge, [args.model, "--runtime", "null", "--scenario", "server",
                                          "--qps", "1000000", "--duration", "1ms",
                                          "--max-duration", "1h", "--min-queries", str(count)])

    def theirs(count):
        with tempfile.TemporaryDirectory() as folder:
            return peak_of([args.loadgen, "logs", str(count), folder, "1000000"])

    for name, peak in (("ridge", ridge), ("LoadGen", theirs)):
        print(f"memory, {name}: {(peak(many) - peak(few)) / (many - few):.1f} bytes a query")


PARTS = {"rate": rate, "late": late, "logs": logs, "memory": memory}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], default=[])
    parser.add_argument("--ridge", default="build/ridge")
    parser.add_argument("--model", default="zoo:squeezenet1_1")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--qps", type=float, default=10_000)
    parser.add_argument("--queries", type=int, default=1_000_000)
    args = parser.parse_args()
    args.loadgen, args.spin = build()
    print(f"load before: {os.getloadavg()[0]:.1f}")
    for name in args.parts or PARTS:
        PARTS[name](args)


if __name__ == "__main__":
    main()
