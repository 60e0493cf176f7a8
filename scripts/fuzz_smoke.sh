#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzz target from the inputs kept in fuzz/corpus/<target>.tar, as many at a time as there
# are processors. Each takes RIDGE_FUZZ_SECONDS (default: 60; an hour or a night finds more). The
# input of any crash is left in build-asan/crashes, what else was found in build-asan/corpus.
#
#   RIDGE_FUZZ_SECONDS=3600 scripts/fuzz_smoke.sh
#   scripts/fuzz_smoke.sh analyze_fuzz escape_fuzz   # these only
#   scripts/fuzz_smoke.sh --keep [TARGET...]         # what was found, minimised, into fuzz/corpus
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/left_out.sh
. scripts/corpus.sh
keep=no
[ "${1:-}" != --keep ] || { keep=yes; shift; }
targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <(basename -a -s .cc fuzz/*_fuzz.cc)
if ! command -v clang++-16 >/dev/null; then
  leave_out "fuzzing" "clang++-16 is not installed"
fi
scripts/build.sh asan --target fuzzers || exit 1
jobs=${RIDGE_JOBS:-$(nproc)}
[ "$jobs" -le ${#targets[@]} ] || jobs=${#targets[@]}

fuzz() {  # target seconds
  local corpus=build-asan/corpus/$1 log=build-asan/$1.log seeds=() status
  mkdir -p "$corpus" build-asan/crashes
  [ ! -d "build-asan/fuzz/corpus/$1" ] || seeds=("build-asan/fuzz/corpus/$1")
  "build-asan/fuzz/$1" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
    -artifact_prefix="build-asan/crashes/$1-" -print_final_stats=1 -verbosity=0 \
    "$corpus" "${seeds[@]}" </dev/null >"$log" 2>&1
  status=$?
  [ $status -eq 0 ] || tail -n 60 "$log"
  printf '%s: %s inputs in %s s\n' "$1" "$(awk '/number_of_executed_units/ { print $2 }' "$log")" "$2"
  return $status
}

# Seeds written by hand, which have names, stay; beside them a sample, over all sizes, of the merged
# inputs that reach further.
keep() {  # target
  local found=build-asan/corpus/$1 merged=build-asan/merged/$1 kept=build-asan/fuzz/corpus/$1 most=100
  rm -rf "$merged"
  mkdir -p "$found" "$merged" "$kept"
  "build-asan/fuzz/$1" -merge=1 -max_len=1024 -timeout=10 "$merged" "$kept" "$found" \
    </dev/null >"build-asan/$1.log" 2>&1 || return 1
  find "$kept" -regextype egrep -regex '.*/[0-9a-f]{12}' -delete
  local file
  while read -r file; do
    cp "$merged/$file" "$kept/${file:0:12}"
  done < <(ls -Sr "$merged" | awk -v most=$most '{ all[NR] = $0 }
    END { step = NR > most ? NR / most : 1; for (i = step; i <= NR; i += step) print all[int(i)] }')
  printf '%s: %s inputs kept, %s bytes\n' "$1" "$(find "$kept" -type f | wc -l)" \
    "$(cat "$kept"/* | wc -c)"
  pack_corpus "$kept" "$1"
}

if [ $keep = yes ]; then
  for target in "${targets[@]}"; do keep "$target" || exit 1; done
  exit 0
fi
seconds=${RIDGE_FUZZ_SECONDS:-60}
export -f fuzz
printf '%s\0' "${targets[@]}" | xargs -0 -P "$jobs" -I TARGET bash -c 'fuzz TARGET '"$seconds"
status=$?
echo "fuzz: ${#targets[@]} targets for $seconds s each, $jobs at a time"
[ $status -eq 0 ]
