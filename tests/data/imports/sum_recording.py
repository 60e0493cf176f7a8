#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums a recording by itself and compares what `ridge import` and `ridge trace query` made of it.

    sum_recording.py RECORDING RUN.json [A10.json]

RECORDING: a trace of PyTorch's profiler (JSON, packed or not) or an export of Nsight Systems (SQLite). RUN.json: what `ridge import
RECORDING --format json` wrote; A10.json: what `ridge trace query A10 RUN.json --format json --top 0` wrote of it. Uses nothing of ridge:
outermost operators of each step, their medians over the steps, times less what lies inside. Exit status 1 where a figure differs by more
than a nanosecond.
"""
import collections
import decimal
import gzip
import json
import sqlite3
import statistics
import sys


def nanoseconds(microseconds):
    return int((decimal.Decimal(str(microseconds)) * 1000).to_integral_value(decimal.ROUND_HALF_UP))


def spans_of(path):
    packed = open(path, "rb").read(2) == b"\x1f\x8b"
    with (gzip.open if packed else open)(path, "rt", encoding="utf-8") as file:
        document = json.load(file, parse_float=decimal.Decimal)
    events = document["traceEvents"] if isinstance(document, dict) else document
    spans = []
    for event in events:
        if event.get("ph") != "X" or event.get("cat") not in ("cpu_op", "user_annotation", "Operator"):
            continue
        start = nanoseconds(event["ts"])
        spans.append((start, start + nanoseconds(event["dur"]), event["name"], event["cat"]))
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def sum_torch(path):
    """Medians over the steps: of the k-th outermost operator of each name; by name of all, less what lies inside each, layer by layer."""
    spans = spans_of(path)
    steps = [span for span in spans if span[2].startswith("ProfilerStep#")]
    operators = [span for span in spans if span[3] != "user_annotation" and span not in steps]
    outer, own = [collections.defaultdict(int) for _ in steps], [collections.Counter() for _ in steps]
    for run, (begin, end, _, _) in enumerate(steps):
        seen, open_spans = collections.Counter(), []
        for start, stop, name, _ in operators:
            if not begin <= start <= end:
                continue
            while open_spans and open_spans[-1][1] <= start:
                open_spans.pop()
            if open_spans:
                own[run][layer, open_spans[-1][2]] -= stop - start
            else:
                layer = name, seen[name]
                outer[run][layer] = stop - start
                seen[name] += 1
            own[run][layer, name] += stop - start
            open_spans.append((start, stop, name))
    medians = {key: statistics.median(run[key] for run in outer) for key in set().union(*outer)}
    names = collections.Counter()
    for layer, name in set().union(*own):
        names[name] += statistics.median(run[layer, name] for run in own)
    return medians, names


def sum_nsight(path):
    file = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    tables = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE name LIKE 'CUPTI_ACTIVITY_KIND_%'")]
    return sum(file.execute(f'SELECT coalesce(sum("end" - start), 0) FROM {table}').fetchone()[0]
               for table in tables if table.endswith(("KERNEL", "MEMCPY", "MEMSET")))


def compare(what, expected, found, allowed):
    if abs(expected - found) <= allowed:
        return 0
    print(f"{what}: {expected} in the recording, {found} in the document")
    return 1


def main():
    recording, layers = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8"))["layers"]
    wrong = 0
    if open(recording, "rb").read(6) == b"SQLite":
        wrong += compare("all layers", sum_nsight(recording), sum(layer["time_ns"]["median"] for layer in layers), 1)
        print(f"{len(layers)} layers: the sum of the recording" if not wrong else f"{wrong} differ")
        return min(wrong, 1)
    medians, own = sum_torch(recording)
    seen = collections.Counter()
    for layer in layers:
        key = layer["name"], seen[layer["name"]]
        seen[layer["name"]] += 1
        wrong += compare(f"{key[0]} number {key[1]}", medians.pop(key, 0), layer["time_ns"]["median"], 1)
    wrong += sum(compare(f"{key[0]} number {key[1]}", ns, 0, 0) for key, ns in medians.items())
    names = 0
    if len(sys.argv) > 3:
        rows = json.load(open(sys.argv[3], encoding="utf-8"))["rows"]
        names = len(rows)
        wrong += sum(compare(row["kernel"], own.pop(row["kernel"], 0), row["time_ns"], 1) for row in rows)
        wrong += sum(compare(name, ns, 0, 0) for name, ns in own.items())
    print(f"{len(layers)} layers, {names} names: those of the recording" if not wrong else f"{wrong} differ")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
