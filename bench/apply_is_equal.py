#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the copies that `ridge advise --apply` writes with their models, in ONNX Runtime's own Python package.

    bench/apply_is_equal.py [--ridge build/ridge] [--count 60] [--seed 1] [MODEL.onnx ...]

Makes seeded small models with free batch and sequence sizes: patterns that edits know, and near misses of them. Lets
`ridge advise --check all` judge each, applies every finding that is an edit, and runs model and copy at three batches
and ten kinds of inputs. A copy whose outputs differ, of a finding that is called lossless, is a failure, as is a copy
that is no valid model or lacks the model's domain, version, doc strings or metadata. Given models are judged as well.
Shares no code with ridge. Needs numpy, onnx and onnxruntime.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

BATCHES = (1, 2, 5)
SEQUENCE = 6
D = 8
LARGEST = {np.dtype(np.float16): 2.0**-9}  # what rounding explains; 1e-4 of the largest element for wider floats


class Maker:
    """A graph under construction."""

    def __init__(self, rng):
        self.rng, self.nodes, self.weights, self.inputs, self.outputs, self.count = rng, [], [], [], [], 0

    def name(self):
        self.count += 1
        return f"t{self.count}"

    def op(self, kind, *inputs, **attributes):
        out = self.name()
        self.nodes.append(helper.make_node(kind, list(inputs), [out], name=f"node_{out}", doc_string=f"from line {self.count}", **attributes))
        return out

    def weight(self, *shape, scale=0.5):
        return self.constant((self.rng.standard_normal(shape) * scale).astype(np.float32))

    def constant(self, array):
        name = self.name()
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def number(self, value):
        return self.constant(np.float32(value))

    def ints(self, *values):
        return self.constant(np.array(values, np.int64))

    def input(self, *shape):
        name = f"x{len(self.inputs)}"
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape, f"input {len(self.inputs)}"))
        return name

    def output(self, value, kind=TensorProto.FLOAT):
        name = f"y{len(self.outputs)}"
        self.nodes.append(helper.make_node("Identity", [value], [name], name=f"node_{name}"))
        self.outputs.append(helper.make_tensor_value_info(name, kind, None))

    def model(self, opset):
        graph = helper.make_graph(self.nodes, "made", self.inputs, self.outputs, self.weights, doc_string="graph of a test")
        out = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
        out.domain, out.model_version, out.doc_string = "org.example", 7, "model of a test"
        out.metadata_props.add(key="author", value="a generator")
        return out


def mean(m, x, opset):
    return m.op("ReduceMean", x, m.ints(-1), keepdims=1) if opset >= 18 else m.op("ReduceMean", x, axes=[-1], keepdims=1)


def views(m, opset):
    x = m.input("N", 4, D)
    r = m.op("Sin", x)
    form = m.rng.integers(4)
    if form == 0:  # an identity for one sample alone
        r = m.op("Unsqueeze", m.op("Reshape", r, m.ints(-1, D)), m.ints(0))
    elif form == 1:
        r = m.op("Reshape", m.op("Reshape", r, m.ints(-1, D)), m.ints(-1, 4, D))
    elif form == 2:
        r = m.op("Squeeze", m.op("Unsqueeze", r, m.ints(1)), m.ints(1))
    else:  # the same for a batch of one
        r = m.op("Reshape", m.op("Flatten", r, axis=2), m.ints(1, -1, D))
    m.output(m.op("MatMul", r, m.weight(D, D)))


def transposes(m, opset):
    x = m.op("Sin", m.input("N", 4, D))
    second = [0, 2, 1] if m.rng.integers(2) else [1, 2, 0]
    m.output(m.op("Neg", m.op("Transpose", m.op("Transpose", x, perm=[0, 2, 1]), perm=second)))


def casts(m, opset):
    x = m.op("Sin", m.input("N", 4, D))
    to = TensorProto.DOUBLE if m.rng.integers(2) else TensorProto.FLOAT16
    m.output(m.op("Neg", m.op("Cast", m.op("Cast", x, to=to), to=TensorProto.FLOAT)))


def normalization(m, opset, centered):
    x = m.op("MatMul", m.input("N", "T", D), m.weight(D, D))
    d = m.op("Sub", x, mean(m, x, opset)) if centered else x
    square = m.op("Mul", d, d) if m.rng.integers(2) else m.op("Pow", d, m.number(2))
    root = m.op("Sqrt", m.op("Add", mean(m, square, opset), m.number(1e-5)))
    y = m.op("Mul", d, m.op("Reciprocal", root)) if m.rng.integers(2) else m.op("Div", d, root)
    scale = m.rng.integers(4)
    if scale == 0:
        y = m.op("Mul", y, m.weight(D))
    elif scale == 1:
        y = m.op("Mul", m.weight(1, 1, D), y)
    elif scale == 2:  # of a condition of each sample
        condition = m.op("MatMul", m.input("N", D), m.weight(D, D))
        y = m.op("Mul", y, m.op("Unsqueeze", condition, m.ints(1)))
    if centered and m.rng.integers(2):
        y = m.op("Add", y, m.weight(D))
    m.output(m.op("Sin", y) if m.rng.integers(2) else y)


def attention(m, opset):
    x = m.input("N", "T", 16)

    def heads(v, perm):
        return m.op("Transpose", m.op("Reshape", m.op("MatMul", v, m.weight(16, 16)), m.ints(0, 0, 2, 8)), perm=perm)

    query = m.rng.integers(3)
    q = heads(x, [0, 2, 1, 3])
    if query == 0:  # learned, the same for all samples
        q = m.weight(1, 2, 5, 8)
    scores = m.op("MatMul", m.op("Mul", q, m.number(8**-0.5)), heads(x, [0, 2, 3, 1]))
    if query == 1 and m.rng.integers(2):
        scores = m.op("Add", scores, m.input("N", 1, 1, "T"))
    y = m.op("MatMul", m.op("Softmax", scores, axis=-1), heads(x, [0, 2, 1, 3]))
    m.output(m.op("MatMul", m.op("Reshape", m.op("Transpose", y, perm=[0, 2, 1, 3]), m.ints(0, 0, 16)), m.weight(16, 16)))


def activation(m, opset):
    bounded = m.rng.integers(2)
    x = m.input("N", D)
    x = m.op("Sin", x) if bounded else m.op("Neg", x)
    one, two = m.number(1), m.number(2)

    def sigmoid():
        return m.op("Div", one, m.op("Add", m.op("Exp", m.op("Neg", x)), one))

    def clip(v):
        return m.op("Min", m.op("Max", v, m.number(0)), m.number(6))

    def softplus():
        return m.op("Log", m.op("Add", m.op("Exp", x), one))

    def tanh():
        return m.op("Div", m.op("Sub", m.op("Exp", x), m.op("Exp", m.op("Neg", x))), m.op("Add", m.op("Exp", x), m.op("Exp", m.op("Neg", x))))

    forms = [
        lambda: m.op("Div", x, m.op("Add", m.op("Exp", m.op("Neg", x)), one)),
        lambda: m.op("Mul", x, sigmoid()),
        sigmoid,
        lambda: m.op("Div", m.op("Mul", x, clip(m.op("Add", x, m.number(3)))), m.number(6)),
        lambda: clip(x),
        lambda: m.op("Max", x, m.number(0)),
        lambda: m.op("Where", m.op("Greater", x, m.number(0)), x, m.number(0)),
        softplus,
        lambda: m.op("Mul", x, m.op("Tanh", softplus())),
        tanh,
        lambda: m.op("Sub", m.op("Mul", two, m.op("Sigmoid", m.op("Mul", two, x))), one),
        lambda: m.op("Mul", m.op("Mul", m.number(0.5), x), m.op("Add", m.op("Erf", m.op("Mul", x, m.number(2**-0.5))), one)),
    ]
    m.output(forms[m.rng.integers(len(forms))]())


def channels(m, opset):
    x = m.input("N", 3, 5, 5)
    y = m.op("Conv", x, m.weight(4, 3, 3, 3))
    form = m.rng.integers(4)
    if form == 0:
        y = m.op("Mul", y, m.weight(4, 1, 1))
    elif form == 1:
        y = m.op("BatchNormalization", y, m.weight(4), m.weight(4), m.weight(4), m.constant(np.full(4, 0.7, np.float32)))
    elif form == 2:  # a column each, as many as channels, or a scale of each sample
        y = m.op("Mul", y, m.weight(3))
    else:
        y = m.op("Mul", y, m.op("Unsqueeze", m.input("N", 4), m.ints(2, 3)))
    m.output(m.op("Add", y, m.weight(1, 4, 1, 1)) if m.rng.integers(2) else y)


def interface(m, opset):
    x = m.input("N", D)
    weight = m.weight(D, D)
    h = m.op("MatMul", x, weight)
    m.output(m.op("Relu", m.op("Add", h, m.weight(D))))
    if m.rng.integers(2):
        m.outputs.append(helper.make_tensor_value_info(h, TensorProto.FLOAT, None))
    else:
        m.inputs.append(helper.make_tensor_value_info(weight, TensorProto.FLOAT, [D, D]))


def other_types(m, opset):
    x = m.input("N", 4, D)
    y = m.op("Div", x, m.op("Add", m.op("Exp", m.op("Neg", x)), m.number(1)))
    form = m.rng.integers(4)
    if form == 0:
        m.output(m.op("ArgMax", y, axis=-1), TensorProto.INT64)
    elif form == 1:
        m.output(m.op("Cast", y, to=TensorProto.FLOAT16), TensorProto.FLOAT16)
    elif form == 2:
        m.output(m.op("Cast", y, to=TensorProto.DOUBLE), TensorProto.DOUBLE)
    else:
        m.output(m.op("Greater", y, m.number(0.25)), TensorProto.BOOL)


def layer_normalization(m, opset):
    normalization(m, opset, True)


def rms_normalization(m, opset):
    normalization(m, opset, False)


FAMILIES = [views, layer_normalization, activation, attention, channels, rms_normalization, activation, other_types, transposes, casts]
FAMILIES += [interface, activation]


def made(seed):
    rng = np.random.default_rng(seed)
    m, opset = Maker(rng), int(rng.choice([17, 18, 21, 23]))
    FAMILIES[seed % len(FAMILIES)](m, opset)
    return onnx.shape_inference.infer_shapes(m.model(opset))


def elements(kind, shape, rng):
    x = rng.standard_normal(shape).astype(np.float32)
    flat = x.reshape(-1)
    some = flat[len(flat) % 2 :: 5] if len(flat) > 1 else flat
    if kind in ("zeros", "ones"):
        x[...] = kind == "ones"
    elif kind in ("tiny", "hundreds"):
        x *= np.float32(1e-30 if kind == "tiny" else 100)
    elif kind == "large":
        some[...] = np.where(np.arange(len(some)) % 2, 1e20, -1e20)
    elif kind != "seeded" and kind != "seeded again":
        some[...] = {"nan": np.nan, "infinity": np.inf, "minus infinity": -np.inf}[kind]
    return x


KINDS = ("seeded", "seeded again", "zeros", "ones", "tiny", "hundreds", "large", "nan", "infinity", "minus infinity")


def session(path, level=None):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    if level is not None:
        options.graph_optimization_level = level
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def apart(a, b):
    """Relative difference of two outputs; infinite for another type or shape."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return np.inf
    if a.dtype.kind != "f":
        return float(np.mean(a != b)) if a.size else 0.0
    a, b = a.astype(np.float64), b.astype(np.float64)
    unequal = ~((a == b) | (np.isnan(a) & np.isnan(b)))
    if not unequal.any():
        return 0.0
    finite = np.abs(a[np.isfinite(a)])
    with np.errstate(all="ignore"):
        difference = np.abs(a - b)[unequal].max()
    largest = finite.max() if finite.size else 0.0
    return np.inf if not np.isfinite(difference) or largest == 0 else float(difference / largest)


def differences(model, copy):
    """The first difference beyond rounding; None if there is none."""
    before, after, basic = session(model), session(copy), session(model, onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC)
    names = [o.name for o in after.get_outputs() if o.name in {p.name for p in before.get_outputs()}]
    for batch in BATCHES:
        for number, kind in enumerate(KINDS):
            rng = np.random.default_rng(1000 * batch + number)
            sizes = {"N": batch, "T": SEQUENCE + batch - 1}
            shapes = {i.name: [d if isinstance(d, int) else sizes.get(d, batch) for d in i.shape] for i in before.get_inputs()}
            feed = {name: elements(kind, shape, rng) for name, shape in shapes.items()}
            expected = before.run(names, feed)
            try:
                got = after.run(names, {i.name: feed[i.name] for i in after.get_inputs()})
            except Exception as e:
                return f"batch {batch}, {kind}: {str(e).splitlines()[0]}"
            own = basic.run(names, feed)
            for name, a, b, c in zip(names, expected, got, own):
                allowed = LARGEST.get(a.dtype, 1e-4 if a.dtype.kind == "f" else 0.0)
                floor = 2 * apart(a, c)
                if np.isfinite(floor):
                    allowed = max(allowed, floor)
                if apart(a, b) > allowed:
                    return f"batch {batch}, {kind}, {name}: {apart(a, b):.3g}"
    return None


def lost(model, copy):
    """What of the model's own texts the copy lacks."""
    a, b = onnx.load(model, load_external_data=False), onnx.load(copy, load_external_data=False)
    out = [f for f in ("domain", "model_version", "doc_string", "producer_name", "producer_version") if getattr(a, f) != getattr(b, f)]
    if [(p.key, p.value) for p in a.metadata_props] != [(p.key, p.value) for p in b.metadata_props]:
        out.append("metadata_props")
    if a.graph.doc_string != b.graph.doc_string:
        out.append("graph.doc_string")
    kept = {n.output[0]: n for n in b.graph.node}
    for n in a.graph.node:
        same = kept.get(n.output[0])
        if same is not None and same.op_type == n.op_type and same.name == n.name and same.doc_string != n.doc_string:
            out.append(f"doc_string of {n.name}")
    docs = {i.name: i.doc_string for i in a.graph.input}
    out += [f"doc_string of {i.name}" for i in b.graph.input if docs.get(i.name, "") != i.doc_string]
    return out


def is_valid(path):
    try:
        onnx.checker.check_model(path)
        return True
    except onnx.checker.ValidationError as e:
        return "com.microsoft" in str(e)  # its operators are not those of the package


def advice(args, model):
    names = {d.dim_param for i in onnx.load(model, load_external_data=False).graph.input for d in i.type.tensor_type.shape.dim if d.dim_param}
    command = [args.ridge, "advise", model, "--format", "json", "--check", "all", "--check", "attention", "--budget", args.budget, "--processes", "1"]
    for name in sorted(names):
        command += ["--bind", f"{name}={SEQUENCE if name == 'T' else 1}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)["findings"], command[9 + 4 :]


def judge(args, model, folder, label, counts):
    failures = []
    findings, bound = advice(args, model)
    for finding in findings:
        if " --apply " not in finding["command"] or finding["id"] == "int8":
            continue
        copy = os.path.join(folder, f"{finding['id']}.onnx")
        done = subprocess.run([args.ridge, "advise", model, "--apply", finding["id"], "--output", copy, *bound], stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            failures.append(f"{label} {finding['id']}: {done.stderr}")
            continue
        counts["copies"] += 1
        if is_valid(model) and not is_valid(copy):
            failures.append(f"{label} {finding['id']}: the copy is no valid model")
        if missing := lost(model, copy):
            failures.append(f"{label} {finding['id']}: the copy lacks {', '.join(missing)}")
        differ = differences(model, copy)
        lossless = bool(finding["lossless"])
        counts["lossless"] += lossless
        counts["equal"] += differ is None
        counts["equal, not called lossless"] += differ is None and not lossless
        state = "equal" if differ is None else f"differs: {differ}"
        print(f"{label}: {finding['id']}: {'lossless' if lossless else str(finding['effect'])}; {state}", file=sys.stderr)
        if differ is not None and lossless:
            failures.append(f"{label} {finding['id']}: called lossless, but {differ}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="further models")
    parser.add_argument("--ridge", default="build/ridge")
    parser.add_argument("--count", type=int, default=60, help="number of made models")
    parser.add_argument("--seed", type=int, default=1, help="of the first made model")
    parser.add_argument("--budget", default="2s", help="for each model")
    args = parser.parse_args()
    counts = dict.fromkeys(["models", "copies", "lossless", "equal", "equal, not called lossless"], 0)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for path in args.models:
            counts["models"] += 1
            failures += judge(args, path, folder, os.path.basename(path), counts)
        for seed in range(args.seed, args.seed + args.count):
            path = os.path.join(folder, "model.onnx")
            onnx.save(made(seed), path)
            counts["models"] += 1
            failures += judge(args, path, folder, f"seed {seed}", counts)
    print(json.dumps({**counts, "failures": failures}, indent=1))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
