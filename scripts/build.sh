#!/usr/bin/env bash
# Configures and builds one preset (default: release). Further arguments go to the build, for
# example --target ridge.
#
#   scripts/build.sh [release|debug|asan|tsan|fuzz] [--target NAME...]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
[ $# -eq 0 ] || shift
cmake --preset "$preset" -Wno-dev ${RIDGE_CMAKE_OPTIONS:-} >&2
cmake --build --preset "$preset" --parallel "${RIDGE_JOBS:-$(nproc)}" "$@" >&2
