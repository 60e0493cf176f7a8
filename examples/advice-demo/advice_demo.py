#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ridge advise on three networks of the zoo with one defect each: what it finds, what it predicts, and what the repair gains. Less than five minutes.

    examples/advice-demo/advice_demo.py [--ridge build/ridge] [--out FOLDER] [--seconds 270]

    squeezenet1_1        its weights are listed as inputs, as older exporters do
    mobilenet_v3_small   HardSwish is spelled out as x * (Clip(x + 3, 0, 6) / 6)
    resnet18             results of its convolutions are outputs of the model

Each is planted into the network's file (plant.py). `ridge advise --bricks --check all` measures the bricks of the model and of its repaired form, predicts
the gain of the repair, applies it, measures both in turns and compares their outputs. FOLDER, a new one by default, keeps the models, the documents
and a report for each. Exit status 1: a defect was not found, or its repair was not shown to gain anything, for example because other programs used the
processors ("not judged"). Standard library only.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import plant

DEFECTS = [("squeezenet1_1", "weights listed as inputs", plant.list_weights, "constant_inputs"),
           ("mobilenet_v3_small", "HardSwish spelled out", plant.spell_hard_swish, "hard_swish"),
           ("resnet18", "results of Conv kept", plant.keep_convolutions, "kept_outputs")]
MARGIN = 8  # seconds of a network for what the budget does not bound: loading, applying, the page


def run(command, statuses=(0,)):
    print("$ " + " ".join(command), flush=True)
    status = subprocess.run(command, stderr=subprocess.DEVNULL if "write" in command else None).returncode
    if status not in statuses:
        sys.exit(status)


def planted(args, network, change):
    """Path of the copy with the defect."""
    clean, path = (os.path.join(args.out, network + end) for end in (".onnx", "-planted.onnx"))
    run([args.ridge, "zoo", "write", network, "--output", clean])
    with open(clean, "rb") as f:
        model = plant.read(f.read())
    change(plant.graph(model))
    with open(path, "wb") as f:
        f.write(plant.write(model))
    return path


def advise(args, path, budget):
    """The document."""
    base = path.removesuffix(".onnx")
    run([args.ridge, "advise", path, "--store", os.path.join(args.out, "advice.db"), "--bricks", "--check", "all", "--bind", "batch=1",
         "--budget", f"{budget:.0f}s", "--output", base + ".json", "--report", base + ".html"], (0, 1))
    with open(base + ".json") as f:
        return json.load(f)


def milliseconds(ns, interval=None):
    if ns is None:
        return "unknown"
    text = f"{ns / 1e6:#.3g}".rstrip(".")
    return f"{text} ({interval[0] / 1e6:#.3g} to {interval[1] / 1e6:#.3g})" if interval else text


def row(network, defect, wanted, document):
    """A line of the table, and whether the defect was found and its repair gained."""
    finding = next((f for f in document["findings"] if f["id"] == wanted), None)
    if finding is None:
        return [network, defect, "not found", "", "", "", "", "", ""], False
    check = finding["check"] or {}
    outputs = check.get("outputs")
    cells = [network, defect, f"{wanted}, {len(finding['nodes'])} nodes", milliseconds(check.get("before_ns")),
             milliseconds(finding["predicted_gain_ns"], finding["ci95_ns"]), milliseconds(check.get("achieved_gain_ns"), check.get("ci95_ns")),
             f"{outputs['max_rel']:.0e}" if outputs else "", (check.get("state") or "").replace("_", " "), check.get("prediction") or ""]
    return cells, check.get("state") == "gained"


def print_table(rows):
    rows = [["network", "planted", "found", "before, ms", "predicted gain, ms", "achieved gain, ms", "outputs differ by", "check", "prediction"], *rows]
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    print()
    for r in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(r, widths)).rstrip())


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ridge", default="build/ridge")
    parser.add_argument("--out", help="folder for models, documents and reports")
    parser.add_argument("--seconds", type=float, default=270, help="for all three")
    args = parser.parse_args()
    if args.out:
        os.makedirs(args.out, exist_ok=True)
    else:
        args.out = tempfile.mkdtemp(prefix="ridge-advice-")
    return args


def main():
    args = options()
    begin = time.monotonic()
    rows, good = [], True
    for i, (network, defect, change, wanted) in enumerate(DEFECTS):
        path = planted(args, network, change)
        left = args.seconds - (time.monotonic() - begin)
        document = advise(args, path, max(10, left / (len(DEFECTS) - i) - MARGIN))
        cells, gained = row(network, defect, wanted, document)
        rows.append(cells)
        good &= gained
        repaired = path.replace("-planted", "-repaired")
        if cells[2] != "not found":
            run([args.ridge, "advise", path, "--bind", "batch=1", "--apply", wanted, "--output", repaired])
    print_table(rows)
    print(f"\n{args.out}: models, documents (.json), reports (.html). {time.monotonic() - begin:.0f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
