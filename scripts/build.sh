#!/usr/bin/env bash
# Configures and builds one preset (default: release). Further arguments go to the build, for
# example --target ridge.
#
#   scripts/build.sh [release|debug|asan|tsan] [--target NAME...]
#
# asan (which holds the fuzz targets as well) and tsan are built with clang, in half the time that
# g++ takes for them; where there is none g++ builds them, without fuzz targets.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
[ $# -eq 0 ] || shift
options=()
if [[ $preset = ?san ]] && ! command -v clang++-16 >/dev/null; then
  options=(-DCMAKE_CXX_COMPILER=c++ -DRIDGE_FUZZ=OFF)
fi
cmake --preset "$preset" -Wno-dev "${options[@]}" ${RIDGE_CMAKE_OPTIONS:-} >&2
cmake --build --preset "$preset" --parallel "${RIDGE_JOBS:-$(nproc)}" "$@" >&2
