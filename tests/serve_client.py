#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A client of a live `ridge serve`, which prints what it was answered.

    serve_client.py CASE STORE [FLAG...]

Starts `ridge serve STORE --port 0 FLAG...`, asks it over sockets, and ends it. The cases are the
functions at the end.
"""
import atexit
import base64
import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import time
import urllib.parse
import zlib

PATIENCE_S = 60


class Server:
    """A running `ridge serve`, and a session with it."""

    def __init__(self, store, *flags):
        self.process = subprocess.Popen(["ridge", "serve", store, "--port", "0", *flags],
                                        stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.one_time = self.next_address()
        self.host = re.search(r"//([^/]+)/", self.one_time).group(1)
        self.port = int(self.host.rsplit(":", 1)[1])
        self.cookie = None

    def next_address(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(self.process.wait())
        return line.split("open once: ")[1].strip()

    def log_in(self):
        answer = self.ask("GET", self.one_time.split(self.host)[1])
        self.cookie = answer.header("Set-Cookie").split(";")[0]
        return answer

    def ask(self, method, target, headers=None, body=None):
        """What http.client is answered; with the session's cookie."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        all_headers = {"Cookie": self.cookie} if self.cookie else {}
        all_headers.update(headers or {})
        connection.request(method, target, body=body, headers=all_headers)
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def send(self, text, more=b""):
        """What a socket is answered to these bytes; b"" for an end without an answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S) as connection:
            try:
                connection.sendall(text.encode("latin-1"))
                if more:
                    connection.sendall(more)
            except OSError:
                pass  # the server ended the connection on the way
            received = b""
            try:
                while part := connection.recv(65536):
                    received += part
            except OSError:
                pass
        return received

    def raw(self, method, target, *headers, cookie=True):
        """Status and code of the answer to a request with these lines of a header."""
        lines = [f"{method} {target} HTTP/1.1", "Connection: close", *headers]
        if not any(line.lower().startswith("host:") for line in headers):
            lines.append(f"Host: {self.host}")
        if cookie:
            lines.append(f"Cookie: {self.cookie}")
        return told(self.send("\r\n".join(lines) + "\r\n\r\n"))

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE_S)


class Answer:
    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.text = response.read().decode()

    def header(self, name):
        return self.headers[name]

    def json(self):
        return json.loads(self.text)


def told(answer):
    """Status line's number, and the error's code in the body."""
    if not answer:
        return "ended"
    head, _, body = answer.partition(b"\r\n\r\n")
    code = re.search(rb"RIDGE-[A-Z]+-\d+", body)
    return head.split()[1].decode() + (" " + code.group().decode() if code else "")


def ridge(*arguments):
    return subprocess.run(["ridge", *arguments], check=True, capture_output=True, text=True).stdout


# Cases


def login(store, *flags):
    server = Server(store, *flags)
    print("before:", server.ask("GET", "/").status)
    answer = server.log_in()
    cookie = answer.header("Set-Cookie")
    print("once:", answer.status, answer.header("Location"),
          re.sub(r"=[0-9a-f]{64};", "=SECRET;", cookie).replace(str(server.port), "PORT"))
    print("with the cookie:", server.ask("GET", "/").status)
    print("twice:", told_of(server.ask("GET", server.one_time.split(server.host)[1])))
    old, server.one_time = server.one_time, server.next_address()
    print("another key:", old != server.one_time, server.log_in().status)
    print("end:", server.end())


def told_of(answer):
    code = re.search(r"RIDGE-[A-Z]+-\d+", answer.text)
    return f"{answer.status} {code.group() if code else ''}".strip()


def pages(store, *flags):
    server = Server(store, *flags)
    server.log_in()
    for target in ("/", "/runs/1", "/evaluations", "/compare?runs=1&runs=2", "/compare?runs=1,2",
                   "/grid", "/hosts", "/experiments", "/models", "/jobs", "/try", "/style.css", "/report.js",
                   "/serve.js", "/runs/99",
                   "/nothing"):
        answer = server.ask("GET", target)
        inline = "inline" if re.search(r"<script>|\son\w+=\"", answer.text) else ""
        print(target, answer.status, answer.header("Content-Type").split(";")[0], inline)
    answer = server.ask("HEAD", "/")
    print("HEAD", answer.status, len(answer.text))
    for name in ("Content-Security-Policy", "X-Content-Type-Options", "Cache-Control",
                 "Referrer-Policy"):
        print(f"{name}: " + answer.header(name).replace("; ", ";\n  "))
    server.end()


def api(store, *flags):
    """Documents of the API against those that the verbs print."""
    server = Server(store, *flags)
    server.log_in()
    whole = json.loads(ridge("runs", "list", store, "--format", "json"))
    page = server.ask("GET", "/api/v1/runs").json()
    print("runs:", page["runs"] == whole["runs"][::-1], page["total"] == len(whole["runs"]))
    for run in whole["runs"]:
        shown = json.loads(ridge("runs", "show", store, str(run["run"]), "--format", "json"))
        print("run:", server.ask("GET", f"/api/v1/runs/{run['run']}").json() == shown)
    page = server.ask("GET", "/api/v1/evaluations").json()
    print("evaluations:", page["evaluations"] == whole["evaluations"][::-1])
    for one in whole["evaluations"]:
        number = one["evaluation"]
        shown = json.loads(ridge("runs", "show", store, f"evaluation:{number}", "--format", "json"))
        print("evaluation:", server.ask("GET", f"/api/v1/evaluations/{number}").json() == shown)
    compared = server.ask("GET", "/api/v1/compare?runs=1,2").json()
    shown = json.loads(ridge("compare", f"{store}:1", f"{store}:2", "--format", "json"))
    print("compare:", compared["groups"] == shown["groups"])
    shown = json.loads(ridge("report", store, "--rows", "model", "--columns", "runtime",
                             "--format", "json"))
    print("grid:", server.ask("GET", "/api/v1/grid?columns=runtime").json() == shown)
    for query in ("limit=1", "limit=1&offset=1", "model=before", "model=nothing", "threads=1,2",
                  "runtime=ort&limit=1", "host=&model=", "since_s=1", "before_s=1"):
        page = server.ask("GET", "/api/v1/runs?" + query).json()
        print(query, page["total"], [run["run"] for run in page["runs"]])
    for query in ("limit=0", "limit=1001", "offset=-1", "limit=x", "unknown=1", "threads=a",
                  "since_s=1e3"):
        error = server.ask("GET", "/api/v1/runs?" + query)
        print(query, error.status, error.json()["code"], error.json()["message"])
    for target in ("/api/v1/runs/99", "/api/v1/runs/0", "/api/v1/runs/x",
                   "/api/v1/runs/99999999999999999999", "/api/v1/evaluations/99",
                   "/api/v1/compare?runs=1", "/api/v1/compare?runs=1,99", "/api/v2/runs",
                   "/api/v1/models/..%2f..%2fetc%2fpasswd"):
        print(target, told_of(server.ask("GET", target)))
    for method in ("POST", "DELETE"):
        answer = server.ask(method, "/api/v1/runs", {"X-Ridge-Request": "1"})
        print(method, told_of(answer), answer.header("Allow"))
    hosts = server.ask("GET", "/api/v1/hosts").json()["hosts"]
    print("hosts:", sum(host["runs"] for host in hosts) == len(whole["runs"]))
    server.end()


def kept(store, *_):
    """Whoever has an answer is told so, until the store changes."""
    server = Server(store)
    server.log_in()

    def again(target, answer):
        same = server.ask("GET", target, {"If-None-Match": answer.header("ETag")})
        return f"{same.status} {same.text.encode()} {same.header('Content-Type')}"

    def runs(answer):
        return f"runs: {answer.json()['total']}"

    runs_at = "/api/v1/runs"
    first = server.ask("GET", runs_at)
    print(runs_at, first.status, first.header("Cache-Control"), runs(first))
    for _ in range(2):
        print("  its tag:", again(runs_at, first))
    script = server.ask("GET", "/serve.js")
    print("/serve.js", script.status, script.header("Cache-Control"))
    print("  its tag:", again("/serve.js", script))
    run = json.loads(ridge("runs", "show", store, "1", "--format", "json"))
    run["model"]["path"] = "another.onnx"
    with open("another.json", "w") as file:
        json.dump(run, file)
    ridge("runs", "add", store, "another.json")
    changed = server.ask("GET", runs_at, {"If-None-Match": first.header("ETag")})
    print("after another run:", changed.status, runs(changed))
    print("  its tag:", again(runs_at, changed))
    ridge("runs", "delete", store, "4")
    changed = server.ask("GET", runs_at, {"If-None-Match": changed.header("ETag")})
    print("after it was removed:", changed.status, runs(changed))
    answer = server.ask("GET", "/api/v1/models")
    print("/api/v1/models", answer.status, answer.header("Cache-Control"), "tag:", answer.header("ETag"))
    server.end()


def models(store, registry):
    server = Server(store, "--registry", registry)
    server.log_in()
    text = server.ask("GET", "/api/v1/models").text
    print(re.sub(r"[0-9a-f]{64}", "HASH", text), end="")
    print("path:", os.path.abspath(registry) in text)
    print("page:", "net@1.0.0" in server.ask("GET", "/models").text)
    server.end()


def refused(store, *flags):
    server = Server(store, *flags)
    server.log_in()
    for target in ("/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
                   "/%252e%252e/etc/passwd", "/%c0%ae%c0%ae/etc/passwd", "/..\\etc\\passwd",
                   "/%5c..%5cetc", "//etc/passwd", "/a%00", "/%", "/a%0d%0aSet-Cookie:x",
                   "/" + "a" * 5000, "http://evil.example/", "*"):
        print(f"GET {target[:30]}:", server.raw("GET", target))
    host = f"Host: {server.host}"
    for headers in (["Host: evil.example"], [f"Host: evil.example:{server.port}"],
                    ["Host: 127.0.0.1"], ["Host:"], [host, host],
                    [host, "Origin: http://evil.example"], [host, "Origin: null"],
                    [host, f"Origin: http://{server.host}"]):
        shown = [line.replace(str(server.port), "PORT") for line in headers]
        print(f"GET / {shown}:", server.raw("GET", "/", *headers))
    print("no cookie:", server.raw("GET", "/api/v1/runs", cookie=False))
    print("another's cookie:",
          server.raw("GET", "/", f"Cookie: ridge-{server.port}={'0' * 64}", cookie=False))
    form = "Content-Type: application/x-www-form-urlencoded"
    for headers in ([form, "Content-Length: 0"], ["Content-Length: 0", "Origin: http://evil.example"],
                    ["Content-Length: 0", "Sec-Fetch-Site: cross-site", "X-Ridge-Request: 1"],
                    ["Content-Length: 0", "X-Ridge-Request: 1"]):
        print(f"POST {headers}:", server.raw("POST", "/api/v1/runs", *headers))
    for target in ("/api/v1/jobs/1", "/nothing"):
        print("TRACE", target, "Allow:", server.ask("TRACE", target).header("Allow"))
    for method in ("TRACE", "OPTIONS", "CONNECT", "PUT", "PATCH", "get", "\x01"):
        print(f"{method!r}:", server.raw(method, "/"))
    print("still:", server.ask("GET", "/").status)
    server.end()


def limits(store, *flags):
    server = Server(store, *flags)
    server.log_in()
    start = f"GET / HTTP/1.1\r\nHost: {server.host}\r\n"
    many = "".join(f"X-{i}: {i}\r\n" for i in range(200000))
    print("200,000 headers:", told(server.send(start + many + "\r\n")))
    print("a long header:", told(server.send(start + "X: " + "a" * 1000000 + "\r\n\r\n")))
    print("headers without end:", told(server.send(start + many)))
    post = (f"POST /api/v1/runs HTTP/1.1\r\nHost: {server.host}\r\nX-Ridge-Request: 1\r\n"
            f"Connection: close\r\nCookie: {server.cookie}\r\n")
    print("a body of 8 MiB:", told(server.send(post + f"Content-Length: {8 << 20}\r\n\r\n")))
    print("of -1:", told(server.send(post + "Content-Length: -1\r\n\r\n")))
    chunk = b"100000\r\n" + b"a" * (1 << 20) + b"\r\n"
    print("8 chunks of 1 MiB:", told(server.send(post + "Transfer-Encoding: chunked\r\n\r\n",
                                                 chunk * 8 + b"0\r\n\r\n")))
    print("no HTTP:", told(server.send("\x16\x03\x01\x02\x00\r\n\r\n")))
    half = []
    for _ in range(300):
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S)
        connection.sendall(start.encode())
        half.append(connection)
    print("beside 300 half requests:", server.ask("GET", "/").status)
    for connection in half:
        connection.close()
    print("after:", server.ask("GET", "/").status, server.end())


def token(store, *_):
    with open("token", "w", encoding="ascii") as file:
        file.write("0123456789abcdef\n")
    os.chmod("token", 0o600)
    server = Server(store, "--token-file", "token")
    bearer = {"Authorization": "Bearer 0123456789abcdef"}
    print("right:", server.ask("GET", "/api/v1/runs", bearer).status)
    print("wrong:", server.ask("GET", "/api/v1/runs", {"Authorization": "Bearer 0123"}).status)
    text = server.ask("GET", "/metrics", bearer)
    print(text.header("Content-Type"))
    print("\n".join(line for line in text.text.splitlines()
                    if line.startswith(("ridge_store", "# EOF"))))
    server.end()


def openapi(store, *_):
    """Every operation without parameters is answered as the document says."""
    server = Server(store)
    server.log_in()
    document = server.ask("GET", "/api/v1/openapi.json").json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            answer = server.ask(method.upper(), path.replace("{run}", "1").replace(
                "{evaluation}", "1") + ("?runs=1,2" if "compare" in path else ""))
            content = operation["responses"][str(answer.status)]["content"]
            stated = next(iter(content.values())).get("schema", {}).get("$ref", "")
            said = ""
            if "json" in answer.header("Content-Type"):
                said = answer.json().get("schema", "").replace("/", ".")
            print(method.upper(), path, answer.status, answer.header("Content-Type") in content,
                  stated.rsplit("/", 1)[-1] == said)
    server.end()


def watched(server, number):
    """Events of a job until it ends: their names, and the last state."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    connection.request("GET", f"/api/v1/jobs/{number}/events", headers={"Cookie": server.cookie})
    text = connection.getresponse().read().decode()
    events = [dict(line.split(": ", 1) for line in event.splitlines())
              for event in text.strip().split("\n\n")]
    return [event["event"] for event in events], json.loads(events[-1]["data"])


def started(server, request):
    """The number of a job, or what refused it."""
    answer = server.ask("POST", "/api/v1/jobs", {"X-Ridge-Request": "1"}, json.dumps(request))
    return answer.json()["job"] if answer.status == 202 else told_of(answer)


def shown_by_chromium(server, target):
    """The document after the page's scripts have run; takes the next one-time address."""
    address = f"{server.one_time}&to={urllib.parse.quote(target, safe='')}"
    page = subprocess.run(
        ["timeout", "90", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
         "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--virtual-time-budget=4000",
         f"--user-data-dir={os.getcwd()}/chromium", "--dump-dom", address],
        capture_output=True, text=True, check=True).stdout
    server.one_time = server.next_address()
    return page


def browser(store, *_):
    """What a browser makes of pages: their scripts have run, and rows are those of the filters."""
    server = Server(store, "--allow-run")
    for target in ("/", "/?model=before", "/runs/1", "/compare?runs=1,2", "/grid", "/jobs",
                   "/try"):
        page = shown_by_chromium(server, target)
        rows = len(re.findall(r'name="runs"', page))
        print(target, "sortable:", 'tabindex="0"' in page, "rows:", rows,
              re.search(r"<h1>(.*?)</h1>", page).group(1))
    print("end:", server.end())


def submitted(store):
    """Experiment 1 of two points on an agent beside, experiment 2 of one that fails."""
    with open("lab.toml", "w", encoding="utf-8") as lab:
        lab.write(f'store = "{store}"\n[[host]]\nname = "here"\n')
    request = ('verb = "eval"\nmodel = "plain.onnx"\nruntime = ["null"]\nduration = "50ms"\n'
               'min-queries = 3\nseed = [{}]\nruntime-option = ["ridge.service={}"]\n')
    for name, seed, service in (("a", 1, "constant:200"), ("b", 2, "constant:200"),
                                ("bad", 3, "constant:200\", \"ridge.crash_after=1")):
        with open(f"{name}.toml", "w", encoding="utf-8") as file:
            file.write(request.replace("[{}]", "{}").format(seed, service))
    environment = os.environ | {"XDG_CACHE_HOME": os.path.abspath("cache")}
    for requests in (["a.toml", "b.toml", "--experiment", "<two>"], ["bad.toml"]):
        subprocess.run(["ridge", "submit", *requests, "--on", "lab.toml"], env=environment,
                       capture_output=True, check=False)


def words_of(markup):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", markup)).strip()


def experiments(store, *_):
    """Experiments and agents by the API against what the verb prints, and their pages."""
    submitted(store)
    server = Server(store)
    server.log_in()
    shown = json.loads(ridge("runs", "experiments", store, "--format", "json"))
    print("list:", server.ask("GET", "/api/v1/experiments").json() == shown)
    for row in shown["experiments"]:
        number = row["experiment"]
        one = server.ask("GET", f"/api/v1/experiments/{number}").json()
        print(number, row["name"], row["state"], one == json.loads(
            ridge("runs", "experiments", store, str(number), "--format", "json")))
        for point in one["points"]:
            print(" ", point["label"], point["state"], point["machine"], point["evaluation"])
    agents = server.ask("GET", "/api/v1/agents").json()["agents"]
    for agent in agents:  # runtimes that it has differ from build to build
        print(agent["name"], agent["state"], agent["experiment"], bool(agent["machine"]),
              [model["model"] for model in agent["models"]],
              [runtime["title"] for runtime in agent["runtimes"]])
    for target in ("/api/v1/experiments/9", "/api/v1/experiments/x", "/experiments/9"):
        print(target, told_of(server.ask("GET", target)))
    for query in ("experiment=1", "experiment=2", "experiment=0"):
        answer = server.ask("GET", "/api/v1/evaluations?" + query)
        print(query, answer.json().get("total", told_of(answer)),
              server.ask("GET", "/api/v1/runs?" + query).json().get("total"))
    page = server.ask("GET", "/experiments/1").text
    print(re.search(r"<h1>.*?</h1>", page).group(), re.search(r'id="counts">(.*?)<', page).group(1))
    print(words_of(re.search(r'id="points">.*?<tbody>(.*?)</tbody>', page, re.DOTALL).group(1)))
    print(re.sub(r"\d+ s ago", "N s ago", words_of(
        re.search(r'id="agents">.*?<tbody>(.*?)</tbody>', page, re.DOTALL).group(1)))[:18])
    page = server.ask("GET", "/experiments/2").text
    failure = re.search(r'id="failures">.*?<tbody>(.*?)</tbody>', page, re.DOTALL).group(1)
    print(words_of(failure)[:40], "why:", len(words_of(failure)) > 41)
    print("listed:", "&lt;two&gt;" in server.ask("GET", "/experiments").text,
          'id="agents"' in server.ask("GET", "/hosts").text)
    for line in server.ask("GET", "/metrics").text.splitlines():
        if re.match(r"ridge_(agents|experiment)", line):
            print(line)
    server.end()


def followed(store, *_):
    """The page of an experiment that goes on asks again, that of one that has ended does not."""
    submitted(store)
    with sqlite3.connect(store) as database:
        database.execute("UPDATE experiment SET state = 'running' WHERE id = 2")
    server = Server(store)

    def requests_of(target):
        shown_by_chromium(server, target)
        server.log_in()
        server.one_time = server.next_address()
        text = server.ask("GET", "/metrics").text
        server.cookie = None
        return sum(map(int, re.findall(r"ridge_serve_requests_total\S+ (\d+)", text)))

    before = requests_of("/experiments/1")
    still = requests_of("/experiments/1") - before
    goes_on = requests_of("/experiments/2") - before - still
    print("asks again:", goes_on > still)
    server.end()


EVAL = {"verb": "eval", "model": "zoo:shufflenet_v2_x0_5", "runtime": "null", "duration": "100ms",
        "max-duration": "2s", "min-queries": 5, "warmup": 1}
# A request beside EVAL, and what the stored lock says of its options.
ASKED = [
    ({"scenario": "server", "qps": 70, "arrivals": "constant", "threads": 2, "workers": 2,
      "seed": 9, "batch": 2, "samples": 7, "bound": "p95=80ms", "weights": "as-is",
      "optimization": "basic", "duration": "200ms", "max-duration": "3s", "min-queries": 6,
      "warmup": 2},
     {"scenario": "server", "arrivals": "constant(70)", "threads": "2", "lanes": "2",
      "size.batch": "2", "samples": "7", "bound_share": "0.95", "bound_ns": "80000000",
      "weights": "as-is", "optimization": "basic", "min_duration_ns": "200000000",
      "max_duration_ns": "3000000000", "min_queries": "6", "warmup_queries": "2"}),
    ({"scenario": "closed-loop", "clients": 3, "workers": 2},
     {"scenario": "closed-loop", "clients": "3", "lanes": "2"}),
    ({"scenario": "multi-stream", "samples-per-query": 3, "bind": ["batch=3"]},
     {"scenario": "multi-stream", "samples_per_query": "3", "size.batch": "3"}),
]


def options(store, *_):
    """Each option of an evaluation stands in the stored one as it was asked for."""
    server = Server(store, "--allow-run")
    server.log_in()
    for request, wanted in ASKED:
        names, job = watched(server, started(server, EVAL | request))
        page = server.ask("GET", "/api/v1/evaluations?limit=1").json()
        number = page["evaluations"][0]["evaluation"]
        document = server.ask("GET", f"/api/v1/evaluations/{number}").json()
        lock = document["points"][0]["lock"]
        found = {name: lock["options"].get(name) for name in wanted}
        print(request["scenario"], names[-1], job["state"], document["model"]["path"],
              "as asked" if found == wanted else f"asked {wanted}, found {found} {job['said']}")
        if "seed" in request:
            print("seeds", lock["seeds"])
    server.end()


def jobs(store, *_):
    server = Server(store)
    server.log_in()
    print("without --allow-run:", started(server, EVAL))
    server.end()
    server = Server(store, "--allow-run")
    server.log_in()
    print("no header:", told_of(server.ask("POST", "/api/v1/jobs", {}, json.dumps(EVAL))))
    for change in ({"model": "/etc/passwd"}, {"model": "../net.onnx"}, {"model": "shufflenet_v2_x0_5"},
                   {"runtime": "./mine.so"}, {"data": "/etc"}, {"store": "x.db"},
                   {"runtime-library": "/x.so"}, {"arrivals": "trace:/etc/passwd"},
                   {"verb": "runs"}, {"no-such": 1}):
        print(change, started(server, EVAL | change))
    print("no JSON:", told_of(server.ask("POST", "/api/v1/jobs", {"X-Ridge-Request": "1"}, "{")))
    long = started(server, EVAL | {"duration": "60s", "max-duration": "60s"})
    print("one:", long, "another:", started(server, EVAL))
    answer = server.ask("DELETE", f"/api/v1/jobs/{long}", {"X-Ridge-Request": "1"})
    print("cancel:", answer.status)
    names, job = watched(server, long)
    print("last event:", names[-1], job["state"], job["status"])
    print("none:", told_of(server.ask("GET", "/api/v1/jobs/9/events")))
    listed = server.ask("GET", "/api/v1/jobs").json()["jobs"]
    print("listed:", [(job["job"], job["verb"], job["state"]) for job in listed])
    print("page:", server.ask("GET", f"/jobs/{long}").status)
    print("end:", server.end())


def png(pixels, width):
    """A gray picture."""
    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data
                + struct.pack(">I", zlib.crc32(name + data)))
    rows = b"".join(b"\0" + pixels[at:at + width] for at in range(0, len(pixels), width))
    header = struct.pack(">IIBBBBB", width, len(pixels) // width, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


def npy(descr, shape, data):
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data


def try_request(models, kind, data, **more):
    return {"models": models,
            "sample": {"kind": kind, "name": "mine", "data": base64.b64encode(data).decode()}} | more


def tried(server, request):
    """The document of a try that has ended, or what refused it."""
    answer = server.ask("POST", "/api/v1/try", {"X-Ridge-Request": "1"}, json.dumps(request))
    if answer.status != 202:
        return told_of(answer)
    number = answer.json()["number"]
    while (document := server.ask("GET", f"/api/v1/try/{number}").json())["state"] == "running":
        time.sleep(0.02)
    return document


def digit(images, number):
    """Pixels of a digit of the data that the network of examples/digits never saw."""
    with open(images, "rb") as file:
        file.seek(-(2000 - number) * 784, os.SEEK_END)
        return file.read(784)


def models_tried(store, registry, images, labels):
    """Answers to a digit as a picture and as an array are its label, and those of ridge eval."""
    server = Server(store, "--allow-run", "--registry", registry)
    server.log_in()
    with open(labels, encoding="ascii") as file:
        truth = [int(line) for line in file]
    number = truth.index(7)
    pixels = digit(images, number)
    array = npy("|u1", (1, 28, 28), pixels)
    with open("digit.npy", "wb") as file:
        file.write(array)
    judged = subprocess.run(
        ["ridge", "eval", "arrays", "--registry", registry, "--data", "digit.npy", "--scenario",
         "accuracy", "--format", "json"], check=True, capture_output=True, text=True).stdout
    predicted = json.loads(judged)["points"][0]["accuracy"]["predicted"][0]
    document = tried(server, try_request(["pictures", "arrays", "zoo:squeezenet1_1"], "picture",
                                         png(pixels, 28), runtimes=["ort"]))
    picture, no_decode, no_steps = document["pairs"]
    best = picture["answer"]["classes"][0]
    print("picture:", document["state"], document["name"], picture["error"],
          best["class"] == predicted == truth[number], best["name"], best["score"] > 0.5)
    print("latency:", picture["median"]["percentile"], picture["median"]["value_ns"] > 0,
          picture["queries"] > 0, picture["runtime"].split()[0])
    output = picture["outputs"][0]
    logits = output["first"]
    print("output:", output["name"], output["type"], output["shape"], logits.index(max(logits)))
    print("others:", no_decode["error"]["code"], no_steps["error"]["code"])
    (pair,) = tried(server, try_request(["arrays@1.0.0"], "tensor", array))["pairs"]
    print("tensor:", pair["error"], pair["answer"]["classes"][0]["class"] == predicted,
          pair["outputs"][0]["first"] == logits)
    wrong = npy("<f4", (1, 2, 2), bytes(16))
    (pair,) = tried(server, try_request(["zoo:squeezenet1_1"], "tensor", wrong))["pairs"]
    print("another shape:", pair["error"]["code"], pair["error"]["message"])
    page = server.ask("GET", "/try/1").text
    print("page:", page.count("<tr><td"), "RIDGE-SERVE-0053" in page, os.path.abspath(registry) in page)
    print("files:", [name for name in os.listdir(os.environ["TMPDIR"]) if "ridge" in name])
    print("end:", server.end())


def texts_tried(store, registry, *files):
    """Answers to texts; and what a model of pictures says to one."""
    server = Server(store, "--allow-run", "--registry", registry)
    server.log_in()
    for path in files:
        with open(path, "rb") as file:
            document = tried(server, try_request(["magika"], "text", file.read(), runtimes=["ort"]))
        (pair,) = document["pairs"]
        print(os.path.basename(path), document["kind"], pair["error"],
              pair["answer"]["classes"][0]["name"], pair["queries"] > 0)
    (pair,) = tried(server, try_request(["zoo:squeezenet1_1"], "text", b"a text"))["pairs"]
    print("no steps:", pair["error"]["code"], pair["error"]["message"])
    print("Latin-1:", tried(server, try_request(["magika"], "text", b"caf\xe9")))
    print("2 MiB:", tried(server, try_request(["magika"], "text", b"a" * (2 << 20))))
    print("page:", "<textarea" in server.ask("GET", "/try").text)
    print("end:", server.end())


def try_refused(store, registry):
    server = Server(store)
    server.log_in()
    good = try_request(["net"], "picture", png(bytes(784), 28))
    print("without --allow-run:", tried(server, good))
    server.end()
    server = Server(store, "--allow-run", "--registry", registry)
    server.log_in()
    body = json.dumps(good)
    print("no header:", told_of(server.ask("POST", "/api/v1/try", {}, body)))
    print("cross-site:", told_of(server.ask("POST", "/api/v1/try", {
        "X-Ridge-Request": "1", "Origin": "http://evil.example"}, body)))
    for change in ({"models": ["/etc/passwd"]}, {"models": ["../net.onnx"]}, {"models": [".."]},
                   {"models": ["plain.onnx"]}, {"models": []}, {"models": ["net"] * 5},
                   {"runtimes": ["./mine.so"]}, {"runtimes": ["tensorflow"]}, {"steps": "x"},
                   {"sample": {"kind": "picture", "data": "/etc/passwd"}},
                   {"sample": {"kind": "sound", "data": ""}}, {"sample": {}}):
        print(change, tried(server, good | change))
    print("no picture:", tried(server, try_request(["net"], "picture", b"GIF89a")))
    for name, data in (("text", b"1,2"), ("cut", npy("<f4", (2, 2), bytes(15))),
                       ("objects", npy("|O", (1,), bytes(8))),
                       ("huge", npy("<f4", (1 << 40, 1 << 40), b""))):
        print("tensor,", name + ":", tried(server, try_request(["net"], "tensor", data)))
    print("no JSON:", told_of(server.ask("POST", "/api/v1/try", {"X-Ridge-Request": "1"}, "{")))
    post = (f"POST /api/v1/try HTTP/1.1\r\nHost: {server.host}\r\nX-Ridge-Request: 1\r\n"
            f"Connection: close\r\nCookie: {server.cookie}\r\n")
    print("17 MiB:", told(server.send(post + f"Content-Length: {17 << 20}\r\n\r\n")))
    print("2 MiB:", tried(server, good | {"sample": {"kind": "picture", "data": "A" * (2 << 20)}}))
    first = server.ask("POST", "/api/v1/try", {"X-Ridge-Request": "1"},
                       json.dumps(try_request(["zoo:squeezenet1_1"], "tensor",
                                              npy("<f4", (1, 3, 224, 224), bytes(602112)))))
    print("one:", first.status, "another:", tried(server, good), "job:", started(server, EVAL))
    answer = server.ask("DELETE", f"/api/v1/try/{first.json()['number']}", {"X-Ridge-Request": "1"})
    print("cancel:", answer.status)
    while server.ask("GET", "/api/v1/try/1").json()["state"] == "running":
        time.sleep(0.02)
    print("canceled:", server.ask("GET", "/api/v1/try/1").json()["state"])
    long = started(server, EVAL | {"duration": "60s", "max-duration": "60s"})
    print("beside job", f"{long}:", tried(server, good))
    print("none:", told_of(server.ask("GET", "/api/v1/try/9")))
    print("end:", server.end())


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
