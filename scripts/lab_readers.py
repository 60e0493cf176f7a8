# SPDX-License-Identifier: Apache-2.0
"""Programs of others that read what a laboratory gives, for scripts/lab_demo.py: Prometheus scrapes the metrics of
`ridge serve`, schemathesis asks its API by its OpenAPI document, pdflatex sets the tables of `ridge report`.

Each ends the demonstration with what it found, or returns a line on what it did.
"""

import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from lab_parts import free_ports

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = 30  # of each operation of the API and each phase of schemathesis
EVENTS = "/api/v1/jobs/{job}/events"  # whose answer ends with the measurement
LONGEST_S = 240
PROMETHEUS = """\
global: {{scrape_interval: 1s}}
scrape_configs:
  - job_name: ridge
    authorization: {{credentials_file: {token}}}
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""
DOCUMENT = r"""\documentclass{article}
\usepackage{booktabs,textcomp}
\begin{document}
\small
\input{grid.tex}
\end{document}
"""


def missing():
    """Packages that are not installed."""
    wanted = {"prometheus": "prometheus", "texlive-latex-recommended": "pdflatex"}
    return [package for package, program in wanted.items() if shutil.which(program) is None]


def scraped(address, metric):
    """Value that Prometheus has of a metric; None before it has scraped one."""
    query = urllib.parse.urlencode({"query": metric})
    with contextlib.suppress(urllib.error.URLError, ConnectionError):
        with urllib.request.urlopen(f"{address}/api/v1/query?{query}") as answer:
            found = json.load(answer)["data"]["result"]
            return float(found[0]["value"][1]) if found else None
    return None


def scrape(folder, port, token, expected):
    """Prometheus, until it has these values of the server's metrics."""
    (own,) = free_ports(1)
    folder.mkdir()
    (folder / "prometheus.yml").write_text(PROMETHEUS.format(token=token, port=port))
    with open(folder / "log", "wb") as log:
        prometheus = subprocess.Popen(["prometheus", f"--config.file={folder}/prometheus.yml",
                                       f"--storage.tsdb.path={folder}/data",
                                       f"--web.listen-address=127.0.0.1:{own}"], stdout=log, stderr=log)
    try:
        end, seen = time.monotonic() + 30, {}
        while seen != expected:
            if time.monotonic() > end or prometheus.poll() is not None:
                sys.exit(f"lab_demo: Prometheus has {seen}, not {expected}; its log: {folder}/log")
            time.sleep(0.2)
            seen = {metric: scraped(f"http://127.0.0.1:{own}", metric) for metric in expected}
    finally:
        prometheus.terminate()
        prometheus.wait()
    return "Prometheus has " + ", ".join(f"{metric} = {value:g}" for metric, value in seen.items())


def ask_by_description(folder, base, token):
    """schemathesis, with a bounded number of requests to each operation."""
    fetched = subprocess.run([HERE / "fetch_schemathesis.sh"], check=True, stdout=subprocess.PIPE, text=True)
    program = pathlib.Path(fetched.stdout.strip()) / "bin" / "schemathesis"
    with open(folder / "schemathesis.log", "w", encoding="utf-8") as log:
        done = subprocess.run(
            [program, "--config-file", HERE / "schemathesis.toml", "run", f"{base}/api/v1/openapi.json",
             "--header", f"Authorization: Bearer {token}", "--header", "X-Ridge-Request: 1",
             "--exclude-path", EVENTS, "--max-examples", str(EXAMPLES), "--seed", "1", "--no-color",
             "--continue-on-failure"],
            cwd=folder, stdout=log, stderr=log, timeout=LONGEST_S)
    said = (folder / "schemathesis.log").read_text(encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"{said[-4000:]}\nlab_demo: schemathesis found what should not be: {log.name}")
    return "schemathesis: " + re.search(r"([\d,]+ generated.*)", said).group(1)


def typeset(folder):
    """pdflatex, on the tables in grid.tex of the folder."""
    (folder / "document.tex").write_text(DOCUMENT)
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "document.tex"], cwd=folder,
                          capture_output=True, text=True, errors="replace", timeout=LONGEST_S)
    if done.returncode != 0 or not (folder / "document.pdf").read_bytes().startswith(b"%PDF"):
        sys.exit(f"{done.stdout[-4000:]}\nlab_demo: pdflatex does not take the tables")
    return "pdflatex: " + re.search(r"Output written on (.*)\.", done.stdout).group(1)
