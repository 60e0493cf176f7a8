#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sum_recordings.py FORMAT RECORDING RUN: adds up a recording by itself and compares it with what ridge import made of it.

RUN is the ridge.profile/1 document. Of `ort` each kernel's time in each model_run is summed (bodies taken out of If, Loop and Scan) and
the medians compared layer by layer, and the sum over layers of every run; of `openvino` the median over requests of each executed
row; of `trtexec` the median or mean of each layer. Layers may be groups of kernels: their kernels are what is looked up. Python's
standard library alone, none of the program's code.
"""
import collections
import csv
import json
import statistics
import sys


def check(holds, what):
    if not holds:
        raise SystemExit(f"sum_recordings.py: {what}")


def ort(path):
    with open(path, encoding="utf-8") as f:
        events = [e for e in json.load(f) if e.get("ph") == "X"]
    runs = [(e["ts"], e["ts"] + e["dur"]) for e in events if e["name"] == "model_run"]
    kernels = [e for e in events if e["cat"] == "Node"]
    times = collections.defaultdict(lambda: [0] * len(runs))
    for e in kernels:
        start, end = e["ts"], e["ts"] + e["dur"]
        own = e["dur"]
        if e["args"]["op_name"] in ("If", "Loop", "Scan"):
            own -= sum(k["dur"] for k in kernels if k is not e and start <= k["ts"] and k["ts"] + k["dur"] <= end)
        for i, (first, last) in enumerate(runs):
            if first <= start and end <= last + 1:
                times[e["name"].removesuffix("_kernel_time")][i] += 1000 * own
    return dict(times), [1000 * (last - first) for first, last in runs]


def openvino(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if text.lstrip().startswith("{"):
        report = json.loads(text)
        tables = report.get("detailed_performance") or [report["avg_performance"]]
        rows = [(n["name"], n["status"], n["real_time"]) for table in tables for n in table["nodes"]]
    else:
        rows = [(r[0], r[1], r[4]) for r in csv.reader(text.splitlines(), delimiter=";") if len(r) > 4 and r[1].endswith("EXECUTED")]
    times = collections.defaultdict(list)
    for name, status, milliseconds in rows:
        if status.endswith("EXECUTED"):
            times[name].append(round(1e6 * float(milliseconds)))
    return dict(times), []


def trtexec(path):
    with open(path, encoding="utf-8") as f:
        rows = json.load(f)
    return {r["name"]: [round(1e6 * r.get("medianMs", r["averageMs"]))] for r in rows if "name" in r}, []


def compare(times, runs, run):
    expected = {name: statistics.median(values) for name, values in times.items()}
    found = collections.Counter()
    for layer in run["layers"]:
        for kernel in layer["kernels"] or [{"name": layer["name"], "time_ns": layer["time_ns"]}]:
            found[kernel["name"]] += kernel["time_ns"]["median"]
    check(set(found) == set(expected), f"kernels {sorted(set(found) ^ set(expected))} are on one side alone")
    for name, ns in expected.items():
        check(abs(found[name] - ns) < 1, f"{name} takes {ns} ns, the document has {found[name]}")
    if not runs:
        return
    check(run["profiled_latency"]["median_ns"] == statistics.median(runs), "the median run")
    raw = [sum(values[i] for values in times.values()) for i in range(len(runs))]
    made = [sum(layer["runs_ns"][i] for layer in run["layers"]) for i in range(len(runs))]
    check(raw == made, f"the layers of each run add up to {raw}, in the document to {made}")


if __name__ == "__main__":
    recorded, whole = {"ort": ort, "openvino": openvino, "trtexec": trtexec}[sys.argv[1]](sys.argv[2])
    with open(sys.argv[3], encoding="utf-8") as document:
        compare(recorded, whole, json.load(document))
