#!/usr/bin/env bash
# `make test`: the whole suite as it is released, then the fast tests under the address and
# undefined behaviour sanitizers. The closing line adds both up.
set -uo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh build test
# Tests that need one of these say so and are skipped.
scripts/fetch_onnxruntime.sh >/dev/null || true
scripts/fetch_openvino.sh >/dev/null || true
scripts/fetch_onnx_cases.sh >/dev/null || true
scripts/fetch_models.sh >/dev/null || true
scripts/fetch_export_readers.sh >/dev/null || true

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
scripts/test.sh release | tee -a "$log" || status=1
scripts/test.sh asan fast | tee -a "$log" || status=1
awk '/^build[a-z-]*: [0-9]+ passed, / { passed += $2; failed += $4; skipped += $6; runs++ }
     END { if (runs < 2) failed += 2 - runs
           printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }' "$log"
exit $status
