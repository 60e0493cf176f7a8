#!/usr/bin/env bash
# Builds the reference of the C++ interface from the contracts in the public headers (docs/Doxyfile):
# OUT/html/index.html. Any warning of Doxygen is a failure.
#
#   scripts/api_reference.sh OUT
set -euo pipefail
out=$(realpath -m "${1:?usage: scripts/api_reference.sh OUT}")
cd "$(dirname "$0")/.."
. scripts/left_out.sh
command -v doxygen >/dev/null || leave_out "the reference of the C++ interface" "doxygen is not installed"

# Listed in src/public_headers.txt; without that file those of the session, and what the example without
# a command line includes.
public_headers() {
  if [ -e src/public_headers.txt ]; then
    sed -e '/^#/d' -e '/^$/d' -e 's|^|src/|' src/public_headers.txt
  else
    { ls src/session/*.h | sed '/testing/d; s|src/\(.*\)|#include "\1"|'; cat examples/before-after/before_after.cc; } |
      g++ -std=c++20 -I src -MM -x c++ - | tr ' \\' '\n\n' | sed -n '/^src/p'
  fi
}

mapfile -t headers < <(public_headers)
[ ${#headers[@]} -gt 0 ] || { printf 'api_reference: no public header found\n' >&2; exit 1; }
rm -rf "$out/html"
mkdir -p "$out"
{ cat docs/Doxyfile; printf 'OUTPUT_DIRECTORY = "%s"\n' "$out"; printf 'INPUT += %s\n' "${headers[@]}"; } | doxygen -
printf 'api_reference: %s headers, %s/html/index.html\n' ${#headers[@]} "$out"
