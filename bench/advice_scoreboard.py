#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does `ridge advise` find, price and repair planted defects? A Markdown table of copies of networks with one defect each: of the zoo, and exported.

    bench/advice_scoreboard.py --store bricks.db --budget 60s --out rows.json        # all copies; goes on where it was stopped
    bench/advice_scoreboard.py --networks squeezenet1_1 --defects cast_pairs         # some of them
    bench/advice_scoreboard.py --first                                               # the thirty copies of the first table
    bench/advice_scoreboard.py --models exported --store bricks.db --budget 60s --out exported.json   # bench/export_models.py wrote the folder

    --ridge build/ridge   --turns build/bench/ridge_models_in_turns   --runtime ort   --threads 1
    --processes 3         of each measurement
    --budget 60s          of ridge advise for one copy, bricks included; without it each process has 2 s, and bricks what they take
    --seconds 6           of measuring a repaired copy and its network in turns, all processes together
    --models FOLDER       ONNX files instead of networks of the zoo, with every defect that they have a place for; --networks are their names
    --store FILE          run database with bricks, which all copies share; without it no gain is predicted
    --out FILE            rows as JSON, written after each one; those that it has already are not measured again
    --again               except those with a check that was not judged, because other programs used the processors

A copy goes through these steps: bench/plant_defects.py, which shares no code with ridge, plants the defect; `ridge advise --bricks --check` measures
the bricks of the copy and of its repaired form, predicts the gain, measures it in turns and compares outputs; `--apply` writes the repaired model;
build/bench/ridge_models_in_turns measures it in turns with the network that never had the defect.

  right       every planted node is named under the right kind, and no other node that shares no tensor with a planted one. A defect that the runtime
              repairs by itself is no finding; then the copy must be as fast as the network (--turns says so)
  prediction  unpredictable: ridge says that the gain cannot be predicted in this budget (half of the interval is wider than the greater of 10 % of the
              predicted gain and 2 % of the latency); within: |predicted - achieved gain| is at most the greater of 10 % of the achieved gain and 2 % of
              the latency; else missed. Computed here from the figures; ridge's own word is beside it in --out
  check       what the repair did: gained, lost, no_difference
  beside      latency of the repaired copy beside that of the network, in turns, with its 95 % interval; at most 3 % apart

Exit status 1: a line of the totals is below its target, a network without a defect has a finding of these kinds, or a copy failed. Needs Python's
package onnx. Nothing else should run. With --budget 60s a copy takes some 85 s on two processors: all 59 copies 85 minutes, --first 42, fifteen exported
models with some 100 copies 140 minutes. A run that was stopped goes on with the same command; without --budget bricks take longer.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import onnx

import plant_defects

# Three defects for each network: the third is that of its activation.
FIRST = {
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
FURTHER = {
    "resnet18": ["unfolded_batch_normalization", "cast_pairs"],
    "mobilenet_v2": ["unfolded_batch_normalization", "view_pairs"],
    "mobilenet_v3_small": ["unfolded_batch_normalization", "cast_pairs", "view_pairs", "view_chains", "identities", "free_sizes"],
    "efficientnet_b0": ["spelled_sigmoid", "unfolded_batch_normalization", "cast_pairs"],
    "squeezenet1_1": ["unfolded_batch_normalization", "cast_pairs", "view_pairs", "transpose_pairs"],
    "yolov5n": ["cast_pairs", "view_pairs"],
    "vit_tiny_patch16_224": ["spelled_layer_normalization", "view_pairs", "free_sizes"],
    "distilbert_base": ["spelled_layer_normalization", "free_sizes"],
    "convnext_tiny": ["spelled_layer_normalization", "spelled_gelu"],
    "llama_decode": ["spelled_rms_normalization", "spelled_silu"],
    "llama_prefill": ["spelled_rms_normalization"],
}
# Sizes of networks that have free ones; others are 1.
SIZES = {"distilbert_base": {"sequence": 128}, "llama_decode": {"past": 128}, "llama_prefill": {"sequence": 64}}
OTHER_SIZES = {"sequence": 64}
EDIT_KINDS = ("constant_is_input", "output_kept", "unfused_pattern", "overhead")
CLOSE = 0.03  # part of the clean network's latency
SIGN = 0.03  # gains past this part of the latency must have the right sign
LARGEST = 1e-4  # of the largest element of an output
TARGETS = {"right_first": 28 / 30, "right": 0.9, "beside": 28 / 30, "clean": 1, "within": 0.75, "predictable": 0.75, "sign": 0.9, "interval": 0.9,
           "outputs": 1}
LEAST_FINDINGS = 40


def sizes_of(network):
    return SIZES.get(network, OTHER_SIZES)


class Failed(Exception):
    pass


def say(text):
    print(text, file=sys.stderr, flush=True)


def bindings(model, values):
    """Sizes for a file: "NAME=VALUE" for each free size that it has."""
    inputs = onnx.load(model, load_external_data=False).graph.input
    names = dict.fromkeys(d.dim_param for i in inputs for d in i.type.tensor_type.shape.dim if d.dim_param)
    return [f"{name}={values.get(name, 1)}" for name in names]


def run(command, statuses=(0,)):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in statuses:
        raise Failed(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def setting(args):
    return ["--runtime", args.runtime, "--threads", str(args.threads)]


def bound(sizes):
    return [word for size in sizes for word in ("--bind", size)]


def advise(args, model, sizes, checks):
    """The document."""
    command = [args.ridge, "advise", model, *bound(sizes), *setting(args), "--format", "json"]
    command += ["--processes", str(args.processes)]
    if args.budget:
        command += ["--budget", args.budget]
    if args.store:
        command += ["--store", args.store, "--bricks"]
    for check in checks:
        command += ["--check", check]
    return json.loads(run(command, (0, 1)))


def known_findings(args):
    """Ids of planted defects that this ridge knows; an unknown one would be an error. `ridge advise` names all of them where one is wrong."""
    done = subprocess.run([args.ridge, "advise", "zoo:squeezenet1_1", "--check", "?"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    hint = done.stderr.partition("findings are: ")[2].partition("\n")[0]
    known = hint.split(", ")
    return [i for i in dict.fromkeys(i for _, i, _ in plant_defects.DEFECTS.values()) if i in known]


def repairs(document, kinds):
    """Findings of these kinds that are edits; there are others, of where time goes."""
    return [f for f in document["findings"] if f["kind"] in kinds and f["effect"] != "accuracy" and " --apply " in f["command"]]


def in_turns(args, first, second, sizes):
    """Latency of the second model beside that of the first: {"ratio": R, "ci95": [low, high], ...}."""
    command = [args.turns, first, second, args.seconds, str(args.processes), args.runtime, str(args.threads), *sizes]
    return json.loads(run(command))


def repaired(args, model, values, ids):
    """The path of a copy with the findings applied one after the other."""
    for i, finding in enumerate(ids):
        target = f"{model}.{i}.onnx"
        run([args.ridge, "advise", model, *bound(bindings(model, values)), *setting(args), "--apply", finding, "--output", target])
        model = target
    return model


def beside(args, model, clean, values, ids):
    """The repaired copy and the clean network in turns; None if they have other free sizes, so that no sizes are those of both."""
    model = repaired(args, model, values, ids)
    sizes = bindings(model, values)
    return in_turns(args, clean, model, sizes) if sizes == bindings(clean, values) else None


def checked(finding):
    """What the row keeps of a finding."""
    check = finding["check"] or {}
    return {"id": finding["id"], "predictable": finding["predictable"], "prediction": check.get("prediction"),
            "predicted_ns": finding["predicted_gain_ns"], "predicted_ci95_ns": finding["ci95_ns"], "no_price": finding["no_price"],
            "before_ns": check.get("before_ns"), "after_ns": check.get("after_ns"), "achieved_ns": check.get("achieved_gain_ns"),
            "achieved_ci95_ns": check.get("ci95_ns"), "state": check.get("state"), "reason": check.get("reason"),
            "outputs": (check.get("outputs") or {}).get("max_rel")}


def score(args, network, defect, clean, without, folder):
    """A row; None if the network has no place for the defect. `without`: findings that the network has without it, which are left aside."""
    path = os.path.join(folder, f"{network}-{defect}.onnx")
    planted = plant_defects.plant(defect, clean, path)
    if planted is None:
        return None
    values = sizes_of(network) | planted["bindings"]
    document = advise(args, path, bindings(path, values), known_findings(args))
    found = [f for f in repairs(document, {*EDIT_KINDS, planted["kind"]}) if f["id"] == planted["id"] or f["id"] not in without]
    named = [f for f in found if f["kind"] == planted["kind"]]
    nodes = {n for f in named for n in f["nodes"]}
    wanted = set(planted["nodes"])
    ids = [f["id"] for f in found]
    if planted["kind"] == "free_sizes" and named:  # it is of inputs, and which nodes it names beside them is open
        nodes = wanted
    return {"network": network, "defect": defect, "kind": planted["kind"], "id": planted["id"], "ids": ids, "found": bool(named),
            "named": len(nodes & wanted) / len(wanted), "elsewhere": len(nodes - wanted - set(planted["around"])),
            "measured_ns": document["measured"]["median_ns"], "findings": [checked(f) for f in found if f["check"]], "joint": document["joint"],
            "beside": beside(args, path, clean, values, ids), "notes": document["notes"]}


# What counts as right.


def is_close(row):
    return row["beside"] is None or abs(row["beside"]["ratio"] - 1) <= CLOSE


def is_right(row):
    """Named, or repaired by the runtime, which a copy that is as fast as the network shows."""
    if not row["ids"]:
        return row["beside"] is not None and is_close(row)
    return row["found"] and row["named"] == 1 and row["elsewhere"] == 0


def is_priced(finding):
    """True of a check that was judged, of a finding with a predicted gain."""
    return finding["state"] != "not_judged" and finding["predicted_ns"] is not None and finding["achieved_ns"] is not None


def is_predictable(finding):
    low, high = finding["predicted_ci95_ns"] or (0, 0)
    return (high - low) / 2 <= max(0.1 * abs(finding["predicted_ns"]), 0.02 * finding["before_ns"])


def is_within(finding):
    off = abs(finding["predicted_ns"] - finding["achieved_ns"])
    return off <= max(0.1 * abs(finding["achieved_ns"]), 0.02 * finding["before_ns"])


def has_sign(finding):
    return finding["predicted_ns"] * finding["achieved_ns"] > 0


def contains(finding):
    low, high = finding["predicted_ci95_ns"] or (float("inf"), float("-inf"))
    return low <= finding["achieved_ns"] <= high


def share(good, target):
    """(number, of, target)"""
    good = list(good)
    return sum(good), len(good), target


def totals(rows, clean):
    first = [r for r in rows if r["defect"] in FIRST.get(r["network"], [])]
    of_check = [f for r in rows for f in r["findings"]]
    priced = [f for f in of_check if is_priced(f)]
    predicted = [f for f in priced if is_predictable(f)]
    large = [f for f in predicted if abs(f["predicted_ns"]) > SIGN * f["before_ns"]]
    found = [r for r in rows if r["ids"] and r["beside"]]
    return {
        "right kind and nodes, first thirty copies": share(map(is_right, first), TARGETS["right_first"]),
        "right kind and nodes, all copies": share(map(is_right, rows), TARGETS["right"]),
        "repaired copies within 3 % of the network": share(map(is_close, found), TARGETS["beside"]),
        "networks without a finding of these kinds": share((not ids for ids in clean.values()), TARGETS["clean"]),
        "gains that can be predicted in this budget": share(map(is_predictable, priced), TARGETS["predictable"]),
        "of these, within 10 % of the achieved, or 2 % of the latency": share(map(is_within, predicted), TARGETS["within"]),
        "right sign of those predicted past 3 % of the latency": share(map(has_sign, large), TARGETS["sign"]),
        "intervals of all predicted gains that contain the achieved": share(map(contains, priced), TARGETS["interval"]),
        "checks with outputs at most 1e-4 apart": share((f["outputs"] is not None and f["outputs"] <= LARGEST for f in of_check), TARGETS["outputs"]),
    }


# The table.


def milliseconds(ns):
    return "" if ns is None else f"{ns / 1e6:#.4g}".rstrip(".")


def gain(ns, interval):
    if ns is None:
        return ""
    return milliseconds(ns) + (f" ({milliseconds(interval[0])} to {milliseconds(interval[1])})" if interval else "")


def of_ratio(value):
    if value is None:
        return ""
    interval = f" ({100 * (value['ci95'][0] - 1):+.1f} to {100 * (value['ci95'][1] - 1):+.1f})" if value["ci95"] else ""
    return f"{100 * (value['ratio'] - 1):+.1f} %{interval}"


def prediction(f):
    if not f or not is_priced(f):
        return ""
    return "unpredictable" if not is_predictable(f) else "within" if is_within(f) else "missed"


HEADING = """| network | defect | findings | right | before, ms | predicted gain, ms | achieved gain, ms | prediction | check | repaired beside clean | outputs apart |
| --- | --- | --- | --- | ---: | --- | --- | --- | --- | --- | ---: |"""


def print_row(r):
    """A line for the copy's first finding, and one for each further."""
    for i, f in enumerate(r["findings"] or [{}]):
        first = [r["network"], r["defect"], ", ".join(r["ids"]) or "nothing", "yes" if is_right(r) else f"no: {100 * r['named']:.0f} %"]
        outputs = f"{f['outputs']:.0e}" if f.get("outputs") is not None else ""
        cells = (first if i == 0 else ["", "", f["id"], ""]) + [
            milliseconds(f.get("before_ns")), gain(f.get("predicted_ns"), f.get("predicted_ci95_ns")),
            gain(f.get("achieved_ns"), f.get("achieved_ci95_ns")), prediction(f), f.get("state") or "", of_ratio(r["beside"]) if i == 0 else "", outputs]
        print("| " + " | ".join(cells) + " |", flush=True)


def print_totals(rows, clean, is_part):
    """True if every target is met. Of a part of the copies no number of findings is asked."""
    print()
    met = True
    for what, (good, of, target) in totals(rows, clean).items():
        missed = of > 0 and good < target * of - 1e-9
        met &= not missed
        print(f"- {what}: {good} of {of}{f' = {100 * good / of:.0f} %' if of else ''} (target {100 * target:.0f} %){' MISSED' if missed else ''}")
    count = sum(is_priced(f) for r in rows for f in r["findings"])
    few = count < LEAST_FINDINGS and not is_part
    print(f"- judged checks of findings with a predicted gain: {count} (target {LEAST_FINDINGS}){' MISSED' if few else ''}")
    states = [f["state"] for r in rows for f in r["findings"]]
    print("- checks: " + (", ".join(f"{states.count(s)} {s}" for s in sorted(set(states))) or "none"))
    with_findings = [f"{network} ({', '.join(ids)})" for network, ids in clean.items() if ids]
    if with_findings:
        print("- findings of networks without a defect: " + "; ".join(with_findings))
    return met and not few


# The loop.


class Results:
    """Rows and clean networks so far, in the file of --out if there is one."""

    def __init__(self, path):
        self.path, self.rows, self.clean = path, [], {}
        if path and os.path.exists(path):
            with open(path) as f:
                kept = json.load(f)
            self.rows, self.clean = kept["rows"], kept["clean"]

    def drop_unjudged(self):
        self.rows = [r for r in self.rows if all(f["state"] != "not_judged" for f in r["findings"])]

    def row(self, network, defect):
        return next((r for r in self.rows if (r["network"], r["defect"]) == (network, defect)), None)

    def write(self):
        if self.path:
            with open(self.path + ".part", "w") as f:
                json.dump({"clean": self.clean, "rows": self.rows}, f, indent=1)
            os.replace(self.path + ".part", self.path)


def copies(args):
    """(network, defect), the first thirty first. Of a folder: every defect but free sizes, which exported models have anyhow."""
    if args.models:
        files = sorted(f[:-5] for f in os.listdir(args.models) if f.endswith(".onnx"))
        pairs = [(f, d) for f in files for d in plant_defects.DEFECTS if d != "free_sizes"]
    else:
        pairs = of_zoo(args)
    networks, defects = args.networks and args.networks.split(","), args.defects and args.defects.split(",")
    return [(n, d) for n, d in pairs if (not networks or n in networks) and (not defects or d in defects)]


def of_zoo(args):
    return [(n, d) for table in ((FIRST,) if args.first else (FIRST, FURTHER)) for n, defects in table.items() for d in defects]


def empty(folder, kept=()):
    for name in os.listdir(folder):
        if name not in kept:
            os.remove(os.path.join(folder, name))


def clean_network(args, results, network, defect, folder):
    """Path of the network without a defect, without free sizes where those are the defect, and its findings, which are noted once."""
    path = os.path.join(folder, network + ".onnx")
    if not os.path.exists(path):
        empty(folder)
        if args.models:
            shutil.copy(os.path.join(args.models, network + ".onnx"), path)
        else:
            run([args.ridge, "zoo", "write", network, "--output", path])
    name, values = network, sizes_of(network)
    if defect == "free_sizes":
        name, path = network + ", sizes fixed", os.path.join(folder, network + "-fixed.onnx")
        plant_defects.fix_sizes(os.path.join(folder, network + ".onnx"), path, values)
    if name not in results.clean:
        kinds = {*EDIT_KINDS, plant_defects.DEFECTS[defect][0]}
        results.clean[name] = [f["id"] for f in repairs(advise(args, path, bindings(path, values), []), kinds)]
        results.write()
    return path, results.clean[name]


def measure(args, results, wanted):
    """True if every copy was measured."""
    complete = True
    with tempfile.TemporaryDirectory() as folder:
        for i, (network, defect) in enumerate(wanted):
            row = results.row(network, defect)
            if row is None:
                start = time.monotonic()
                say(f"{i + 1} of {len(wanted)}: {network}, {defect}")
                try:
                    row = score(args, network, defect, *clean_network(args, results, network, defect, folder), folder)
                except Failed as e:
                    say(str(e))
                    complete = False
                empty(folder, [network + ".onnx"])
                if row is None:
                    continue  # no place for the defect
                row["seconds"] = round(time.monotonic() - start)
                results.rows.append(row)
                results.write()
            print_row(row)
    return complete


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ridge", default="build/ridge")
    parser.add_argument("--turns", default="build/bench/ridge_models_in_turns", help="program that measures two models in turns")
    parser.add_argument("--networks", help="A,B,...: only these")
    parser.add_argument("--defects", help="A,B,...: only these")
    parser.add_argument("--models", help="folder with ONNX files instead of networks of the zoo")
    parser.add_argument("--first", action="store_true", help="only the first thirty copies")
    parser.add_argument("--runtime", default="ort")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--budget", help="of ridge advise for one copy")
    parser.add_argument("--seconds", default="6", help="of measuring in turns")
    parser.add_argument("--store", help="run database with bricks")
    parser.add_argument("--out", help="file for the rows as JSON")
    parser.add_argument("--again", action="store_true", help="measure rows of --out again that were not judged")
    return parser.parse_args()


def main():
    args = options()
    results = Results(args.out)
    if args.again:
        results.drop_unjudged()
    wanted = copies(args)
    if not wanted:
        sys.exit("no copy has these networks and defects")
    if not os.path.exists(args.turns):
        sys.exit(f"{args.turns} is missing: scripts/build.sh release --target ridge_models_in_turns")
    print(HEADING)
    complete = measure(args, results, wanted)
    rows = [row for pair in wanted if (row := results.row(*pair))]
    networks = {r["network"] for r in rows}
    clean = {name: ids for name, ids in results.clean.items() if name.partition(",")[0] in networks}
    met = print_totals(rows, clean, bool(args.first or args.models or args.networks or args.defects))
    return 0 if met and complete and rows else 1


if __name__ == "__main__":
    sys.exit(main())
