#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts Apache TVM into a virtual environment in the user's cache, for `ridge accel --profile-with tir`,
# and prints the environment's folder. Pinned by scripts/tvm.lock: 116 MB to fetch, 520 MB installed.
# Does nothing where it is there already.
#
#   scripts/fetch_tvm.sh
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/tvm.lock
version=$(sed -n 's/^apache-tvm==\([0-9a-z.]*\).*/\1/p' "$lock")
target=$cache/tvm/$version

bring() {  # folder
  "$here/setup.sh" fetch
  say "fetching Apache TVM $version (loop nests of a compiler)"
  # A virtual environment does not move: its place is where it will stay.
  rm -rf "$target"
  python3 -m venv "$target" >&2 || fail "python3 could not make a virtual environment"
  "$target/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
    --only-binary=:all: --require-hashes --requirement "$lock" >&2 ||
    fail "pip could not install apache-tvm $version"
  mv -T "$target" "$1/result"
}

make_once "$target" "$(sha256sum <"$lock" | cut -c1-16)" bring
printf '%s\n' "$target"
