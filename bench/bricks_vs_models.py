#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Estimates from bricks beside measured networks of the zoo: `ridge bricks check` as a Markdown table, with what both took.

    bench/bricks_vs_models.py [--ridge build/ridge] [--networks A,B,... | --count 40] [--runtime ort|openvino] [--threads N]
                              [--granularity auto] [--width 3%] [--store FILE] [--out FILE.json] [--limits]

Takes some ten minutes for forty networks on two processors, and 12 GB of memory. Nothing else should run: ridge pins each measured process to the
first processors, and a second ridge to the same ones, which doubled the times of networks while the times of bricks stayed. --out keeps ridge's
document, --store the times of the bricks.
Errors, intervals that meet and the times are computed again from the rows; exit status 1 if they are not those of the document. Missed limits
change the exit status only with --limits: MAPE, p95, worst, bias, intervals that meet (LIMITS below), and networks without a comparison.
"""
import argparse
import json
import math
import os
import platform
import signal
import subprocess
import sys
import tempfile

# Chosen by a rule, not by their errors: networks of at most 13 G multiply-accumulates at default sizes; each of their 19 families gives its
# smallest network, then each its second, then its third, every turn in ascending order of multiply-accumulates, until there are forty. Larger
# ones would need more memory: all bricks in one process, which the saving at equal runs requires, then no longer fit into 24 GB. The names
# stand here so that a growing zoo does not change what is compared.
NETWORKS = """
dlrm shufflenet_v2_x0_5 mobilenet_v3_small llama_decode squeezenet1_1 efficientnet_b0 lstm alexnet vit_tiny_patch16_224 googlenet resnet18 yolov5n
densenet121 clip_vit_b_32_text convnext_tiny swin_t distilbert_base vgg11 mixer_b16
mobilenet_v2_x0_5 shufflenet_v2_x1_0 efficientnet_b1 squeezenet1_0 densenet169 resnet34 yolov5nu clip_vit_b_32_image vit_b_32 inception_v3 vgg11_bn
convnext_small swin_s bert_base
mobilenet_v3_large shufflenet_v2_x1_5 efficientnet_b2 resnet50 densenet201 yolov8n vit_small_patch16_224
""".split()

LIMITS = {"ort": {"MAPE": 0.03, "p95": 0.08, "worst": 0.15, "bias": 0.02}, "openvino": {"MAPE": 0.05, "p95": 0.12}}
LEAST_INTERVALS = 0.9
CHECK_FAILED = 1  # ridge's exit status if a network or a width is missing; the document is complete
INTERRUPTED = 130


def check(args, networks, path):
    """The document. Messages of ridge pass through."""
    command = [args.ridge, "bricks", "check", *("zoo:" + n for n in networks), "--store", args.store, "--width", args.width]
    command += ["--granularity", args.granularity, "--runtime", args.runtime, "--threads", str(args.threads), "--format", "json", "--output", path]
    # After Ctrl-C ridge writes what was measured so far.
    signal.signal(signal.SIGINT, lambda *_: None)
    status = subprocess.run(command).returncode
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if status not in (0, CHECK_FAILED, INTERRUPTED) or not os.path.exists(path) or os.path.getsize(path) == 0:
        sys.exit(f"ridge bricks check ended with exit status {status}")
    with open(path) as f:
        return json.load(f)


def half_width(estimate, interval):
    return (interval[1] - interval[0]) / 2 / estimate if interval else math.inf


def meet(row):
    a, b = row["measured_ci95_ns"], row["ci95_ns"]
    return bool(a and b) and a[0] <= b[1] and b[0] <= a[1]


def error(row):
    return row["estimate_ns"] / row["measured_ns"] - 1


def figures(rows):
    """The definitions of src/bricks/check.h, computed from the times alone; None for figures of no rows."""
    errors = [error(r) for r in rows]
    sizes = sorted(map(abs, errors))
    n = len(rows)
    return {"mape": math.fsum(sizes) / n if n else None,
            "p95": sizes[min(int(0.95 * n), n - 1)] if n else None,
            "worst": sizes[-1] if n else None,
            "bias": math.fsum(errors) / n if n else None,
            "intervals_met": sum(map(meet, rows))}


def same(a, b):
    # ridge writes all digits; sums in another order differ in the last ones, and an error is the difference of two near figures.
    return a is b or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12))


def contradictions(document, own):
    """Figures of the document that do not follow from its rows."""
    rows, time = document["models"], document["time"]
    bricks = time["bricks"]
    models_s = math.fsum(r["seconds"] for r in rows if r["narrow"])
    pairs = [(name, document[name], value) for name, value in own.items()]
    pairs += [(f"error of {r['name']}", r["error"], error(r)) for r in rows]
    pairs += [(f"intervals_meet of {r['name']}", r["intervals_meet"], meet(r)) for r in rows]
    pairs += [("time.models_s", time["models_s"], models_s)]
    if time["saved"] is not None:
        pairs += [("time.saved", time["saved"], models_s / (bricks["plan_s"] + bricks["load_s"] + bricks["run_s"]))]
    return [f"{name}: {stated} in the document, {computed} from its rows" for name, stated, computed in pairs if not same(stated, computed)]


def percent(share, sign=""):
    return "?" if share is None or not math.isfinite(share) else f"{100 * share:{sign}.1f} %"


def times_less(factor):
    return "unknown" if factor is None else f"{factor:.2f} times less"


def milliseconds(ns):
    return f"{ns / 1e6:#.4g}".rstrip(".")


def seconds(s):
    return f"{s:.1f} s"


def table(rows):
    print("| network | measured, ms | +- | estimate, ms | +- | error | intervals meet |\n| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for r in rows:
        print(f"| {r['name'].removeprefix('zoo:')} | {milliseconds(r['measured_ns'])} | {percent(half_width(r['measured_ns'], r['measured_ci95_ns']))} "
              f"| {milliseconds(r['estimate_ns'])} | {percent(half_width(r['estimate_ns'], r['ci95_ns']))} | {percent(error(r), '+')} "
              f"| {'yes' if meet(r) else 'no'} |")


def savings(document):
    rows, time = document["models"], document["time"]
    bricks = time["bricks"]
    bricks_s = bricks["plan_s"] + bricks["load_s"] + bricks["run_s"]
    print(f"- time: models {seconds(time['models_s'])}, bricks {seconds(bricks_s)} (planning {seconds(bricks['plan_s'])}, "
          f"loading {seconds(bricks['load_s'])}, running {seconds(bricks['run_s'])}): {times_less(time['saved'])}")
    if time["saved_equal_runs"] is None:
        print("- time at equal runs: unknown, since no process of this plan ran every brick")
        return
    models_s = math.fsum(r["measured_ns"] for r in rows) * 1e-9
    print(f"- time at equal runs: one run of every model {models_s:.3f} s, one run of every brick "
          f"{models_s / time['saved_equal_runs']:.3f} s: {times_less(time['saved_equal_runs'])}")


def exclusions(document, networks):
    """Networks that do not count somewhere, by the reason. Those without a comparison come first."""
    rows, width = document["models"], document["time"]["width"]
    compared = [r["name"] for r in rows] + document["without_estimate"]
    return {"no estimate": document["without_estimate"],
            "not planned or not measured": ["zoo:" + n for n in networks if "zoo:" + n not in compared],
            "excluded from the time of the models (not of the bricks), since the measurement did not reach the width": [r["name"] for r in rows if not r["narrow"]],
            "interval of the estimate, with what cuts change, is wider": [r["name"] for r in rows if half_width(r["estimate_ns"], r["ci95_ns"]) > width]}


def summary(document, own, networks, excluded):
    rows = document["models"]
    print(f"\n- errors of {len(rows)} of {len(networks)} networks: MAPE {percent(own['mape'])}, p95 {percent(own['p95'])}, "
          f"worst {percent(own['worst'])}, bias {percent(own['bias'], '+')}")
    share = percent(own["intervals_met"] / len(rows)) if rows else "?"
    print(f"- intervals that meet: {own['intervals_met']} of {len(rows)} ({share})")
    if rows:
        savings(document)
    print(f"- width: {percent(document['time']['width'])}, half of each 95 % interval")
    for reason, names in excluded.items():
        if names:
            print(f"- {reason}: " + ", ".join(n.removeprefix("zoo:") for n in names))


def missed(own, rows, uncompared, limits):
    if not rows:
        return ["nothing was compared"]
    out = [f"{name} {percent(own[name.lower()])}, limit {percent(limit)}" for name, limit in limits.items() if abs(own[name.lower()]) > limit]
    if own["intervals_met"] < LEAST_INTERVALS * len(rows):
        out.append(f"{own['intervals_met']} of {len(rows)} intervals meet, limit {percent(LEAST_INTERVALS)}")
    return out + [f"no comparison of {name}" for name in uncompared]


def processor():
    try:
        with open("/proc/cpuinfo") as f:
            return next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), platform.machine())
    except OSError:
        return platform.machine()


def loads():
    return " ".join(f"{load:.2f}" for load in os.getloadavg())


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ridge", default="build/ridge")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--networks", help="names, separated by commas")
    chosen.add_argument("--count", type=int, default=len(NETWORKS), help=f"the first of {len(NETWORKS)} networks that are named in this file")
    parser.add_argument("--runtime", default="ort", choices=sorted(LIMITS))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--granularity", default="auto", help="auto, layer, sequence, block, or a number of layers")
    parser.add_argument("--width", default="3%")
    parser.add_argument("--store", help="run database of the bricks; without it a temporary one")
    parser.add_argument("--out", help="file for ridge's document")
    parser.add_argument("--limits", action="store_true", help="exit status 1 where a limit is missed")
    args = parser.parse_args()
    if not 1 <= args.count <= len(NETWORKS):
        parser.error(f"--count is 1 to {len(NETWORKS)}; others can be named: --networks A,B")
    return args


def main():
    args = options()
    networks = [n.removeprefix("zoo:") for n in args.networks.split(",")] if args.networks else NETWORKS[:args.count]
    with tempfile.TemporaryDirectory() as folder:
        known = bool(args.store) and os.path.exists(args.store)
        args.store = args.store or os.path.join(folder, "bricks.db")
        before = loads()
        path = args.out or os.path.join(folder, "check.json")
        document = check(args, networks, path)
        after = loads()
    own = figures(document["models"])
    excluded = exclusions(document, networks)
    table(document["models"])
    summary(document, own, networks, excluded)
    if known:
        print("- the store was not new: bricks that it had took no time here, so the first saving is too large")
    print(f"- ridge {document['ridge']}, {document['runtime']} {document['runtime_version']}, {document['threads']} thread(s); "
          f"{processor()}, {os.cpu_count()} processors; load average {before} before, {after} after")
    wrong = contradictions(document, own)
    if wrong:
        sys.exit("\n".join(wrong))
    over = missed(own, document["models"], excluded["no estimate"] + excluded["not planned or not measured"], LIMITS[args.runtime])
    for limit in over:
        print(f"- limit missed: {limit}")
    return 1 if over and args.limits else 0


if __name__ == "__main__":
    sys.exit(main())
