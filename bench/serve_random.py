#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random requests to `ridge serve`, for a build with sanitizers.

    RIDGE_PROGRAM=build-asan/ridge bench/serve_random.py STORE [REQUESTS [SEED]]

Each request is put together from parts, whole, mutated or cut, and sent on a connection of its own,
64 at a time; some have the session's cookie. The server must still answer, and say nothing on standard
error, at the end; what it was answered is counted by status. 10^6 requests take some minutes.
"""
import collections
import os
import pathlib
import random
import re
import selectors
import socket
import subprocess
import sys
import time

RIDGE = os.environ.get("RIDGE_PROGRAM",
                       pathlib.Path(__file__).resolve().parent.parent / "build" / "ridge")
PARALLEL = 64
SILENT_S = 0.5  # after which the client gives up an incomplete request
PATHS = ["/", "/api/v1/runs", "/api/v1/runs/1", "/api/v1/runs/99", "/api/v1/evaluations/1",
         "/api/v1/compare?runs=1,2", "/compare?runs=1&runs=2", "/hosts", "/models", "/metrics",
         "/api/v1/openapi.json", "/login?key=00", "/api/v1/jobs", "/jobs/1", "/style.css"]
QUERIES = ["model=a", "threads=1,2", "limit=7", "offset=3", "since_s=-5", "host=%C3%BC", "a=%zz",
           "runs=1", "limit=99999999999999999999", "%00=1", "&&&", "model=" + "x" * 3000]
SEGMENTS = ["..", "%2e%2e", "%252e", "%c0%ae", "\\", "%5c", "%2f", "a", "é", "%00", "", "%", "{run}"]
METHODS = ["GET", "HEAD", "POST", "DELETE", "PUT", "OPTIONS", "TRACE", "get", "G\x00T", "A" * 99]


class Maker:
    def __init__(self, seed, host, cookie):
        self.random, self.host, self.cookie = random.Random(seed), host, cookie

    def target(self):
        pick = self.random
        path = pick.choice(PATHS)
        if pick.random() < 0.3:
            path = "/" + "/".join(pick.choice(SEGMENTS) for _ in range(pick.randrange(1, 6)))
        if pick.random() < 0.4:
            path += "?" + "&".join(pick.choice(QUERIES) for _ in range(pick.randrange(1, 5)))
        return path

    def headers(self):
        pick, out = self.random, ["Connection: close"]
        out.append(f"Host: {pick.choice([self.host] * 8 + ['evil', '', self.host + ' '])}")
        if pick.random() < 0.7:
            out.append(f"Cookie: {pick.choice([self.cookie] * 4 + ['a=b', self.cookie[:-1], ';;='])}")
        for line in ("Origin: http://evil", f"Origin: http://{self.host}", "Sec-Fetch-Site: none",
                     "X-Ridge-Request: 1", "Transfer-Encoding: chunked", "Expect: 100-continue",
                     "Content-Length: 10", "Content-Length: -1", "X: " + "y" * 2000, ": x", "X"):
            if pick.random() < 0.1:
                out.append(line)
        pick.shuffle(out)
        return out

    def request(self):
        pick = self.random
        text = "\r\n".join([f"{pick.choice(METHODS[:4] * 5 + METHODS)} {self.target()} HTTP/1.1",
                            *self.headers()]) + "\r\n\r\n"
        data = bytearray(text.encode())
        if pick.random() < 0.2:
            data += pick.randbytes(pick.randrange(1, 300))
        for _ in range(pick.choice([0, 0, 0, 1, 3])):
            data[pick.randrange(len(data))] = pick.randrange(256)
        if pick.random() < 0.1:
            del data[pick.randrange(len(data)):]
        return bytes(data)


def ask(port, data):
    connection = socket.socket()
    connection.connect(("127.0.0.1", port))
    connection.sendall(data)
    connection.shutdown(socket.SHUT_WR)
    connection.setblocking(False)
    return connection


def flood(port, maker, requests, seen):
    selector = selectors.DefaultSelector()
    sent = 0
    while sent < requests or selector.get_map():
        while sent < requests and len(selector.get_map()) < PARALLEL:
            try:
                connection = ask(port, maker.request())
                selector.register(connection, selectors.EVENT_READ, (bytearray(), time.monotonic()))
            except OSError:
                seen["ended"] += 1
            sent += 1
        for key in [key for key in selector.get_map().values()
                    if time.monotonic() - key.data[1] > SILENT_S]:
            seen["silent"] += 1
            selector.unregister(key.fileobj)
            key.fileobj.close()
        for key, _ in selector.select(timeout=SILENT_S):
            head, _ = key.data
            try:
                part = key.fileobj.recv(65536)
            except OSError:
                part = b""
            if part:
                head.extend(part[:16] if len(head) < 16 else b"")
                continue
            seen[bytes(head[9:12]).decode("latin-1") or "ended"] += 1
            selector.unregister(key.fileobj)
            key.fileobj.close()


def main():
    store = sys.argv[1]
    requests = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    server = subprocess.Popen([RIDGE, "serve", store, "--port", "0"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
    one_time = server.stdout.readline().split("open once: ")[1].strip()
    host, port = re.search(r"//([^/]+:(\d+))/", one_time).groups()
    maker = Maker(seed, host, f"ridge-{port}=" + "0" * 64)
    answer = ask(int(port), f"GET {one_time.split(host)[1]} HTTP/1.1\r\nHost: {host}\r\n"
                            "Connection: close\r\n\r\n".encode())
    answer.setblocking(True)
    text = b""
    while part := answer.recv(65536):
        text += part
    maker.cookie = re.search(rb"Set-Cookie: ([^;]+)", text).group(1).decode()
    seen = collections.Counter()
    begun = time.monotonic()
    flood(int(port), maker, requests, seen)
    good = ask(int(port), f"GET /api/v1/runs HTTP/1.1\r\nHost: {host}\r\nCookie: {maker.cookie}\r\n"
                          "Connection: close\r\n\r\n".encode())
    good.setblocking(True)
    alive = good.recv(12) == b"HTTP/1.1 200"
    server.terminate()
    said = server.communicate()[1]
    print(f"{requests} requests in {time.monotonic() - begun:.0f} s:",
          ", ".join(f"{status} {count}" for status, count in sorted(seen.items())))
    print(f"answers at the end: {alive}; exit {server.returncode}; standard error: {said[:2000]!r}")
    sys.exit(0 if alive and server.returncode == 0 and not said else 1)


main()
