#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts the packages that read ridge's tables in Python (pandas, polars, pyarrow, DuckDB, Datasette), and
# those that execute and draw the notebook of examples/ (nbclient, ipykernel, matplotlib), into a
# virtual environment in the user's cache, and prints the environment's folder. Tests run its
# bin/python; RIDGE_PYTHON_CLIENTS names another folder to them. Pinned by
# scripts/python-clients.lock: 230 MB to fetch, 850 MB installed. Does nothing where it is there already.
#
#   scripts/fetch_python_clients.sh
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/python-clients.lock
target=$cache/python-clients/current

bring() {  # folder
  "$here/setup.sh" fetch
  say "fetching the packages that read ridge's tables in Python (for the tests)"
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
