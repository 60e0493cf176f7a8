#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How close do networks come to what `ridge advise` says is possible, and are its figures in order? A Markdown row for each network, runtime and thread count.

    bench/advice_bounds.py --out bounds.json                                           # all; goes on where it was stopped
    bench/advice_bounds.py --networks squeezenet1_1 --runtimes ort --threads 1         # some
    bench/advice_bounds.py --store bricks.db --bricks --out bounds.json                # achievable also from bricks, which are measured first

    bench/advice_bounds.py --ways --out bounds.json                                    # achievable also from pieces in the other runtime

    --ridge build/ridge   --processes 3   --budget 30s (of one row; without it each process has 2 s)

Checked of each row: bound of the kernels <= achievable <= measured * 1.02, bound of the model <= achievable, and the same of all in parallel. An exception is
listed by node with its reason: nodes that were measured to be faster than their roof, so that the bound is too high there; nodes without a bound, or without
a measured piece, count as 0.

Exit status 1: figures are out of order and no node is listed as the reason, or a row failed. Nothing else should run. Twenty networks in two
runtimes at one and two threads take some 35 minutes on two processors, with --bricks several times that at first. Standard library only.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

NETWORKS = """alexnet clip_vit_b_32_text convnext_tiny densenet121 distilbert_base dlrm efficientnet_b0 googlenet inception_v3 llama_decode lstm mobilenet_v2
mobilenet_v3_small resnet18 resnet50 shufflenet_v2_x1_0 squeezenet1_1 swin_t vit_tiny_patch16_224 yolov5n""".split()
TOLERANCE = 1.02  # of the measured latency


def run(command):
    """(output, "") or (None, why)"""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return (done.stdout, "") if done.returncode == 0 else (None, f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")


def advise(args, network, runtime, threads):
    command = [args.ridge, "advise", "zoo:" + network, "--runtime", runtime, "--threads", str(threads), "--format", "json"]
    command += ["--processes", str(args.processes)]
    if args.budget:
        command += ["--budget", args.budget]
    if args.ways:
        command += ["--runtimes", args.runtimes]
    if args.store:
        command += ["--store", args.store]
    if args.bricks:
        command += ["--bricks"]
    return run(command)


def row_of(document, network, runtime, threads):
    """The document's figures, without findings and layers."""
    achievable = {k: v for k, v in document["achievable"].items() if k != "layers"}
    return {"network": network, "runtime": runtime, "threads": threads, "version": document["runtime_version"], "host": document["host"],
            "measured": document["measured"], "bound_of_kernels": document["bound_of_kernels"], "bound_of_model": document["bound_of_model"],
            "achievable": achievable, "notes": document["notes"]}


# Order.


def pairs_of(row):
    """(smaller, larger, tolerance, what is claimed) of each pair that is known."""
    bound, model, achievable, measured = row["bound_of_kernels"], row["bound_of_model"], row["achievable"], row["measured"]["median_ns"]
    pairs = [(model["time_ns"], achievable["sequential_ns"], 1, "bound of the model <= achievable"),
             (model["parallel_ns"], achievable["scheduled_ns"], 1, "bound of the model <= achievable, in parallel"),
             (bound["sequential_ns"], achievable["sequential_ns"], 1, "bound <= achievable"),
             (achievable["sequential_ns"], measured, TOLERANCE, "achievable <= measured"),
             (bound["sequential_ns"], measured, TOLERANCE, "bound <= measured"),
             (bound["critical_path_ns"], achievable["scheduled_ns"], 1, "bound <= achievable, in parallel"),
             (achievable["scheduled_ns"], measured, TOLERANCE, "achievable in parallel <= measured")]
    return [p for p in pairs if p[0] is not None and p[1] is not None]


def out_of_order(row):
    return [f"not {what}: {small / 1e6:.3f} ms, {large / 1e6:.3f} ms" for small, large, tolerance, what in pairs_of(row) if small > tolerance * large]


def is_explained(row, claim):
    """A bound is explained by layers that were faster than their roof; what is achievable is measured, and nothing explains it."""
    return "bound" in claim and bool(row["bound_of_kernels"]["beyond"])


def unexplained(row):
    return [claim for claim in out_of_order(row) if not is_explained(row, claim)]


# Exceptions.


def node_names(args, network):
    """Text for each node by its index."""
    output, why = run([args.ridge, "analyze", "zoo:" + network, "--format", "json"])
    if output is None:
        print(why, file=sys.stderr)
        return {}
    return {n["index"]: f"{n['index']} {n['op_type']} {n['name']}" for n in json.loads(output)["nodes"]}


def exceptions(row):
    """(reason, nodes) of all nodes that the figures do not hold of."""
    reasons = [("measured to be faster than its roof", row["bound_of_kernels"]["beyond"]),
               ("no bound: its work or its roof is unknown", row["bound_of_kernels"]["coverage"]["unknown"])]
    if row["achievable"]["coverage"]["nodes"] > 0:
        reasons.append(("no piece of it was measured", row["achievable"]["coverage"]["unknown"]))
    return [(reason, nodes) for reason, nodes in reasons if nodes]


def print_exceptions(args, rows):
    names = {}
    for row in rows:
        claims, listed = out_of_order(row), exceptions(row)
        if not claims and not listed:
            continue
        print(f"\n{row['network']}, {row['runtime']}, {row['threads']} thread(s):")
        for claim in claims:
            print(f"- {'explained below' if is_explained(row, claim) else 'UNEXPLAINED'}: {claim}")
        for reason, nodes in listed:
            if row["network"] not in names:
                names[row["network"]] = node_names(args, row["network"])
            print(f"- {reason}: " + "; ".join(names[row["network"]].get(n, str(n)) for n in nodes))


# The table.


HEADING = """| network | runtime | threads | measured, ms | model's bound | kernels' bound | of nodes, time | achievable | of nodes, time | in parallel | order |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"""


def percent(part, whole=1.0):
    return "" if part is None or not whole else f"{100 * part / whole:.1f} %"


def covered(coverage):
    return f"{percent(coverage['nodes'])}, {percent(coverage['time'])}"


def print_row(row):
    bound, model, achievable, measured = row["bound_of_kernels"], row["bound_of_model"], row["achievable"], row["measured"]["median_ns"]
    order = "no" if unexplained(row) else "explained" if out_of_order(row) else "yes"
    cells = [row["network"], row["runtime"], str(row["threads"]), f"{measured / 1e6:#.4g}"]
    cells += [percent(model["time_ns"], measured), percent(bound["sequential_ns"], measured), covered(bound["coverage"])]
    cells += [percent(achievable["sequential_ns"], measured), covered(achievable["coverage"])]
    cells += [f"{percent(bound['critical_path_ns'], measured)}, {percent(achievable['scheduled_ns'], measured) or '-'}", order]
    print("| " + " | ".join(cells) + " |", flush=True)


def print_totals(rows):
    print()
    for runtime, threads in dict.fromkeys((r["runtime"], r["threads"]) for r in rows):
        some = [r for r in rows if (r["runtime"], r["threads"]) == (runtime, threads)]
        ratios = [r["bound_of_kernels"]["sequential_ns"] / r["measured"]["median_ns"] for r in some if r["bound_of_kernels"]["sequential_ns"]]
        best = [r["achievable"]["sequential_ns"] / r["measured"]["median_ns"] for r in some]
        least = min(r["bound_of_kernels"]["coverage"]["time"] for r in some)
        print(f"- {runtime}, {threads} thread(s), {len(some)} networks: bound / measured {percent(min(ratios, default=None))} to "
              f"{percent(max(ratios, default=None))}, median {percent(statistics.median(ratios) if ratios else None)}; achievable / measured "
              f"median {percent(statistics.median(best))}; bounds cover at least {percent(least)} of the time")
    wrong, explained = sum(bool(unexplained(r)) for r in rows), sum(bool(out_of_order(r)) for r in rows)
    print(f"- in order: {len(rows) - explained} of {len(rows)}; explained by nodes faster than their roof: {explained - wrong}; unexplained: {wrong}")


def kept_rows(path):
    if not path or not os.path.exists(path):
        return []
    with open(path) as f:
        return json.load(f)


def write_rows(path, rows):
    if path:
        with open(path + ".part", "w") as f:
            json.dump(rows, f, indent=1)
        os.replace(path + ".part", path)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ridge", default="build/ridge")
    parser.add_argument("--networks", default=",".join(NETWORKS))
    parser.add_argument("--runtimes", default="ort,openvino")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--budget", help="of one row")
    parser.add_argument("--ways", action="store_true", help="compare with the other runtimes of --runtimes, piece by piece")
    parser.add_argument("--store", help="run database with runs and bricks")
    parser.add_argument("--bricks", action="store_true", help="measure bricks into the store first")
    parser.add_argument("--out", help="file for the rows as JSON; rows that it has are not measured again")
    return parser.parse_args()


def main():
    args = options()
    kept = kept_rows(args.out)
    rows, failed = [], 0
    wanted = [(n, r, int(t)) for n in args.networks.split(",") for r in args.runtimes.split(",") for t in args.threads.split(",")]
    print(HEADING)
    for i, point in enumerate(wanted):
        row = next((r for r in kept if (r["network"], r["runtime"], r["threads"]) == point), None)
        if row is None:
            start = time.monotonic()
            output, why = advise(args, *point)
            if output is None:
                print(why, file=sys.stderr, flush=True)
                failed += 1
                continue
            row = row_of(json.loads(output), *point)
            kept.append(row)
            write_rows(args.out, kept)
            print(f"{i + 1} of {len(wanted)}: {', '.join(map(str, point))}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
        rows.append(row)
        print_row(row)
    print_exceptions(args, rows)
    if rows:
        print_totals(rows)
    return 1 if failed or not rows or any(map(unexplained, rows)) else 0


if __name__ == "__main__":
    sys.exit(main())
