#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles a model over and over, and counts the pairs of profiles whose 95 % intervals of the
latency exclude each other, and how many of these ridge compare names as drift of the machine.

    bench/repeated_profiles.py [--model zoo:mobilenet_v2] [--times 10] [-- RIDGE PROFILE OPTIONS]

Nothing changes between the profiles but the machine, so every such pair is drift or a wrong
interval. Exit status 1: more than 2 of 45 pairs exclude each other and are not named.
"""

import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMED = "may be drift of the machine"


def ridge(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


def disjoint(a, b):
    (a_low, a_high), (b_low, b_high) = a["latency"]["ci95_ns"], b["latency"]["ci95_ns"]
    return a_high < b_low or b_high < a_low


def readings(profile, kernel):
    times = [t["ns"] for t in profile["reference"] if t["kernel"] == kernel]
    return f"{kernel} {min(times) / 1e6:.3f}..{max(times) / 1e6:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ridge", default=str(ROOT / "build" / "ridge"))
    parser.add_argument("--model", default="zoo:mobilenet_v2")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("options", nargs="*", help="of ridge profile, after --")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        files = []
        for i in range(args.times):
            files.append(os.path.join(folder, f"{i + 1}.json"))
            ridge(args.ridge, "profile", args.model, *args.options, "--format", "json", "--output", files[-1])
            profile = json.loads(pathlib.Path(files[-1]).read_text())
            latency = profile["latency"]
            low, high = latency["ci95_ns"]
            print(f"{i + 1:3} {latency['median_ns'] / 1e6:8.3f} ms [{low / 1e6:.3f}, {high / 1e6:.3f}]"
                  f"  {readings(profile, 'multiply-add')}  {readings(profile, 'read')}"
                  f"  load {os.getloadavg()[0]:.1f}", flush=True)
        profiles = [json.loads(pathlib.Path(f).read_text()) for f in files]
        pairs = list(itertools.combinations(range(args.times), 2))
        apart = [(a, b) for a, b in pairs if disjoint(profiles[a], profiles[b])]
        named = 0
        for a, b in apart:
            comparison = json.loads(ridge(args.ridge, "compare", files[a], files[b], "--format", "json"))
            drift = any(NAMED in note for note in comparison["notes"])
            named += drift
            ratio = profiles[b]["latency"]["median_ns"] / profiles[a]["latency"]["median_ns"]
            share = comparison["runs"][1]["drift"]["share"]
            print(f"{a + 1:3} and {b + 1}: ratio {ratio:.3f}, reference kernels {100 * share:.1f} %"
                  f"{': named as drift' if drift else ''}")
    print(f"{len(apart)} of {len(pairs)} pairs exclude each other, {named} of them named as drift")
    return 0 if (len(apart) - named) * 45 <= 2 * len(pairs) else 1


if __name__ == "__main__":
    sys.exit(main())
