#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time of `ridge submit` for handing out a point over local ssh, beyond what its ridge takes there.

    bench/lab_dispatch.py [--program build/ridge] [--points 40] [--limit 100]

From handing a point out to its result in the store, less the time of the ridge that measured it: the protocol, the
start of the process, sending the run database and merging it. Prints the median with its 95 % interval (of order
statistics), the 90th percentile and the largest, in milliseconds; the exit status is 1 above --limit.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))
from ssh_hosts import SshHosts, requests  # noqa: E402


def median_interval(values):
    """Order statistics around the median whose binomial probability is at least 95 %."""
    n = len(values)
    half = 0.98 * math.sqrt(n)
    low, high = max(0, math.floor(n / 2 - half)), min(n - 1, math.ceil(n / 2 + half))
    return values[low], values[high]


def main():
    top = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=top / "build/ridge")
    parser.add_argument("--points", type=int, default=40)
    parser.add_argument("--limit", type=float, default=100, help="milliseconds for the median")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with SshHosts(folder, ["a"], args.program) as hosts:
            (folder / "lab.toml").write_text('store = "runs.db"\n' + hosts.lab())
            names = requests(folder, args.points, 20)
            command = [str(args.program.resolve()), "submit", *names, "--on", "lab.toml", "--format", "json"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            print(done.stderr, file=sys.stderr)
            return 1
    points = json.loads(done.stdout)["points"]
    took = sorted(p["dispatch_ns"] / 1e6 for p in points)
    wall = sorted(p["wall_ns"] / 1e6 for p in points)
    low, high = median_interval(took)
    median = took[len(took) // 2]
    print(f"{len(took)} points: {median:.1f} ms ({low:.1f} to {high:.1f}), p90 {took[len(took) * 9 // 10]:.1f} ms, "
          f"largest {took[-1]:.1f} ms; beside {wall[len(wall) // 2]:.0f} ms of its ridge")
    return 0 if median <= args.limit else 1


if __name__ == "__main__":
    sys.exit(main())
