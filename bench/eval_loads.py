#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the load generator costs and how punctual it is, with the runtime that computes nothing, and
a single stream against plain runs. Needs an otherwise idle machine; prints its load before.

    bench/eval_loads.py [--ridge build/ridge] [--tries 3] [--model zoo:squeezenet1_1]

Comparisons with LoadGen and with a bare loop: eval_loadgen.py.
"""
import argparse
import csv
import json
import os
import subprocess
import tempfile


def evaluate(ridge, model, *flags):
    """The first point of an evaluation; an invalid one is a result too."""
    done = subprocess.run([ridge, "eval", model, "--format", "json", *flags], capture_output=True,
                          text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)["points"][0]


def rate(args):
    for lanes in (1, 2):
        point = evaluate(args.ridge, args.model, "--runtime", "null", "--scenario", "closed-loop",
                         "--workers", str(lanes), "--duration", "2s")
        f = point["figures"]
        print(f"rate, {lanes} lane(s): {f['completed']['per_s'] / 1e6:.2f} M queries/s, "
              f"{f['queries']} recorded")


def lateness(args):
    point = evaluate(args.ridge, args.model, "--runtime", "null", "--scenario", "server", "--qps",
                     "10000", "--duration", "5s")
    late = point["figures"]["lateness"]
    print(f"lateness at 10,000/s: p50 {late['median_ns']} ns, p99 {late['p99_ns']} ns, "
          f"most {late['max_ns'] / 1e3:.0f} us, later than 20 us {100 * late['share_late']:.2f} %")


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def lindley(args, service, qps, seconds):
    """A service that stalls 100 ms in every second, against Lindley's recursion over the same
    schedule: a query begins when it is due and the one before it is done, and not in a stall."""
    stall, period = 100_000_000, 1_000_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "queries.csv")
        evaluate(args.ridge, args.model, "--runtime", "null", "--scenario", "server", "--qps",
                 str(qps), "--duration", f"{seconds}s", "--queries", path, "--runtime-option",
                 f"ridge.service=constant:{service / 1e3:g}", "--runtime-option",
                 f"ridge.stall={stall / 1e3:g}/{period / 1e3:g}")
        rows = [{k: int(v) for k, v in row.items() if k != "runtime"}
                for row in csv.DictReader(open(path, encoding="utf-8"))]
    # Where in a period the load began: a query that waited in a stall was done one service after it.
    ends = sorted((r["done_ns"] - service) % period for r in rows
                  if r["done_ns"] - r["issued_ns"] > service + 1_000_000)
    begin = (ends[len(ends) // 2] - stall) % period

    def recursion(each):
        free, out = 0, []
        for r in rows:
            start = max(r["scheduled_ns"], free)
            phase = (start - begin) % period
            if phase < stall:
                start += stall - phase
            free = start + each
            out.append(free - r["scheduled_ns"])
        return out

    measured = [r["done_ns"] - r["scheduled_ns"] for r in rows]
    closed = [r["done_ns"] - r["issued_ns"] for r in rows]
    # A run takes its service and what calling it costs, which a queue adds up: both are compared.
    taken = percentile(closed, 0.5)
    asked, own = recursion(service), recursion(taken)
    for share in (0.5, 0.9, 0.95, 0.99, 0.999):
        m, e, o, c = (percentile(v, share) for v in (measured, asked, own, closed))
        print(f"stalls, service {service / 1e6:g} ms, {qps}/s, p{100 * share:g}: measured {m / 1e6:.3f} ms, Lindley {e / 1e6:.3f} ms "
              f"({100 * (m / e - 1):+.2f} %), with the median run of {taken / 1e3:.1f} us "
              f"{o / 1e6:.3f} ms ({100 * (m / o - 1):+.2f} %); counted from the issue it would be "
              f"{c / 1e6:.3f} ms")


def single_stream(args):
    """Medians of a single stream and of plain runs of the same loaded session, in turns."""
    done = subprocess.run([args.in_turns, args.model, "ort", "1", str(args.processes),
                           str(args.seconds)], capture_output=True, text=True, check=True)
    d = json.loads(done.stdout)
    print(f"single stream over plain runs: {d['ratio']:.4f}, 95 % interval {d['ci95']}, by process "
          + " ".join(f"{r:.4f}" for r in d["processes"]) + f"; {d['pairs']} pairs of blocks")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ridge", default="build/ridge")
    parser.add_argument("--model", default="zoo:squeezenet1_1")
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--in-turns", default="build/bench/ridge_stream_in_turns")
    parser.add_argument("--processes", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=15)
    args = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f}")
    for attempt in range(args.tries):
        print(f"try {attempt + 1}")
        rate(args)
        lateness(args)
        lindley(args, 200_000, 1000, 8)
        lindley(args, 1_000_000, 200, 20)
    single_stream(args)


if __name__ == "__main__":
    main()
