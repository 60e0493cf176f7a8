#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures and builds one preset (default: release). Further arguments go to the build, for
# example --target ridge.
#
#   scripts/build.sh [release|debug|asan|tsan] [--target NAME...]
#
# asan (which holds the fuzz targets as well) and tsan are built with clang, in half the time that
# g++ takes for them; where there is none g++ builds them, without fuzz targets.
#
# RIDGE_UNITY=1 (by default of make profile, make test and .ci/run) compiles eight files at a time in a new build
# folder: less in all, more after each change. A folder stays what it is: the other way compiles
# everything again, so it is left to `cmake -DRIDGE_UNITY=OFF build`.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
[ $# -eq 0 ] || shift
folder=build
[ "$preset" = release ] || folder=build-$preset
options=()
if [[ $preset = ?san ]] && ! command -v clang++-16 >/dev/null; then
  options=(-DCMAKE_CXX_COMPILER=c++ -DRIDGE_FUZZ=OFF)
fi
unity=OFF
[ "${RIDGE_UNITY:-0}" != 1 ] || unity=ON
if [ -f "$folder/CMakeCache.txt" ]; then
  present=$(sed -n 's/^RIDGE_UNITY:[A-Z]*=//p' "$folder/CMakeCache.txt")
  if [ "${present:=OFF}" != $unity ]; then
    echo "build: $folder/ stays with RIDGE_UNITY=$present; to change it: cmake -DRIDGE_UNITY=$unity $folder" >&2
  fi
else
  options+=("-DRIDGE_UNITY=$unity")
fi
cmake --preset "$preset" -Wno-dev "${options[@]}" ${RIDGE_CMAKE_OPTIONS:-} >&2
started=$SECONDS
cmake --build --preset "$preset" --parallel "${RIDGE_JOBS:-$(nproc)}" "$@" >&2
printf 'build: %s in %s s\n' "$folder/" $((SECONDS - started)) >&2
