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
  make_environment "the packages that read ridge's tables in Python (for the tests)"
  mv -T "$target" "$1/result"
}

make_once "$target" "$(sha256sum <"$lock" | cut -c1-16)" bring
printf '%s\n' "$target"
