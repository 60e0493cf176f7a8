#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts ReFrame, which runs the checks of examples/reframe, into a virtual environment in the user's
# cache, and prints the environment's folder. The test of the example runs its bin/reframe;
# RIDGE_REFRAME names another folder to it. Pinned by scripts/reframe.lock: 60 MB to fetch, 200 MB
# installed. Does nothing where it is there already.
#
#   scripts/fetch_reframe.sh
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/reframe.lock
target=$cache/reframe/current

bring() {  # folder
  make_environment "ReFrame (for the test of examples/reframe)"
  mv -T "$target" "$1/result"
}

make_once "$target" "$(sha256sum <"$lock" | cut -c1-16)" bring
printf '%s\n' "$target"
