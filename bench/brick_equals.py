#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do equal pieces get equal keys, and only those? Pairs of small models, planned by `ridge bricks plan`, judged by ONNX Runtime.

    bench/brick_equals.py --pairs 400                 # both rates, for each kind of pair
    bench/brick_equals.py --pairs 60 --seed 3 --show  # names each pair that is wrong, and keeps its models

    --ridge build/ridge   --pairs 400   --seed 1   --runtime ort   --keep DIR

Equal pairs do the same work in two ways of writing it: opset (another one, perhaps with another version of the operator), axes (counted from the end),
pads (auto_pad and written out), operands (of Add and others, exchanged), order (nodes, initializers and names of the file), unused (attributes without
effect), scalars (factors, epsilons, bounds, scales and zero points that select no kernel). Different pairs differ in one thing that selects other work.

The truth is that of ONNX Runtime, which shares no code with ridge. A pair counts as equal if both optimized graphs have the same kernels (domain, operator,
fused activation) and the outputs agree, but for scalars; otherwise it is left out and counted as such. A pair counts as different if the kernels differ, or
if on the same inputs and weights the outputs differ in size, type or value. Exit status 1: fewer than 95 % of the equal pairs have one key, or one key
stands for different kernels. Needs Python's onnx and onnxruntime (scripts/fetch_oracles.sh).
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

OPSETS = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]
UNARY = [("Relu", 6), ("Sigmoid", 6), ("Tanh", 6), ("Exp", 6), ("Neg", 6), ("Abs", 6), ("Sqrt", 6), ("Floor", 6), ("Erf", 9), ("Softplus", 1), ("LeakyRelu", 6),
         ("Elu", 6), ("HardSigmoid", 6), ("Selu", 6), ("Reciprocal", 6), ("Log", 6), ("Identity", 1), ("Sign", 9), ("HardSwish", 14)]
BINARY = ["Add", "Sub", "Mul", "Div"]
REDUCE = ["ReduceMean", "ReduceMax", "ReduceMin", "ReduceSum", "ReduceL2", "ReduceProd", "ReduceSumSquare", "ReduceLogSumExp"]


class Net:
    """A model that is written node by node. `form` holds the choices between ways of writing the same."""

    def __init__(self, opset=17, ir=None):
        self.opset, self.ir = opset, ir or (8 if opset >= 15 else 4)
        self.nodes, self.weights, self.inputs, self.outputs, self.count = [], [], [], [], 0
        self.seed = np.random.default_rng(7)

    def name(self, prefix="t"):
        self.count += 1
        return f"{prefix}{self.count}"

    def input(self, shape, kind=TensorProto.FLOAT):
        name = self.name("x")
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def weight(self, *shape):
        return self.constant(self.seed.standard_normal(shape).astype(np.float32) * 0.3)

    def constant(self, array, dtype=None):
        name = self.name("w")
        self.weights.append(numpy_helper.from_array(np.array(array, dtype=dtype), name))
        return name

    def node(self, op, inputs, outputs=1, domain="", **attributes):
        names = [self.name() for _ in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def give(self, *names):
        self.outputs += [helper.make_empty_tensor_value_info(n) for n in names]

    def model(self):
        graph = helper.make_graph(self.nodes, "g", self.inputs, self.outputs, self.weights)
        opsets = [helper.make_opsetid("", self.opset)]
        if any(n.domain == "com.microsoft" for n in self.nodes):
            opsets.append(helper.make_opsetid("com.microsoft", 1))
        return helper.make_model(graph, opset_imports=opsets, ir_version=self.ir)

    # Operators whose parameters moved from attributes to inputs.
    def reduce(self, op, x, axes, keep=1):
        in_input = self.opset >= (13 if op == "ReduceSum" else 18)
        if in_input:
            return self.node(op, [x, self.constant(axes, np.int64)], keepdims=keep)
        return self.node(op, [x], axes=axes, keepdims=keep)

    def clip(self, x, low, high):
        if self.opset >= 11:
            bounds = ["" if b is None else self.constant(b, np.float32) for b in (low, high)]
            while bounds and not bounds[-1]:
                bounds.pop()
            return self.node("Clip", [x] + bounds)
        attributes = {k: v for k, v in (("min", low), ("max", high)) if v is not None}
        return self.node("Clip", [x], **attributes)

    def squeeze(self, op, x, axes):
        if self.opset >= 13:
            return self.node(op, [x, self.constant(axes, np.int64)])
        return self.node(op, [x], axes=axes)

    def slice(self, x, starts, ends, axes, steps=None):
        if self.opset >= 10:
            more = [] if steps is None else [self.constant(steps, np.int64)]
            return self.node("Slice", [x] + [self.constant(v, np.int64) for v in (starts, ends, axes)] + more)
        return self.node("Slice", [x], starts=starts, ends=ends, axes=axes)

    def pad(self, x, pads, mode="constant", value=0.0):
        if self.opset >= 11:
            return self.node("Pad", [x, self.constant(pads, np.int64), self.constant(value, np.float32)], mode=mode)
        return self.node("Pad", [x], pads=pads, mode=mode, value=value)

    def split(self, x, parts, axis):
        if self.opset >= 13:
            return self.node("Split", [x, self.constant(parts, np.int64)], len(parts), axis=axis)
        return self.node("Split", [x], len(parts), axis=axis, split=parts)

    def dropout(self, x):
        if self.opset >= 12:
            return self.node("Dropout", [x, self.constant(0.3, np.float32)])
        return self.node("Dropout", [x], ratio=0.3)

    def top_k(self, x, k):
        values, _ = self.node("TopK", [x, self.constant([k], np.int64)], 2, axis=-1)
        return values

    def conv(self, x, channels, to, kernel=3, **attributes):
        group = attributes.get("group", 1)
        attributes.setdefault("pads", [kernel // 2] * 4)
        if attributes["pads"] is None:
            del attributes["pads"]
        return self.node("Conv", [x, self.weight(to, channels // group, kernel, kernel)], **attributes)


def sizes(r):
    return r.choice([1, 2]), r.choice([4, 8, 16, 32]), r.choice([8, 9, 12, 16])


def around(r, net, n, c, s, what):
    """The thing itself, alone or between other layers."""
    x = net.input([n, c, s, s])
    place = r.randrange(3)
    if place == 1:
        x = net.node("Relu", [net.conv(x, c, c)])
    elif place == 2:
        x = net.node("Transpose", [x], perm=[0, 1, 3, 2])
    y = what(net, x)
    if place == 2:
        y = net.node("Sigmoid", [y])
    net.give(y)
    return net


def twice(r, first, second, opsets=None):
    """Two models with the same surroundings. `first`, `second`: what they do to a tensor, given its sizes."""
    n, c, s = sizes(r)
    a, b = opsets or [r.choice([13, 15, 17, 20])] * 2
    seed = r.random()
    out = []
    for opset, what in ((a, first), (b, second)):
        net = Net(opset)
        out.append(around(random.Random(seed), net, n, c, s, lambda t, x: what(t, x, n, c, s)))
    return out


def two_opsets(r, least, most=22):
    a = r.choice([o for o in OPSETS if least <= o <= most])
    return a, r.choice([o for o in OPSETS if least <= o <= most and o != a])


def any_operator(r):
    """An operator, the first opset in which all of it can be written, and where versions differ the last one that means the same."""
    which = r.randrange(19)
    axis = r.randrange(1, 4)
    if which == 0:
        op, least = r.choice(UNARY)
        return (lambda t, x, n, c, s: t.node(op, [x])), max(least, 7)
    if which == 1:
        op = r.choice(BINARY)
        return (lambda t, x, n, c, s: t.node(op, [x, t.node("Exp", [x])])), 7
    if which == 2:
        op = r.choice(REDUCE)
        keep = r.randrange(2)
        return (lambda t, x, n, c, s: t.reduce(op, x, [axis], keep)), 7
    if which == 3:
        return (lambda t, x, n, c, s: t.clip(x, -1.5, 2.5)), 7
    if which == 4:
        return (lambda t, x, n, c, s: t.slice(x, [1], [1000], [axis])), 7
    if which == 5:
        return (lambda t, x, n, c, s: t.pad(x, [0, 0, 1, 2, 0, 0, 3, 0])), 7
    if which == 6:
        return (lambda t, x, n, c, s: t.node("Concat", t.split(x, [1, c - 1], 1)[::-1], axis=1)), 7
    if which == 7:
        return (lambda t, x, n, c, s: t.node("Relu", [t.dropout(x)])), 7
    if which == 8:
        return (lambda t, x, n, c, s: t.squeeze("Squeeze", t.squeeze("Unsqueeze", t.node("Exp", [x]), [2]), [2])), 7
    if which == 9:
        return (lambda t, x, n, c, s: t.conv(x, c, 16)), 7
    if which == 10:
        # AveragePool 19 is another kernel of the same name, ten times slower than 18 where channels are not in blocks.
        op, most = r.choice([("MaxPool", 22), ("AveragePool", 18)])
        return (lambda t, x, n, c, s: t.node(op, [x], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2])), 7, most
    if which == 11:
        return (lambda t, x, n, c, s: t.node("MatMul", [x, t.weight(s, 24)])), 7
    if which == 12:
        def gemm(t, x, n, c, s):
            flat = t.node("Reshape", [t.node("GlobalAveragePool", [x]), t.constant([n, c], np.int64)])
            return t.node("Gemm", [flat, t.weight(10, c), t.weight(10)], transB=1)
        return gemm, 7
    if which == 13:
        def normalize(t, x, n, c, s):
            return t.node("BatchNormalization", [x, t.weight(c), t.weight(c), t.weight(c), t.constant(np.full(c, 0.8, np.float32))])
        return normalize, 7
    if which == 14:
        return (lambda t, x, n, c, s: t.node("Softmax", [x], axis=3)), 7
    if which == 15:
        return (lambda t, x, n, c, s: t.node("Gather", [x, t.constant([0, 2, 1], np.int64)], axis=2)), 7
    if which == 16:
        return (lambda t, x, n, c, s: t.node("Cast", [t.node("Cast", [x], to=TensorProto.DOUBLE)], to=TensorProto.FLOAT)), 7
    if which == 17:
        return (lambda t, x, n, c, s: t.node(r_op, [x, t.node("Exp", [x])])) if (r_op := r.choice(["Max", "Min", "Pow"])) else None, 12
    return (lambda t, x, n, c, s: t.top_k(x, 3)), 10


# Equal pairs


def opset(r):
    what, *opsets = any_operator(r)
    return twice(r, what, what, two_opsets(r, *opsets))


def axes(r):
    axis = r.randrange(1, 4)
    which = r.randrange(10)
    if which == 0:
        op = r.choice(["Softmax", "LogSoftmax", "Hardmax"])
        write = lambda a: lambda t, x, n, c, s: t.node(op, [x], axis=a)
    elif which == 1:
        write = lambda a: lambda t, x, n, c, s: t.node("Concat", [x, t.node("Exp", [x])], axis=a)
    elif which == 2:
        op = r.choice(REDUCE)
        write = lambda a: lambda t, x, n, c, s: t.reduce(op, x, [a])
    elif which == 3:
        write = lambda a: lambda t, x, n, c, s: t.node("Gather", [x, t.constant([1, 0], np.int64)], axis=a)
    elif which == 4:
        write = lambda a: lambda t, x, n, c, s: t.slice(x, [1], [3], [a])
    elif which == 5:
        write = lambda a: lambda t, x, n, c, s: t.node("Concat", t.split(x, [c // 2, c // 2], 1 if a >= 0 else -3)[::-1], axis=1 if a >= 0 else -3)
    elif which == 6:
        write = lambda a: lambda t, x, n, c, s: t.squeeze("Squeeze", t.reduce("ReduceMax", x, [a], 1), [a])
    elif which == 7:
        axis = 3
        write = lambda a: lambda t, x, n, c, s: t.node("LayerNormalization", [x, t.weight(s), t.weight(s)], axis=a)
        return twice(r, write(3), write(-1), (17, 17))
    elif which == 8:
        op = r.choice(["ArgMax", "ArgMin"])
        write = lambda a: lambda t, x, n, c, s: t.node("Cast", [t.node(op, [x], axis=a)], to=TensorProto.FLOAT)
    else:
        write = lambda a: lambda t, x, n, c, s: t.node("CumSum", [x, t.constant(a, np.int64)])
    return twice(r, write(axis), write(axis - 4))


def same_pads(size, kernel, stride, dilation=1, upper=True):
    total = max((-(-size // stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    less = total // 2
    return (less, total - less) if upper else (total - less, less)


def pads(r):
    kernel, stride, upper = r.choice([2, 3, 5]), r.choice([1, 2]), r.random() < 0.5
    op = r.choice(["Conv", "Conv", "MaxPool", "AveragePool", "ConvTranspose"])
    valid = r.random() < 0.3

    def write(spelled):
        def what(t, x, n, c, s):
            before, after = (0, 0) if valid else same_pads(s, kernel, stride, 1, upper)
            if op == "ConvTranspose":
                total = 0 if valid else max(kernel - stride, 0)
                before, after = (total // 2, total - total // 2) if upper else (total - total // 2, total // 2)
            attributes = {"strides": [stride, stride]}
            if spelled == 0:
                attributes["auto_pad"] = "VALID" if valid else "SAME_UPPER" if upper else "SAME_LOWER"
            elif not (valid and spelled == 2):
                attributes["pads"] = [before, before, after, after]
            if op == "Conv":
                return t.node(op, [x, t.weight(16, c, kernel, kernel)], **attributes)
            if op == "ConvTranspose":
                return t.node(op, [x, t.weight(c, 8, kernel, kernel)], **attributes)
            return t.node(op, [x], kernel_shape=[kernel, kernel], **attributes)
        return what
    return twice(r, write(0), write(r.choice([1, 2])))


def operands(r):
    op = r.choice(["Add", "Add", "Mul", "Max", "Min", "Sum", "Mean"])
    which = r.randrange(4)

    def write(swapped):
        def what(t, x, n, c, s):
            if which == 0:
                other = t.conv(x, c, c)
            elif which == 1:
                other = t.node("Sigmoid", [x])
            elif which == 2:
                other = t.weight(c, 1, 1)
            else:
                other = t.constant(0.7, np.float32)
            pair = [other, x] if swapped else [x, other]
            return t.node(op, pair)
        return what
    return twice(r, write(False), write(True))


def order(r):
    def what(t, x, n, c, s):
        a = t.node("Relu", [t.conv(x, c, 8)])
        b = t.node("Sigmoid", [t.conv(x, c, 8, 1)])
        d = t.node("Tanh", [t.node("MaxPool", [a], kernel_shape=[3, 3], pads=[1, 1, 1, 1])])
        return t.node("Concat", [t.node("Mul", [b, d]), t.node("Exp", [a])], axis=1)
    first, second = twice(r, what, what)
    known = {i.name for i in second.inputs} | {w.name for w in second.weights}
    left, sorted_nodes = list(second.nodes), []
    while left:  # another topological order
        ready = [m for m in left if all(i in known for i in m.input)]
        chosen = r.choice(ready)
        left.remove(chosen)
        known |= set(chosen.output)
        sorted_nodes.append(chosen)
    new = {}
    rename = lambda name: new.setdefault(name, f"r{r.randrange(10**9)}") if name else name
    for m in sorted_nodes:
        m.input[:] = [rename(i) for i in m.input]
        m.output[:] = [rename(o) for o in m.output]
    for v in second.inputs + second.weights + second.outputs:
        v.name = rename(v.name)
    second.nodes = sorted_nodes
    r.shuffle(second.weights)
    return first, second


def unused(r):
    which = r.randrange(9)

    def write(more):
        def what(t, x, n, c, s):
            if which == 0:
                extra = {"storage_order": 1, "ceil_mode": 1} if more else {}
                return t.node("MaxPool", [x], kernel_shape=[3, 3], pads=[1, 1, 1, 1], **extra)
            if which == 1:
                extra = {"count_include_pad": 1} if more else {}
                return t.node("AveragePool", [x], kernel_shape=[2, 2], **extra)
            if which == 2:
                scale = [t.weight(c), t.weight(c), t.weight(c), t.constant(np.full(c, 0.8, np.float32))]
                extra = {"momentum": 0.7} if more else {}
                return t.node("BatchNormalization", [x] + scale, **extra)
            if which == 3:
                extra = {"cubic_coeff_a": -0.5, "extrapolation_value": 3.0} if more else {}
                shape = [t.constant([1, 1, 2, 2], np.float32)]
                return t.node("Resize", [x, t.constant([], np.float32)] + shape, mode="nearest",
                              coordinate_transformation_mode="asymmetric", nearest_mode="floor", **extra)
            if which == 4:
                extra = {"nearest_mode": "ceil", "cubic_coeff_a": -0.5} if more else {}
                return t.node("Resize", [x, t.constant([], np.float32), t.constant([1, 1, 2, 2], np.float32)], mode="linear", **extra)
            if which == 5:
                extra = {"kernel_shape": [3, 3], "dilations": [1, 1], "group": 1, "auto_pad": "NOTSET"} if more else {}
                return t.conv(x, c, 16, **extra)
            if which == 6:
                extra = {"noop_with_empty_axes": 1} if more and t.opset >= 13 else {}
                return t.node("ReduceSum", [x, t.constant([2], np.int64)], **extra)
            if which == 7:
                extra = {"allowzero": 1} if more and t.opset >= 14 else {}
                return t.node("Reshape", [t.node("Exp", [x]), t.constant([n, c, s * s], np.int64)], **extra)
            flat = t.node("Reshape", [x, t.constant([c, n, s * s], np.int64)])
            state = [t.weight(1, 32, s * s), t.weight(1, 32, 8)]
            extra = {"direction": "forward", "input_forget": 0} if more else {}
            return t.node("LSTM", [flat] + state, 1, hidden_size=8, **extra)
        return what
    return twice(r, write(False), write(True))


def quantized(t, x, c, scale, zero, per_channel=False, kind=np.uint8):
    """QuantizeLinear, DequantizeLinear, Conv, both again."""
    def pair(y):
        s, z = t.constant(scale, np.float32), t.constant(zero, kind)
        return t.node("DequantizeLinear", [t.node("QuantizeLinear", [y, s, z]), s, z])
    weight = t.constant(np.random.default_rng(1).integers(-100, 100, (16, c, 3, 3)), np.int8)
    scales = np.full(16, 0.02) if per_channel else 0.02
    zeros = np.zeros(16) if per_channel else 0
    extra = {"axis": 0} if per_channel else {}
    w = t.node("DequantizeLinear", [weight, t.constant(scales, np.float32), t.constant(zeros, np.int8)], **extra)
    return pair(t.node("Conv", [pair(x), w], pads=[1, 1, 1, 1]))


def scalars(r):
    which = r.randrange(11)
    u, v = r.uniform(0.2, 0.9), r.uniform(1.1, 3.0)

    def write(k):
        def what(t, x, n, c, s):
            if which == 0:
                return t.node(r_op, [x, t.constant(k, np.float32)])
            if which == 1:
                return t.clip(x, -k, k * 2)
            if which == 2:
                return t.node("LeakyRelu", [x], alpha=k)
            if which == 3:
                scale = [t.weight(c), t.weight(c), t.weight(c), t.constant(np.full(c, 0.8, np.float32))]
                return t.node("BatchNormalization", [x] + scale, epsilon=k * 1e-4)
            if which == 4:
                return t.node("LayerNormalization", [x, t.weight(s), t.weight(s)], epsilon=k * 1e-5)
            if which == 5:
                return t.node("Elu", [x], alpha=k)
            if which == 6:
                return t.node("InstanceNormalization", [x, t.weight(c), t.weight(c)], epsilon=k * 1e-4)
            if which == 7:
                return quantized(t, x, c, k * 0.1, 0 if r_zero else int(k * 20), r_channel)
            if which == 8:
                return t.node("MatMul", [t.node("Mul", [x, t.constant(k, np.float32)]), t.node("Transpose", [x], perm=[0, 1, 3, 2])])
            if which == 9:
                return t.node("Div", [t.node("Sub", [x, t.constant(k, np.float32)]), t.constant(k * 3, np.float32)])
            return t.node("HardSigmoid", [x], alpha=k, beta=k / 2)
        return what
    r_op, r_zero, r_channel = r.choice(BINARY), r.random() < 0.5, r.random() < 0.5
    return twice(r, write(u), write(v), (17, 17))


# Different pairs


def different(r):
    def conv(**a):
        kernel = a.pop("kernel", 3)
        return lambda t, x, n, c, s: t.conv(x, c, 16, kernel, **a)

    def pool(op, **a):
        return lambda t, x, n, c, s: t.node(op, [x], **({"kernel_shape": [3, 3]} | a))

    def one(op, **a):
        return lambda t, x, n, c, s: t.node(op, [x], **a)

    def two(op, swapped=False, how="Exp"):
        return lambda t, x, n, c, s: t.node(op, [t.node(how, [x]), x] if swapped else [x, t.node(how, [x])])

    def scalar(op, k, kind=np.float32):
        return lambda t, x, n, c, s: t.node(op, [x, t.constant(k, kind)])

    def q(**a):
        return lambda t, x, n, c, s: quantized(t, x, c, a.get("scale", 0.1), a.get("zero", 0), a.get("per_channel", False), a.get("kind", np.uint8))

    def resize(**a):
        def what(t, x, n, c, s):
            return t.node("Resize", [x, t.constant([], np.float32), t.constant([1, 1, 2, 2], np.float32)], **a)
        return what

    def norm(axis):
        return lambda t, x, n, c, s: t.node("LayerNormalization", [x, t.weight(*([c, s, s][axis - 1:]))], axis=axis)

    def active(op):
        return lambda t, x, n, c, s: t.node(op, [t.conv(x, c, 16)])

    def reduce(op, axis):
        return lambda t, x, n, c, s: t.reduce(op, x, [axis])

    def clip(low, high):
        return lambda t, x, n, c, s: t.clip(x, low, high)

    def pad(pads, mode="constant"):
        return lambda t, x, n, c, s: t.pad(x, pads, mode)

    def part(start, end, step=1):
        return lambda t, x, n, c, s: t.slice(x, [start], [end], [2], [step])

    def gather(*indices):
        return lambda t, x, n, c, s: t.node("Gather", [x, t.constant(indices, np.int64)], axis=2)

    def extreme(op):
        return lambda t, x, n, c, s: t.node("Cast", [t.node(op, [x])], to=TensorProto.FLOAT)

    def masked(value):
        return lambda t, x, n, c, s: t.node("Where", [t.node("Greater", [x, t.constant(0, np.float32)]), x, t.constant(value, np.float32)])

    def product(first):
        return lambda t, x, n, c, s: t.node("MatMul", [x, t.weight(s, s)] if first else [t.weight(s, s), x])

    def cum_sum(axis, **a):
        return lambda t, x, n, c, s: t.node("CumSum", [x, t.constant(axis, np.int64)], **a)

    same = {"kernel": 2, "pads": None}
    asymmetric = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric"}
    halves = {"kernel_shape": [2, 2], "strides": [2, 2]}
    pool_of_pairs = [
        (conv(), conv(strides=[2, 2])), (conv(), conv(pads=[0] * 4)), (conv(kernel=3), conv(kernel=5)), (conv(), conv(group=2)),
        (conv(), conv(dilations=[2, 2], pads=[2] * 4)), (conv(pads=[0, 0, 1, 1]), conv(pads=[1, 1, 0, 0])),
        (conv(auto_pad="SAME_UPPER", **same), conv(auto_pad="SAME_LOWER", **same)), (active("Relu"), conv()), (active("Relu"), active("Sigmoid")),
        (pool("MaxPool"), pool("AveragePool")), (pool("MaxPool"), pool("MaxPool", strides=[2, 2])),
        (pool("AveragePool", pads=[1] * 4), pool("AveragePool", pads=[1] * 4, count_include_pad=1)),
        (pool("MaxPool", ceil_mode=1, pads=[0, 0, 1, 1], **halves), pool("MaxPool", pads=[1, 1, 0, 0], **halves)),
        (one("Softmax", axis=3), one("Softmax", axis=2)), (one("Softmax", axis=1), one("LogSoftmax", axis=1)),
        (one("Transpose", perm=[0, 2, 1, 3]), one("Transpose", perm=[0, 3, 2, 1])), (reduce("ReduceMean", 2), reduce("ReduceMean", 3)),
        (reduce("ReduceMean", 2), reduce("ReduceMax", 2)), (two("Add"), two("Mul")), (two("Add"), two("Add", how="Sigmoid")), (two("Max"), two("Min")),
        (scalar("Add", 0), scalar("Add", 0.5)), (scalar("Mul", 1), scalar("Mul", 0.5)), (scalar("Pow", 2), scalar("Pow", 3)),
        (scalar("Pow", 2), scalar("Pow", 2.5)), (q(), q(zero=3)), (q(), q(per_channel=True)), (q(kind=np.uint8), q(kind=np.int8)),
        (resize(mode="nearest"), resize(mode="linear")), (resize(mode="cubic"), resize(mode="linear")),
        (resize(nearest_mode="floor", **asymmetric), resize(nearest_mode="ceil", **asymmetric)),
        (resize(mode="linear"), resize(mode="linear", coordinate_transformation_mode="align_corners")), (norm(3), norm(2)),
        (clip(0.0, None), clip(0.0, 6.0)), (pad([0, 0, 1, 1, 0, 0, 1, 1]), pad([0, 0, 2, 1, 0, 0, 0, 1])),
        (pad([0, 0, 1, 1, 0, 0, 1, 1]), pad([0, 0, 1, 1, 0, 0, 1, 1], "reflect")), (part(0, 4), part(2, 6)), (part(0, 4), part(0, 8, 2)),
        (gather(0, 1), gather(1, 1)), (one("DepthToSpace", blocksize=2, mode="DCR"), one("DepthToSpace", blocksize=2, mode="CRD")),
        (extreme("ArgMax"), extreme("ArgMin")), (masked(-1e9), masked(0.5)), (product(True), product(False)), (cum_sum(2), cum_sum(3)),
        (cum_sum(2), cum_sum(2, reverse=1)), (one("Cast", to=TensorProto.FLOAT16), one("Cast", to=TensorProto.DOUBLE)),
    ]
    return twice(r, *r.choice(pool_of_pairs), (17, 17))


def softmax_of_old_opsets(r):
    """Softmax 12 is over all axes from 1 on, Softmax 13 over one."""
    what = lambda t, x, n, c, s: t.node("Softmax", [x], axis=1)
    return twice(r, what, what, (12, 13))


def connections(r):
    """The same layers, connected in another way, or with a weight of their own. Judged as one piece each."""
    def shared(same):
        def what(t, x, n, c, s):
            w, v = t.weight(s, s), t.weight(s, s)
            return t.node("MatMul", [t.node("MatMul", [x, w]), w if same else v])
        return what

    def swapped(op, exchange):
        def what(t, x, n, c, s):
            pair = [x, t.node("Exp", [x])]
            return t.node(op, pair[::-1] if exchange else pair, **({"axis": 1} if op == "Concat" else {}))
        return what
    op = r.choice(["Sub", "Div", "Concat"])
    return twice(r, *r.choice([(shared(True), shared(False)), (swapped(op, False), swapped(op, True))]), (17, 17))


EQUAL = [opset, axes, pads, operands, order, unused, scalars]
DIFFERENT = [different, different, different, different, different, connections, softmax_of_old_opsets]


def kernels(path):
    """Kernels of the optimized graph, and a session."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.optimized_model_filepath = path + ".optimized"
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    model = onnx.load(options.optimized_model_filepath)
    os.remove(options.optimized_model_filepath)
    rows = []
    for node in model.graph.node:
        activation = [a.s.decode() for a in node.attribute if a.name == "activation"]
        rows.append((node.domain, node.op_type, tuple(activation)))
    return sorted(rows), session


def outputs(session):
    generator = np.random.default_rng(5)
    feed = {i.name: generator.standard_normal(i.shape).astype(np.float32) for i in session.get_inputs()}
    return session.run(None, feed)


def judge(a, b):
    """Whether two models run the same kernels on the same sizes, whether their outputs are the same, and whether nearly."""
    (first, one), (second, two) = kernels(a), kernels(b)
    of_first, of_second = outputs(one), outputs(two)
    same_sizes = [(o.shape, o.dtype) for o in of_first] == [(o.shape, o.dtype) for o in of_second]
    values = same_sizes and all(np.array_equal(p, q, equal_nan=True) for p, q in zip(of_first, of_second))
    close = same_sizes and all(np.allclose(p.astype(np.float64), q.astype(np.float64), 1e-4, 1e-4, equal_nan=True) for p, q in zip(of_first, of_second))
    return first == second and same_sizes, values, close


def keys_of(ridge, runtime, folder, layers, paths):
    out = os.path.join(folder, f"bricks-{layers}")
    command = [ridge, "bricks", "plan", "--runtime", runtime, "--granularity", layers, "--threads", "1", "--out", out] + paths
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    with open(os.path.join(out, "manifest.json")) as f:
        manifest = json.load(f)
    keys = collections.defaultdict(list)
    for brick in manifest["bricks"]:
        for occurrence in brick["occurrences"]:
            keys[occurrence["model"]].append(brick["key"])
    left = {row["model"] for row in manifest["left_over"] if row["key"]}
    return {p: None if p in left else sorted(keys[p]) for p in paths}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ridge", default="build/ridge")
    parser.add_argument("--runtime", default="ort")
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--keep")
    options = parser.parse_args()
    r = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        pairs, invalid = [], collections.Counter()
        for i in range(options.pairs):
            same = i % 2 == 0
            kind = EQUAL[i // 2 % len(EQUAL)] if same else DIFFERENT[i // 2 % len(DIFFERENT)]
            paths = [os.path.join(folder, f"{kind.__name__}-{i}{side}.onnx") for side in "ab"]
            for net, path in zip(kind(r), paths):
                onnx.save(net.model(), path)
            try:
                same_kernels, same_values, close = judge(*paths)
            except Exception as e:  # a model that the runtime rejects
                invalid[kind.__name__] += 1
                if options.show:
                    print("invalid", paths[0], str(e).splitlines()[0][:200])
                continue
            # Equal pairs that compute something else, but for numbers, would be mistakes of this script.
            if same and (not same_kernels or (kind is not scalars and not close)):
                invalid[kind.__name__ + ", other kernels"] += 1
                if options.show:
                    print("other kernels", paths[0], same_kernels, close)
                continue
            if not same and same_kernels and same_values:
                invalid[kind.__name__ + ", no difference"] += 1
                if options.show:
                    print("no difference", paths[0])
                continue
            pairs.append((kind.__name__, same, paths))
        keys = {}
        for layers, of_kind in (("layer", lambda k: k != "connections"), ("16", lambda k: k == "connections")):
            paths = [p for name, _, two in pairs if of_kind(name) for p in two]
            if paths:
                keys |= keys_of(options.ridge, options.runtime, folder, layers, paths)
        right, wrong, unplanned = collections.Counter(), collections.Counter(), collections.Counter()
        for name, same, (a, b) in pairs:
            if keys[a] is None or keys[b] is None or not keys[a]:
                unplanned[name] += 1
                if options.show:
                    print("not planned", a)
                if not same:
                    continue
            good = (keys[a] is not None and keys[a] == keys[b]) == same
            (right if good else wrong)[name] += 1
            if not good and options.show:
                print("two keys" if same else "ONE KEY", a, b)
    print("| kind | pairs | one key | two keys | not planned | left out |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for kind in [f.__name__ for f in EQUAL] + sorted({f.__name__ for f in DIFFERENT}):
        equal = kind in [f.__name__ for f in EQUAL]
        one = right[kind] if equal else wrong[kind]
        out = sum(n for k, n in invalid.items() if k.split(",")[0] == kind)
        print(f"| {kind} | {right[kind] + wrong[kind]} | {one} | {right[kind] + wrong[kind] - one} | {unplanned[kind]} | {out} |")
    names = [f.__name__ for f in EQUAL]
    found, all_equal = sum(right[k] for k in names), sum(right[k] + wrong[k] for k in names)
    joined = sum(n for k, n in wrong.items() if k not in names)
    print(f"equal pairs with one key: {found} of {all_equal}; different pairs with one key: {joined} of "
          f"{sum(n for k, n in (right + wrong).items() if k not in names)}")
    return 0 if found >= 0.95 * all_equal and joined == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
