#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Load on `ridge serve`: 1,000 requests/s from 64 connections for 30 s.

    bench/serve_load.py STORE [SECONDS [REQUESTS_PER_S [CONNECTIONS]]]

Requests are due at fixed times, whatever the server does, in turn on the connections: the list of
runs, with and without a filter, one run, the evaluations and the models. A latency counts from the time
at which the request was due. Prints the percentiles, and the resident memory of the server after a
tenth of the time and at the end. Of RIDGE_PROGRAM, or build/ridge.
"""
import asyncio
import os
import pathlib
import re
import subprocess
import sys
import urllib.request

RIDGE = os.environ.get("RIDGE_PROGRAM",
                       pathlib.Path(__file__).resolve().parent.parent / "build" / "ridge")
TARGETS = ["/api/v1/runs?limit=20", "/api/v1/runs?limit=20&model=resnet", "/api/v1/runs/1",
           "/api/v1/evaluations?limit=20", "/api/v1/models"]


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


async def client(host, port, cookie, due_s, first, latencies, failed):
    loop = asyncio.get_running_loop()
    reader, writer = await asyncio.open_connection(host, port)
    for turn, due in enumerate(due_s):
        await asyncio.sleep(max(0, due - loop.time()))
        target = TARGETS[(first + turn) % len(TARGETS)]
        writer.write(f"GET {target} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {cookie}\r\n\r\n"
                     .encode())
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(re.search(rb"content-length: (\d+)", head, re.I).group(1))
        await reader.readexactly(size)
        latencies.append(loop.time() - due)
        if not head.startswith(b"HTTP/1.1 200"):
            failed.append(head.split(b"\r\n")[0])
    writer.close()


async def run(host, port, cookie, pid, seconds, rate, connections):
    begin = asyncio.get_running_loop().time() + 0.5
    latencies, failed = [], []
    clients = []
    for i in range(connections):
        due = [begin + n / rate for n in range(i, int(seconds * rate), connections)]
        clients.append(asyncio.create_task(client(host, port, cookie, due, i, latencies, failed)))
    await asyncio.sleep(0.5 + seconds / 10)
    early = resident_kib(pid)
    await asyncio.gather(*clients)
    latencies.sort()
    print(f"{len(latencies)} requests, {len(failed)} failed {failed[:1]}")
    for share in (0.5, 0.9, 0.99, 0.999):
        print(f"p{100 * share:g} {1000 * latencies[int(share * (len(latencies) - 1))]:.2f} ms")
    print(f"largest {1000 * latencies[-1]:.2f} ms")
    print(f"resident memory {early} KiB after a tenth, {resident_kib(pid)} KiB at the end")


def main():
    store = sys.argv[1]
    seconds, rate, connections = [float(text) for text in sys.argv[2:5]] + [30, 1000, 64][
        len(sys.argv) - 2:]
    server = subprocess.Popen([RIDGE, "serve", store, "--port", "0"], stdout=subprocess.PIPE,
                              text=True)
    one_time = server.stdout.readline().split("open once: ")[1].strip()
    host, port = re.search(r"//([^/]+):(\d+)/", one_time).groups()
    try:
        asyncio.run(run(host, int(port), session_of(one_time), server.pid, seconds, rate,
                        int(connections)))
    finally:
        server.terminate()
        server.wait()


main()
