#!/usr/bin/env python3
"""Does `ridge advise` find, price and repair planted defects? A Markdown table of thirty copies of ten networks of the zoo, with one defect each.

    bench/advice_scoreboard.py [--ridge build/ridge] [--networks A,B,...] [--processes 3] [--budget 2] [--out FILE.json]

Needs Python's package onnx (bench/plant_defects.py, which shares no code with ridge, plants the defects), and takes a quarter of an hour on two
processors. Nothing else should run. Exit status 1: a defect was not found, or a network without a defect has a finding of these kinds.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import plant_defects

# Three defects for each network: the third is that of its activation.
NETWORKS = {
    "resnet18": ["weights_as_inputs", "kept_convolutions", "spelled_relu"],
    "mobilenet_v2": ["weights_as_inputs", "kept_convolutions", "spelled_relu6"],
    "mobilenet_v3_small": ["weights_as_inputs", "kept_convolutions", "spelled_hard_swish"],
    "efficientnet_b0": ["weights_as_inputs", "kept_convolutions", "spelled_silu"],
    "googlenet": ["weights_as_inputs", "kept_convolutions", "spelled_relu"],
    "squeezenet1_1": ["weights_as_inputs", "kept_convolutions", "spelled_relu"],
    "densenet121": ["weights_as_inputs", "kept_convolutions", "spelled_relu"],
    "yolov5n": ["weights_as_inputs", "kept_convolutions", "spelled_silu"],
    "vit_tiny_patch16_224": ["weights_as_inputs", "kept_products", "spelled_gelu"],
    "distilbert_base": ["weights_as_inputs", "kept_products", "spelled_gelu"],
}
# Sizes of networks that have free ones.
SIZES = {"distilbert_base": ["--bind", "sequence=128"]}
KINDS = ("constant_is_input", "output_kept", "unfused_pattern", "overhead")
# Findings that are edits; "all" would also check options of the runtime.
EDITS = "constant_inputs kept_outputs mish tanh hard_swish gelu silu sigmoid softplus relu6 relu transposes casts views".split()


def sizes_of(model):
    return next((sizes for network, sizes in SIZES.items() if os.path.basename(model).startswith(network)), [])


def advise(args, model, checks):
    command = [args.ridge, "advise", model, *sizes_of(model), "--format", "json", "--processes", str(args.processes), "--budget", str(args.budget)]
    command += ["--threads", str(args.threads), "--runtime", args.runtime]
    for check in checks:
        command += ["--check", check]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def edits(document):
    return [f for f in document["findings"] if f["kind"] in KINDS]


def repaired_beside_clean(args, model, clean, ids):
    """Latency of the repaired model and of the network without a defect, each measured alone, one after the other; None without a finding."""
    for i, finding in enumerate(ids):
        target = f"{model}.{i}.onnx"
        command = [args.ridge, "advise", model, *sizes_of(model), "--apply", finding, "--output", target]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        model = target
    if not ids:
        return None
    return [advise(args, m, [])["measured"]["median_ns"] for m in (model, clean)]


def score(args, network, defect, folder):
    """A row; None if the network has no place for the defect."""
    path = os.path.join(folder, f"{network}-{defect}.onnx")
    clean = os.path.join(folder, network + ".onnx")
    planted = plant_defects.plant(defect, clean, path)
    if planted is None:
        return None
    document = advise(args, path, EDITS)
    named = [f for f in edits(document) if f["kind"] == planted["kind"]]
    nodes = {n for f in named for n in f["nodes"]}
    ids = [f["id"] for f in edits(document)]
    row = {"network": network, "defect": defect, "kind": planted["kind"], "ids": ids, "found": bool(named),
           "nodes": len(nodes & set(planted["nodes"])) / len(planted["nodes"]), "others": len(ids) - len(named),
           "alone_ns": repaired_beside_clean(args, path, clean, ids), "check": named[0]["check"] if named else None}
    if document["joint"]:
        row["check"] = document["joint"]["check"]
    return row


def milliseconds(ns):
    return "" if ns is None else f"{ns / 1e6:#.4g}".rstrip(".")


def print_row(r):
    c = r["check"] or {}
    after, interval = c.get("after_ns"), c.get("ci95_ns")
    gain = f"{milliseconds(c.get('achieved_gain_ns'))} ({milliseconds(interval[0])} to {milliseconds(interval[1])})" if interval else ""
    beside = f"{100 * (r['alone_ns'][0] / r['alone_ns'][1] - 1):+.1f} %" if r["alone_ns"] else ""
    outputs = f"{c['outputs']['max_rel']:.0e}" if c.get("outputs") else ""
    print(f"| {r['network']} | {r['defect']} | {', '.join(r['ids']) or 'nothing'} | {100 * r['nodes']:.0f} % | {milliseconds(c.get('before_ns'))} "
          f"| {milliseconds(after)} | {gain} | {c.get('state', '')} | {beside} | {outputs} |", flush=True)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ridge", default="build/ridge")
    parser.add_argument("--networks", default=",".join(NETWORKS))
    parser.add_argument("--runtime", default="ort")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--budget", default="2", help="seconds of measuring for each process")
    parser.add_argument("--out", help="file for the rows as JSON")
    return parser.parse_args()


def main():
    args = options()
    rows, wrong = [], []
    print("| network | defect | findings | its nodes that they name | before, ms | repaired, ms | gain, ms | check | repaired beside clean | outputs differ by |")
    print("| --- | --- | --- | ---: | ---: | ---: | --- | --- | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for network in args.networks.split(","):
            path = os.path.join(folder, network + ".onnx")
            subprocess.run([args.ridge, "zoo", "write", network, "--output", path], check=True, stderr=subprocess.DEVNULL)
            document = advise(args, path, [])
            wrong += [f"{network}: {f['id']}" for f in edits(document)]
            for defect in NETWORKS[network]:
                for name in os.listdir(folder):
                    if name != network + ".onnx":
                        os.remove(os.path.join(folder, name))
                row = score(args, network, defect, folder)
                if row is None:
                    print(f"{network} has no place for {defect}", file=sys.stderr)
                    continue
                rows.append(row)
                print_row(row)
            for name in os.listdir(folder):
                os.remove(os.path.join(folder, name))
    found = sum(r["found"] and r["nodes"] == 1 for r in rows)
    states = [r["check"]["state"] for r in rows if r["check"]]
    print(f"\n- found with all nodes: {found} of {len(rows)}; findings of networks without a defect: {', '.join(wrong) or 'none'}")
    print("- checks: " + ", ".join(f"{states.count(s)} {s}" for s in sorted(set(states))))
    if args.out:
        with open(args.out, "w") as f:
            json.dump(rows, f, indent=1)
    return 0 if found == len(rows) and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
