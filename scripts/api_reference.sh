#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the reference of the C++ interface from the contracts in the public headers (docs/Doxyfile):
# OUT/html/index.html. Any warning of Doxygen is a failure.
#
#   scripts/api_reference.sh OUT
set -euo pipefail
out=$(realpath -m "${1:?usage: scripts/api_reference.sh OUT}")
cd "$(dirname "$0")/.."
. scripts/left_out.sh
command -v doxygen >/dev/null || leave_out "the reference of the C++ interface" "doxygen is not installed"

mapfile -t headers < <(sed -n 's|^[a-z].*|src/&|p' src/public_headers.txt)
rm -rf "$out/html"
mkdir -p "$out"
{ cat docs/Doxyfile; printf 'OUTPUT_DIRECTORY = "%s"\n' "$out"; printf 'INPUT += %s\n' "${headers[@]}"; } | doxygen -
printf 'api_reference: %s headers, %s/html/index.html\n' ${#headers[@]} "$out"
