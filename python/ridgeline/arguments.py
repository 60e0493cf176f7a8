# SPDX-License-Identifier: Apache-2.0
"""Types of arguments, for type checkers and readers; nothing of it is needed at run time."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence, Union

Path = Union[str, "os.PathLike[str]"]
#: Path of an ONNX file, zoo:NAME, the bytes of one, or an `onnx.ModelProto`.
Model = Union[Path, bytes, bytearray, memoryview, Any]
#: A run to compare: a result of `profile`, path of its document, runs.db:7, or a model to measure.
Run = Union[Model, Any]
#: An evaluation to compare: a result of `evaluate` or of a store, or path of its document.
Evaluated = Union[Path, Any]
#: A number, several of a sweep, or as text: "1,2".
Numbers = Union[int, str, Sequence[int]]
#: Sizes by name: {"batch": 8, "sequence": [64, 128]}, or as text: "batch=8,sequence=64..1024:*2".
Sizes = Union[str, Sequence[str], Mapping[str, Union[int, str, Sequence[int]]]]
#: Shapes of inputs: {"input": (1, 3, 224, 224)}, or as text: "input=1x3x224x224".
Shapes = Union[str, Sequence[str], Mapping[str, Union[str, Sequence[int]]]]
#: Data of inputs: {"image": array}; an array, path of a .npy or .pb, a number or nested lists.
Inputs = Union[str, Sequence[str], Mapping[str, Any]]
#: {"key": value}, or as text: "key=value".
Pairs = Union[str, Sequence[str], Mapping[str, Any]]
#: An array with samples along its first axis, or a path: .npy, a folder of images, a manifest.
Data = Union[Path, Any]
#: A number of tokens, or as text: "uniform:64,256".
Lengths = Union[int, str, Path]
