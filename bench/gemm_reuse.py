#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far are the weights of a classifier's product? Its time in a loop behind X MiB of other memory, in the network, and as a brick.

    bench/gemm_reuse.py [--ridge build/ridge] [--network shufflenet_v2_x1_0] [--runs 200]

Needs Python's packages onnx, onnxruntime and numpy. Three figures, each in microseconds, median and 10 % and 90 % quantiles:

  loop      a Gemm of 1 x 1024 x 1000 (weights of 4 MB), each run behind reading and writing X MiB
  network   the largest Gemm of the network, as ONNX Runtime's profiler reports it
  brick     its brick as `ridge bricks` measures it (--store of a temporary folder, one budget of 20 s)

If the brick takes as long as the loop at the distance where the network's time lies, it runs as far from its weights as the network does; a brick that
is as fast as the loop behind 0 MiB runs warm. Nothing else should run. Takes a minute.
"""
import argparse
import json
import os
import sqlite3
import subprocess
import tempfile
import time

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

INNER, OUTER = 1024, 1000
BEHIND = [0, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128]


def session(model, folder=None):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    if folder:
        options.enable_profiling, options.profile_file_prefix = True, os.path.join(folder, "profile")
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def product():
    weights = np.random.default_rng(1).standard_normal((INNER, OUTER)).astype(np.float32)
    graph = helper.make_graph([helper.make_node("Gemm", ["x", "w"], ["y"])], "product", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, INNER])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, OUTER])], [numpy_helper.from_array(weights, "w")])
    return session(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9).SerializeToString())


def show(what, microseconds):
    low, middle, high = np.quantile(microseconds, [0.1, 0.5, 0.9])
    print(f"{what:24} {middle:8.0f}   {low:.0f} to {high:.0f}", flush=True)


def loop(runs):
    gemm, x = product(), np.ones((1, INNER), np.float32)
    for mib in BEHIND:
        other, times = np.ones(mib << 18, np.float32), []
        for _ in range(runs):
            other += 1
            begin = time.perf_counter_ns()
            gemm.run(None, {"x": x})
            times.append((time.perf_counter_ns() - begin) / 1e3)
        show(f"loop behind {mib} MiB", times[runs // 4:])


def network(path, runs, folder):
    model = session(path, folder)
    given = model.get_inputs()[0]
    shape = [d if isinstance(d, int) else 1 for d in given.shape]
    x = np.random.default_rng(2).standard_normal(shape).astype(np.float32)
    for _ in range(runs):
        model.run(None, {given.name: x})
    with open(model.end_profiling()) as f:
        events = json.load(f)
    gemms = [e for e in events if e.get("cat") == "Node" and e["name"].endswith("kernel_time") and e["args"].get("op_name") == "Gemm"]
    show("network", [e["dur"] for e in gemms[len(gemms) // 4:]])


def brick(args, path, folder):
    suite, store = os.path.join(folder, "suite"), os.path.join(folder, "bricks.db")
    subprocess.run([args.ridge, "bricks", "plan", path, "--bind", "batch=1", "--out", suite], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([args.ridge, "bricks", "run", suite, "--store", store, "--budget", "20s"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    rows = sqlite3.connect(store).execute(
        "SELECT reported_ns / 1e3 FROM brick_run JOIN suite_brick ON suite_brick.suite = brick_run.suite AND suite_brick.position = brick_run.brick "
        "WHERE kind LIKE 'Gemm|%' AND bytes = (SELECT max(bytes) FROM suite_brick WHERE kind LIKE 'Gemm|%')").fetchall()
    show("brick", [r[0] for r in rows]) if rows else print("brick: not measured")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ridge", default="build/ridge")
    parser.add_argument("--network", default="shufflenet_v2_x1_0")
    parser.add_argument("--runs", type=int, default=200)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "network.onnx")
        subprocess.run([args.ridge, "zoo", "write", args.network, "--output", path], check=True, stdout=subprocess.DEVNULL)
        loop(args.runs)
        network(path, args.runs, folder)
        brick(args, path, folder)


if __name__ == "__main__":
    main()
