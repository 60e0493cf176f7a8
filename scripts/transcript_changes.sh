#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the lines of transcripts (tests/cli*, tests/hostile) that changed since the branch left
# origin/main (without one: in the last commit), each under its file and its command: what users will
# see otherwise than before. Fails never; whoever reviews the change reads it.
#
#   tests/cli/analyze.txt
#     $ ridge analyze plain.onnx
#   - | 3 nodes
#   + | 4 nodes
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/changed_files.sh
git diff --unified=100000 --find-renames --no-color --no-ext-diff "$(changed_since)" -- 'tests/cli*/*.txt' 'tests/hostile/*.txt' | awk '
  function print_heading() {
    if (file != "") { print file; file = "" }
    if (command != "") { print "  " command; command = "" }
  }
  /^diff --git / { head = 1; file = command = ""; next }
  head && /^--- / { old = substr($2, 3); next }
  head && /^\+\+\+ / { file = $2 == "/dev/null" ? old " (removed)" : substr($2, 3); next }
  /^@@ / { head = 0; next }
  head { next }
  /^ \$ / { command = substr($0, 2); next }
  /^[-+]\$ / { command = "" }
  /^[-+]/ {
    print_heading()
    print substr($0, 1, 1) " " substr($0, 2)
    lines++
  }
  END { printf "transcripts: %d lines changed\n", lines }'
