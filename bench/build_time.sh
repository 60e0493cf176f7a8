#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Times the two commands of the README and .ci/run from a cold start: a fresh clone, no compiler cache.
# Prints for each try the seconds of its parts (of a build, of the tests, of each check), wall and
# processor time, and the load of the machine before and after.
#
#   bench/build_time.sh [-n TRIES] [build] [profile] [test] [ci]      # without arguments: build
#
# build is what make profile builds, without the model's run.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
tries=1
if [ "${1:-}" = -n ]; then
  tries=$2
  shift 2
fi
[ $# -gt 0 ] || set -- build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CCACHE_DISABLE=1
TIMEFORMAT='wall %R s, user %U s, system %S s'
load() { cut -d' ' -f1-3 /proc/loadavg; }

measure() {  # what try
  local command status=0
  case $1 in
    build) command=(env RIDGE_UNITY=1 scripts/build.sh release --target ridge_everything) ;;
    profile) command=(make --no-print-directory profile MODEL=zoo:squeezenet1_1) ;;
    test) command=(make --no-print-directory test) ;;
    ci) command=(.ci/run) ;;
    *) echo "build_time: no command '$1'" >&2; exit 2 ;;
  esac
  rm -rf "$folder/clone"
  git clone --quiet "$top" "$folder/clone"
  echo "$1, try $2: load before $(load), $(nproc) processors"
  { time (cd "$folder/clone" && "${command[@]}" >"$folder/log" 2>&1); } 2>&1 || status=$?
  grep -E '^(build: build|Total Test time|[0-9]+ passed, |[a-z]+ +(passed |FAILED )?in [0-9]+ s)' "$folder/log" | sed 's/^/  /' || true
  echo "$1, try $2: load after $(load), status $status"
  [ $status -eq 0 ] || { tail -20 "$folder/log" >&2; exit 1; }
}

"$top/scripts/setup.sh" build
for what in "$@"; do
  for try in $(seq "$tries"); do measure "$what" "$try"; done
done
