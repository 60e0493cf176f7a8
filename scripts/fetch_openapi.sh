#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts openapi-spec-validator into a virtual environment in the user's cache, and prints the
# environment's folder. Tests run its bin/python; RIDGE_OPENAPI names another folder to them. Pinned by
# scripts/openapi.lock: 5 MB to fetch. Does nothing where it is there already.
#
#   scripts/fetch_openapi.sh
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/openapi.lock
target=$cache/openapi/current

bring() {  # folder
  make_environment "openapi-spec-validator (for the tests)"
  mv -T "$target" "$1/result"
}

make_once "$target" "$(sha256sum <"$lock" | cut -c1-16)" bring
printf '%s\n' "$target"
