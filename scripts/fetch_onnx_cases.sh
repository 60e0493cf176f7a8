#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts the operator cases of the onnx package into the user's cache, for the tests that compare with
# them, and prints the folder. The package is pinned by scripts/onnx-cases.lock and lives in a
# virtual environment that is gone afterwards. Does nothing where the cases are there already.
#
#   scripts/fetch_onnx_cases.sh
#   RIDGE_ONNX_PYTHON=python3.12 scripts/fetch_onnx_cases.sh # one that has the package, no network
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/onnx-cases.lock
writer=$here/../tests/ops/onnx_cases.py
version=$(sed -n 's/^onnx==\([0-9.]*\).*/\1/p' "$lock")
target=$cache/onnx-cases/$version

bring() {  # folder
  local python=${RIDGE_ONNX_PYTHON:-}
  if [ -z "$python" ]; then
    "$here/setup.sh" fetch
    say "fetching onnx $version (operator cases for the tests)"
    python3 -m venv "$1/venv" >&2 || fail "python3 could not make a virtual environment"
    python=$1/venv/bin/python
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
      --require-hashes --requirement "$lock" >&2 || fail "pip could not install onnx $version"
  fi
  "$python" "$writer" "$1/result" >&2 || fail "the cases could not be written"
}

make_once "$target" "$(cat "$lock" "$writer" | sha256sum | cut -c1-16)" bring
printf '%s\n' "$target"
