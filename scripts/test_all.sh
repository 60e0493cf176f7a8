#!/usr/bin/env bash
# `make test`: the whole suite as it is released, then the fast tests under the address and
# undefined behaviour sanitizers. The closing line adds both up.
set -uo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh build test
# Tests that need one of these say so and are skipped.
absent=()
for package in onnxruntime openvino tvm onnx_cases models export_readers; do
  "scripts/fetch_$package.sh" >/dev/null || absent+=("$package")
done

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
scripts/test.sh release | tee -a "$log" || status=1
scripts/test.sh asan fast | tee -a "$log" || status=1
for package in "${absent[@]}"; do
  printf 'SKIPPED: what needs %s, which scripts/fetch_%s.sh could not bring\n' "$package" "$package"
done
awk '/^build[a-z-]*: [0-9]+ passed, / { passed += $2; failed += $4; skipped += $6; runs++ }
     END { if (runs < 2) failed += 2 - runs
           printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }' "$log"
exit $status
