# SPDX-License-Identifier: Apache-2.0
"""What the tests share: the program, small models, ridge's own JSON."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings

import onnx
from onnx import TensorProto, helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIDGE = os.environ["RIDGE_PROGRAM"]


def ridge_json(*arguments):
    """The document that `ridge ... --format json` prints."""
    done = subprocess.run([RIDGE, *arguments, "--format", "json"], capture_output=True, text=True)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def relu(element=TensorProto.FLOAT, inputs=("x",)):
    """A model that copies each input of [n, 3] through an operator."""
    kind = "Relu" if element == TensorProto.FLOAT else "Abs"
    nodes = [helper.make_node(kind, [x], [x + "_out"], name="op_" + x) for x in inputs]
    given = [helper.make_tensor_value_info(x, element, ["n", 3]) for x in inputs]
    made = [helper.make_tensor_value_info(x + "_out", element, ["n", 3]) for x in inputs]
    graph = helper.make_graph(nodes, "g", given, made)
    return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)])


class Case(unittest.TestCase):
    """A test in a folder of its own, without ridge's warnings."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("ignore")

    def path(self, name):
        return str(self.folder / name)

    def model(self):
        """Path of a model with one input."""
        onnx.save(relu(), self.path("model.onnx"))
        return self.path("model.onnx")

    def program(self, text):
        """Path of a program that stands for ridge: a shell script."""
        path = self.folder / "ridge"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)


def without_absent(value):
    """A document without nulls: an optional field that is null, and one that is left out, are the
    same to columns."""
    if isinstance(value, dict):
        return {k: without_absent(v) for k, v in value.items() if v is not None}
    return [without_absent(v) for v in value] if isinstance(value, list) else value
