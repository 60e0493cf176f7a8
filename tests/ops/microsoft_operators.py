#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""microsoft_operators.py: every operator of com.microsoft that the pinned ONNX Runtime defines, for
registry_test.

Writes microsoft_operators.txt beside this script, a name a line (onnxruntime 1.31.1, PyPI).
"""
import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it when it is imported

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as state

names = sorted({s.name for s in state.get_all_operator_schema() if s.domain == "com.microsoft"})
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "microsoft_operators.txt"), "w") as f:
    f.write(f"# Every operator of com.microsoft in onnxruntime {onnxruntime.__version__}; see "
            "microsoft_operators.py.\n")
    f.write("\n".join(names) + "\n")
