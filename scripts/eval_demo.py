#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Evaluates two networks on real data, in both runtimes, under five scenarios, and writes a folder of reports with one table. Less than ten minutes.

    scripts/eval_demo.py [--out FOLDER] [--ridge build/ridge] [--quick]

    digits        examples/digits, on 2,000 handwritten digits that it was not trained on
    photographs   zoo:efficientnet_lite0 with its ImageNet weights, on 17 photographs

The data come from scripts/fetch_evaluation_data.sh. Each pair of network and scenario is one `ridge eval`, whose command is printed. Exit status 1:
an evaluation is INVALID, as where other programs use the processors; the table has ridge's reasons. --quick runs everything for a moment, to
see that it runs: most figures have no intervals then, and the exit status does not judge them. Standard library only.
"""
import argparse
import csv
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

import eval_demo_page as pages

ROOT = pathlib.Path(__file__).resolve().parents[1]
RUNTIMES = "ort,openvino"

SCENARIOS = {  # name: seconds of digits, of photographs
    "single-stream": (10, 15),
    "multi-stream": (10, 15),
    "server": (40, 90),
    "offline": (10, 15),
    "accuracy": (0, 0),
}


class Network:
    def __init__(self, name, model, data, steps, loads, judged_by, right=None):
        self.name, self.model, self.data, self.steps, self.loads, self.right = name, model, data, steps, loads, right
        self.judged_by = judged_by

    def arguments(self, scenario):
        return [self.model, "--bind", "batch=1", "--data", self.data, "--steps", self.steps, *self.judged_by, "--scenario", scenario,
                *self.loads.get(scenario, [])]


def fetch(script):
    """What a script prints; what it misses is on the terminal already."""
    done = subprocess.run([ROOT / "scripts" / script], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"eval_demo: scripts/{script} failed; without a network, RIDGE_DOWNLOADS names a folder with the archives")
    return pathlib.Path(done.stdout.strip())


def right_classes(data):
    """Classes that are right, for each photograph in the order of ridge; none where ImageNet has none."""
    with open(data / "photographs/photographs.csv", newline="", encoding="utf-8") as table:
        return [{int(c) for c in row["classes"].split()} for row in sorted(csv.DictReader(table), key=lambda row: row["file"])]


def networks(data):
    held_out = data / "digits/held-out"
    return [Network("digits", ROOT / "examples/digits/digits.onnx", held_out / "images.npy", "normalize(divide=255) layout(nchw)",
                    {"server": ["--qps", "500", "--bound", "p99=5ms"]}, ["--labels", held_out / "labels.txt"]),
            Network("photographs", data / "efficientnet_lite0.onnx", data / "photographs",
                    "decode(rgb) resize(256, short, bicubic, pillow) crop(224) normalize(mean=[127], std=[128]) layout(nchw)",
                    {"server": ["--qps", "20", "--bound", "p99=300ms"], "offline": ["--threads", "2"]},
                    ["--post", f"top(5) labels({data / 'imagenet_classes.txt'})"], right=right_classes(data))]


def shown(argument):
    """Of a command line: a path below the current folder without it."""
    below = isinstance(argument, pathlib.Path) and argument.is_relative_to(pathlib.Path.cwd())
    return str(argument.relative_to(pathlib.Path.cwd()) if below else argument)


def evaluate(args, network, scenario):
    """The document of an evaluation in both runtimes."""
    seconds = SCENARIOS[scenario][network.name == "photographs"]
    path = args.out / f"{network.name}-{scenario}.json"
    # A machine that is slow for its duration may go on until it has enough queries.
    duration = ["--duration", "0.5s" if args.quick else f"{seconds}s", "--max-duration", "120s"] if seconds else []
    if args.quick and seconds:
        duration += ["--min-queries", "10"]
    command = [args.ridge, "eval", *network.arguments(scenario), *duration, "--runtimes", RUNTIMES, "--output", path,
               "--report", path.with_suffix(".html"), "--lock", path.with_suffix(".lock")]
    print("$ " + shlex.join(map(shown, command)), flush=True)
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"eval_demo: {network.name}, {scenario}: ridge ended with status {done.returncode}\n{done.stderr}")
    return json.loads(path.read_text())


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ridge", type=pathlib.Path, default=ROOT / "build/ridge")
    parser.add_argument("--out", type=pathlib.Path, help="folder of the results; default: a new one")
    parser.add_argument("--quick", action="store_true", help="a moment of each")
    args = parser.parse_args()
    if not args.ridge.exists():
        sys.exit(f"eval_demo: there is no {args.ridge}; build it (make build), or name one: --ridge PATH")
    args.out = args.out or pathlib.Path(tempfile.mkdtemp(prefix="ridge-eval-"))
    args.out.mkdir(parents=True, exist_ok=True)
    return args


def main():
    args, begin = options(), time.monotonic()
    data = fetch("fetch_evaluation_data.sh")
    work = [(network, scenario) for network in networks(data) for scenario in SCENARIOS]
    rows = []
    for number, (network, scenario) in enumerate(work, 1):
        print(f"\n[{number}/{len(work)}, {time.monotonic() - begin:.0f} s] {network.name}, {scenario}", flush=True)
        document = evaluate(args, network, scenario)
        rows += pages.rows_of(document, network, scenario)
    (args.out / "index.html").write_text(pages.html_of(rows, (ROOT / "web/report.css").read_text()), encoding="utf-8")
    print("\n" + pages.text_of(rows))
    print(f"{args.out / 'index.html'}: the table, the reports and the documents. {time.monotonic() - begin:.0f} s")
    return 1 if any(row.verdict == "invalid" for row in rows) and not args.quick else 0


if __name__ == "__main__":
    sys.exit(main())
