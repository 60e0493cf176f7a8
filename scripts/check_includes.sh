#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles C++ files without precompiled headers, headers each alone, to see that every file includes
# what it uses. Without arguments: the files that changed since the branch left origin/main (without
# one: in the last commit), at most RIDGE_INCLUDES_SECONDS (default 300).
#
#   scripts/check_includes.sh [--all | FILE...]
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/changed_files.sh
. scripts/compile_commands.sh
compile_commands || exit 1

case "${1:-}" in
  --all) mapfile -t files < <(git ls-files 'src/*.h' 'src/*.cc') ;;
  "") mapfile -t files < <(changed_files 'src/*.h' 'src/*.cc') ;;
  *) files=("$@") ;;
esac
# Tests may rely on the headers that all test programs have; the plug-ins have libraries of their own,
# and files for an instruction set never have precompiled headers.
mapfile -t files < <(printf '%s\n' "${files[@]}" |
  grep -E '^src/' | grep -vE '_test\.cc$|/testing|^src/runtime/(ort|openvino)/|_avx[a-z0-9]*\.cc$')
[ ${#files[@]} -gt 0 ] && [ -n "${files[0]}" ] || { echo "includes: no changed files"; exit 0; }

# The include folders of all libraries: single ones have a folder more, as the store has libpq's.
flags=$(python3 - <<'END'
import json, shlex
flags = {}  # in the order in which they are met
for entry in json.load(open("build-commands/compile_commands.json")):
    if "/src/" not in entry["file"] or "/src/runtime/" in entry["file"]:
        continue
    words = shlex.split(entry["command"])
    for i, word in enumerate(words):
        if word.startswith(("-I", "-isystem", "-std=")):
            flags[word if word != "-isystem" else "-isystem " + words[i + 1]] = None
print(" ".join(flags))
END
)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
compile() {
  local language=c++
  [[ $1 != *.h ]] || language=c++-header
  c++ $2 -fsyntax-only -w -x $language "$1" 2>&1 | sed "s|^|$1: |"
}
export -f compile
printf '%s\0' "${files[@]}" | timeout "${RIDGE_INCLUDES_SECONDS:-300}" \
  xargs -0 -P "$(nproc)" -I{} bash -c "compile {} '$flags'" >"$log"
[ $? -ne 124 ] || echo "includes: out of time, some of ${#files[@]} files were not compiled"
grep -E 'error:' "$log" | sort -u
echo "includes: ${#files[@]} files compiled alone, $(grep -cE 'error:' "$log") findings"
! grep -qE 'error:' "$log"
