#!/usr/bin/env bash
# `make test`: as released, the programs with tests that sanitizers do not run (sessions of a runtime,
# measuring, golden command lines with their bounds); then every fast test under the address and
# undefined behavior sanitizers. At the end it lists the parts that were left out and why; the
# closing line adds both runs up. With RIDGE_REQUIRE_ALL=1 (.ci/run) the absence of anything that
# the scripts install or fetch is a failure; what the machine lacks is only listed.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/left_out.sh
require_all=${RIDGE_REQUIRE_ALL:-0}
status=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

absent() {  # what why
  printf 'left out: %s: %s; the scripts install or fetch it\n' "$1" "$2" >>"$log"
  [ "$require_all" != 1 ] || status=1
}

installed() { [ -z "$(scripts/setup.sh --missing build test)" ]; }
install() { scripts/setup.sh build test && installed; }
try install || while read -r package; do
  absent "what needs the Debian package $package" "it is not installed"
done < <(scripts/setup.sh --missing build test)
for package in onnxruntime openvino tvm onnx_cases models export_readers oracles evaluation_data; do
  try "scripts/fetch_$package.sh" >/dev/null ||
    absent "what needs $package" "scripts/fetch_$package.sh could not bring it"
done

scripts/test.sh release unsanitized | tee -a "$log" || status=1
scripts/test.sh asan fast | tee -a "$log" || status=1
printf '\n'
grep '^left out: ' "$log"
awk '/^build[a-z-]*: [0-9]+ passed, / { passed += $2; failed += $4; skipped += $6; runs++ }
     END { if (runs < 2) failed += 2 - runs
           printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }' "$log"
exit $status
