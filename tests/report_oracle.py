# SPDX-License-Identifier: Apache-2.0
"""`ridge report` against the tables of a run database, recomputed with sqlite3.

  report_oracle.py           makes stores of runs with invented times in the current folder, reads their
                             tables, recomputes every figure of every cell, and compares
  report_oracle.py make      makes runs.db alone

Trimmed means, percentiles, throughputs, costs, speed-ups, and the intervals of trimmed means are computed
here from their definitions in docs/report.md; Student's quantiles by integration of the density. Names of
models and machines are hostile. Needs ridge on the PATH. Exit status 1 at the first difference.
"""
import csv
import html
import io
import json
import math
import os
import random
import sqlite3
import statistics
import subprocess
import sys

HOSTILE = "</td><script>alert(1)</script>_&%$#{}~^\\ö層|\"'"
FORMULA = "=cmd|calc"
MODELS = ("resnet.onnx", HOSTILE, FORMULA)
HOSTS = ("a1", "b_2", "<b>c3")
PRICES = {"a1": 0.5, "b_2": 1.25}


def check(good, *why):
    if not good:
        sys.exit("report: " + " ".join(map(str, why)))


def close(got, wanted, *where):
    check(got is not None and math.isclose(got, wanted, rel_tol=1e-9), *where, "got", got, "wanted", wanted)


def run(*command, status=0):
    done = subprocess.run(command, capture_output=True, text=True)
    check(done.returncode == status, " ".join(command), done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr


# The stores


def run_document(number, model, host, batch, threads, processes):
    """A run of two layers, measured in these processes."""
    samples = sorted(s for p in processes for s in p)
    median = statistics.median(samples)
    latency = [{"samples_ns": p, "warmup_dropped": 1, "steadiness": "flat"} for p in processes]
    document = json.load(open("run.json"))
    document["host"]["hostname"] = host
    document["model"]["path"] = model
    document["bindings"] = {"batch": {"value": batch, "assumed": False}}
    document["runtime"]["options"] = {"threads": threads}
    document["latency"] = {"processes": latency, "median_ns": median, "ci95_ns": [median, median], "rejected": 0}
    document["throughput"] = {"items_per_s": batch * 1e9 / median, "batch": batch}
    path = f"run{number}.json"
    with open(path, "w") as file:
        json.dump(document, file)
    os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    return path


def make_store():
    draw = random.Random(7)
    paths = []

    def add(model, host, batch, threads, scale, count):
        def process():
            level = scale * math.sqrt(batch) * draw.lognormvariate(0, 0.02)
            return [int(level * draw.lognormvariate(0, 0.1)) for _ in range(count)]
        paths.append(run_document(len(paths), model, host, batch, threads, [process() for _ in range(3)]))

    for m, model in enumerate(MODELS):
        for h, host in enumerate(HOSTS):
            if (m, h) == (1, 1):
                continue  # nothing was measured
            scale = 1e6 * (m + 1) / (h + 1)
            add(model, host, 1, 1, 9 * scale, 30)  # an older setting
            for batch in (1, 4, 16):
                add(model, host, batch, 2, scale, 30)
            add(model, host, 1, 2, scale, 40)  # of the same setting again
    add(MODELS[2], "few", 1, 2, 1e6, 1)  # too few latencies for an interval
    add(MODELS[2], "few4", 4, 2, 1e6, 30)  # at another batch than the base
    run("ridge", "runs", "add", "runs.db", *paths)
    imported = json.load(open(paths[0]))
    imported["kind"] = "imported"
    with open("imported.json", "w") as file:
        json.dump(imported, file)
    run("ridge", "runs", "add", "imported.db", "imported.json")


# What is true


def student(p, freedom):
    """Quantile by bisection over the integral of the density (Simpson's rule)."""
    c = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def below(t):
        n, width = 2000, t / 2000
        f = [c * (1 + (i * width) ** 2 / freedom) ** (-(freedom + 1) / 2) for i in range(n + 1)]
        return 0.5 + width / 3 * (f[0] + f[-1] + 4 * sum(f[1:-1:2]) + 2 * sum(f[2:-1:2]))

    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < p else (low, middle)
    return low


def trimmed(values):
    cut = math.floor(len(values) * 0.2)
    kept = sorted(values)[cut:len(values) - cut]
    return sum(kept) / len(kept)


def trimmed_interval(processes):
    """The hull of the winsorized values' error over batches, and of the processes' own trimmed means."""
    series = [s for p in processes for s in p]
    n, cut = len(series), math.floor(len(series) * 0.2)
    if n < 6:
        return None
    ascending = sorted(series)
    least, most = ascending[cut], ascending[n - 1 - cut]
    batches = [min(max(s, least), most) for s in series]
    value, kept, reach, first = trimmed(series), n - 2 * cut, 0, True
    while first or len(batches) >= 16:
        freedom = kept - 1 if first else len(batches) - 1
        error = statistics.stdev(batches) / math.sqrt(len(batches))
        reach = max(reach, student(0.975, freedom) * error / (kept / n))
        batches = [(a + b) / 2 for a, b in zip(batches[::2], batches[1::2])]
        first = False
    low, high = max(value - reach, 0), value + reach
    own = [math.log(trimmed(p)) for p in processes]
    middle = sum(own) / len(own)
    reach = student(0.975, len(own) - 1) * statistics.stdev(own) / math.sqrt(len(own))
    return min(low, math.exp(middle - reach)), max(high, math.exp(middle + reach))


def read_cells(path="runs.db"):
    """By model and host: the newest setting's processes by batch, and how many runs are older."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    runs = {}
    for row in db.execute("SELECT id, path, machine, batch, thread_option, recorded_s FROM run WHERE kind = 'measured'"):
        number, model, machine, batch, threads, recorded = row
        processes = {}
        for process, time in db.execute("SELECT process, time_ns FROM sample WHERE run = ? ORDER BY process, position",
                                        (number,)):
            processes.setdefault(process, []).append(time)
        runs.setdefault((model, machine.split(",")[0]), []).append(
            (recorded, number, batch, threads, list(processes.values())))
    cells = {}
    for place, all_runs in runs.items():
        newest = max(all_runs)[3]
        batches = {}
        for _, _, batch, threads, processes in all_runs:
            if threads == newest:
                batches.setdefault(batch, []).extend(processes)
        older = sum(r[3] != newest for r in all_runs)
        cells[place] = {"batches": batches, "runs": len(all_runs) - older, "left_out": older}
    return cells


def flat(processes):
    return [s for p in processes for s in p]


def check_cell(cell, true, base, host):
    batches = true["batches"]
    least = min(batches)
    series = flat(batches[least])
    where = ("cell", cell["row"], cell["column"])
    check(cell["latency_batch"] == least, *where, "latency_batch")
    close(cell["median_ns"], statistics.median(series), *where, "median")
    close(cell["trimmed_mean_ns"], trimmed(series), *where, "trimmed mean")
    close(cell["p90_ns"], sorted(series)[math.ceil(len(series) * 0.9) - 1], *where, "p90")
    wanted = trimmed_interval(batches[least])
    got = cell["trimmed_mean_ci95_ns"]
    check((got is None) == (wanted is None), *where, "interval", got, wanted)
    for g, w in zip(got or (), wanted or ()):
        check(math.isclose(g, w, rel_tol=1e-4), *where, "interval of the trimmed mean", got, wanted)
    rates = {b: b * 1e9 / statistics.median(flat(p)) for b, p in batches.items()}
    best = max(rates, key=rates.get)
    check(cell["items_batch"] == best, *where, "items_batch", cell["items_batch"], best)
    close(cell["items_per_s"], rates[best], *where, "throughput")
    check([b["batch"] for b in cell["batches"]] == sorted(batches), *where, "batches")
    for b in cell["batches"]:
        close(b["items_per_s"], rates[b["batch"]], *where, "throughput of batch", b["batch"])
    check(cell["runs"] == true["runs"] and cell["left_out"] == true["left_out"], *where, "runs", cell["runs"])
    check(cell["processes"] == sum(map(len, batches.values())), *where, "processes")
    check(cell["samples"] == sum(len(flat(p)) for p in batches.values()), *where, "samples")
    if host in PRICES:
        close(cell["cost_per_million"], PRICES[host] / 3600 / rates[best] * 1e6, *where, "cost")
    else:
        check(cell["cost_per_million"] is None, *where, "a cost without a price")
    same = base is not None and min(base["batches"]) == least
    if same:
        first, second = ([math.log(s) for s in side] for side in (flat(base["batches"][least]), series))
        close(cell["speed_up"], math.exp(statistics.median(first) - statistics.median(second)), *where, "speed-up")
    else:
        check(cell["speed_up"] is None, *where, "a speed-up over nothing")
    check(cell["accuracy"] is None and cell["accuracy_metric"] == "", *where, "an accuracy from nowhere")


def report(*flags, **status):
    return run("ridge", "report", "runs.db", *flags, **status)


ASKED = ("--base", "a1", "--price", "a1=0.5", "--price", "b_2=1.25")


def check_figures():
    grid = json.loads(report(*ASKED, "--format", "json"))
    true = read_cells()
    check(sorted(grid["rows"]) == sorted({m for m, _ in true}), "rows", grid["rows"])
    check(sorted(grid["columns"]) == sorted({h for _, h in true}), "columns", grid["columns"])
    check(len(grid["cells"]) == len(true), "cells", len(grid["cells"]), len(true))
    for cell in grid["cells"]:
        model, host = grid["rows"][cell["row"]], grid["columns"][cell["column"]]
        check_cell(cell, true[model, host], true.get((model, "a1")), host)
    print(len(grid["cells"]), "cells")
    return grid


def check_csv(grid):
    """A line for each place; numbers as in the document, empty where nothing was measured."""
    lines = list(csv.DictReader(io.StringIO(report(*ASKED, "--format", "csv"))))
    check(len(lines) == len(grid["rows"]) * len(grid["columns"]), "lines of CSV", len(lines))
    cells = {(c["row"], c["column"]): c for c in grid["cells"]}
    for at, line in enumerate(lines):
        row, column = divmod(at, len(grid["columns"]))
        name = grid["rows"][row]
        check(line["row"] == ("'" if name[0] in "=+-@" else "") + name, "name in CSV", line["row"])
        cell = cells.get((row, column), {})
        for key in ("accuracy", "median_ns", "trimmed_mean_ns", "p90_ns", "items_per_s", "cost_per_million",
                    "speed_up"):
            wanted = cell.get(key)
            check((line[key] == "") == (wanted is None), "CSV", key, line[key], wanted)
            if wanted is not None:
                close(float(line[key]), wanted, "CSV", key)
        check(line["runs"] == str(cell.get("runs", 0)), "CSV runs")


def check_texts():
    page = report(*ASKED, "--format", "html")
    check("<script>alert" not in page and "<b>c3" not in page, "a name became markup")
    check(html.escape(HOSTILE, quote=False).split("&amp;")[0] in page.replace("<wbr>", ""), "the name is not shown")
    for outside in ("http://", "https://", "src=", "@import", "url("):
        check(outside not in page.replace("http://www.w3.org", ""), "the page refers to", outside)
    check(">?<" in page, "no ? on the page")
    latex = report(*ASKED, "--format", "latex")
    check("\\textbackslash{}" in latex and "\\_\\&\\%\\$\\#\\{\\}" in latex and "U+5C64" in latex, "LaTeX escapes")
    check(" & ? \\\\" in latex or " & ? &" in latex, "no ? in LaTeX")
    markdown = report(*ASKED, "--format", "md")
    check("<script>" not in markdown and "| ? |" in markdown, "Markdown")


def main():
    make_store()
    if sys.argv[1:] == ["make"]:
        return
    check_csv(check_figures())
    check_texts()
    nothing = run("ridge", "report", "imported.db", status=3)
    check("RIDGE-GRID-0003" in nothing and "it has 1 result, none of them" in nothing, nothing)


main()
