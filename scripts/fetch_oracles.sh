#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts the Python packages that tests compare with (decoding, resizing, tokens of texts, average
# precision, error rates, LoadGen, Magika, the same models in ONNX Runtime) into a virtual environment in the user's cache,
# and prints the environment's folder. Tests run its bin/python; RIDGE_ORACLES names another folder
# to them. Pinned by scripts/oracles.lock: 140 MB to fetch, 450 MB installed. Does nothing where it is
# there already.
#
#   scripts/fetch_oracles.sh
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/oracles.lock
target=$cache/oracles/current

bring() {  # folder
  make_environment "the packages that tests compare with"
  mv -T "$target" "$1/result"
}

make_once "$target" "$(sha256sum <"$lock" | cut -c1-16)" bring
printf '%s\n' "$target"
