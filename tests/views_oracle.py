# SPDX-License-Identifier: Apache-2.0
"""Views of a run database, read by other programs, against the documents of its runs.

  views_oracle.py views      measures, imports, evaluates, merges and deletes in the current folder, and
                             compares the views and the CSV files with `ridge runs show --format json`
  views_oracle.py page FILE  runs the blocks of docs/data.md: python by this interpreter, sh where its
                             program is there, sql by SQLite; and compares what they gave

The documents are what is true. Which node leads a layer is computed here again, from the rule of the
page. Needs ridge on the PATH and, for the page, pandas, pyarrow, DuckDB and Datasette; it imports the ridgeline of
the page's tree. Exit status 1 at the first difference.
"""
import csv
import datetime
import json
import math
import os
import pathlib
import re
import sqlite3
import subprocess
import sys

VIEWS = ("run_list", "layer_times", "node_times", "evaluations")
MODEL = "it's größe.onnx"


def check(good, *why):
    if not good:
        sys.exit("views: " + " ".join(map(str, why)))


def same(got, wanted, *where):
    """Equal, None only to None; numbers to 12 digits, as documents write them."""
    if isinstance(got, (int, float)) and isinstance(wanted, (int, float)):
        check(math.isclose(got, wanted, rel_tol=1e-12), *where, got, wanted)
    else:
        check(got == wanted, *where, repr(got), repr(wanted))


def run(*command, status=(0,)):
    done = subprocess.run(command, capture_output=True, text=True)
    check(done.returncode in status, " ".join(command), done.returncode, done.stderr)
    return done.stdout


def document(*what):
    return json.loads(run("ridge", "runs", "show", "runs.db", *what, "--format", "json"))


def ends(interval):
    return interval if interval is not None else (None, None)


# The database


def write_model():
    """Conv and Relu that are one layer, an Identity that is none, and names as they come."""
    import numpy
    from onnx import TensorProto, helper, numpy_helper, save

    def weights(name, *shape):
        return numpy_helper.from_array(numpy.ones(shape, numpy.float32) / 8, name)

    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], name="", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["b"], name="twice"),
        helper.make_node("Identity", ["b"], ["c"], name="twice"),
        helper.make_node("MatMul", ["c", "m"], ["d"], name="a \"quoted\", 'name'\nin two lines"),
        helper.make_node("Add", ["d", "v"], ["e"], name="größe/層/Add"),
        helper.make_node("Softmax", ["e"], ["y"], name="=cmd|calc"),
    ]
    shape = ["batch", 4, 8, 8]
    graph = helper.make_graph(
        nodes,
        "odd",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
        [weights("w", 4, 4, 3, 3), weights("m", 8, 8), weights("v", 8)],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), MODEL)


def make_store():
    """Returns the number of the run that was deleted."""
    write_model()
    brief = ("--processes", "1", "--budget", "200ms", "--store")
    run("ridge", "profile", MODEL, "--bind", "batch=1,2", "--threads", "1,2", *brief, "runs.db")
    run("ridge", "profile", "zoo:squeezenet1_1", *brief, "runs.db")
    run("ridge", "profile", "plain.onnx", "--bind", "batch=3", *brief, "other.db")
    run("ridge", "runs", "add", "other.db", "run.json", "spans.json", "ort.json")
    run("ridge", "runs", "merge", "runs.db", "other.db")
    run("ridge", "runs", "merge", "runs.db", "other.db")
    run("ridge", "runs", "delete", "runs.db", "2")
    run("ridge", "accel", "before.onnx", "--bind", "batch=1,2", "--machine", "edge-32", "--store", "runs.db")
    load = ("--duration", "200ms", "--store", "runs.db", "--runtimes", "null", "--runtime-option")
    for behavior in ("ridge.service=constant:100", "ridge.fail_every=5", "ridge.crash_after=30"):
        run("ridge", "eval", "zoo:alexnet", *load, behavior, status=(0, 1))
    run("ridge", "eval", MODEL, "--bind", "batch=1", "--duration", "200ms", "--store", "runs.db", status=(0, 1))
    run("ridge", "runs", "export", "runs.db", "--out", "tables")
    return 2


def read_views(path="runs.db"):
    """Rows of each view as dictionaries, in the order of their keys."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    order = {"run_list": "run", "layer_times": "run, layer", "node_times": "run, node", "evaluations": "evaluation"}
    return {v: [dict(r) for r in db.execute(f"SELECT * FROM {v} ORDER BY {order[v]}")] for v in VIEWS}


# Runs


def check_head(row, listed, doc):
    same(row["run"], listed["run"], "run")
    same(row["recorded_s"], listed["recorded_s"], "recorded_s")
    date = datetime.datetime.fromtimestamp(listed["recorded_s"], datetime.timezone.utc)
    same(row["date"], date.strftime("%Y-%m-%dT%H:%M:%SZ"), "date")
    same(row["kind"], doc["kind"], "kind")
    same(row["model"], doc["model"]["path"], "model")
    same(row["graph_hash"], doc["model"]["graph_hash"], "graph_hash")
    sizes = ", ".join(f"{name}={b['value']}" for name, b in sorted(doc["bindings"].items()))
    same(row["sizes"], sizes, "sizes")
    same(row["batch"], doc["throughput"]["batch"], "batch")
    same(row["runtime"], doc["runtime"]["name"], "runtime")
    same(row["runtime_version"], doc["runtime"]["version"], "runtime_version")
    same(row["threads"], doc["runtime"]["options"].get("threads"), "threads")
    same(row["machine"], listed["machine"] or None, "machine")
    same(row["ridge"], doc["ridge"], "ridge")


def check_run(row, doc):
    same(row["latency_ns"], doc["latency"]["median_ns"], "latency_ns")
    same([row["latency_low_ns"], row["latency_high_ns"]], doc["latency"]["ci95_ns"], "latency interval")
    same(row["items_per_s"], doc["throughput"]["items_per_s"], "items_per_s")
    for name in ("load_ns", "first_run_ns"):
        same(row[name], doc["setup"][name], name)
    same(row["processes"], len(doc["latency"]["processes"]), "processes")
    same(row["samples"], sum(len(p["samples_ns"]) for p in doc["latency"]["processes"]), "samples")
    for name in ("layers", "nodes", "notes"):
        same(row[name], len(doc[name]), name)
    same(row["layer_times"], doc["profiling"].get("layer_times"), "layer_times")
    for name in ("corrected_sum_ns", "outside_layers_ns", "residual_share"):
        same(row[name], doc["profiling"][name], name)
    same(row["weights"], doc["model"]["weights"], "weights")


def leader(doc, layer):
    """Index of the node at which the layer's time stands."""
    executed = [m["node"] for m in layer["members"] if m["role"] == "executes"]
    if executed:
        return max(executed, key=lambda n: doc["nodes"][n]["macs"] or 0)  # the first of equals
    return layer["members"][0]["node"] if layer["members"] else None


def check_layer(row, doc, layer):
    where = ("run", row["run"], "layer", row["layer"])
    own = ("name type implementation precision layout module corrected_ns share executions macs flops special "
           "int_ops bytes output_bytes gflop_per_s gb_per_s intensity bound bound_ns roof_share").split()
    for name in own:
        same(row[name], layer[name], *where, name)
    same(row["execution"], layer["order"], *where)
    same((row["inserted"], row["below_resolution"]), (layer["inserted"], layer["below_resolution"]), *where)
    same(row["time_ns"], layer["time_ns"]["median"], *where, "time_ns")
    same([row["time_low_ns"], row["time_high_ns"]], list(ends(layer["time_ns"]["ci95"])), *where)
    corrected = layer.get("corrected_ci95", [None, None])
    same([row["corrected_low_ns"], row["corrected_high_ns"]], corrected, *where)
    same(row["nodes"], len(layer["members"]), *where)
    node = leader(doc, layer)
    same(row["node"], node, *where, "node")
    same(row["node_name"], None if node is None else doc["nodes"][node]["name"], *where)
    same(row["op_type"], None if node is None else doc["nodes"][node]["op_type"], *where)


def check_node(row, doc, node):
    where = ("run", row["run"], "node", row["node"])
    own = ("parent repeat name op_type domain module macs flops special int_ops bytes_read bytes_written "
           "params").split()
    for name in own:
        same(row[name], node[name], *where, name)
    same(row["output_shape"], node["output"], *where)
    members = [(layer, m) for layer in doc["layers"] for m in layer["members"] if m["node"] == node["index"]]
    members.sort(key=lambda at: at[1]["role"] != "executes")  # stable
    layer, member = members[0] if members else (None, {"role": None, "evidence": None})
    same(row["layer"], layer and layer["index"], *where, "layer")
    same((row["role"], row["evidence"]), (member["role"], member["evidence"]), *where)
    same(row["layer_ns"], layer and layer["corrected_ns"], *where, "layer_ns")
    absent = [n for n in doc["nodes_without_layer"] if n["node"] == node["index"]]
    same(row["why"], absent[0]["why"] if absent else None, *where, "why")
    same(row["with_node"], absent[0]["with"] if absent else None, *where, "with_node")
    led = [of for of in doc["layers"] if leader(doc, of) == node["index"]]
    same(row["led_layers"], len(led), *where, "led_layers")
    same(row["corrected_ns"], sum(of["corrected_ns"] for of in led) if led else None, *where, "corrected_ns")
    interval = led[0].get("corrected_ci95", [None, None]) if len(led) == 1 else [None, None]
    same([row["corrected_low_ns"], row["corrected_high_ns"]], interval, *where)


def check_runs(views, deleted):
    listed = json.loads(run("ridge", "runs", "list", "runs.db", "--format", "json"))["runs"]
    check(len(listed) == len(views["run_list"]), "rows of run_list:", len(views["run_list"]))
    check(deleted not in [r["run"] for v in VIEWS[:3] for r in views[v]], "a deleted run has rows")
    fused = 0
    for one, row in zip(listed, views["run_list"]):
        doc = document(str(one["run"]))
        check_run(row, doc)
        for view, key, of, check_row in (("layer_times", "layer", "layers", check_layer),
                                         ("node_times", "node", "nodes", check_node)):
            rows = [r for r in views[view] if r["run"] == one["run"]]
            same([r[key] for r in rows], [x["index"] for x in doc[of]], view, "of run", one["run"])
            for r, x in zip(rows, doc[of]):
                check_row(r, doc, x)
            for r in rows[:1] + [row]:
                check_head(r, one, doc)
            fused += sum(r["layer"] is not None and r["corrected_ns"] is None for r in rows if view == "node_times")
        time = sum(layer["corrected_ns"] for layer in doc["layers"] if layer["members"])
        of_nodes = sum(r["corrected_ns"] or 0 for r in views["node_times"] if r["run"] == one["run"])
        same(of_nodes, time, "sum over nodes of run", one["run"])
    check(fused > 0, "no node shares a layer: the rule was not seen")
    print(len(listed), "runs")


# Evaluations


def check_evaluation(row, listed, doc):
    point = doc["points"][0]
    for name in ("evaluation", "recorded_s", "model", "model_sha256", "data", "scenario", "runtime", "runtime_version",
                 "threads", "queries_per_s", "median_ns", "top1", "validity", "machine", "ridge"):
        same(row[name], listed[name], "evaluation", listed["evaluation"], name)
    same((row["queries"], row["failed_queries"]), (point["figures"]["queries"], point["figures"]["failed"]))
    low, high = ends(point["figures"]["completed"]["ci95_per_s"])
    same((row["queries_low_per_s"], row["queries_high_per_s"]), (low, high), "interval of queries")
    of = {p["percentile"]: p for p in point["figures"]["latency"]["percentiles"]}
    same((row["median_low_ns"], row["median_high_ns"]), tuple(ends(of[50]["ci95_ns"])), "interval of the median")
    same(row["p99_ns"], of[99]["value_ns"], "p99_ns")


def check_evaluations(views):
    listed = json.loads(run("ridge", "runs", "list", "runs.db", "--format", "json"))["evaluations"]
    check(len(listed) == len(views["evaluations"]), "rows of evaluations")
    for one, row in zip(listed, views["evaluations"]):
        check_evaluation(row, one, document(f"evaluation:{one['evaluation']}"))
    same([r["complete"] for r in views["evaluations"]], [1, 1, 0, 1], "complete: the third one crashed")
    check(views["evaluations"][1]["failed_queries"] > 0, "queries of the second one failed")
    print(len(listed), "evaluations")


# Files


def as_cell(value):
    """As docs/data.md says: null is empty, a formula gets an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, str):
        return ("'" if value[:1] in ("=", "+", "-", "@") and value else "") + value
    return value


def check_files(views):
    names = sorted(os.listdir("tables"))
    same(names, sorted(v + ".csv" for v in VIEWS), "files")
    for view in VIEWS:
        with open(f"tables/{view}.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        check(len(rows) == len(views[view]) > 0, view, "rows of the file:", len(rows))
        for cells, row in zip(rows, views[view]):
            same(list(cells), list(row), view, "columns")
            for name, value in row.items():
                wanted = as_cell(value)
                number = isinstance(wanted, (int, float))
                same(float(cells[name]) if number else cells[name], wanted, view, name)


# The page


def blocks_of(page):
    for language, text in re.findall(r"^```(\S+(?: run slow)?)\n(.*?)^```$", page, re.M | re.S):
        yield language, text


def check_plan(sql, db):
    plan = [row[3] for row in db.execute("EXPLAIN QUERY PLAN " + sql)]
    scans = [step for step in plan if step.startswith("SCAN") and step not in ("SCAN run", "SCAN constant row")]
    check(not scans, "reads whole tables:", sql, scans)


def run_page(path):
    folder = str(pathlib.Path(sys.executable).parent)
    package = str(pathlib.Path(path).resolve().parents[1] / "python")
    environment = {**os.environ, "PATH": folder + ":" + os.environ["PATH"], "PYTHONPATH": package}
    ran = {"python": 0, "sh": 0, "sql": 0}
    for language, text in blocks_of(pathlib.Path(path).read_text()):
        if language == "sql":
            check(text.startswith("SELECT"), "not a query:", text)
            text = text.replace("$__from", "0").replace("$__to", "4e15")
            rows = sqlite3.connect("runs.db").execute(text).fetchall()
            check(len(rows) == 2 and all(ms > 0 for _, ms, _ in rows), "the panel's rows:", rows)
        else:
            command = [sys.executable, "-c", text] if language == "python" else ["bash", "-euc", text]
            done = subprocess.run(command, capture_output=True, text=True, env=environment)
            check(done.returncode == 0, text, done.stderr)
            check(done.stdout or "run slow" in language, "says nothing:", text)
            if "datasette" in text:
                check_datasette(done.stdout)
        if language in ran:
            ran[language] += 1
    check_parquet()
    db = sqlite3.connect("runs.db")
    for view in VIEWS[:3]:
        check_plan(f"SELECT * FROM {view} WHERE run = 1", db)
    print(", ".join(f"{n} {'blocks ' if k == 'python' else ''}of {k}" for k, n in ran.items()))


def check_datasette(text):
    layers, evaluations = [json.loads(line) for line in text.splitlines() if line]
    db = sqlite3.connect("runs.db")
    wanted = db.execute("SELECT layer FROM layer_times WHERE run = 1 AND op_type = 'Conv' "
                        "ORDER BY corrected_ns DESC LIMIT 3").fetchall()
    same([(row["layer"],) for row in layers], wanted, "Datasette's layers")
    same([tuple(row.values()) for row in evaluations],
         db.execute("SELECT machine, median_ns, p99_ns, validity FROM evaluations").fetchall(), "its evaluations")


def check_parquet():
    import pyarrow.parquet

    rows = pyarrow.parquet.read_table("tables/layer_times.parquet").to_pylist()
    wanted = read_views()["layer_times"]
    same(len(rows), len(wanted), "rows of the Parquet file")
    for got, row in zip(rows, wanted):
        for name, value in row.items():
            same((type(got[name]), got[name]), (type(value), value), "Parquet", name)


def main():
    if sys.argv[1:2] == ["page"]:
        run_page(sys.argv[2])
        return
    deleted = make_store()
    views = read_views()
    check_runs(views, deleted)
    check_evaluations(views)
    check_files(views)


if __name__ == "__main__":
    main()
