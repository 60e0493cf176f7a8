#!/usr/bin/env python3
"""Writes a copy of an ONNX model with one planted performance defect: something that makes it slower and leaves its outputs as they are.

    bench/plant_defects.py DEFECT MODEL.onnx OUT.onnx
    bench/plant_defects.py --list

Says what was planted in one line of JSON: {"defect": NAME, "kind": KIND, "nodes": [...], "sites": N}. "nodes" are the indices, in the main graph of
OUT.onnx, of the nodes concerned: those that read a listed weight, whose outputs are kept, or that were added. Exit status 1, with a message, if the
model has no site for the defect.

Needs the Python package onnx. `ridge advise` is tested with these copies, so this script knows nothing of how ridge finds or repairs a defect.

Only nodes of the main graph are edited, and tensors keep their names; those inside a pattern that is spelled out go away with it. Weights stay where
they are: with external data, OUT.onnx must be in the folder of MODEL.onnx. Only initializers can be listed as inputs, not weights that a
ConstantOfShape makes. views leaves out tensors of which more than one dimension is unknown. IR versions below 4 are raised to 4.
"""
import argparse
import itertools
import json
import math
import os
import sys

import onnx
from google.protobuf.message import DecodeError
from onnx import AttributeProto, TensorProto, helper, numpy_helper
from onnx.external_data_helper import uses_external_data

FEW = 8  # most places of a defect that would take all of the time if it were everywhere
EPSILON = 1e-5
SQRT2 = math.sqrt(2)
LAST = object()  # in a chain: the result of the step before
FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE)
WEIGHTS = (*FLOATS, TensorProto.BFLOAT16)
LEAST_OPSET = 8  # Max and Min broadcast from here on
CLIP_INPUTS = 11  # from this opset on, bounds are inputs


class Refused(Exception):
    pass


def bodies(node):
    """The graphs inside a node, such as the branches of an If."""
    for a in node.attribute:
        if a.type == AttributeProto.GRAPH:
            yield a.g
        elif a.type == AttributeProto.GRAPHS:
            yield from a.graphs


def reads(node):
    """Names that a node reads, also within its bodies, as often as it does."""
    yield from filter(None, node.input)
    for body in bodies(node):
        for inner in body.node:
            yield from reads(inner)
        yield from (o.name for o in body.output)


def names(graph):
    for values in (graph.input, graph.output, graph.initializer, graph.value_info):
        yield from (v.name for v in values)
    for node in graph.node:
        yield from node.input
        yield from node.output
        for body in bodies(node):
            yield from names(body)


def tensors(graph):
    yield from graph.initializer
    for node in graph.node:
        yield from (a.t for a in node.attribute if a.type == AttributeProto.TENSOR)
        for body in bodies(node):
            yield from tensors(body)


def attribute(node, name, default=None):
    return next((helper.get_attribute_value(a) for a in node.attribute if a.name == name), default)


def elements(tensor):
    return math.prod(tensor.dims)


def near(value, wanted):
    return value is not None and math.isclose(value, wanted, rel_tol=1e-4, abs_tol=1e-6)


def spread(places):
    """At most FEW, from the first to the last."""
    if len(places) <= FEW:
        return places
    return [places[i * (len(places) - 1) // (FEW - 1)] for i in range(FEW)]


def without_weights(model):
    """The model for shape inference, which needs no elements of large weights."""
    light = onnx.ModelProto(ir_version=model.ir_version, opset_import=model.opset_import, functions=model.functions)
    light.graph.name = model.graph.name
    for field in ("node", "input", "output", "value_info", "sparse_initializer"):
        getattr(light.graph, field).extend(getattr(model.graph, field))
    for t in model.graph.initializer:
        if t.data_type in WEIGHTS and elements(t) > 64:
            light.graph.initializer.add(name=t.name, data_type=t.data_type, dims=t.dims, data_location=TensorProto.EXTERNAL)
        else:
            light.graph.initializer.append(t)
    return light


def tensor_types(model):
    """Type and shape by name, as far as they are declared or can be inferred."""
    light = without_weights(model)
    try:
        light = onnx.shape_inference.infer_shapes(light, data_prop=True)
    except onnx.shape_inference.InferenceError:
        pass
    graph = light.graph
    return {v.name: v.type.tensor_type for values in (graph.value_info, graph.output, graph.input) for v in values if v.type.HasField("tensor_type")}


class Copy:
    """A model under edit. New nodes stand where the old ones did or right behind one, so the order stays topological. Nodes are named by their
    index in the original graph."""

    def __init__(self, model, folder):
        self.model, self.graph, self.folder = model, model.graph, folder
        self.opset = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
        if self.opset < LEAST_OPSET:
            raise Refused(f"opset {self.opset} of the model: at least {LEAST_OPSET} is needed")
        self.raise_ir_version()
        self.nodes = list(self.graph.node)
        self.maker = {name: i for i, node in enumerate(self.nodes) for name in node.output if name}
        self.readers = {}
        for i, node in enumerate(self.nodes):
            for name in reads(node):
                self.readers.setdefault(name, []).append(i)
        self.inputs = {v.name for v in self.graph.input}
        self.outputs = {v.name for v in self.graph.output}
        self.initializers = {t.name: t for t in self.graph.initializer}
        self.used = set(names(self.graph))
        self.numbers = itertools.count()
        self.types = tensor_types(model)
        self.constants = {}
        self.replaced = {}  # by index: the nodes in its place
        self.behind = {}  # by index: the nodes after it
        self.concerned = []
        self.sites = 0

    def raise_ir_version(self):
        """Before version 4 every initializer was an input too, and constant all the same. From 4 on that would be a defect."""
        if self.model.ir_version >= 4:
            return
        self.model.ir_version = 4
        initialized = {t.name for t in self.graph.initializer}
        kept = [v for v in self.graph.input if v.name not in initialized]
        del self.graph.input[:]
        self.graph.input.extend(kept)

    # What the graph has.

    def is_op(self, index, *ops):
        return index is not None and self.nodes[index].domain in ("", "ai.onnx") and self.nodes[index].op_type in ops

    def all(self, *ops):
        return [i for i in range(len(self.nodes)) if self.is_op(i, *ops)]

    def made_by(self, name, *ops):
        index = self.maker.get(name)
        return index if self.is_op(index, *ops) else None

    def result(self, index):
        return self.nodes[index].output[0]

    def only_reader(self, name):
        """The one node that reads a tensor which nobody else sees."""
        found = self.readers.get(name, [])
        return found[0] if len(found) == 1 and name in self.nodes[found[0]].input and name not in self.outputs else None

    def partner(self, index, name, *ops):
        """The other of two inputs of a node of these operators, one of which is name."""
        if not self.is_op(index, *ops) or len(self.nodes[index].input) != 2:
            return None
        a, b = self.nodes[index].input
        return b if a == name else a if b == name else None

    def constant_tensor(self, name):
        if name in self.initializers:
            return None if name in self.inputs else self.initializers[name]
        index = self.made_by(name, "Constant")
        return attribute(self.nodes[index], "value") if index is not None else None

    def scalar(self, name):
        """The value of a constant of one element, or None."""
        index = self.made_by(name, "Constant")
        value = attribute(self.nodes[index], "value_float") if index is not None else None
        if value is not None:
            return value
        tensor = self.constant_tensor(name)
        return float(numpy_helper.to_array(tensor, self.folder).item()) if tensor is not None and elements(tensor) == 1 else None

    def is_static(self, name):
        """A weight: an initializer, or a node that makes the same at each run."""
        filled = self.made_by(name, "ConstantOfShape")
        if filled is not None:
            name = self.nodes[filled].input[0]
        return self.constant_tensor(name) is not None

    def float_type(self, name):
        kind = self.types[name].elem_type if name in self.types else None
        return kind if kind in FLOATS else None

    def shape(self, name):
        """Dimensions, None for one that is not a number; None if not even their number is known."""
        if name not in self.types or not self.types[name].HasField("shape"):
            return None
        return [d.dim_value if d.HasField("dim_value") else None for d in self.types[name].shape.dim]

    def value_info(self, name):
        """Type and shape for a new output. Symbols that shape inference made up are left out."""
        if name not in self.types:
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
        info = onnx.ValueInfoProto(name=name)
        info.type.tensor_type.CopyFrom(self.types[name])
        for d in info.type.tensor_type.shape.dim if self.types[name].HasField("shape") else ():
            if d.dim_param.startswith("unk__"):
                d.ClearField("dim_param")
        return info

    # What an edit does to it.

    def fresh(self):
        return next(name for i in self.numbers if (name := f"planted_{i}") not in self.used)

    def constant(self, values, kind, dims=()):
        """An initializer, one for all that need the same."""
        key = (tuple(values), kind, tuple(dims))
        if key not in self.constants:
            self.constants[key] = self.fresh()
            self.graph.initializer.append(helper.make_tensor(self.constants[key], kind, dims, values))
        return self.constants[key]

    def chain(self, steps, output=None):
        """Nodes from steps (operator, inputs..., attributes if any)."""
        out = []
        for step in steps:
            attributes = step[-1] if isinstance(step[-1], dict) else {}
            inputs = [out[-1].output[0] if i is LAST else i for i in step[1:] if not isinstance(i, dict)]
            out.append(helper.make_node(step[0], inputs, [self.fresh()], **attributes))
        if output:
            out[-1].output[0] = output
        self.concerned += out
        self.sites += 1
        return out

    def replace(self, indices, *steps):
        """Steps in place of nodes, of which the last one has the result."""
        self.replaced.update({i: [] for i in indices})
        self.replaced[indices[-1]] = self.chain(steps, self.result(indices[-1]))

    def insert(self, index, *steps):
        """Steps behind a node, whose result others then read from the last step."""
        name = self.result(index)
        self.behind[index] = self.chain(steps)
        for reader in {r: self.nodes[r] for r in self.readers[name]}.values():
            for i, read in enumerate(reader.input):
                if read == name:
                    reader.input[i] = self.behind[index][-1].output[0]

    def concern(self, indices):
        self.concerned += [self.nodes[i] for i in indices]

    def finish(self):
        """Writes the nodes back, and returns the indices of those concerned."""
        order = []
        for i, node in enumerate(self.nodes):
            order += self.replaced.get(i, [node])
            order += self.behind.get(i, [])
        order = self.without_unread(order)
        place = {id(node): i for i, node in enumerate(order)}
        nodes = sorted({place[id(node)] for node in self.concerned})
        del self.graph.node[:]
        self.graph.node.extend(order)
        return nodes

    def without_unread(self, order):
        """Constants go that only nodes read that are gone."""
        read = {name for node in order for name in reads(node)} | self.outputs
        unread = {name for i in self.replaced for name in self.nodes[i].input} - read - self.inputs
        for i in reversed(range(len(self.graph.initializer))):
            if self.graph.initializer[i].name in unread:
                del self.graph.initializer[i]
        gone = {id(self.nodes[i]) for i in self.all("Constant") if self.result(i) in unread}
        return [node for node in order if id(node) not in gone]


# Defects at inputs and outputs.


def constant_inputs(copy):
    """weights of more than one element are listed as inputs"""
    for tensor in list(copy.graph.initializer):
        name = tensor.name
        if tensor.data_type in WEIGHTS and elements(tensor) > 1 and name not in copy.inputs and name in copy.readers:
            copy.graph.input.append(helper.make_tensor_value_info(name, tensor.data_type, list(tensor.dims)))
            copy.concern(copy.readers[name])
            copy.sites += 1


def keep(copy, indices):
    for i in indices:
        if copy.result(i) not in copy.outputs:
            copy.graph.output.append(copy.value_info(copy.result(i)))
            copy.concern([i])
            copy.sites += 1


def kept_conv_outputs(copy):
    """results of convolutions are outputs of the model"""
    keep(copy, [i for i in copy.all("Conv") if copy.result(i) in copy.readers])


def has_bias_behind(copy, index):
    name = copy.result(index)
    others = (copy.partner(r, name, "Add") for r in copy.readers.get(name, []))
    return any(other is not None and copy.is_static(other) for other in others)


def kept_matmul_outputs(copy):
    """results of matrix products to which a bias is added are outputs of the model"""
    keep(copy, [i for i in copy.all("MatMul", "Gemm") if has_bias_behind(copy, i)])


# Activations that are spelled out.


def gated(copy, *ops):
    """(gate, product, x) of each x * gate(x) whose gate nothing else reads."""
    for gate in copy.all(*ops):
        x = copy.nodes[gate].input[0]
        product = copy.only_reader(copy.result(gate))
        if product is not None and copy.partner(product, copy.result(gate), "Mul") == x:
            yield gate, product, x


def spelled_silu(copy):
    """x * Sigmoid(x) becomes x / (1 + Exp(-x))"""
    for gate, product, x in gated(copy, "Sigmoid"):
        if kind := copy.float_type(x):
            copy.replace([gate, product], ("Neg", x), ("Exp", LAST), ("Add", LAST, copy.constant([1.0], kind)), ("Div", x, LAST))


def spelled_sigmoid(copy):
    """Sigmoid(x), other than in x * Sigmoid(x), becomes 1 / (1 + Exp(-x))"""
    for i in copy.all("Sigmoid"):
        x, y = copy.nodes[i].input[0], copy.result(i)
        kind = copy.float_type(x)
        if kind and not any(copy.partner(r, y, "Mul") == x for r in copy.readers.get(y, [])):
            one = copy.constant([1.0], kind)
            copy.replace([i], ("Neg", x), ("Exp", LAST), ("Add", LAST, one), ("Div", one, LAST))


def spelled_relu(copy):
    """Relu(x) becomes Max(x, 0)"""
    for i in copy.all("Relu"):
        x = copy.nodes[i].input[0]
        if kind := copy.float_type(x):
            copy.replace([i], ("Max", x, copy.constant([0.0], kind)))


def bounds(copy, index):
    node = copy.nodes[index]
    if copy.opset < CLIP_INPUTS:
        return attribute(node, "min"), attribute(node, "max")
    return [copy.scalar(name) for name in (*node.input, "", "")[1:3]]


def spelled_relu6(copy):
    """Clip(x, 0, 6) becomes Min(Max(x, 0), 6)"""
    for i in copy.all("Clip"):
        low, high = bounds(copy, i)
        x = copy.nodes[i].input[0]
        kind = copy.float_type(x)
        if kind and near(low, 0) and near(high, 6):
            copy.replace([i], ("Max", x, copy.constant([0.0], kind)), ("Min", LAST, copy.constant([6.0], kind)))


def hard_swishes(copy):
    """(nodes, x)"""
    for i in copy.all("HardSwish"):
        yield [i], copy.nodes[i].input[0]
    for gate, product, x in gated(copy, "HardSigmoid"):
        node = copy.nodes[gate]
        if near(attribute(node, "alpha", 0.2), 1 / 6) and near(attribute(node, "beta", 0.5), 0.5):
            yield [gate, product], x


def spelled_hard_swish(copy):
    """HardSwish(x) becomes x * (Clip(x + 3, 0, 6) / 6)"""
    for nodes, x in hard_swishes(copy):
        if kind := copy.float_type(x):
            three, six = copy.constant([3.0], kind), copy.constant([6.0], kind)
            clip = ("Clip", LAST, {"min": 0.0, "max": 6.0}) if copy.opset < CLIP_INPUTS else ("Clip", LAST, copy.constant([0.0], kind), six)
            copy.replace(nodes, ("Add", x, three), clip, ("Div", LAST, six), ("Mul", x, LAST))


def times_half(copy, index, name):
    """True of a node that halves a tensor."""
    other = copy.partner(index, name, "Mul")
    return other is not None and near(copy.scalar(other), 0.5)


def gelu_at(copy, erf):
    """(nodes, x) of the Gelu around an Erf as exporters write it, x / sqrt(2), Erf, + 1, * x, * 0.5, also with x * 0.5 first; or None."""
    scaled = copy.made_by(copy.nodes[erf].input[0], "Div")
    if scaled is None or copy.only_reader(copy.result(scaled)) != erf or not near(copy.scalar(copy.nodes[scaled].input[1]), SQRT2):
        return None
    x = copy.nodes[scaled].input[0]
    added = copy.only_reader(copy.result(erf))
    one = copy.partner(added, copy.result(erf), "Add")
    if one is None or not near(copy.scalar(one), 1):
        return None
    product = copy.only_reader(copy.result(added))
    factor = copy.partner(product, copy.result(added), "Mul")
    if factor is None:
        return None
    if factor == x:
        halved = copy.only_reader(copy.result(product))
        return ([scaled, erf, added, product, halved], x) if times_half(copy, halved, copy.result(product)) else None
    halved = copy.made_by(factor, "Mul")
    if halved is None or copy.only_reader(factor) != product or not times_half(copy, halved, x):
        return None
    return [scaled, erf, added, halved, product], x


def gelus(copy):
    """(nodes, x)"""
    for i in copy.all("Gelu"):
        if attribute(copy.nodes[i], "approximate", b"none") == b"none":
            yield [i], copy.nodes[i].input[0]
    yield from filter(None, (gelu_at(copy, i) for i in copy.all("Erf")))


def spelled_gelu(copy):
    """Gelu(x) becomes x * (0.5 + 0.5 * Erf(x / sqrt(2)))"""
    for nodes, x in gelus(copy):
        if kind := copy.float_type(x):
            half, root = copy.constant([0.5], kind), copy.constant([SQRT2], kind)
            copy.replace(nodes, ("Div", x, root), ("Erf", LAST), ("Mul", half, LAST), ("Add", half, LAST), ("Mul", x, LAST))


# Nodes that do nothing.


def read_again(copy, *ops):
    """Nodes with a result that a node of the main graph reads."""
    return [i for i in copy.all(*ops) if any(copy.result(i) in copy.nodes[r].input for r in copy.readers.get(copy.result(i), []))]


def transposes(copy):
    """after convolutions, images go to channels last and back"""
    for i in spread([i for i in read_again(copy, "Conv") if len(copy.shape(copy.result(i)) or ()) == 4]):
        copy.insert(i, ("Transpose", copy.result(i), {"perm": [0, 2, 3, 1]}), ("Transpose", LAST, {"perm": [0, 3, 1, 2]}))


def casts(copy):
    """after convolutions and matrix products, elements become doubles and floats again"""
    for i in spread([i for i in read_again(copy, "Conv", "MatMul", "Gemm") if copy.float_type(copy.result(i)) == TensorProto.FLOAT]):
        copy.insert(i, ("Cast", copy.result(i), {"to": TensorProto.DOUBLE}), ("Cast", LAST, {"to": TensorProto.FLOAT}))


def reshape_to(copy, name):
    """The shape of a tensor as Reshape takes it, of which one dimension may follow from the others; or None."""
    shape = copy.shape(name)
    return None if not shape or shape.count(None) > 1 or 0 in shape else [-1 if d is None else d for d in shape]


def views(copy):
    """after convolutions and matrix products, tensors become flat and get their shape back"""
    for i in spread([i for i in read_again(copy, "Conv", "MatMul", "Gemm") if reshape_to(copy, copy.result(i))]):
        shape = reshape_to(copy, copy.result(i))
        flat, back = copy.constant([-1], TensorProto.INT64, [1]), copy.constant(shape, TensorProto.INT64, [len(shape)])
        copy.insert(i, ("Reshape", copy.result(i), flat), ("Reshape", LAST, back))


def channels(copy, index):
    """Output channels of a convolution with constant weights."""
    weight = copy.nodes[index].input[1]
    if not copy.is_static(weight):
        return None
    if weight in copy.initializers:
        return copy.initializers[weight].dims[0]
    return (copy.shape(weight) or [None])[0]


def unfolded_batch_norm(copy):
    """after convolutions with constant weights, a BatchNormalization that changes nothing"""
    for i in read_again(copy, "Conv"):
        count, kind = channels(copy, i), copy.float_type(copy.result(i))
        if count and kind:
            one, zero, variance = (copy.constant([value] * count, kind, [count]) for value in (1.0, 0.0, 1 - EPSILON))
            copy.insert(i, ("BatchNormalization", copy.result(i), one, zero, zero, variance, {"epsilon": EPSILON}))


DEFECTS = {
    "constant_inputs": ("constant_is_input", constant_inputs),
    "kept_conv_outputs": ("output_kept", kept_conv_outputs),
    "kept_matmul_outputs": ("output_kept", kept_matmul_outputs),
    "spelled_silu": ("unfused_pattern", spelled_silu),
    "spelled_sigmoid": ("unfused_pattern", spelled_sigmoid),
    "spelled_relu": ("unfused_pattern", spelled_relu),
    "spelled_relu6": ("unfused_pattern", spelled_relu6),
    "spelled_hard_swish": ("unfused_pattern", spelled_hard_swish),
    "spelled_gelu": ("unfused_pattern", spelled_gelu),
    "transposes": ("overhead", transposes),
    "casts": ("overhead", casts),
    "views": ("overhead", views),
    "unfolded_batch_norm": ("unfused_pattern", unfolded_batch_norm),
}


def plant(defect, source, target):
    """Writes the copy, and returns what was planted."""
    kind, function = DEFECTS[defect]
    folder, there = (os.path.dirname(os.path.realpath(path)) for path in (source, target))
    if os.path.realpath(source) == os.path.realpath(target):
        raise Refused(f"{target}: the copy would replace the model")
    model = onnx.load(source, load_external_data=False)
    if folder != there and any(map(uses_external_data, tensors(model.graph))):
        raise Refused(f"{source}: weights are in files beside the model, so the copy must be in {folder}")
    copy = Copy(model, folder)
    function(copy)
    if not copy.sites:
        raise Refused(f"{source}: no site for {defect}")
    nodes = copy.finish()
    content = model.SerializeToString()
    with open(target, "wb") as f:
        f.write(content)
    return {"defect": defect, "kind": kind, "nodes": nodes, "sites": copy.sites}


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="the defects, with their kinds")
    parser.add_argument("defect", nargs="?", metavar="DEFECT")
    parser.add_argument("model", nargs="?", metavar="MODEL.onnx")
    parser.add_argument("out", nargs="?", metavar="OUT.onnx")
    args = parser.parse_args()
    if not args.list and args.out is None:
        parser.error("DEFECT, MODEL.onnx and OUT.onnx are needed, or --list")
    if not args.list and args.defect not in DEFECTS:
        parser.error(f"no defect {args.defect}; there are: {', '.join(DEFECTS)}")
    return args


def main():
    args = options()
    if args.list:
        for name, (kind, function) in DEFECTS.items():
            print(f"{name:20} {kind:18} {function.__doc__}")
        return 0
    try:
        print(json.dumps(plant(args.defect, args.model, args.out)))
    except (Refused, OSError) as e:
        sys.exit(str(e))
    except DecodeError:
        sys.exit(f"{args.model}: not an ONNX model")
    return 0


if __name__ == "__main__":
    sys.exit(main())
