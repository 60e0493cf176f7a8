#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A collector that a live `ridge serve --otlp` pushes to, and what it was sent.

    serve_otlp.py STORE

Starts measurements through the server while the collector is busy, refuses, rejects a part, and is
away. The spans are decoded with OpenTelemetry's own messages (PYTHONPATH, as
scripts/fetch_export_readers.sh has them) and compared with those that `ridge export` writes.
"""
import http.server
import os
import re
import subprocess
import sys
import threading
import time

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
from opentelemetry.proto.trace.v1 import trace_pb2

from serve_client import PATIENCE_S, Server, started, watched

BENCH = {"verb": "bench", "model": "zoo:shufflenet_v2_x0_5", "runtime": "ort", "budget": "1s", "processes": 1}


class Collector(http.server.ThreadingHTTPServer):
    """Keeps what it is sent; answers with the next of `answers`, then with 200."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.received, self.answers = [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status, answer = self.server.answers.pop(0) if self.server.answers else (200, b"{}")
        self.server.received.append((status, self.path, self.headers["Content-Type"], body))
        self.send_response(status)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for byte in answer:
            self.wfile.write(b"1\r\n" + bytes([byte]) + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        pass


def spans_of(messages):
    return [(s.name, s.start_time_unix_nano, s.end_time_unix_nano, s.span_id, s.parent_span_id)
            for message in messages for resource in message.resource_spans
            for scope in resource.scope_spans for s in scope.spans]


def exported(store, run):
    lines = subprocess.run(["ridge", "export", f"{store}:{run}", "--to", "otlp"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return spans_of(json_format.Parse(line, trace_pb2.TracesData()) for line in lines)


def pushed(requests):
    return spans_of(json_format.Parse(body, trace_service_pb2.ExportTraceServiceRequest())
                    for *_, body in requests)


def counts(server):
    text = server.ask("GET", "/metrics").text
    return [int(re.search(rf"^ridge_otlp_{name}_total (\d+)$", text, re.M).group(1))
            for name in ("pushed", "failed", "rejected_spans")]


def measure(server, collector, batch, answers):
    """Runs a job; the requests that the collector got, once it is pushed or given up."""
    collector.answers, collector.received = answers, []
    before = sum(counts(server)[:2])
    _, job = watched(server, started(server, BENCH | {"bind": [f"batch={batch}"]}))
    until = time.monotonic() + PATIENCE_S
    while sum(counts(server)[:2]) == before and time.monotonic() < until:
        time.sleep(0.05)
    assert job["state"] == "done", job
    return collector.received


def main(store):
    errors = os.open("errors.txt", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    os.dup2(errors, 2)
    collector = Collector()
    place = f"http://127.0.0.1:{collector.server_port}"
    server = Server(store, "--allow-run", "--otlp", place)
    server.log_in()
    first = server.ask("GET", "/api/v1/runs?limit=1").json()["total"] + 1

    requests = measure(server, collector, 1, [(503, b""), (503, b"busy")])
    print("busy:", [request[:3] for request in requests[:3]], counts(server))
    spans = pushed(requests[2:])
    print("spans:", len(spans) > 10, spans == exported(store, first),
          len({body for *_, body in requests[:3]}) == 1, {status for status, *_ in requests[2:]})

    requests = measure(server, collector, 2, [(404, b"no such page")])
    print("refused:", [status for status, *_ in requests], counts(server))

    partial = b'{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}'
    requests = measure(server, collector, 3, [(200, partial)])
    print("rejected:", {status for status, *_ in requests}, counts(server),
          pushed(requests) == exported(store, first + 2))

    collector.shutdown()
    collector.server_close()
    _, job = watched(server, started(server, BENCH | {"bind": ["batch=4"]}))
    print("away:", job["state"], server.ask("GET", "/").status, "end:", server.end())
    sys.stdout.flush()
    with open("errors.txt", encoding="utf-8") as file:
        print(file.read().replace(place, "COLLECTOR"), end="")


if __name__ == "__main__":
    main(sys.argv[1])
