#!/usr/bin/env bash
# Configures and builds one preset (default: release). Further arguments go to the build, for
# example --target ridge.
#
#   scripts/build.sh [release|debug|asan|tsan] [--target NAME...]
#
# asan is built with clang, whose build also holds the fuzz targets and takes half as long; where
# there is none g++ builds it, without them.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
[ $# -eq 0 ] || shift
options=()
if [ "$preset" = asan ] && ! command -v clang++-16 >/dev/null; then
  options=(-DCMAKE_CXX_COMPILER=c++ -DRIDGE_FUZZ=OFF)
fi
cmake --preset "$preset" -Wno-dev "${options[@]}" ${RIDGE_CMAKE_OPTIONS:-} >&2
cmake --build --preset "$preset" --parallel "${RIDGE_JOBS:-$(nproc)}" "$@" >&2
