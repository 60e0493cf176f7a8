#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts what builds the wheel (scikit-build-core, auditwheel) into a virtual environment in the user's
# cache, and prints the environment's folder. Pinned by scripts/package-tools.lock. Does nothing where
# it is there already.
#
#   scripts/fetch_package_tools.sh
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/package-tools.lock
target=$cache/package-tools/current

bring() {  # folder
  "$here/setup.sh" fetch
  say "fetching what builds the wheel"
  # A virtual environment does not move: its place is where it will stay.
  rm -rf "$target"
  python3 -m venv "$target" >&2 || fail "python3 could not make a virtual environment"
  "$target/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
    --only-binary=:all: --require-hashes --requirement "$lock" >&2 ||
    fail "pip could not install the packages of $lock"
  mv -T "$target" "$1/result"
}

make_once "$target" "$(sha256sum <"$lock" | cut -c1-16)" bring
printf '%s\n' "$target"
