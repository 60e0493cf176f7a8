#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Load on `ridge serve`: 1,000 requests/s from 64 connections for 30 s.

    bench/serve_load.py STORE [--seconds 30] [--rate 1000] [--connections 64] [--trivial]
                        [--server-cpu N --load-cpu N] [--write S] [--distinct]

bench/serve_load.cc, which this builds, asks for the list of runs, with and without a filter, one run,
the evaluations and the models; with --distinct, for lists of a filter that is another one each time, of which
the server has none. Requests are due at fixed times, whatever the
server does, and a latency counts from the time at which the request was due; `sent late` is the load's
own share of it. --rate 0 asks as fast as it is answered. --trivial asks a server that does nothing, for
what the load itself takes. --write adds a run to the store every S seconds, so that what the server
keeps of it is never valid for longer. Prints the percentiles, the processor time and the resident
memory of the server, after a tenth of the time and at the end, and how busy the machine was. Of
RIDGE_PROGRAM, or build/ridge.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
RIDGE = os.environ.get("RIDGE_PROGRAM", HERE.parent / "build" / "ridge")
TARGETS = ["/api/v1/runs?limit=20", "/api/v1/runs?limit=20&model=resnet", "/api/v1/runs/1",
           "/api/v1/evaluations?limit=20", "/api/v1/models"]
DISTINCT = [f"/api/v1/runs?limit=20&model=resnet&since_s={n}" for n in range(1, 4001)]


def session_of(one_time):
    """Cookie of a session."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    try:
        urllib.request.build_opener(Stay).open(one_time)
    except urllib.error.HTTPError as answer:
        return answer.headers["Set-Cookie"].split(";")[0]
    raise SystemExit("no session")


def resident_kib(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1))


def processor_s(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def on_cpu(number):
    return None if number is None else lambda: os.sched_setaffinity(0, {number})


def write_runs(store, every_s, ended):
    """Adds a run that the store does not have, again and again."""
    shown = subprocess.run([RIDGE, "runs", "show", store, "2", "--format", "json"], check=True,
                           capture_output=True, text=True)
    run, number = json.loads(shown.stdout), time.time_ns()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "run.json"
        while not ended.wait(every_s):
            number += 1
            run["setup"]["load_ns"] = number
            path.write_text(json.dumps(run))
            subprocess.run([RIDGE, "runs", "add", store, path], check=True, stdout=subprocess.DEVNULL)


def ask(load, port, cookie, args, pid):
    """Runs the load and prints what it says; the memory of the server meanwhile."""
    with subprocess.Popen([load, port, cookie, str(args.seconds), str(args.rate), str(args.connections),
                           *(DISTINCT if args.distinct else TARGETS)], preexec_fn=on_cpu(args.load_cpu)) as running:
        before = processor_s(pid)
        time.sleep(0.2 + args.seconds / 10)
        early = resident_kib(pid)
        if running.wait() != 0:
            sys.exit("the load failed")
    print(f"the server: {processor_s(pid) - before:.2f} s of processor time; resident memory {early} KiB "
          f"after a tenth, {resident_kib(pid)} KiB at the end; load average {os.getloadavg()[0]:.2f}")


def against_trivial(load, args):
    with subprocess.Popen([load, "trivial"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          preexec_fn=on_cpu(args.server_cpu)) as server:
        ask(load, server.stdout.readline().strip(), "a=b", args, server.pid)


def against_ridge(load, args):
    server = subprocess.Popen([RIDGE, "serve", args.store, "--port", "0"], stdout=subprocess.PIPE, text=True,
                              preexec_fn=on_cpu(args.server_cpu))
    ended = threading.Event()
    writer = threading.Thread(target=write_runs, args=(args.store, args.write, ended))
    try:
        one_time = server.stdout.readline().split("open once: ")[1].strip()
        port = re.search(r"//[^/]+:(\d+)/", one_time).group(1)
        cookie = session_of(one_time)
        if args.write:
            writer.start()
        ask(load, port, cookie, args, server.pid)
    finally:
        ended.set()
        if args.write:
            writer.join()
        server.terminate()
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store")
    for name, default in (("seconds", 30.0), ("rate", 1000.0), ("write", 0.0)):
        parser.add_argument(f"--{name}", type=float, default=default)
    parser.add_argument("--connections", type=int, default=64)
    for name in ("trivial", "distinct"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--server-cpu", type=int)
    parser.add_argument("--load-cpu", type=int)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        load = f"{folder}/serve_load"
        subprocess.run(["g++", "-std=c++20", "-O2", "-o", load, HERE / "serve_load.cc"], check=True)
        (against_trivial if args.trivial else against_ridge)(load, args)


main()
