#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Points over two ssh hosts while agents, their connections and their ridge are killed at random moments.

    bench/lab_kills.py [--program build/ridge] [--points 40] [--kills 50] [--seed 1]

Each kill is SIGKILL to one process, drawn from those that then run below the two ssh servers (agents, what measures
the point, sessions of sshd) and the ssh clients of `ridge submit`. Where the submission ends early the same command
goes on. At the end every point must be in the store once, and no process may be left. Prints figures; the exit status
is 1 where something is lost, twice there, or left behind.
"""

import argparse
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))
from ssh_hosts import SshHosts, command_of, parents, requests  # noqa: E402


def below(pid):
    """Descendants of a process of ours."""
    above, found = parents(), []
    for other in above:
        up = above.get(other, 0)
        while up > 1 and up != pid:
            up = above.get(up, 0)
        if up == pid:
            found.append(other)
    return found


def victims(hosts, submit):
    """By kind: what may be killed now."""
    found = {"agent": [], "point": [], "session": [], "client": []}
    for name in hosts.names:
        for pid in hosts.descendants(name, ""):
            command = command_of(pid)
            if "--runtime-child" in command:
                continue
            kind = "point" if "--point" in command else "agent" if command.startswith("ridge agent") else "session"
            if "--bound-to" not in command or kind == "point":
                found[kind].append(pid)
    if submit is not None:
        found["client"] = [pid for pid in below(submit.pid) if command_of(pid).startswith("ssh ")]
    return {kind: pids for kind, pids in found.items() if pids}


def run(args, folder, hosts):
    draw, killed, runs = random.Random(args.seed), {}, 0
    names = requests(folder, args.points, args.milliseconds)
    command = [str(args.program), "submit", *names, "--on", "lab.toml", "--hosts", "any", "--format", "json"]
    submit, status, until = None, None, time.monotonic() + args.limit
    log = open(folder / "log", "w", encoding="utf-8")
    next_kill = time.monotonic() + 2
    while time.monotonic() < until:
        if submit is None:
            submit, runs = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log), runs + 1
        status = submit.poll()
        if status is not None:
            submit = None
            if status == 0:
                break
            continue
        time.sleep(0.02)
        if sum(killed.values()) >= args.kills or time.monotonic() < next_kill:
            continue
        now = victims(hosts, submit)
        if not now:
            continue
        kind = draw.choice(sorted(now))
        try:
            os.kill(draw.choice(now[kind]), signal.SIGKILL)
        except ProcessLookupError:
            continue
        killed[kind] = killed.get(kind, 0) + 1
        next_kill = time.monotonic() + draw.uniform(0.05, args.pause)
    if submit is not None:
        submit.kill()
        submit.wait()
    return killed, runs, status


def main():
    top = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=top / "build/ridge")
    parser.add_argument("--points", type=int, default=40)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--milliseconds", type=int, default=500, help="that a point measures")
    parser.add_argument("--pause", type=float, default=1.2, help="seconds between kills, at most")
    parser.add_argument("--limit", type=float, default=600, help="seconds for all")
    args = parser.parse_args()
    args.program = args.program.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with SshHosts(folder, ["a", "b"], args.program) as hosts:
            (folder / "lab.toml").write_text('store = "runs.db"\n' + hosts.lab())
            began = time.monotonic()
            killed, runs, status = run(args, folder, hosts)
            wall = time.monotonic() - began
            left = []
            for _ in range(100):
                left = [pid for host in hosts.names for pid in hosts.descendants(host, "ridge")]
                if not left:
                    break
                time.sleep(0.1)
        rows = sqlite3.connect(folder / "runs.db").execute(
            "SELECT count(*), count(DISTINCT point) FROM evaluation"
        )
        stored, distinct = rows.fetchone()
        if status != 0:
            print((folder / "log").read_text()[-3000:], file=sys.stderr)
    print(f"seed {args.seed}: {args.points} points in {wall:.1f} s, {runs} submissions")
    print("killed: " + (", ".join(f"{n} x {kind}" for kind, n in sorted(killed.items())) or "nothing"))
    print(f"in the store: {stored}, of {distinct} points; processes left behind: {len(left)}")
    return 0 if status == 0 and stored == distinct == args.points and not left else 1


if __name__ == "__main__":
    sys.exit(main())
