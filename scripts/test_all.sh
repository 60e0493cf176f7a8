#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make test`: builds a release and runs every test once, the inputs of the fuzz targets and the commands
# of the documentation among them. Sanitizers, fuzzing and static checks are .ci/run's. At the end it
# lists the parts that were left out and why. With RIDGE_REQUIRE_ALL=1 (.ci/run) the absence of anything
# that the scripts install or fetch is a failure; what the machine lacks is only listed.
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
for package in onnxruntime openvino tvm onnx_cases models export_readers oracles python_clients reframe openapi evaluation_data; do
  try "scripts/fetch_$package.sh" >/dev/null ||
    absent "what needs $package" "scripts/fetch_$package.sh could not bring it"
done

RIDGE_UNITY=${RIDGE_UNITY:-1} scripts/test.sh release | tee -a "$log" || status=1
printf '\n'
grep '^left out: ' "$log"
grep -o '[0-9]* passed, [0-9]* failed, [0-9]* skipped$' "$log" || echo '0 passed, 1 failed, 0 skipped'
exit $status
