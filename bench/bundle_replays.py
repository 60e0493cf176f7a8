#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verdicts of ridge bundle replay on the machine that sealed (false alarms) and on a planted slowdown (found).

    bench/bundle_replays.py [--bundles 40] [--processes 5] [--busy]

Each bundle is a run of a chain of 20 equal convolutions, in five processes as docs/bundle.md advises and otherwise with
a user's defaults, sealed and replayed at once. The slowdown is known from how it is made: a chain of 22 is 10 % more
work of the same kind; its run is judged against the sealed one by ridge bundle diff, as replay judges. --busy compiles a
file of this repository during each replay alone, and counts how often the machine is named as less fit.

Prints each verdict, then the counts with their exact 95 % intervals. Exit status 1: more than one in ten replays are
called different, or fewer than nine in ten slowdowns.
"""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from gate_alarms import BLOCKS, ROOT, chain, compile_on, share


def ridge(args, folder, *words):
    done = subprocess.run([args.ridge.resolve(), *words], cwd=folder, capture_output=True, text=True)
    if done.returncode > 1:
        sys.exit(f"{' '.join(words)}: status {done.returncode}: {done.stderr}")
    return done.returncode, done.stdout.strip()


def seal(args, folder, name):
    pathlib.Path(folder, f"{name}.db").unlink(missing_ok=True)
    ridge(args, folder, "profile", f"{name}.onnx", "--processes", str(args.processes), "--store", f"{name}.db")
    ridge(args, folder, "bundle", "seal", f"{name}.db:1", "-o", f"{name}.ridge")


def replay(args, folder):
    job = compile_on(folder) if args.busy else None
    try:
        return ridge(args, folder, "bundle", "replay", "base.ridge")
    finally:
        if job:
            os.killpg(job.pid, signal.SIGTERM)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ridge", type=pathlib.Path, default=ROOT / "build" / "ridge")
    parser.add_argument("--bundles", type=int, default=40)
    parser.add_argument("--processes", type=int, default=5, help="of a sealed run (5; what ridge profile takes: 3)")
    parser.add_argument("--busy", action="store_true", help="a compiler runs during each replay")
    args = parser.parse_args()

    alarms = found = named = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, blocks in [("base", BLOCKS), ("slower", BLOCKS + BLOCKS // 10)]:
            pathlib.Path(folder, f"{name}.onnx").write_bytes(chain(blocks))
        for i in range(args.bundles):
            seal(args, folder, "base")
            status, text = replay(args, folder)
            alarms += status
            named += "less fit" in text
            print(f"{i + 1:3} equal   load {os.getloadavg()[0]:.1f}  {text}", flush=True)
            seal(args, folder, "slower")
            status, text = ridge(args, folder, "bundle", "diff", "base.ridge", "slower.ridge")
            found += status
            print(f"{i + 1:3} slower  load {os.getloadavg()[0]:.1f}  {text}", flush=True)
    print(f"replays called different: {share(alarms, args.bundles)}")
    print(f"slowdowns of 10 % found: {share(found, args.bundles)}")
    if args.busy:
        print(f"busier machine named: {share(named, args.bundles)}")
    return 0 if 10 * alarms <= args.bundles and 10 * found >= 9 * args.bundles else 1


if __name__ == "__main__":
    sys.exit(main())
