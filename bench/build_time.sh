#!/usr/bin/env bash
# Times the two commands of the README from a cold start: a fresh clone, no compiler cache. Prints wall
# and processor time and the load of the machine before and after.
#
#   bench/build_time.sh [profile] [test] [ci]      # without arguments: profile
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CCACHE_DISABLE=1
TIMEFORMAT='wall %R s, user %U s, system %S s'
for what in "${@:-profile}"; do
  case $what in
    profile) command=(make --no-print-directory profile MODEL=zoo:squeezenet1_1) ;;
    test) command=(make --no-print-directory test) ;;
    ci) command=(.ci/run) ;;
    *) echo "build_time: no command '$what'" >&2; exit 2 ;;
  esac
  rm -rf "$folder/clone"
  git clone --quiet "$top" "$folder/clone"
  echo "$what: load before $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) processors"
  status=0
  time (cd "$folder/clone" && "${command[@]}" >"$folder/log" 2>&1) || status=$?
  echo "$what: load after $(cut -d' ' -f1-3 /proc/loadavg), status $status"
  [ $status -eq 0 ] || { tail -20 "$folder/log" >&2; exit 1; }
done
