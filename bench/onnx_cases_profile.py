#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every operator case of the onnx package through `ridge profile --processes 1`, beside the runtime itself.

    bench/onnx_cases_profile.py build/ridge [--runtime ort|openvino] [--cases REGEX] [--sample N --seed S] [--write] [--only-refused]

A case is a model of a few nodes with inputs. The runtime's own Python package runs it as it is, in a process of its own; then
`ridge profile` profiles it with the same inputs, given as files (--input NAME=FILE, .npy where NumPy has the element type, else the
.pb of onnx's own test data), in a process with a time limit. What the runtime runs must profile: status 0, every node in a layer or
without one for a reason, no layer unattributed, MACs of layers and nodes those of `ridge analyze`. What the runtime refuses is listed
by name and class of reason in tests/ops/onnx_cases_refused_<runtime>.txt (--write writes it, with --only-refused without profiling
anything); the script fails where ridge fails on a case that the runtime runs, or where the list is not what was found.

Needs onnx 1.23.2 and onnxruntime 1.31.1 or openvino 2026.4.1 (python3 -m venv V && V/bin/pip install ...). Takes about
half an hour of processor time. Prints a line per failure and the counts.
"""
import argparse
import collections
import importlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import warnings

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it when it is imported

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

warnings.simplefilter("ignore")
from onnx.backend.test.case.node import collect_testcases  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
# The words by which a runtime refuses, and the class that the list gives them; the first that is found counts.
CLASSES = {
    "ort": [
        ("Unsupported model IR version", "IR version"),
        ("is under development and support for this is limited|ValidateOpset", "opset"),
        ("is not a registered function/op", "operator unknown"),
        ("Could not find an implementation|Failed to find kernel", "no kernel"),
        ("This is an invalid model", "schema"),
        ("Type Error|bound to different types", "types"),
        ("Exception during initialization", "refused at load"),
        ("Non-zero status code returned", "refused at run"),
        ("^crash", "crash"),
        ("", "other"),
    ],
    "openvino": [
        ("OpConversionFailure|OpenVINO does not support the following ONNX operations|Not supported ONNX op|No conversion", "no conversion"),
        ("Unsupported.*type|unsupported.*type|not supported.*type|element type", "types"),
        ("^crash", "crash"),
        ("", "refused"),
    ],
}


def kind_of(value):
    return value.type.WhichOneof("value")


def packable(array):
    return isinstance(array, np.ndarray) and array.dtype.kind in "biuf" and array.dtype.name in np.sctypeDict


def as_proto(value, data):
    """The .pb of onnx's test data for one input."""
    kind = kind_of(value)
    if isinstance(data, TensorProto):
        return data
    if kind == "tensor_type":
        return numpy_helper.from_array(np.asarray(data), value.name)
    if kind == "sequence_type":
        return numpy_helper.from_list(data, value.name)
    return numpy_helper.from_optional(data, value.name)


def inputs_of(case, folder):
    """Arguments of ridge for the inputs of a case."""
    args = []
    for i, (value, data) in enumerate(zip(case.model.graph.input, case.data_sets[0][0])):
        if not value.name:
            continue
        if kind_of(value) == "tensor_type" and not isinstance(data, TensorProto):
            data = np.asarray(data)
        if packable(data):
            path = os.path.join(folder, f"{i}.npy")
            np.save(path, np.ascontiguousarray(data).reshape(data.shape))
        else:
            path = os.path.join(folder, f"{i}.pb")
            with open(path, "wb") as f:
                f.write(as_proto(value, data).SerializeToString())
        args += ["--input", f"{value.name}={path}"]
    return args


def in_child(work):
    """The text that `work` gives; "ok", an exception, or how the process ended."""
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(out)
        with open(os.devnull, "w") as null:
            os.dup2(null.fileno(), 2)
        try:
            work()
            text = "ok"
        except BaseException as e:  # the child must not go on
            text = f"{type(e).__name__}: {e}"
        os.write(into, text.encode()[:8000])
        os._exit(0)
    os.close(into)
    text = b""
    while part := os.read(out, 65536):
        text += part
    os.close(out)
    _, status = os.waitpid(pid, 0)
    return text.decode(errors="replace") or f"crash: status {status}"


def in_onnxruntime(case):
    import onnxruntime
    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    model, feeds = onnx.ModelProto(), {}
    model.CopyFrom(case.model)
    for value, data in zip(case.model.graph.input, case.data_sets[0][0]):
        kind = kind_of(value)
        if kind != "tensor_type":
            feeds[value.name] = data
            continue
        array = numpy_helper.to_array(data) if isinstance(data, TensorProto) else np.asarray(data)
        if array.dtype.kind in "biufOUS" and array.dtype.name in np.sctypeDict or array.dtype.kind in "OUS":
            feeds[value.name] = array
        else:  # an element type that the package cannot be given: a constant of the model
            model.graph.initializer.append(as_proto(value, data))
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    try:
        session.run(None, feeds)
    except RuntimeError as e:  # it ran; the package has no array for an output's type
        if "can't be converted to MLDataType" not in str(e):
            raise


def in_openvino(case):
    import openvino
    core = openvino.Core()
    model = core.compile_model(core.read_model(case.model.SerializeToString()), "CPU",
                               {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
    feeds = {}
    for value, data in zip(case.model.graph.input, case.data_sets[0][0]):
        feeds[value.name] = np.asarray(numpy_helper.to_array(data) if isinstance(data, TensorProto) else data)
    model(feeds)


def refused_as(runtime, text):
    return next(name for pattern, name in CLASSES[runtime] if re.search(pattern, text))


def run_ridge(ridge, args, timeout=60):
    try:
        done = subprocess.run([ridge, *args], capture_output=True, text=True, timeout=timeout, errors="replace")
    except subprocess.TimeoutExpired:
        return 124, "", f"ran longer than {timeout} s"
    return done.returncode, done.stdout, done.stderr


def shapes_of(case):
    """--shape for inputs whose sizes the model leaves open."""
    args = []
    for value, data in zip(case.model.graph.input, case.data_sets[0][0]):
        if kind_of(value) != "tensor_type" or isinstance(data, TensorProto):
            continue
        tensor = value.type.tensor_type
        free = not tensor.HasField("shape") or any(not d.HasField("dim_value") for d in tensor.shape.dim)
        if free and np.asarray(data).ndim > 0:
            args += ["--shape", f"{value.name}=" + "x".join(map(str, np.asarray(data).shape))]
    return args


def faults(document):
    """What contradicts itself in a profile."""
    found = []
    nodes = {n["index"]: n for n in document["nodes"]} if "nodes" in document else {}
    placed = collections.Counter()
    macs = 0
    for layer in document["layers"]:
        macs += layer["macs"] or 0
        for member in layer["members"]:
            placed[member["node"]] += member["role"] != "part"
        if not layer["members"] and not layer["inserted"]:
            found.append(f"layer {layer['name']} has no member")
    for row in document["nodes_without_layer"]:
        placed[row["node"]] += 1
    for index, node in nodes.items():
        if placed[index] != 1:
            found.append(f"node {index} {node.get('op_type')} is in {placed[index]} places")
    if document["unattributed"]["layers"]:
        found.append(f"{document['unattributed']['layers']} layers are unattributed")
    return found


def profile(ridge, runtime, case):
    """"" where ridge profiles the case, else why not."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.onnx")
        onnx.save(case.model, path)
        args = ["profile", path, "--runtime", runtime, "--processes", "1", "--budget", "0.01", "--format", "json", *shapes_of(case),
                *inputs_of(case, folder)]
        status, out, err = run_ridge(ridge, args)
        if status != 0:
            return f"status {status}: " + " | ".join(err.strip().splitlines()[-5:])
        return "; ".join(faults(json.loads(out)))


def write_list(path, refused):
    with open(path, "w") as f:
        f.write("# Operator cases of the onnx package that the runtime itself does not run as they are, and the class of its reason.\n"
                "# Written by bench/onnx_cases_profile.py --write.\n")
        for name, reason in sorted(refused.items()):
            f.write(f"{name}\t{reason}\n")


def read_list(path):
    if not os.path.exists(path):
        return {}
    lines = [line.rstrip("\n") for line in open(path)]
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ridge")
    parser.add_argument("--runtime", choices=sorted(CLASSES), default="ort")
    parser.add_argument("--cases", default="", help="only names that this regular expression finds")
    parser.add_argument("--sample", type=int, default=0, help="only so many, drawn with --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-refused", action="store_true", help="ask the runtime only")
    parser.add_argument("--write", action="store_true", help="write the list of refused cases (of a whole run)")
    args = parser.parse_args()
    importlib.import_module({"ort": "onnxruntime", "openvino": "openvino"}[args.runtime])  # once, not in every child
    run = {"ort": in_onnxruntime, "openvino": in_openvino}[args.runtime]
    cases = [c for c in collect_testcases(None) if c.model is not None and c.data_sets and re.search(args.cases, c.name)]
    whole = not args.cases and not args.sample
    if args.sample:
        cases = random.Random(args.seed).sample(cases, min(args.sample, len(cases)))
    refused, failed, details = {}, {}, {}
    for case in cases:
        answer = in_child(lambda: run(case))
        if answer != "ok":
            refused[case.name] = refused_as(args.runtime, answer)
            details[case.name] = answer
            continue
        why = "" if args.only_refused else profile(args.ridge, args.runtime, case)
        if why:
            failed[case.name] = why
            print(f"{case.name}\t{why}", flush=True)
    path = os.path.join(HERE, f"../tests/ops/onnx_cases_refused_{args.runtime}.txt")
    if args.write and whole:
        write_list(path, refused)
    listed = {k: v for k, v in read_list(path).items() if whole or any(c.name == k for c in cases)}
    changed = {k for k in listed.keys() | refused.keys() if listed.get(k) != refused.get(k)}
    for name in sorted(changed):
        print(f"{name}\tlisted as {listed.get(name)}, found {refused.get(name)}: {details.get(name, '')[:300]}")
    print(f"{len(cases)} cases: {len(cases) - len(refused) - len(failed)} profiled, {len(refused)} refused by the runtime, {len(failed)} failed")
    sys.exit(1 if failed or changed else 0)


if __name__ == "__main__":
    main()
