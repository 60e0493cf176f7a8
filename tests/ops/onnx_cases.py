#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnx_cases.py FOLDER: write the operator cases of the onnx package for onnx_cases_test.

Every case is a model of one node, or of its function body, with inputs and expected outputs. Integer
inputs, and real ones of at most 16 elements, become initializers, since shapes may depend on them; what the
file declares of its outputs' shapes is taken out. FOLDER gets NAME.onnx and cases.txt, a line per case:

    NAME<tab>INPUT=2x3 INPUT=...<tab>float32[2,3] int64[2]={1,-4}

that is the shapes of the other inputs, and the outputs, small ones with their elements. Cases with a
sequence, an optional or a map among their outputs are left out.
"""
import os
import sys
import warnings

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases

MOST_INTEGERS, MOST_REALS = 4096, 64
NAMES = {onnx.TensorProto.FLOAT: "float32", onnx.TensorProto.DOUBLE: "float64"}


def type_name(number):
    return NAMES.get(number, onnx.TensorProto.DataType.Name(number).lower())


def elements(array):
    if array.dtype.kind in "iub" and array.size <= MOST_INTEGERS:
        return "={" + ",".join(str(int(x)) for x in array.reshape(-1)) + "}"
    if array.dtype.kind == "f" and array.size <= MOST_REALS:
        return "={" + ",".join(repr(float(x)) for x in array.reshape(-1)) + "}"
    return ""


def model_of(case, inputs):
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    shapes = []
    for value, data in zip(model.graph.input, inputs):
        if isinstance(data, onnx.TensorProto):
            model.graph.initializer.append(data)
        elif not isinstance(data, np.ndarray) or data.dtype.kind in "OUS":
            continue
        elif data.dtype.kind in "iub" or data.size <= 16:
            model.graph.initializer.append(numpy_helper.from_array(data, value.name))
        else:
            shapes.append(value.name + "=" + "x".join(map(str, data.shape)))
    for out in model.graph.output:
        if out.type.HasField("tensor_type"):
            out.type.tensor_type.ClearField("shape")
    return model, shapes


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    warnings.simplefilter("ignore")
    lines = []
    for case in collect_testcases(None):
        if case.model is None or not case.data_sets:
            continue
        inputs, outputs = case.data_sets[0]
        if not all(isinstance(o, np.ndarray) for o in outputs):
            continue
        model, shapes = model_of(case, inputs)
        onnx.save(model, os.path.join(folder, case.name + ".onnx"))
        expected = []
        for info, data in zip(case.model.graph.output, outputs):
            name = type_name(info.type.tensor_type.elem_type)
            dims = ",".join(map(str, data.shape))
            same = info.type.tensor_type.elem_type == helper.np_dtype_to_tensor_dtype(data.dtype)
            expected.append(f"{name}[{dims}]{elements(data) if same else ''}")
        lines.append("\t".join([case.name, " ".join(shapes), " ".join(expected)]))
    with open(os.path.join(folder, "cases.txt"), "w") as f:
        f.write("\n".join(sorted(lines)) + "\n")
    print(f"{len(lines)} operator cases of onnx {onnx.__version__}")


main()
