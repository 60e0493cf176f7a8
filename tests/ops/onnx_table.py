#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnx_table.py [FILE]: fill in what the onnx package says about each node of onnx_table.txt.

A line is `NODE -> SHAPES` or `NODE -> SHAPES; WORK`, NODE as src/ops/testing.h writes it. To add a
case, write a line with nothing behind `->` and run this script (onnx 1.23.2, numpy). Shapes come
from onnx.shape_inference, in strict mode with data propagation, "rejected" where it refuses; values
of nodes that have only constants come from onnx.reference; work is given where ONNX defines a
function body: the body is run on random data and the operations of its nodes are added up, leaving
out those that nothing reads and those that do not depend on the data.
"""
import os
import re
import sys

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import defs, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

TYPES = {"f32": T.FLOAT, "f16": T.FLOAT16, "f64": T.DOUBLE, "i8": T.INT8, "u8": T.UINT8,
         "i32": T.INT32, "i64": T.INT64, "bool": T.BOOL}
NAMES = {v: k for k, v in TYPES.items()}
TYPE = r"([a-z]+[0-9]*)\[([^\]]*)\](?:=\{([^}]*)\})?"

# Operations per element of the output, or of the input for reductions: (flops, special).
FLOPS = "Add Sub Mul Neg Abs Max Min Sum Less Greater Equal Where Round Floor Ceil Relu"
EACH = {name: (1, 0) for name in FLOPS.split()}
EACH.update({name: (0, 1) for name in "Div Sqrt Exp Log Pow Erf Tanh Sigmoid Reciprocal Cos".split()})
REDUCE = {"ReduceSum": 0, "ReduceMax": 0, "ReduceMin": 0, "ReduceMean": 1}  # special per output
LOGIC = {"And", "Or", "Not"}
NOTHING = set("Cast CastLike Constant ConstantOfShape Identity Reshape Flatten Transpose Shape "
              "Size Slice Concat Expand Split Unsqueeze Squeeze Gather GatherElements Pad Range "
              "MatMul Conv".split())


class Rejected(Exception):
    pass


def array(dtype, dims, text):
    kind = helper.tensor_dtype_to_np_dtype(TYPES[dtype])
    items = [float(x) if "." in text else int(x) for x in text.split(",")] if text else []
    return np.array(items, dtype=kind).reshape([int(d) for d in dims.split(",") if d])


def attribute(text):
    if text.startswith('"'):
        return text[1:-1]
    if text.startswith("["):
        items = [x for x in text[1:-1].split(",") if x]
        return [float(x) if "." in text else int(x) for x in items]
    typed = re.fullmatch(TYPE, text)
    if typed:
        return numpy_helper.from_array(array(*typed.groups()))
    return float(text) if "." in text else int(text)


def parse(text):
    line = r"([^(]*)\((.*?)\)(?:#(\d+))?((?: \w+=\S+)*)"
    head, args, count, rest = re.fullmatch(line, text).groups()
    name, _, opset = head.partition("-")
    inputs = []
    for arg in re.findall(r"_|@\d+|" + r"[a-z]+[0-9]*\[[^\]]*\](?:=\{[^}]*\})?", args):
        if arg[0] == "@":
            inputs.append(inputs[int(arg[1:])])
        else:
            inputs.append(None if arg == "_" else re.fullmatch(TYPE, arg).groups())
    attributes = {k: attribute(v) for k, v in re.findall(r"(\w+)=(\S+)", rest)}
    return name, int(opset or 17), inputs, int(count or 1), attributes


def model_of(name, opset, inputs, outputs, attributes):
    names = ["" if i is None else f"i{k}" for k, i in enumerate(inputs)]
    node = helper.make_node(name, names, [f"o{k}" for k in range(outputs)], **attributes)
    infos, constants = [], []
    for label, given in zip(names, inputs):
        if given is None:
            continue
        dtype, dims, values = given
        if values is not None:
            constants.append(numpy_helper.from_array(array(*given), label))
        else:
            sizes = [int(d) for d in dims.split(",") if d]
            infos.append(helper.make_tensor_value_info(label, TYPES[dtype], sizes))
    wanted = [helper.make_empty_tensor_value_info(o) for o in node.output]
    graph = helper.make_graph([node], "g", infos, wanted, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def shapes(case):
    name, opset, inputs, outputs, attributes = case
    model = model_of(*case)
    try:
        inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
    except Exception:
        if not defs.get_schema(name, opset, "").has_function:
            return "rejected"
        inferred = model  # it stumbles over the function body of MeanVarianceNormalization
    constant = all(i is None or i[2] is not None for i in inputs) or name in ("Shape", "Size")
    if constant or any(not out.type.tensor_type.elem_type for out in inferred.graph.output):
        feeds = {f"i{k}": data(i) for k, i in enumerate(inputs) if i is not None and i[2] is None}
        ran = [np.asarray(r) for r in ReferenceEvaluator(model).run(None, feeds)]
        return ", ".join(evaluated(r, constant) for r in ran)
    parts = []
    for out in inferred.graph.output:
        t = out.type.tensor_type
        dims = [str(d.dim_value) if d.HasField("dim_value") else "?" for d in t.shape.dim]
        parts.append(f"{NAMES[t.elem_type]}[{','.join(dims) if t.HasField('shape') else '*'}]")
    return ", ".join(parts)


def evaluated(result, with_elements):
    name = NAMES[helper.np_dtype_to_tensor_dtype(result.dtype)]
    text = f"{name}[{','.join(map(str, result.shape))}]"
    elements = ",".join(number(x) for x in result.reshape(-1))
    return text + "={" + elements + "}" if with_elements else text


def number(x):
    x = x.item() if hasattr(x, "item") else x
    return str(int(x)) if float(x) == int(x) else repr(float(x))


def data(given):
    dtype, dims, values = given
    if values is not None:
        return array(*given)
    kind = helper.tensor_dtype_to_np_dtype(TYPES[dtype])
    shape = [int(d) for d in dims.split(",") if d]
    return (np.random.default_rng(1).random(shape) * 2).astype(kind)


def type_of(array):
    if array is None:
        return onnx.TypeProto()
    return helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)


def body_of(node, opset, arrays):
    """(inputs, outputs, nodes with their attributes put in, opsets) of a node's body, or None."""
    schema = defs.get_schema(node.op_type, opset, "")
    if schema.has_function:
        body = schema.function_body
    elif schema.has_context_dependent_function:
        types = [type_of(a).SerializeToString() for a in arrays]
        body = onnx.FunctionProto()
        body.ParseFromString(
            schema.get_context_dependent_function(node.SerializeToString(), types))
    else:
        return None
    given = {a.name: a for a in node.attribute}
    for key, value in schema.attributes.items():
        if key not in given and value.default_value.type:
            given[key] = value.default_value
    nodes = []
    for inner in body.node:
        copy = onnx.NodeProto()
        copy.CopyFrom(inner)
        del copy.attribute[:]
        for a in inner.attribute:
            new = onnx.AttributeProto()
            if not a.ref_attr_name:
                new.CopyFrom(a)
            elif a.ref_attr_name in given:
                new.CopyFrom(given[a.ref_attr_name])
                new.name = a.name
            else:
                continue
            copy.attribute.append(new)
        nodes.append(copy)
    versions = [o.version for o in body.opset_import if not o.domain]
    return list(body.input), list(body.output), nodes, versions


def primitive(node, arrays, results):
    n, flops, special, ints = results[0].size, 0, 0, 0
    if node.op_type in REDUCE:
        flops, special = max(arrays[0].size - n, 0), REDUCE[node.op_type] * n
    elif node.op_type in EACH:
        f, s = EACH[node.op_type]
        chained = max(len(arrays) - 1, 1) if node.op_type in ("Sum", "Max", "Min") else 1
        flops, special = f * n * chained, s * n
        if not np.issubdtype(arrays[-1].dtype, np.floating):
            flops, special, ints = 0, 0, flops + special
    elif node.op_type in LOGIC:
        ints = n
    elif node.op_type == "QuantizeLinear":
        flops, special = 4 * n, n
    elif node.op_type == "Clip":  # before its body of opset 13
        flops = 2 * n * sum(a is not None for a in arrays[1:])
    elif node.op_type == "Loop":  # of Range: adds the step
        added = results[-1].size
        flops, ints = (added, 0) if np.issubdtype(results[-1].dtype, np.floating) else (0, added)
    elif node.op_type not in NOTHING:
        raise NotImplementedError(node.op_type)
    macs = n * arrays[0].shape[-1] if node.op_type == "MatMul" else 0
    if node.op_type == "Conv":
        macs, flops = n * arrays[1][0].size, n * (len(arrays) > 2)
    return np.array([macs, flops, special, ints])


def work(node, opset, arrays):
    """(macs, flops, special, int_ops) of a node with a function body, or None."""
    found = body_of(node, opset, arrays)
    if found is None:
        return None
    inputs, outputs, nodes, versions = found
    version = versions[0] if versions else opset
    names = [o for n in nodes for o in n.output if o]
    feeds = {k: a for k, a in zip(inputs, arrays) if a is not None}
    infos = [helper.make_value_info(k, type_of(a)) for k, a in feeds.items()]
    absent = {k for k in inputs if k not in feeds}
    for n in nodes:
        for i, name in enumerate(n.input):
            if name in absent:
                n.input[i] = ""
    wanted = [helper.make_empty_tensor_value_info(o) for o in names]
    graph = helper.make_graph(nodes, "body", infos, wanted)
    opsets = [helper.make_opsetid("", version)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    known = dict(feeds)
    known.update(zip(names, (np.asarray(r) for r in ReferenceEvaluator(model).run(None, feeds))))
    live = {o for o, wanted in zip(outputs, node.output) if wanted}
    for n in reversed(nodes):
        if any(o in live for o in n.output):
            live.update(n.input)
    depends, total = set(feeds), np.zeros(4, dtype=np.int64)
    for n in nodes:
        # Of CastLike's second input only the type matters.
        carriers = n.input[:1] if n.op_type == "CastLike" else n.input
        if n.op_type in ("Shape", "Size") or not any(i in depends for i in carriers):
            continue
        depends.update(n.output)
        if not any(o in live for o in n.output):
            continue
        operands = [known[i] if i else None for i in n.input]
        inner = None
        if n.op_type not in EACH and n.op_type not in REDUCE and n.op_type not in NOTHING:
            inner = work(n, version, operands)
        if inner is None:
            inner = primitive(n, operands, [known[o] for o in n.output if o])
        total += inner
    return total


def work_text(case):
    name, opset, inputs, outputs, attributes = case
    node = model_of(*case).graph.node[0]
    total = work(node, opset, [None if i is None else data(i) for i in inputs])
    if total is None:
        return ""
    parts = [f"{k} {v}" for k, v in zip(("macs", "flops", "special", "int_ops"), total) if v]
    return "; " + (" ".join(parts) or "nothing")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "onnx_table.txt")
    lines = []
    with open(path) as f:
        for line in f.read().splitlines():
            if " ->" in line and not line.startswith("#"):
                text = line.rpartition(" ->")[0].strip()
                case = parse(text)
                try:
                    answer = shapes(case)
                except Exception as error:
                    raise SystemExit(f"{text}: {type(error).__name__} {error}")
                line = f"{text} -> {answer}{work_text(case) if answer != 'rejected' else ''}"
            lines.append(line)
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")


main()
