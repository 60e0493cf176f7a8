#!/usr/bin/env bash
# Runs every fuzz target for its share of two minutes (RIDGE_FUZZ_SECONDS) from the seeds in
# fuzz/corpus/<target>, and the input of any crash is left in build-fuzz/crashes.
set -uo pipefail
cd "$(dirname "$0")/.."
compgen -G 'fuzz/*_fuzz.cc' >/dev/null || { echo "fuzz: no targets"; exit 0; }
if ! command -v clang++-16 >/dev/null; then
  echo "fuzz: clang++-16 is not installed, nothing was run" >&2
  exit 0
fi
scripts/build.sh fuzz || exit 1

targets=(fuzz/*_fuzz.cc)
seconds=$((${RIDGE_FUZZ_SECONDS:-120} / ${#targets[@]}))
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
mkdir -p build-fuzz/crashes
for target in "${targets[@]}"; do
  name=$(basename "$target" .cc)
  corpus=build-fuzz/corpus/$name
  mkdir -p "$corpus"
  seeds=()
  [ ! -d "fuzz/corpus/$name" ] || seeds=("fuzz/corpus/$name")
  if ! "build-fuzz/fuzz/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
      -artifact_prefix="build-fuzz/crashes/$name-" -print_final_stats=1 -verbosity=0 \
      "$corpus" "${seeds[@]}" </dev/null >"$log" 2>&1; then
    tail -n 60 "$log"
    failed=$((failed + 1))
  fi
  printf '%s: %s inputs\n' "$name" "$(awk '/number_of_executed_units/ { print $2 }' "$log")"
done
echo "fuzz: ${#targets[@]} targets for $seconds s each, $failed failed"
[ $failed -eq 0 ]
