#!/usr/bin/env python3
"""Plants one defect in a copy of an ONNX model, of the kinds that `ridge advise` finds. Needs the package onnx; shares no code with src/rewrite.

    bench/plant_defects.py DEFECT MODEL.onnx OUT.onnx
    bench/plant_defects.py --list

The outputs that the model had stay as they were. Prints one line of JSON: the defect, the kind of finding that should name it, and the nodes
that it concerns, by position in OUT.onnx. Exit status 1: the model has no place for this defect. Weights stay where they are: write
OUT.onnx into the folder of MODEL.onnx if that has weights in files.
"""
import json
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Graph:
    """A model with what the defects ask about it."""

    def __init__(self, path):
        self.model = onnx.load(path, load_external_data=False)
        self.graph = self.model.graph
        self.readers, self.producer = {}, {}
        for node in self.graph.node:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)
            for name in node.output:
                self.producer[name] = node
        self.outputs = {o.name for o in self.graph.output}
        self.constants = {t.name: t for t in self.graph.initializer}
        for node in self.graph.node:
            if node.op_type == "Constant" and node.attribute and node.attribute[0].name == "value":
                self.constants[node.output[0]] = node.attribute[0].t
        self.count = 0

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

    def scalar(self, value):
        self.count += 1
        name = f"planted_constant_{self.count}"
        self.graph.initializer.append(numpy_helper.from_array(np.array(value, dtype=np.float32), name))
        return name

    def chain(self, steps, out):
        """Nodes of a chain: (operator, inputs), where "" stands for the result before. The last one writes `out`."""
        nodes, before = [], ""
        for i, (op_type, inputs) in enumerate(steps):
            self.count += 1
            result = out if i + 1 == len(steps) else f"planted_{self.count}"
            nodes.append(helper.make_node(op_type, [before if name == "" else name for name in inputs], [result], name=f"planted_node_{self.count}"))
            before = result
        return nodes

    def rewrite(self, replaced, removed):
        """Puts lists of nodes in the place of nodes (by identity); the positions of the new ones."""
        nodes, planted = [], []
        for node in self.graph.node:
            if id(node) in removed:
                continue
            for new in replaced.get(id(node), [node]):
                if id(node) in replaced:
                    planted.append(len(nodes))
                nodes.append(new)
        nodes = [onnx.NodeProto.FromString(n.SerializeToString()) for n in nodes]
        del self.graph.node[:]
        self.graph.node.extend(nodes)
        return planted

    def positions(self, wanted):
        return [i for i, node in enumerate(self.graph.node) if wanted(node)]


def weights_as_inputs(g):
    g.model.ir_version = max(g.model.ir_version, 4)
    listed = {i.name for i in g.graph.input}
    names = set()
    for t in g.graph.initializer:
        if t.data_type == TensorProto.FLOAT and int(np.prod(t.dims)) > 1 and t.name not in listed:
            g.graph.input.append(helper.make_tensor_value_info(t.name, t.data_type, list(t.dims)))
            names.add(t.name)
    return g.positions(lambda node: names & set(node.input))


def keep_outputs(g, nodes):
    names = [node.output[0] for node in nodes if node.output[0] in g.readers and node.output[0] not in g.outputs]
    g.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    return g.positions(lambda node: node.output[0] in names)


def kept_convolutions(g):
    return keep_outputs(g, [n for n in g.graph.node if n.op_type == "Conv"])


def kept_products(g):
    return keep_outputs(g, [n for n in g.graph.node if n.op_type in ("MatMul", "Gemm") and (r := g.only_reader(n)) is not None and r.op_type == "Add"])


def spelled_silu(g):
    replaced, removed = {}, set()
    for node in g.graph.node:
        if node.op_type != "Sigmoid":
            continue
        product = g.only_reader(node)
        if product is None or product.op_type != "Mul" or node.input[0] not in product.input:
            continue
        x = node.input[0]
        removed.add(id(node))
        replaced[id(product)] = g.chain([("Neg", [x]), ("Exp", [""]), ("Add", ["", g.scalar(1)]), ("Div", [x, ""])], product.output[0])
    return g.rewrite(replaced, removed)


def spelled_sigmoid(g):
    replaced = {}
    for node in g.graph.node:
        reader = g.only_reader(node) if node.op_type == "Sigmoid" else None
        if node.op_type == "Sigmoid" and not (reader is not None and reader.op_type == "Mul" and node.input[0] in reader.input):
            steps = [("Neg", [node.input[0]]), ("Exp", [""]), ("Add", ["", g.scalar(1)]), ("Div", [g.scalar(1), ""])]
            replaced[id(node)] = g.chain(steps, node.output[0])
    return g.rewrite(replaced, set())


def spelled_relu(g):
    return g.rewrite({id(n): g.chain([("Max", [n.input[0], g.scalar(0)])], n.output[0]) for n in g.graph.node if n.op_type == "Relu"}, set())


def spelled_relu6(g):
    clips = [n for n in g.graph.node if n.op_type == "Clip" and len(n.input) == 3 and g.is_scalar(n.input[1], 0) and g.is_scalar(n.input[2], 6)]
    return g.rewrite({id(n): g.chain([("Max", [n.input[0], g.scalar(0)]), ("Min", ["", g.scalar(6)])], n.output[0]) for n in clips}, set())


def spelled_hard_swish(g):
    replaced, removed = {}, set()
    for node in g.graph.node:
        x, out = node.input[0] if node.input else "", node.output[0]
        if node.op_type == "HardSigmoid":
            product = g.only_reader(node)
            if product is None or product.op_type != "Mul" or x not in product.input:
                continue
            removed.add(id(node))
            node, out = product, product.output[0]
        elif node.op_type != "HardSwish":
            continue
        steps = [("Add", [x, g.scalar(3)]), ("Clip", ["", g.scalar(0), g.scalar(6)]), ("Div", ["", g.scalar(6)]), ("Mul", [x, ""])]
        replaced[id(node)] = g.chain(steps, out)
    return g.rewrite(replaced, removed)


def spelled_gelu(g):
    replaced, removed = {}, set()
    for node in g.graph.node:
        if node.op_type != "Erf":
            continue
        scaled = g.producer.get(node.input[0])
        add = g.only_reader(node)
        product = g.only_reader(add) if add is not None and add.op_type == "Add" else None
        half = g.only_reader(product) if product is not None and product.op_type == "Mul" else None
        if half is None or half.op_type != "Mul" or scaled is None or scaled.op_type != "Div" or not any(g.is_scalar(i, 0.5) for i in half.input):
            continue
        x = scaled.input[0]
        removed |= {id(n) for n in (scaled, node, add, product)}
        steps = [("Div", [x, g.scalar(2**0.5)]), ("Erf", [""]), ("Mul", [g.scalar(0.5), ""]), ("Add", [g.scalar(0.5), ""]), ("Mul", [x, ""])]
        replaced[id(half)] = g.chain(steps, half.output[0])
    return g.rewrite(replaced, removed)


DEFECTS = {
    "weights_as_inputs": ("constant_is_input", weights_as_inputs),
    "kept_convolutions": ("output_kept", kept_convolutions),
    "kept_products": ("output_kept", kept_products),
    "spelled_silu": ("unfused_pattern", spelled_silu),
    "spelled_sigmoid": ("unfused_pattern", spelled_sigmoid),
    "spelled_relu": ("unfused_pattern", spelled_relu),
    "spelled_relu6": ("unfused_pattern", spelled_relu6),
    "spelled_hard_swish": ("unfused_pattern", spelled_hard_swish),
    "spelled_gelu": ("unfused_pattern", spelled_gelu),
}


def plant(defect, source, target):
    """What is printed; None if the model has no place for the defect."""
    kind, change = DEFECTS[defect]
    g = Graph(source)
    nodes = change(g)
    if not nodes:
        return None
    onnx.save(g.model, target)
    return {"defect": defect, "kind": kind, "nodes": nodes}


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
