#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""read_exports.py FORMAT RUN EXPORT [MODEL [OTHER]]: reads an export with its format's own reader and compares it with the run.

RUN is the ridge.profile/1 document that EXPORT was made of. The packages are those of scripts/fetch_export_readers.sh (PYTHONPATH).
Perfetto's trace_processor is a program that its package downloads on first use, so a .pftrace is parsed with the package's own
descriptors, and what trace_processor relies on is checked here: interned names before their use, tracks before their events, ends
that match begins, times that do not go back.
"""
import csv
import json
import os
import subprocess
import sys


def check(holds, what):
    if not holds:
        raise SystemExit(f"read_exports.py: {what}")


def spans_of(run):
    """The recorded spans with their texts; none where the run kept none."""
    timeline = run.get("timeline", {"texts": [], "spans": []})
    texts = timeline["texts"]
    return [dict(s, name=texts[s["name"]], **{k: texts[s[k]] for k in ("thread", "device", "queue") if k in s})
            for s in timeline["spans"]]


def is_counter(span):
    return span["level"] == "counter"


def made_spans(run):
    """How many spans a made timeline has: the run, its layers, their kernels."""
    return 1 + len(run["layers"]) + sum(len(layer["kernels"]) for layer in run["layers"])


def chrome(run, path):
    with open(path, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    for e in events:
        if "ts" in e:
            check(isinstance(e["ts"], float) and e["ts"] >= 0, f"ts is no relative number: {e}")
    recorded = spans_of(run)
    if not recorded:
        check(len(slices) == made_spans(run), "a slice for the run, each layer and each kernel")
        return
    first = min(s["start_ns"] for s in recorded)
    expected = sorted((s["name"], s["start_ns"] - first, s["end_ns"] - s["start_ns"]) for s in recorded if not is_counter(s))
    found = sorted((e["name"], round(e["ts"] * 1000), round(e["dur"] * 1000)) for e in slices)
    check(found == expected, f"slices {found}, expected {expected}")
    check([e["args"]["value"] for e in events if e["ph"] == "C"] == [71.5, 80], "counters")
    launches = {s["correlation"] for s in recorded if "correlation" in s}
    for phase in "sf":
        check(sorted(e["id"] for e in events if e["ph"] == phase) == sorted(launches), "a flow per launch")
    nest(slices)


def nest(slices):
    tracks = {}
    for e in slices:
        tracks.setdefault((e["pid"], e["tid"]), []).append((round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)))
    for track in tracks.values():
        open_ends = []
        for start, end in sorted(track, key=lambda s: (s[0], -s[1])):
            while open_ends and open_ends[-1] <= start:
                open_ends.pop()
            check(not open_ends or open_ends[-1] >= end, "slices of a track nest")
            open_ends.append(end)


def perfetto(run, path):
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2
    trace = perfetto_trace_pb2.Trace()
    with open(path, "rb") as f:
        trace.ParseFromString(f.read())
    event_type = perfetto_trace_pb2.TrackEvent
    names, texts, keys, tracks, stacks = {}, {}, {}, {}, {}
    slices, counters, flows, ends, now = [], [], [], [], 0
    check(trace.packet[0].sequence_flags == 3, "the first packet clears the incremental state")
    for packet in trace.packet:
        check(packet.trusted_packet_sequence_id == 1, "one sequence")
        if packet.HasField("track_descriptor"):
            d = packet.track_descriptor
            check(not d.parent_uuid or d.parent_uuid in tracks, "a track's parent stands before it")
            tracks[d.uuid] = d
            continue
        for entry in packet.interned_data.event_names:
            names[entry.iid] = entry.name
        for entry in packet.interned_data.debug_annotation_names:
            keys[entry.iid] = entry.name
        for entry in packet.interned_data.debug_annotation_string_values:
            texts[entry.iid] = entry.str
        event = packet.track_event
        check(event.track_uuid in tracks, "a track stands before its events")
        check(packet.timestamp >= now, "times do not go back")
        now = packet.timestamp
        stack = stacks.setdefault(event.track_uuid, [])
        if event.type == event_type.TYPE_SLICE_BEGIN:
            arguments = {keys[a.name_iid]: a.int_value if a.HasField("int_value") else texts[a.string_value_iid].decode()
                         for a in event.debug_annotations}
            stack.append((names[event.name_iid], now, arguments))
            flows += event.flow_ids
            ends += event.terminating_flow_ids
            check(set(event.terminating_flow_ids) <= set(flows), "a flow begins before it ends")
        elif event.type == event_type.TYPE_SLICE_END:
            name, start, arguments = stack.pop()
            slices.append((name, start, now - start))
        else:
            check(tracks[event.track_uuid].HasField("counter"), "a counter has a counter track")
            counters.append(event.double_counter_value)
    check(not any(stacks.values()), "every slice ends")
    recorded = spans_of(run)
    if not recorded:
        check(len(slices) == made_spans(run), "a slice per span")
        return
    first = min(s["start_ns"] for s in recorded)
    expected = sorted((s["name"], s["start_ns"] - first, s["end_ns"] - s["start_ns"]) for s in recorded if not is_counter(s))
    check(sorted(slices) == expected, f"slices {sorted(slices)}, expected {expected}")
    check(counters == [71.5, 80], "counters")
    check(sorted(flows) == sorted(ends) == sorted({s["correlation"] for s in recorded if "correlation" in s}), "flows")


def pprof(run, path):
    program = os.environ.get("RIDGE_PPROF", "pprof")
    raw = subprocess.run([program, "-raw", path], check=True, capture_output=True, text=True).stdout
    samples = raw.split("Samples:\n")[1].split("Locations\n")[0].splitlines()
    check(samples[0].split() == ["time/nanoseconds[dflt]", "flops/count", "bytes/bytes"], f"sample types: {samples[0]}")
    rows = [line.split(":") for line in samples[1:] if line.split(":")[0].split() and line.split(":")[0].split()[0].isdigit()]
    values = sorted(tuple(map(int, row[0].split())) for row in rows)

    def known(layer):
        return (2 * layer["macs"] + layer["flops"] + layer["special"] + layer["int_ops"], layer["bytes"])
    expected = [(round(layer["corrected_ns"]), *known(layer)) for layer in run["layers"]]
    outside = round(run["latency"]["median_ns"]) - sum(time for time, *_ in expected)
    expected.append((outside, 0, 0))
    check(values == sorted(expected), f"samples {values}, expected {sorted(expected)}")
    top = subprocess.run([program, "-top", "-nodecount=0", "-nodefraction=0", path], check=True, capture_output=True, text=True).stdout
    for layer in run["layers"]:
        if layer["module"]:
            check(layer["module"] in top, f"{layer['module']} is no frame")


def google_benchmark(run, path, other):
    compare = [sys.executable, "/usr/share/benchmark/compare.py", "--no-color", "benchmarks", path]
    text = subprocess.run(compare + [other], check=True, capture_output=True, text=True).stdout
    # A U test of the model and of each layer: enough repetitions, found under one name.
    tests = [line for line in text.splitlines() if "_pvalue" in line]
    check(len(tests) == 1 + len(run["layers"]), f"{len(tests)} U tests:\n{text}")
    with open(path, encoding="utf-8") as f:
        benchmarks = json.load(f)["benchmarks"]
    raw = [b["real_time"] for b in benchmarks if b["run_type"] == "iteration" and b["name"] == run["model"]["path"]]
    check(raw == sum((p["samples_ns"] for p in run["latency"]["processes"]), []), "the samples are the repetitions")


def model_explorer(run, path, model):
    import onnx
    from model_explorer_onnx.main import ONNXAdapter
    with open(path, encoding="utf-8") as f:
        document = json.load(f)
    graph = next(iter(ONNXAdapter().convert(model, {})["graphs"]))
    check(list(document) == [graph.id], "the graph's id")
    results = document[graph.id]["results"]
    # What the viewer does with the keys: a name of a tensor that it knows is that node, any other key is a node's id.
    tensors = {attr.value: node.id for node in graph.nodes for output in node.outputsMetadata for attr in output.attrs if attr.key == "tensor_name"}
    shown = {}
    for key, entry in results.items():
        shown.setdefault(tensors.get(key, key), set()).add(entry["value"])
    nodes = [node for node in onnx.load(model, load_external_data=False).graph.node if node.op_type != "Constant"]
    timed = {node.id: shown[node.id] for node in graph.nodes if node.id in shown}
    check(all(len(values) == 1 for values in timed.values()), f"one value for a node: {timed}")
    total = sum(min(values) for values in timed.values())
    layers = [layer for layer in run["layers"] if layer["members"]]
    check(len(timed) == len(layers) and len(timed) <= len(nodes), f"{len(timed)} nodes of the viewer have a time, of {len(layers)} layers")
    check(abs(total - sum(layer["corrected_ns"] for layer in layers)) < 1, "times add up to the layers'")
    check([stop["stop"] for stop in document[graph.id]["gradient"]] == [0, 0.5, 1], "the gradient's stops")


def netron(run, path, model):
    import onnx
    copy, original = onnx.load(path), onnx.load(model)
    # The checker insists on shapes of outputs, which the model itself need not declare.
    onnx.checker.check_model(onnx.shape_inference.infer_shapes(copy, strict_mode=True), full_check=True)
    check(copy.ir_version >= 10, "the IR version has metadata of nodes")
    for layer in run["layers"]:
        for member in layer["members"]:
            notes = {p.key: p.value for p in copy.graph.node[member["node"]].metadata_props}
            check(notes["ridge.layer"].split()[0] == str(layer["index"]), f"layer of node {member['node']}")
            check(notes["ridge.time_ns"] == str(round(layer["corrected_ns"])), f"time of node {member['node']}")
            check(notes["ridge.evidence"] == member["evidence"], f"evidence of node {member['node']}")
    for node in copy.graph.node:
        del node.metadata_props[:]
    copy.ir_version = original.ir_version
    check(copy == original, "nothing else of the model changed")


def otlp(run, path):
    from google.protobuf import json_format
    from opentelemetry.proto.trace.v1 import trace_pb2
    spans = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            data = json_format.Parse(line, trace_pb2.TracesData())
            spans += [s for r in data.resource_spans for scope in r.scope_spans for s in scope.spans]
    recorded = spans_of(run)
    check(len(spans) == (len(recorded) or made_spans(run)), f"{len(spans)} spans")
    ids = {s.span_id for s in spans}
    check(len(ids) == len(spans), "ids are unique")
    for s in spans:
        check(not s.parent_span_id or s.parent_span_id in ids, "parents are there")
        check(s.end_time_unix_nano >= s.start_time_unix_nano, "ends after its start")
    if recorded:
        expected = [(s["name"], s["end_ns"] - s["start_ns"]) for s in recorded]
        check([(s.name, s.end_time_unix_nano - s.start_time_unix_nano) for s in spans] == expected, "names and lengths")
        check(sum(len(s.links) for s in spans) == 2, "a link per kernel")


def rows(run, path):
    with open(path, encoding="utf-8", newline="") as f:
        found = list(csv.DictReader(f))
    recorded = spans_of(run)
    check(len(found) == (len(recorded) or made_spans(run)), f"{len(found)} rows")
    for row, span in zip(found, recorded):
        check((int(row["start_ns"]), int(row["end_ns"])) == (span["start_ns"], span["end_ns"]), f"times of {row}")
        json.loads(row["attributes"])


READERS = {"chrome": chrome, "google-benchmark": google_benchmark, "model-explorer": model_explorer, "netron": netron, "otlp": otlp,
           "perfetto": perfetto, "pprof": pprof, "spans-csv": rows}

if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as document:
        READERS[sys.argv[1]](json.load(document), *sys.argv[3:])
