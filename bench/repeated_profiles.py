#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles a model over and over, and counts what ridge compare says of the pairs: equal ones, and with a planted slowdown.

    bench/repeated_profiles.py [--model zoo:mobilenet_v2] [--times 10] [--slower 10] [-- RIDGE PROFILE OPTIONS]
    bench/repeated_profiles.py --documents quiet_*.json     of profiles made before

Nothing changes between the profiles but the machine, so a pair that is called faster or slower is a false alarm: drift
of the machine that the rule of src/compare/drift.h does not cover, or a wrong interval. For the other side the times of
the second profile's runs are multiplied by 1.10: its noise and that of the machine remain, the slowdown is exact.

Prints each false alarm, and the counts. Exit status 1: more than 2 of 45 equal pairs are called faster or slower.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALARMS = ("faster", "slower")


def ridge(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


def compared(program, first, second):
    """Verdict on the latency, its ratio, and the share that drift may explain."""
    out = json.loads(ridge(program, "compare", first, second, "--format", "json"))
    row = out["latency"]["runs"][1]
    return row["verdict"], row["ratio"], (out["runs"][1]["drift"] or {}).get("share")


def slower(path, share, folder):
    document = json.loads(pathlib.Path(path).read_text())
    latency = document["latency"]
    for process in latency["processes"]:
        process["samples_ns"] = [round(t * (1 + share)) for t in process["samples_ns"]]
    latency["median_ns"] = round(latency["median_ns"] * (1 + share))
    latency["ci95_ns"] = [round(t * (1 + share)) for t in latency["ci95_ns"]]
    out = pathlib.Path(folder, f"slower-{pathlib.Path(path).name}")
    out.write_text(json.dumps(document))
    return str(out)


def measure(args, folder):
    files = []
    for i in range(args.times):
        files.append(os.path.join(folder, f"{i + 1}.json"))
        ridge(args.ridge, "profile", args.model, *args.options, "--format", "json", "--output", files[-1])
        profile = json.loads(pathlib.Path(files[-1]).read_text())
        low, high = profile["latency"]["ci95_ns"]
        kernels = collections.defaultdict(list)
        for t in profile["reference"]:
            kernels[t["kernel"]].append(t["ns"] / 1e6)
        print(f"{i + 1:3} {profile['latency']['median_ns'] / 1e6:8.3f} ms [{low / 1e6:.3f}, {high / 1e6:.3f}]",
              *(f"{k} {min(t):.3f}..{max(t):.3f}" for k, t in kernels.items()),
              f"load {os.getloadavg()[0]:.1f}", sep="  ", flush=True)
    return files


def counts_text(counts):
    return ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ridge", default=str(ROOT / "build" / "ridge"))
    parser.add_argument("--model", default="zoo:mobilenet_v2")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--slower", type=float, default=10, help="the planted slowdown in %% (10)")
    parser.add_argument("--documents", nargs="*", help="ridge.profile/1 documents of one model, in place of measuring")
    parser.add_argument("options", nargs="*", help="of ridge profile, after --")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        files = args.documents or measure(args, folder)
        planted = [slower(f, args.slower / 100, folder) for f in files]
        equal, found = collections.Counter(), collections.Counter()
        for a, b in itertools.combinations(range(len(files)), 2):
            verdict, ratio, drift = compared(args.ridge, files[a], files[b])
            equal[verdict] += 1
            if verdict in ALARMS:
                print(f"{a + 1:3} and {b + 1}: {verdict}, ratio {ratio:.3f}, drift of up to {100 * drift:.1f} %")
            found[compared(args.ridge, files[a], planted[b])[0]] += 1
    pairs = equal.total()
    print(f"of {pairs} equal pairs: {counts_text(equal)}")
    print(f"of {pairs} with {args.slower:g} % planted: {counts_text(found)}")
    return 0 if sum(equal[v] for v in ALARMS) * 45 <= 2 * pairs else 1


if __name__ == "__main__":
    sys.exit(main())
