# SPDX-License-Identifier: Apache-2.0
"""Ridgeline: where the time of a neural network goes, node by node of its ONNX model.

    import ridgeline

    counts = ridgeline.analyze("zoo:resnet50", bind={"batch": 8})
    counts.totals.macs
    counts.nodes.to_pandas()

    run = ridgeline.profile("model.onnx", budget="10s", store="runs.db")
    run.layers.to_pandas()
    run.report("report.html")

The functions run the program `ridge` and return its documents (docs/python.md).
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .call import RidgelineWarning
    from .errors import (
        BugError,
        CheckFailed,
        Error,
        HostError,
        InputError,
        Interrupted,
        Killed,
        UsageError,
    )
    from .record import Record, Result
    from .store import Store
    from .table import Table
    from .verbs import (
        accelerate,
        advise,
        analyze,
        bricks,
        compare,
        compare_evaluations,
        evaluate,
        generate,
        machine,
        profile,
    )

#: Public name to its module, which is imported when the name is first used.
_MODULES = {
    "accelerate": "verbs",
    "advise": "verbs",
    "analyze": "verbs",
    "bricks": "verbs",
    "compare": "verbs",
    "compare_evaluations": "verbs",
    "evaluate": "verbs",
    "generate": "verbs",
    "machine": "verbs",
    "profile": "verbs",
    "Store": "store",
    "Table": "table",
    "Record": "record",
    "Result": "record",
    "RidgelineWarning": "call",
    "Error": "errors",
    "UsageError": "errors",
    "InputError": "errors",
    "HostError": "errors",
    "CheckFailed": "errors",
    "BugError": "errors",
    "Killed": "errors",
    "Interrupted": "errors",
}
__all__ = sorted(_MODULES)


def __getattr__(name: str):
    if name not in _MODULES:
        raise AttributeError(f"module 'ridgeline' has no attribute '{name}'")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *_MODULES])
