#!/usr/bin/env bash
# Puts the operator cases of the onnx package into the user's cache, for the tests that compare with
# them, and prints the folder. The package is pinned by scripts/onnx-cases.lock and lives in a
# virtual environment that is gone afterwards. Does nothing where the cases are there already.
#
#   scripts/fetch_onnx_cases.sh
#   RIDGE_ONNX_PYTHON=python3.12 scripts/fetch_onnx_cases.sh # one that has the package, no network
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lock=$here/onnx-cases.lock
writer=$here/../tests/ops/onnx_cases.py
version=$(sed -n 's/^onnx==\([0-9.]*\).*/\1/p' "$lock")
target=${XDG_CACHE_HOME:-$HOME/.cache}/ridge/onnx-cases/$version
made_by=$(cat "$lock" "$writer" | sha256sum | cut -c1-16)

say() { printf '%s\n' "$*" >&2; }
fail() { say "fetch_onnx_cases: $*"; exit 4; }

if [ "$(cat "$target/made-by" 2>/dev/null)" = "$made_by" ]; then
  printf '%s\n' "$target"
  exit
fi
mkdir -p "$(dirname "$target")"
exec 9>"$(dirname "$target")/.lock"
flock 9  # another run may be bringing them right now
[ "$(cat "$target/made-by" 2>/dev/null)" = "$made_by" ] && { printf '%s\n' "$target"; exit; }
work=$(mktemp -d "$(dirname "$target")/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT

python=${RIDGE_ONNX_PYTHON:-}
if [ -z "$python" ]; then
  "$here/setup.sh" fetch
  say "fetching onnx $version (operator cases for the tests)"
  python3 -m venv "$work/venv" >&2 || fail "python3 could not make a virtual environment"
  python=$work/venv/bin/python
  "$python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --require-hashes --requirement "$lock" >&2 || fail "pip could not install onnx $version"
fi
"$python" "$writer" "$work/cases" >&2 || fail "the cases could not be written"
printf '%s\n' "$made_by" >"$work/cases/made-by"
rm -rf "$target"
mv -T "$work/cases" "$target"
printf '%s\n' "$target"
