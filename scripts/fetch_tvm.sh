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
  make_environment "Apache TVM $version (loop nests of a compiler)"
  mv -T "$target" "$1/result"
}

make_once "$target" "$(sha256sum <"$lock" | cut -c1-16)" bring
printf '%s\n' "$target"
