#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random requests to `ridge serve`, for a build with sanitizers.

    bench/serve_random.py STORE [--program build-asan/ridge] [--requests 1000000] [--seed 1]
                          [--processes 2]

Each request is put together from parts, whole, mutated or cut; most have the session's cookie. Several
processes send them, each on 32 connections with up to 16 requests at once. What follows a request whose
connection was ended is sent again on another one, so that each request has an answer, ends its connection,
or is incomplete and given up (silent); these are counted, answers by status. The server must still answer
and say nothing on standard error at the end. Exit status 1 if not. The same seed makes the same requests.
"""
import argparse
import collections
import multiprocessing
import pathlib
import random
import re
import selectors
import socket
import subprocess
import sys
import time

RIDGE = pathlib.Path(__file__).resolve().parent.parent / "build" / "ridge"
PARALLEL = 32  # connections of a process
BATCH = 16  # requests on a connection
SILENT_S = 0.5  # after which the client gives up an incomplete request
PLAUSIBLE = 0.3  # share of requests of which nothing is random but the target and the method
CLOSED = 0.2  # share of requests that ask for the end of their connection
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
        pick, out = self.random, ["Connection: close"] if self.random.random() < CLOSED else []
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

    def plausible(self):
        """A request that the gate lets pass, for whatever is there."""
        method = self.random.choice(["GET", "GET", "GET", "HEAD", "DELETE"])
        return (f"{method} {self.target()} HTTP/1.1\r\nHost: {self.host}\r\nCookie: {self.cookie}\r\n"
                "X-Ridge-Request: 1\r\n\r\n").encode()

    def request(self):
        pick = self.random
        if pick.random() < PLAUSIBLE:
            return self.plausible()
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


def connected(port):
    connection = socket.socket()
    connection.connect(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def whole(port, data):
    """All that one request is answered."""
    with connected(port) as connection:
        connection.sendall(data)
        text = b""
        while part := connection.recv(65536):
            text += part
    return text


class Exchange:
    """A connection with requests on their way."""

    def __init__(self, port, batch):
        self.batch, self.answered, self.received = batch, 0, bytearray()
        self.said_close = False  # the last answer is the last of the connection
        self.connection = connected(port)
        self.since = time.monotonic()
        try:
            self.connection.sendall(b"".join(batch))
            self.connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the server ended the connection on the way
        self.connection.setblocking(False)

    def take(self, seen):
        """Counts the answers that have arrived; False at the end of the connection."""
        try:
            part = self.connection.recv(1 << 18)
        except BlockingIOError:
            return True
        except OSError:
            part = b""
        self.received += part
        while (size := self.answer_size(ended=not part)) is not None:
            status = bytes(self.received[9:12]).decode("latin-1")
            if status != "100":  # the server waits for a body
                seen[status] += 1
                self.answered += 1
            self.said_close = b"\nconnection: close" in self.received[:size].lower()
            self.since = time.monotonic()
            del self.received[:size]
        return bool(part)

    def answer_size(self, ended):
        """Bytes of the first answer if it is whole. That to HEAD has the length of a body that it lacks."""
        end = self.received.find(b"\r\n\r\n")
        if end < 0 or not self.received.startswith(b"HTTP/1.1 "):
            return None
        head, end = bytes(self.received[:end]), end + 4
        length = re.search(rb"content-length: *(\d+)", head, re.I)
        if not length or self.received[end:end + 9] == b"HTTP/1.1 " or (ended and len(self.received) == end):
            return end
        if len(self.received) >= end + int(length[1]):
            return end + int(length[1])
        # An answer to HEAD that nothing follows yet ends with its header.
        method = self.batch[min(self.answered, len(self.batch) - 1)][:5]
        return end if method == b"HEAD " and len(self.received) == end else None


def flood(port, maker, requests, seen):
    """Sends requests until so many have an answer or have ended their connection."""
    selector, waiting, done = selectors.DefaultSelector(), collections.deque(), 0
    while done < requests:
        while len(selector.get_map()) < PARALLEL:
            batch = [waiting.popleft() if waiting else maker.request() for _ in range(BATCH)]
            exchange = Exchange(port, batch)
            selector.register(exchange.connection, selectors.EVENT_READ, exchange)
        exchanges = [key.data for key, _ in selector.select(timeout=SILENT_S)]
        now = time.monotonic()
        ended = [exchange for exchange in exchanges if not exchange.take(seen)]
        silent = [key.data for key in selector.get_map().values()
                  if now - key.data.since > SILENT_S and key.data not in ended]
        for exchange in ended + silent:
            selector.unregister(exchange.connection)
            exchange.connection.close()
            done += exchange.answered
            left = exchange.batch[exchange.answered:]
            if left and not exchange.said_close:
                seen["silent" if exchange in silent else "ended"] += 1
                done += 1
                left = left[1:]
            waiting.extend(left)
    for key in list(selector.get_map().values()):
        key.fileobj.close()


def flood_in_process(port, host, cookie, seed, requests, results):
    seen = collections.Counter()
    flood(port, Maker(seed, host, cookie), requests, seen)
    results.put(seen)


def log_in(port, host, one_time):
    text = whole(port, f"GET {one_time.split(host)[1]} HTTP/1.1\r\nHost: {host}\r\n"
                       "Connection: close\r\n\r\n".encode())
    return re.search(rb"Set-Cookie: ([^;]+)", text).group(1).decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store")
    parser.add_argument("--program", default=RIDGE)
    for name, default in (("requests", 1_000_000), ("seed", 1), ("processes", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    server = subprocess.Popen([args.program, "serve", args.store, "--port", "0"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
    one_time = server.stdout.readline().split("open once: ")[1].strip()
    host, port = re.search(r"//([^/]+:(\d+))/", one_time).groups()
    cookie, begun = log_in(int(port), host, one_time), time.monotonic()
    results, share = multiprocessing.Queue(), -(-args.requests // args.processes)
    senders = [multiprocessing.Process(target=flood_in_process, args=(
        int(port), host, cookie, 1000 * args.seed + i, share, results)) for i in range(args.processes)]
    for sender in senders:
        sender.start()
    seen = sum((results.get() for _ in senders), collections.Counter())
    for sender in senders:
        sender.join()
    took = time.monotonic() - begun
    alive = whole(int(port), f"GET /api/v1/runs HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n"
                             "Connection: close\r\n\r\n".encode()).startswith(b"HTTP/1.1 200")
    server.terminate()
    said = server.communicate()[1]
    print(f"{sum(seen.values())} requests in {took:.0f} s:",
          ", ".join(f"{status} {count}" for status, count in sorted(seen.items())))
    print(f"answers at the end: {alive}; exit {server.returncode}; standard error: {said[:2000]!r}")
    sys.exit(0 if alive and server.returncode == 0 and not said else 1)


if __name__ == "__main__":
    main()
