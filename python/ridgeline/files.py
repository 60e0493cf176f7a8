# SPDX-License-Identifier: Apache-2.0
"""Files that a call hands to ridge: models, arrays and results, in a private folder.

    with Folder() as folder:
        folder.model(b"...")              # path of a file with these bytes
        folder.array(numpy.zeros(3))      # path of a .npy file

Thread rule: a folder belongs to one call.
"""

from __future__ import annotations

import os

from .errors import HostError, InputError
from .record import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Kinds of NumPy's types that ridge reads: truths, signed, unsigned, floating and complex.
_KINDS = "biufc"
_LARGEST_PROTO = (1 << 31) - 1


def is_array(value: Any) -> bool:
    """Whether it is an array of NumPy, or converts to one (a tensor of PyTorch, a column)."""
    return hasattr(value, "__array__") or hasattr(value, "__array_interface__")


def is_model_proto(value: Any) -> bool:
    return hasattr(value, "SerializeToString") and hasattr(value, "graph")


class Folder:
    """A folder of this user alone, which is removed with its files."""

    def __init__(self):
        above = os.environ.get("TMPDIR") or "/tmp"
        self.path = os.path.join(above, f"ridgeline-{os.urandom(8).hex()}")
        self._files: dict[str, int] = {}
        self._models: list[tuple[Any, str]] = []
        try:
            os.mkdir(self.path, 0o700)
        except OSError as error:
            raise HostError(
                f"{above}: no folder can be made there: {error.strerror}",
                "set TMPDIR to a folder that can be written",
                "RIDGE-PY-0008",
            ) from None

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        import contextlib

        with contextlib.suppress(OSError):  # its folder may have been cleaned meanwhile
            for name in os.listdir(self.path):
                os.unlink(os.path.join(self.path, name))
            os.rmdir(self.path)

    def name(self, stem: str, ending: str) -> str:
        """Path of a file that is not there yet."""
        self._files[stem] = self._files.get(stem, 0) + 1
        return os.path.join(self.path, f"{stem}-{self._files[stem]}{ending}")

    def text(self, text: str, stem: str) -> str:
        """Path of a file with this JSON text."""
        path = self.name(stem, ".json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def model(self, model: Any) -> str:
        """Path of a file with the model's bytes; one path for one object, so that a label can name
        it. Errors: InputError."""
        for known, path in self._models:
            if known is model:
                return path
        if isinstance(model, Result):  # its name is its label, where no other is given
            path = self.text(model.to_json(), type(model).__name__.lower())
        else:
            data = _serialized(model) if is_model_proto(model) else model
            path = self.name("model", ".onnx")
            with open(path, "wb") as file:
                file.write(data)
        self._models.append((model, path))
        return path

    def array(self, value: Any, name: str) -> str:
        """Path of a .npy file with the array, little-endian and in C order. Errors: InputError."""
        import numpy

        array = numpy.asarray(value)
        bfloat16 = array.dtype.kind == "V" and array.dtype.name == "bfloat16"
        if array.dtype.kind not in _KINDS and not bfloat16:
            raise InputError(
                f"input '{name}': an array of {array.dtype} has no numbers to hand over",
                "convert it: array.astype('float32'), or the type that the model takes",
                "RIDGE-PY-0009",
            )
        if array.dtype.kind in "fc" and array.dtype.itemsize > 8 * (1 + (array.dtype.kind == "c")):
            raise InputError(
                f"input '{name}': {array.dtype} has more bits than any type of ONNX",
                "convert it: array.astype('float64')",
                "RIDGE-PY-0009",
            )
        little = array if bfloat16 else array.astype(array.dtype.newbyteorder("<"), copy=False)
        path = self.name("array", ".npy")
        with open(path, "wb") as file:
            numpy.save(file, numpy.asarray(little, order="C"), allow_pickle=False)
        return path


def _serialized(proto: Any) -> bytes:
    try:
        return proto.SerializeToString()
    except Exception as error:  # EncodeError, or ValueError of older versions
        raise InputError(
            f"protobuf does not write the model: {error}",
            f"it ends at {_LARGEST_PROTO} bytes; save a larger one with external data and hand "
            "over its path: onnx.save(model, 'model.onnx', save_as_external_data=True)",
            "RIDGE-PY-0010",
        ) from None
