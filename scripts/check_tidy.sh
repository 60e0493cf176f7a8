#!/usr/bin/env bash
# Runs clang-tidy over the C++ files that changed since the branch left origin/main (without one: in
# the last commit), at most RIDGE_TIDY_SECONDS (default 300). Reads the compile commands of build/.
# Files named as arguments are looked at instead.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/left_out.sh
. scripts/changed_files.sh
tool=clang-tidy-16
if ! command -v $tool >/dev/null; then
  leave_out "static checks on changed files" "$tool is not installed"
fi
[ -f build/compile_commands.json ] || { echo "check_tidy: build first (make build)" >&2; exit 1; }

if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files < <(changed_files '*.cc'); fi
# Only what the build compiles here: not fuzz targets, nor what this processor lacks.
mapfile -t files < <(for file in "${files[@]}"; do
  grep -qF "\"$PWD/$file\"" build/compile_commands.json && printf '%s\n' "$file"; done)
[ ${#files[@]} -gt 0 ] || { echo "tidy: no changed files"; exit 0; }

# clang reads neither the precompiled headers nor all warning options of g++.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log=$folder/log
sed -E 's@ (-include [^ "]*cmake_pch\.hxx|-Winvalid-pch|-fpch-preprocess|-W[^ "]*)@@g' \
  build/compile_commands.json >"$folder/compile_commands.json"
printf '%s\0' "${files[@]}" | timeout "${RIDGE_TIDY_SECONDS:-300}" \
  xargs -0 -P "$(nproc)" -n 1 $tool -p "$folder" --quiet >"$log" 2>/dev/null
[ $? -ne 124 ] || echo "tidy: out of time, some of ${#files[@]} files were not looked at"
status=0
# Code that g++ takes and clang 16 does not (comparison operators of nlohmann::json) is no finding.
findings=$(grep -E '(^| )(error|warning): ' "$log" |
  grep -vE 'nlohmann|json.*clang-diagnostic-error|clang-diagnostic-error.*json' | sort -u)
if [ -n "$findings" ]; then
  printf '%s\n' "$findings"
  status=1
fi
echo "tidy: ${#files[@]} files looked at, $(grep -c . <<<"$findings") findings"
exit $status
