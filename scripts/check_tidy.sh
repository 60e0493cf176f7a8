#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy over the C++ files that changed since the branch left origin/main (without one: in
# the last commit), at most RIDGE_TIDY_SECONDS (default 300).
# Files named as arguments are looked at instead.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/left_out.sh
. scripts/changed_files.sh
. scripts/compile_commands.sh
tool=clang-tidy-16
if ! command -v $tool >/dev/null; then
  leave_out "static checks on changed files" "$tool is not installed"
fi
compile_commands || exit 1

if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files < <(changed_files '*.cc'); fi
# Only what the build compiles here: not fuzz targets, nor what this processor lacks.
mapfile -t files < <(for file in "${files[@]}"; do
  grep -qF "\"$PWD/$file\"" build-commands/compile_commands.json && printf '%s\n' "$file"; done)
[ ${#files[@]} -gt 0 ] || { echo "tidy: no changed files"; exit 0; }

# clang does not know all warning options of g++.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log=$folder/log
sed -E 's@ -W[^ "]*@@g' build-commands/compile_commands.json >"$folder/compile_commands.json"
printf '%s\0' "${files[@]}" | timeout "${RIDGE_TIDY_SECONDS:-300}" \
  xargs -0 -P "$(nproc)" -n 1 $tool -p "$folder" --quiet >"$log" 2>/dev/null
[ $? -ne 124 ] || echo "tidy: out of time, some of ${#files[@]} files were not looked at"
status=0
# Code that g++ takes and clang 16 does not (comparison operators of nlohmann::json) is no finding.
# Nor are groups of keys in descriptions, which have the name of their key (record/describe.h).
findings=$(grep -E '(^| )(error|warning): ' "$log" |
  grep -vE '/[a-z_]*describe[a-z_]*\.h:.* case style for constexpr variable' |
  grep -vE 'nlohmann|json.*clang-diagnostic-error|clang-diagnostic-error.*json' | sort -u)
if [ -n "$findings" ]; then
  printf '%s\n' "$findings"
  status=1
fi
echo "tidy: ${#files[@]} files looked at, $(grep -c . <<<"$findings") findings"
exit $status
