#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do planted copies (bench/plant_defects.py) compute what the network did? Both run in Python's package onnxruntime; a row for each copy.

    bench/advice_defects_hold.py [--ridge build/ridge] [--networks A,B,...] [--defects A,B,...]

Needs Python's packages onnx and onnxruntime. Outputs are compared on seeded inputs, relative to the largest element of each output; more than
1e-4 is too far. The last column says which operators ONNX Runtime executes more often in the copy: nothing where it repairs the defect by itself,
which is why `ridge advise` has no such finding there. Exit status 1: outputs are too far apart. Twelve networks take some ten minutes.
"""
import argparse
import collections
import os
import subprocess
import sys
import tempfile

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it when it is imported

import numpy as np
import onnx
import onnxruntime

import plant_defects

NETWORKS = """squeezenet1_1 mobilenet_v3_small mobilenet_v3_large mobilenet_v2 efficientnet_b0 resnet18 yolov5n yolov8n vit_tiny_patch16_224 distilbert_base
convnext_tiny llama_decode llama_prefill""".split()
SIZES = {"sequence": 16, "past": 16}  # others are 1
KNOWN = SIZES | {"batch": 1}  # a copy is loaded with these sizes, as ridge does, unless the defect is that they are free
LARGEST = 1e-4
TYPES = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32}


def inputs_of(session):
    """Seeded inputs. Indices are small, so that every table has them."""
    r = np.random.default_rng(1)
    out = {}
    for value in session.get_inputs():
        shape = [SIZES.get(d, 1) if isinstance(d, str) else d for d in value.shape]
        dtype = TYPES[value.type]
        out[value.name] = r.standard_normal(shape).astype(dtype) if dtype == np.float32 else r.integers(0, 3, shape).astype(dtype)
    return out


def session_of(path, executed, sizes):
    """A session that also writes the model as ONNX Runtime executes it."""
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = executed
    options.log_severity_level = 3
    for name, size in sizes.items():
        options.add_free_dimension_override_by_name(name, size)
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def run(path, folder, sizes, inputs=None):
    """(inputs, outputs by name, operators executed)"""
    executed = os.path.join(folder, "executed.onnx")
    session = session_of(path, executed, sizes)
    operators = collections.Counter(n.op_type for n in onnx.load(executed, load_external_data=False).graph.node)
    if inputs is None:
        inputs = inputs_of(session)
    outputs = [o.name for o in session.get_outputs()]
    return inputs, dict(zip(outputs, session.run(outputs, inputs))), operators


def difference(before, after):
    """Largest, relative to the largest element; infinite for what is not finite or not there."""
    worst = 0.0
    for name, a in before.items():
        b = after.get(name)
        if b is None or a.shape != b.shape or not np.isfinite(a).all() or not np.isfinite(b).all():
            return float("inf")
        if a.size:
            worst = max(worst, float(np.abs(a - b).max() / max(np.abs(a).max(), 1e-30)))
    return worst


def rows(clean, network, defects, folder):
    """(defect, difference, operators executed more often) of each copy of a network."""
    copy, fixed = os.path.join(folder, "copy.onnx"), os.path.join(folder, "fixed.onnx")
    plant_defects.fix_sizes(clean, fixed, SIZES)
    original = {path: run(path, folder, KNOWN) for path in (clean, fixed)}
    for defect in defects:
        source, sizes = (fixed, {}) if defect == "free_sizes" else (clean, KNOWN)
        planted = plant_defects.plant(defect, source, copy)
        if planted is None:
            continue
        inputs, outputs, operators = original[source]
        _, after, executed = run(copy, folder, sizes, inputs)
        more = executed - operators
        yield defect, difference(outputs, after), " ".join(f"{count} {op}" for op, count in sorted(more.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ridge", default="build/ridge")
    parser.add_argument("--networks", default=",".join(NETWORKS))
    parser.add_argument("--defects", default=",".join(plant_defects.DEFECTS))
    args = parser.parse_args()
    far, count = 0, collections.Counter()
    print(f"ONNX Runtime {onnxruntime.__version__}\n\n| network | defect | outputs differ by | executed more often |\n| --- | --- | ---: | --- |")
    for network in args.networks.split(","):
        with tempfile.TemporaryDirectory() as folder:
            clean = os.path.join(folder, network + ".onnx")
            subprocess.run([args.ridge, "zoo", "write", network, "--output", clean], check=True, stderr=subprocess.DEVNULL)
            for defect, apart, more in rows(clean, network, args.defects.split(","), folder):
                count[defect] += 1
                far += apart > LARGEST
                print(f"| {network} | {defect} | {apart:.0e} | {more or 'nothing'} |", flush=True)
    print("\n- copies: " + ", ".join(f"{count[d]} {d}" for d in args.defects.split(",")))
    print(f"- too far apart: {far} of {count.total()}")
    return 1 if far or not count else 0


if __name__ == "__main__":
    sys.exit(main())
