#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants one defect in a copy of an ONNX model, of the kinds that `ridge advise` finds. Needs the package onnx; shares no code with src/rewrite.

    bench/plant_defects.py DEFECT MODEL.onnx OUT.onnx
    bench/plant_defects.py --list

The outputs that the model had stay as they were, up to rounding, and the copy passes the checker of the package onnx. Prints one line of JSON:

    defect    its name
    kind, id  of the finding that should name it
    nodes     that it concerns, by position in OUT.onnx
    around    nodes that share a tensor with these: a finding may name them too
    bindings  sizes that the copy has free, to pass to ridge as --bind NAME=VALUE; {} unless the defect is that they are free

Exit status 1: the model has no place for this defect. Weights stay where they are: write OUT.onnx into the folder of MODEL.onnx if that has
weights in files. Only nodes of the main graph are edited. `bench/advice_defects_hold.py` compares the outputs of copies.
"""
import json
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FEW = 8  # most places of a defect that would take most of the time if it were everywhere
ROOT2 = 2**0.5


class Graph:
    """A model with what the defects ask about it."""

    def __init__(self, model):
        self.model = model
        self.graph = self.model.graph
        self.opset = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 1)
        self.readers, self.producer = {}, {}
        for node in self.graph.node:
            for name in dict.fromkeys(node.input):
                self.readers.setdefault(name, []).append(node)
            for name in node.output:
                self.producer[name] = node
        self.inputs = {i.name for i in self.graph.input}
        self.outputs = {o.name for o in self.graph.output}
        self.constants = {t.name: t for t in self.graph.initializer}
        for node in self.graph.node:
            if node.op_type == "Constant" and node.attribute and node.attribute[0].name == "value":
                self.constants[node.output[0]] = node.attribute[0].t
        self.count = 0
        self.made = set()  # nodes that were planted, by identity
        self.bindings = {}
        self.inferred = None

    def all(self, *ops):
        return [n for n in self.graph.node if n.op_type in ops and n.domain in ("", "ai.onnx")]

    def array(self, name):
        """Elements of a constant that nobody can replace; None if it is none, or its elements are in another file."""
        tensor = self.constants.get(name)
        if tensor is None or name in self.inputs or tensor.data_location == TensorProto.EXTERNAL:
            return None
        return numpy_helper.to_array(tensor)

    def is_scalar(self, name, value):
        tensor = self.constants.get(name)
        if tensor is None or int(np.prod(tensor.dims)) != 1 or tensor.data_location == TensorProto.EXTERNAL:
            return False
        return bool(np.allclose(numpy_helper.to_array(tensor), value, rtol=1e-5))

    def only_reader(self, node):
        """The node that alone reads the result."""
        name = node.output[0]
        readers = self.readers.get(name, [])
        return readers[0] if len(readers) == 1 and name not in self.outputs else None

    def made_by(self, name, op_type):
        node = self.producer.get(name)
        return node if node is not None and node.op_type == op_type and node.domain in ("", "ai.onnx") else None

    def type(self, name):
        """Type and shape of a tensor (TypeProto), or None."""
        if self.inferred is None:
            self.inferred = types_of(self.model)
        return self.inferred.get(name)

    def shape(self, name):
        """Dimensions, None for one that is not a number; None if not even their number is known."""
        known = self.type(name)
        if known is None or not known.tensor_type.HasField("shape"):
            return None
        return [d.dim_value if d.HasField("dim_value") else None for d in known.tensor_type.shape.dim]

    def is_float(self, name):
        known = self.type(name)
        return known is not None and known.tensor_type.elem_type == TensorProto.FLOAT

    def fresh(self, what):
        while True:
            self.count += 1
            name = f"planted_{what}{self.count}"
            if name not in self.producer and name not in self.readers and name not in self.inputs:
                return name

    def constant(self, values, dtype=np.float32):
        name = self.fresh("constant_")
        self.graph.initializer.append(numpy_helper.from_array(np.array(values, dtype=dtype), name))
        return name

    def chain(self, steps, out=None):
        """Nodes of a chain: (operator, inputs, attributes if any), where "" stands for the result before. The last one writes `out`."""
        nodes, before = [], ""
        for i, (op_type, inputs, *attributes) in enumerate(steps):
            result = out if out is not None and i + 1 == len(steps) else self.fresh("")
            node = helper.make_node(op_type, [before if name == "" else name for name in inputs], [result], name=self.fresh("node_"))
            node.attribute.extend(helper.make_attribute(k, v) for k, v in (attributes[0] if attributes else {}).items())
            nodes.append(node)
            self.made.add(id(node))
            before = result
        return nodes

    def behind(self, node, steps):
        """A node and a chain behind it, whose result others then read instead."""
        name = node.output[0]
        nodes = self.chain(steps)
        for reader in self.readers[name]:
            for i, read in enumerate(reader.input):
                if read == name:
                    reader.input[i] = nodes[-1].output[0]
        return [node] + nodes

    def rewrite(self, replaced, removed=()):
        """Puts lists of nodes in the place of nodes (by identity); the positions of those that were made."""
        nodes = [new for node in self.graph.node if id(node) not in removed for new in replaced.get(id(node), [node])]
        planted = [i for i, node in enumerate(nodes) if id(node) in self.made]
        nodes = [onnx.NodeProto.FromString(n.SerializeToString()) for n in nodes]
        del self.graph.node[:]
        self.graph.node.extend(nodes)
        self.remove_unread()
        return planted

    def remove_unread(self):
        """Weights that only removed nodes read. A graph inside a node may read any, then nothing is removed."""
        if any(a.type in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS) for n in self.graph.node for a in n.attribute):
            return
        read = {name for n in self.graph.node for name in n.input} | self.outputs | self.inputs
        for i in reversed(range(len(self.graph.initializer))):
            if self.graph.initializer[i].name not in read:
                del self.graph.initializer[i]

    def positions(self, wanted):
        return [i for i, node in enumerate(self.graph.node) if wanted(node)]

    def around(self, positions):
        """Positions of nodes that write what these read, or read what these write; constants aside."""
        nodes = [self.graph.node[i] for i in positions]
        tensors = {name for n in nodes for name in [*n.input, *n.output] if name not in self.constants}
        return self.positions(lambda n: tensors & set(n.input) or tensors & set(n.output))


def without_weights(model):
    """The model for shape inference, which needs no elements of large weights."""
    light = onnx.ModelProto(ir_version=model.ir_version, opset_import=model.opset_import, functions=model.functions)
    light.graph.name = model.graph.name
    for field in ("node", "input", "output", "value_info", "sparse_initializer"):
        getattr(light.graph, field).extend(getattr(model.graph, field))
    for t in model.graph.initializer:
        if t.data_type == TensorProto.FLOAT and int(np.prod(t.dims)) > 64:
            light.graph.initializer.add(name=t.name, data_type=t.data_type, dims=t.dims, data_location=TensorProto.EXTERNAL)
        else:
            light.graph.initializer.append(t)
    return light


def types_of(model):
    """Types by name, as declared or inferred. Sizes that the inference only gave a name are left open."""
    graph = onnx.shape_inference.infer_shapes(without_weights(model), data_prop=True).graph
    out = {}
    for info in [*graph.value_info, *graph.output, *graph.input]:
        if info.type.HasField("tensor_type"):
            out[info.name] = info.type
            for d in info.type.tensor_type.shape.dim if info.type.tensor_type.HasField("shape") else ():
                if d.dim_param.startswith("unk__"):
                    d.ClearField("dim_param")
    return out


def attribute(node, name, default):
    return next((helper.get_attribute_value(a) for a in node.attribute if a.name == name), default)


def spread(places):
    """At most FEW, from the first to the last."""
    return places if len(places) <= FEW else [places[i * (len(places) - 1) // (FEW - 1)] for i in range(FEW)]


# Inputs and outputs.


def weights_as_inputs(g):
    g.model.ir_version = max(g.model.ir_version, 4)
    names = set()
    for t in g.graph.initializer:
        if t.data_type == TensorProto.FLOAT and int(np.prod(t.dims)) > 1 and t.name not in g.inputs:
            g.graph.input.append(helper.make_tensor_value_info(t.name, t.data_type, list(t.dims)))
            names.add(t.name)
    return g.positions(lambda node: names & set(node.input))


def keep_outputs(g, nodes):
    """Those whose rank inference knows: an output of a model has a shape."""
    names = [node.output[0] for node in nodes if node.output[0] in g.readers and node.output[0] not in g.outputs]
    names = [name for name in names if g.type(name) and g.type(name).tensor_type.HasField("shape")]
    g.graph.output.extend(onnx.ValueInfoProto(name=name, type=g.type(name)) for name in names)
    return g.positions(lambda node: node.output[0] in names)


def kept_convolutions(g):
    return keep_outputs(g, g.all("Conv"))


def kept_products(g):
    return keep_outputs(g, [n for n in g.all("MatMul", "Gemm") if (r := g.only_reader(n)) is not None and r.op_type == "Add"])


# Activations that are spelled out.


def spelled_silu(g):
    replaced, removed = {}, set()
    for node in g.all("Sigmoid"):
        product = g.only_reader(node)
        if product is None or product.op_type != "Mul" or node.input[0] not in product.input:
            continue
        x = node.input[0]
        removed.add(id(node))
        replaced[id(product)] = g.chain([("Neg", [x]), ("Exp", [""]), ("Add", ["", g.constant(1)]), ("Div", [x, ""])], product.output[0])
    return g.rewrite(replaced, removed)


def spelled_sigmoid(g):
    replaced = {}
    for node in g.all("Sigmoid"):
        reader = g.only_reader(node)
        if not (reader is not None and reader.op_type == "Mul" and node.input[0] in reader.input):
            steps = [("Neg", [node.input[0]]), ("Exp", [""]), ("Add", ["", g.constant(1)]), ("Div", [g.constant(1), ""])]
            replaced[id(node)] = g.chain(steps, node.output[0])
    return g.rewrite(replaced)


def spelled_relu(g):
    return g.rewrite({id(n): g.chain([("Max", [n.input[0], g.constant(0)])], n.output[0]) for n in g.all("Relu")})


def spelled_relu6(g):
    clips = [n for n in g.all("Clip") if len(n.input) == 3 and g.is_scalar(n.input[1], 0) and g.is_scalar(n.input[2], 6)]
    return g.rewrite({id(n): g.chain([("Max", [n.input[0], g.constant(0)]), ("Min", ["", g.constant(6)])], n.output[0]) for n in clips})


def spelled_hard_swish(g):
    replaced, removed = {}, set()
    for node in g.all("HardSigmoid", "HardSwish"):
        x, out = node.input[0], node.output[0]
        if node.op_type == "HardSigmoid":
            product = g.only_reader(node)
            if product is None or product.op_type != "Mul" or x not in product.input:
                continue
            removed.add(id(node))
            node, out = product, product.output[0]
        steps = [("Add", [x, g.constant(3)]), ("Clip", ["", g.constant(0), g.constant(6)]), ("Div", ["", g.constant(6)]), ("Mul", [x, ""])]
        replaced[id(node)] = g.chain(steps, out)
    return g.rewrite(replaced, removed)


def spelled_gelu(g):
    replaced, removed = {}, set()
    for node in g.all("Erf"):
        scaled = g.producer.get(node.input[0])
        add = g.only_reader(node)
        product = g.only_reader(add) if add is not None and add.op_type == "Add" else None
        half = g.only_reader(product) if product is not None and product.op_type == "Mul" else None
        if half is None or half.op_type != "Mul" or scaled is None or scaled.op_type != "Div" or not any(g.is_scalar(i, 0.5) for i in half.input):
            continue
        x = scaled.input[0]
        removed |= {id(n) for n in (scaled, node, add, product)}
        steps = [("Div", [x, g.constant(ROOT2)]), ("Erf", [""]), ("Mul", [g.constant(0.5), ""]), ("Add", [g.constant(0.5), ""]), ("Mul", [x, ""])]
        replaced[id(half)] = g.chain(steps, half.output[0])
    return g.rewrite(replaced, removed)


# Nodes that undo each other.


def pairs(g, behind):
    """Behind some convolutions and matrix products: the steps that `behind` says for a tensor, if any."""
    places = [n for n in g.all("Conv", "MatMul", "Gemm") if n.output[0] in g.readers and g.is_float(n.output[0]) and behind(n.output[0])]
    return g.rewrite({id(n): g.behind(n, behind(n.output[0])) for n in spread(places)})


def cast_pairs(g):
    return pairs(g, lambda x: [("Cast", [x], {"to": TensorProto.DOUBLE}), ("Cast", [""], {"to": TensorProto.FLOAT})])


def view_pairs(g):
    """Flatten keeps the first size, whatever it is; so does 0 in the shape of Reshape."""
    shapes = {}

    def behind(x):
        shape = g.shape(x)
        if not shape or len(shape) < 3 or shape[1:].count(None) > 1 or 0 in shape:
            return None
        back = tuple([0] + [-1 if d is None else d for d in shape[1:]])
        if back not in shapes:
            shapes[back] = g.constant(back, np.int64)
        return [("Flatten", [x]), ("Reshape", ["", shapes[back]])]

    return pairs(g, behind)


def view_chains(g):
    """Three views in a row, the last of which restores the shape."""
    def behind(x):
        shape = g.shape(x)
        if not shape or len(shape) < 3 or None in shape[1:] or 0 in shape:
            return None
        count = int(np.prod(shape[1:]))
        return [("Reshape", [x, g.constant([0, count], np.int64)]), ("Reshape", ["", g.constant([0, 1, count], np.int64)]),
                ("Reshape", ["", g.constant([0] + shape[1:], np.int64)])]

    return pairs(g, behind)


def identities(g):
    """Copies of nothing, which runtimes drop."""
    return pairs(g, lambda x: [("Identity", [x]), ("Identity", [""])])


def spelled_softplus(g):
    """log(1 + exp(x)), which is Softplus up to inputs of some 80."""
    return g.rewrite({id(n): g.chain([("Exp", [n.input[0]]), ("Add", ["", g.constant(1)]), ("Log", [""])], n.output[0]) for n in g.all("Softplus")})


def spelled_tanh(g):
    """2 / (1 + exp(-2 x)) - 1."""
    steps = [("Mul", [None, g.constant(-2)]), ("Exp", [""]), ("Add", ["", g.constant(1)]), ("Div", [g.constant(2), ""]), ("Sub", ["", g.constant(1)])]
    return g.rewrite({id(n): g.chain([(op, [n.input[0] if i is None else i for i in inputs]) for op, inputs in steps], n.output[0]) for n in g.all("Tanh")})


def transpose_pairs(g):
    """To channels last and back."""
    def behind(x):
        rank = len(g.shape(x) or ())
        if rank < 3:
            return None
        return [("Transpose", [x], {"perm": [0, *range(2, rank), 1]}), ("Transpose", [""], {"perm": [0, rank - 1, *range(1, rank - 1)]})]

    return pairs(g, behind)


# Normalizations.


def per_channel(g, values, rank):
    return g.constant(np.asarray(values).reshape([1, -1] + [1] * (rank - 2)))


def scaled_behind(g, node, scale, shift):
    """Multiplies and adds one constant for each channel. They stand on the left, where ONNX Runtime does not fold them."""
    x, rank = node.output[0], len(g.constants[node.input[1]].dims)
    return [("Mul", [per_channel(g, scale, rank), x]), ("Add", [per_channel(g, shift, rank), ""])]


def unfolded_from_weights(g, node, number):
    """Factors that a convolution had in its weights, as steps behind it; None if its weights are no constants."""
    weight, bias = g.array(node.input[1]), g.array(node.input[2]) if len(node.input) > 2 else None
    if weight is None or (bias is None and len(node.input) > 2) or node.output[0] not in g.readers:
        return None
    channels = weight.shape[0]
    r = np.random.default_rng(number)
    scale, shift = r.uniform(0.5, 2, channels).astype(np.float32), r.uniform(-0.1, 0.1, channels).astype(np.float32)
    bias = np.zeros(channels, np.float32) if bias is None else bias
    node.input[1:] = [g.constant(weight / scale.reshape([-1] + [1] * (weight.ndim - 1))), g.constant((bias - shift) / scale)]
    g.constants.update({t.name: t for t in g.graph.initializer[-2:]})
    return g.behind(node, scaled_behind(g, node, scale, shift))


def unfolded_batch_normalization(g):
    """A BatchNormalization behind a convolution becomes its factors; without any in the model they are taken out of the weights."""
    replaced = {}
    for node in g.all("BatchNormalization"):
        conv = g.made_by(node.input[0], "Conv")
        given = [g.array(name) for name in node.input[1:5]]
        if conv is None or g.only_reader(conv) is not node or any(a is None for a in given) or g.constants.get(conv.input[1]) is None:
            continue
        gamma, beta, mean, variance = (a.astype(np.float64) for a in given)
        scale = gamma / np.sqrt(variance + attribute(node, "epsilon", 1e-5))
        replaced[id(node)] = g.chain(scaled_behind(g, conv, scale, beta - mean * scale), node.output[0])
    if not g.all("BatchNormalization"):
        unfolded = {id(node): unfolded_from_weights(g, node, i) for i, node in enumerate(g.all("Conv")) if len(g.readers.get(node.input[1], [])) == 1}
        replaced = {node: steps for node, steps in unfolded.items() if steps}
    return g.rewrite(replaced)


def mean(g, x, axes):
    """A step; axes are an input from opset 18 on."""
    return ("ReduceMean", [x, g.constant(axes, np.int64)]) if g.opset >= 18 else ("ReduceMean", [x], {"axes": axes})


def divided(g, d, axes, epsilon, out):
    """d / sqrt(mean(d^2) + epsilon), spelled as runtimes do not know it. `out`: name of the result, or None."""
    steps = [("Mul", [d, d]), mean(g, "", axes), ("Add", ["", epsilon]), ("Sqrt", [""]), ("Reciprocal", [""]), ("Mul", [d, ""])]
    return g.chain(steps, out)


def from_operator(g, node):
    """LayerNormalization as a chain; None for one with further outputs or whose rank is unknown."""
    axis, x = attribute(node, "axis", -1), node.input[0]
    if len(node.output) > 1 or not g.is_float(x) or (axis != -1 and g.shape(x) is None):
        return None
    axes = [-1] if axis == -1 else list(range(axis - len(g.shape(x)) if axis >= 0 else axis, 0))
    nodes = g.chain([mean(g, x, axes), ("Sub", [x, ""])])
    nodes += divided(g, nodes[-1].output[0], axes, g.constant(attribute(node, "epsilon", 1e-5)), None)
    rest = [("Mul", [nodes[-1].output[0], node.input[1]])]
    rest += [("Add", ["", node.input[2]])] if len(node.input) > 2 and node.input[2] else []
    return nodes + g.chain(rest, node.output[0])


def denominator(g, node):
    """(d, nodes before, name) of d / name, also written as d * (1 / name); None of another node."""
    if node.op_type == "Div":
        return node.input[0], [], node.input[1]
    for d, name in (node.input, reversed(node.input)):
        inverse = g.made_by(name, "Div")
        if inverse is not None and g.is_scalar(inverse.input[0], 1):
            return d, [inverse], inverse.input[1]
    return None


def quotients(g):
    """(nodes, last node, d, axes, epsilon) of each d / Sqrt(ReduceMean(Pow(d, 2)) + epsilon)."""
    for last in g.all("Div", "Mul"):
        d, nodes, name = denominator(g, last) or (None, [], "")
        root = g.made_by(name, "Sqrt")
        add = g.made_by(root.input[0], "Add") if root is not None else None
        average = add is not None and next((n for name in add.input if (n := g.made_by(name, "ReduceMean")) is not None), None)
        power = g.made_by(average.input[0], "Pow") if average else None
        if power is None or power.input[0] != d or not g.is_scalar(power.input[1], 2):
            continue
        nodes += [power, average, add, root]
        axes = attribute(average, "axes", None) if len(average.input) < 2 else g.array(average.input[1])
        if axes is not None and all(g.only_reader(n) is not None for n in nodes):
            yield nodes, last, d, list(axes), next(name for name in add.input if name != average.output[0])


def has_no_mean(g, d):
    """True of x - ReduceMean(x)."""
    sub = g.made_by(d, "Sub")
    average = g.made_by(sub.input[1], "ReduceMean") if sub is not None else None
    return average is not None and average.input[0] == sub.input[0]


def spelled_quotients(g, of_layer):
    """What is replaced and removed, for the quotients of layer normalizations, or for those of RMS normalizations."""
    replaced, removed = {}, set()
    for nodes, last, d, axes, epsilon in quotients(g):
        if has_no_mean(g, d) == of_layer:
            removed |= {id(n) for n in nodes}
            replaced[id(last)] = divided(g, d, axes, epsilon, last.output[0])
    return replaced, removed


def spelled_layer_normalization(g):
    replaced, removed = spelled_quotients(g, True)
    replaced.update({id(n): nodes for n in g.all("LayerNormalization") if (nodes := from_operator(g, n))})
    return g.rewrite(replaced, removed)


def spelled_rms_normalization(g):
    return g.rewrite(*spelled_quotients(g, False))


# Sizes.


def sizes_of(value):
    return value.type.tensor_type.shape.dim


def may_be_free(value, axis):
    """Batch; height and width of images; length of sequences of tokens."""
    rank = len(sizes_of(value))
    tokens = rank == 2 and value.type.tensor_type.elem_type in (TensorProto.INT32, TensorProto.INT64)
    return axis == 0 or (rank >= 4 and axis >= 2) or (tokens and axis == 1)


def free_sizes(g):
    """The nodes are those whose results would be constants if the sizes were known, else those that read the inputs."""
    names, touched = {}, set()
    for value in g.graph.input:
        if value.name in g.constants:
            continue
        for axis, d in enumerate(sizes_of(value)):
            if not d.HasField("dim_value") or not may_be_free(value, axis):
                continue
            same_axis = sum(a == axis for a, _ in names)
            name = names.setdefault((axis, d.dim_value), ("batch" if axis == 0 else f"size_{axis}") + (f"_{same_axis}" if same_axis else ""))
            g.bindings[name] = d.dim_value
            d.dim_param = name
            touched.add(value.name)
    if not touched:
        return []
    open_outputs(g)
    arithmetic = shape_arithmetic(g)
    return g.positions(lambda n: arithmetic & set(n.output)) or g.positions(lambda n: touched & set(n.input))


def open_outputs(g):
    """Declares inner tensors and outputs as far as they follow from the inputs."""
    del g.graph.value_info[:]
    for value in g.graph.output:
        value.type.tensor_type.ClearField("shape")
    for value in g.graph.output:
        if g.type(value.name) is not None:
            value.type.CopyFrom(g.type(value.name))


def shape_arithmetic(g):
    """Names of tensors that follow from sizes alone."""
    out = set()
    for node in g.graph.node:
        inputs = [name for name in node.input if name and name not in g.constants]
        if node.op_type in ("Shape", "Size") or (inputs and out.issuperset(inputs)):
            out |= set(node.output)
    return out


def fix_sizes(source, target, values):
    """Writes a copy of a model without free sizes: those named in `values` have its values, others 1. True if there were any."""
    g = Graph(onnx.load(source, load_external_data=False))
    free = [d for value in g.graph.input for d in sizes_of(value) if d.dim_param]
    for d in free:
        d.dim_value = values.get(d.dim_param, 1)
    open_outputs(g)
    onnx.save(g.model, target)
    onnx.checker.check_model(target)
    return bool(free)


# Kind and id of the finding, and what plants the defect.
DEFECTS = {
    "weights_as_inputs": ("constant_is_input", "constant_inputs", weights_as_inputs),
    "kept_convolutions": ("output_kept", "kept_outputs", kept_convolutions),
    "kept_products": ("output_kept", "kept_outputs", kept_products),
    "spelled_silu": ("unfused_pattern", "silu", spelled_silu),
    "spelled_sigmoid": ("unfused_pattern", "sigmoid", spelled_sigmoid),
    "spelled_relu": ("unfused_pattern", "relu", spelled_relu),
    "spelled_relu6": ("unfused_pattern", "relu6", spelled_relu6),
    "spelled_hard_swish": ("unfused_pattern", "hard_swish", spelled_hard_swish),
    "spelled_softplus": ("unfused_pattern", "softplus", spelled_softplus),
    "spelled_tanh": ("unfused_pattern", "tanh", spelled_tanh),
    "spelled_gelu": ("unfused_pattern", "gelu", spelled_gelu),
    "unfolded_batch_normalization": ("unfused_pattern", "batch_normalization", unfolded_batch_normalization),
    "spelled_layer_normalization": ("unfused_pattern", "layer_normalization", spelled_layer_normalization),
    "spelled_rms_normalization": ("unfused_pattern", "rms_normalization", spelled_rms_normalization),
    "cast_pairs": ("overhead", "casts", cast_pairs),
    "view_pairs": ("overhead", "views", view_pairs),
    "view_chains": ("overhead", "views", view_chains),
    "identities": ("overhead", "views", identities),
    "transpose_pairs": ("overhead", "transposes", transpose_pairs),
    "free_sizes": ("free_sizes", "free_sizes", free_sizes),
}


def plant(defect, source, target):
    """What is printed; None if the model has no place for the defect."""
    kind, finding, change = DEFECTS[defect]
    g = Graph(onnx.load(source, load_external_data=False))
    nodes = change(g)
    if not nodes:
        return None
    onnx.save(g.model, target)
    onnx.checker.check_model(target)
    around = sorted(set(g.around(nodes)) - set(nodes))
    return {"defect": defect, "kind": kind, "id": finding, "nodes": nodes, "around": around, "bindings": g.bindings}


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(DEFECTS))
        return 0
    if len(sys.argv) != 4 or sys.argv[1] not in DEFECTS:
        print(__doc__, file=sys.stderr)
        return 2
    planted = plant(*sys.argv[1:])
    if planted is None:
        print(f"{sys.argv[2]}: no place for {sys.argv[1]}", file=sys.stderr)
        return 1
    print(json.dumps(planted))
    return 0


if __name__ == "__main__":
    sys.exit(main())
