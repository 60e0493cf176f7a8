#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts schemathesis into a virtual environment in the user's cache, and prints the environment's folder.
# `make lab-demo` runs its bin/schemathesis. Pinned by scripts/schemathesis.lock: 14 MB to fetch. Does
# nothing where it is there already.
#
#   scripts/fetch_schemathesis.sh
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/schemathesis.lock
target=$cache/schemathesis/current

bring() {  # folder
  make_environment "schemathesis (for the demonstration of the laboratory)"
  mv -T "$target" "$1/result"
}

make_once "$target" "$(sha256sum <"$lock" | cut -c1-16)" bring
printf '%s\n' "$target"
