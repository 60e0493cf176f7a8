#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A laboratory on this machine, from a matrix to a sealed result, in less than ten minutes.

    scripts/lab_demo.py [--out lab-demo] [--ridge build/ridge]

Starts a PostgreSQL server, two ssh hosts and a Slurm of two nodes, runs a matrix of two networks over all of them
into one run database, kills an agent on the way, reports models by machines, serves the database and opens its pages,
lets Prometheus scrape its metrics, schemathesis ask its API and pdflatex set its tables (scripts/lab_readers.py), and
seals, verifies and replays one result. Every command is printed before it runs. What is left in the folder: lab.toml,
matrix.toml, report.html, document.pdf, pages/*.html, result.ridge, and logs. All servers end with the program. Exit
status 1: something went another way than it should, 4: something is not installed. Needs root: each host has a name and a
machine id of its own by namespaces. The machine is shared by hosts and nodes, so the figures show how it works, not
how fast anything is.
"""
import argparse
import http.cookiejar
import json
import os
import pathlib
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "python" / "tests"))
import lab_readers  # noqa: E402
import postgres  # noqa: E402
from lab_parts import Absent, Slurm  # noqa: E402
from ssh_hosts import SshHosts  # noqa: E402

MATRIX = """\
verb = "bench"
model = ["zoo:squeezenet1_1", "zoo:mobilenet_v2"]
bind = ["batch=1"]
threads = [1]
budget = "6s"
processes = 2
"""
PARTITION = """\
[[slurm]]
partition = "lab"
constraint = "both"
folder = "{folder}/jobs"
poll_s = 1
"""
PAGES = {"runs": "/", "run": "/runs/1", "models": "/models", "machines": "/hosts",
         "experiment": "/experiments/1", "grid": "/grid"}


class Demo:
    def __init__(self, args, store, environment):
        self.ridge, self.out, self.store, self.environment = args.ridge.resolve(), args.out, store, environment

    def command(self, *arguments):
        words = ["ridge", *map(str, arguments)]
        print(f"\n$ {shlex.join(words)}", flush=True)
        return [str(self.ridge), *words[1:]]

    def run(self, *arguments, may_differ=False):
        """Runs ridge in the folder and shows what it prints. `may_differ`: status 1 is a verdict, not a fault."""
        done = subprocess.run(self.command(*arguments), cwd=self.out, env=self.environment)
        if done.returncode != 0 and not (may_differ and done.returncode == 1):
            sys.exit(f"lab_demo: ridge {arguments[0]} ended with status {done.returncode}")

    def kill_one_agent(self, hosts, killed):
        """Waits until host a measures a point, and ends its agent as kill -9 does."""
        while not killed.wait(0.05):
            if hosts.descendants("a", " bench "):
                os.kill(hosts.descendants("a", "ridge agent")[-1], signal.SIGKILL)
                print("  (the agent of a is killed)", flush=True)
                killed.set()

    def submit(self, hosts):
        killed = threading.Event()
        killer = threading.Thread(target=self.kill_one_agent, args=(hosts, killed), daemon=True)
        killer.start()
        self.run("submit", "matrix.toml", "--on", "lab.toml")
        if not killed.is_set():
            sys.exit("lab_demo: the matrix ended before an agent could be killed")

    def stored(self):
        listed = subprocess.run([str(self.ridge), "runs", "list", self.store, "--format", "json"], cwd=self.out,
                                env=self.environment, capture_output=True, text=True, check=True)
        return json.loads(listed.stdout)["runs"]

    def serve(self, runs):
        """Opens each page through the one-time address, as a browser does, and keeps it; then others ask the server."""
        token = self.out / "token"
        token.touch(mode=0o600)
        token.write_text(secrets.token_hex(32))
        flags = ["--port", "0", "--token-file", token, "--allow-run"]
        server = subprocess.Popen(self.command("serve", self.store, *flags), cwd=self.out, text=True,
                                  env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            address = next(found for line in server.stdout
                           if print(f"  {line.rstrip()}") or (found := re.search(r"http://\S+/login\?key=\S+", line)))
            login = address.group(0)
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
            browser.open(login).read()
            base = login[:login.index("/login")]
            for name, path in PAGES.items():
                page = browser.open(base + path).read()
                (self.out / "pages" / f"{name}.html").write_bytes(page)
                print(f"  {base}{path}: {len(page)} bytes")
            expected = {"ridge_store_runs": runs, "ridge_store_evaluations": 0}
            print(" ", lab_readers.scrape(self.out / "prometheus", base.rsplit(":", 1)[1], token, expected))
            print(" ", lab_readers.ask_by_description(self.out, base, token.read_text()), flush=True)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()


def parts_missing():
    wanted = {"postgresql": "/usr/lib/postgresql", "openssh-server": "/usr/sbin/sshd"}
    return [package for package, path in wanted.items() if not os.path.exists(path)] + lab_readers.missing()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("lab-demo"))
    parser.add_argument("--ridge", type=pathlib.Path, default=ROOT / "build" / "ridge")
    args = parser.parse_args()
    if missing := parts_missing():
        print(f"lab_demo: not installed: {', '.join(missing)}; scripts/setup.sh test demo installs them",
              file=sys.stderr)
        return 4
    args.out = args.out.resolve()
    shutil.rmtree(args.out, ignore_errors=True)
    (args.out / "pages").mkdir(parents=True)
    begin = time.monotonic()
    server = postgres.Server()
    try:
        with Slurm() as slurm, tempfile.TemporaryDirectory(prefix="ridge-lab-") as folder, \
                SshHosts(folder, ["a", "b"], args.ridge, own_names=True) as hosts:
            demo = Demo(args, server.uri, os.environ | slurm.environment)
            (args.out / "matrix.toml").write_text(MATRIX)
            (args.out / "lab.toml").write_text(
                f'store = "{server.uri}"\n{hosts.lab()}{PARTITION.format(folder=args.out)}')
            demo.run("submit", "matrix.toml", "--on", "lab.toml", "--dry-run")
            demo.submit(hosts)
            runs = demo.stored()
            print(f"\n{len(runs)} runs in the database")
            if len(runs) != 6:
                sys.exit("lab_demo: two networks on two hosts and a partition are six runs")
            demo.run("submit", "matrix.toml", "--on", "lab.toml")
            demo.run("report", server.uri, "--rows", "model", "--columns", "host")
            demo.run("report", server.uri, "--format", "html", "--output", "report.html")
            demo.run("report", server.uri, "--format", "latex", "--output", "grid.tex")
            print(" ", lab_readers.typeset(args.out))
            demo.serve(len(runs))
            demo.run("bundle", "seal", server.uri, "1", "-o", "result.ridge")
            demo.run("bundle", "verify", "result.ridge")
            demo.run("bundle", "replay", "result.ridge", may_differ=True)
    finally:
        server.stop()
    print(f"\n{time.monotonic() - begin:.0f} s; {args.out} has report.html, document.pdf, pages/ and result.ridge")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Absent as error:
        print(f"lab_demo: {error}", file=sys.stderr)
        sys.exit(4)
