#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Adds files to the inputs kept for a fuzz target, or replaces those of the same name: crashes that were
# found, and seeds. A crash is named after its hash, as libFuzzer names it.
#
#   scripts/add_to_corpus.sh analyze_fuzz build-asan/crashes/analyze_fuzz-crash-4bf1...
#   tar tvf fuzz/corpus/analyze_fuzz.tar                    # what is kept
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/scripts/corpus.sh"
target=${1:-}
[ -f "$top/fuzz/$target.cc" ] || { echo "add_to_corpus: no fuzz target '$target'" >&2; exit 2; }
[ $# -gt 1 ] || { echo "add_to_corpus: no file to add" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ ! -f "$top/fuzz/corpus/$target.tar" ] || tar -xf "$top/fuzz/corpus/$target.tar" -C "$folder"
for file in "${@:2}"; do
  # fuzz_smoke.sh --keep replaces inputs whose names are 12 hexadecimal digits.
  name=$(basename "$file" | sed -E "s/^$target-//; s/^([a-z]+-[0-9a-f]{12})[0-9a-f]+\$/\\1/")
  cp "$file" "$folder/$name"
done
cd "$top"
pack_corpus "$folder" "$target"
printf '%s: %s inputs kept\n' "$target" "$(find "$folder" -type f | wc -l)"
