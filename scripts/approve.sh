#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Takes what the command line prints now as the golden text of tests/cli, tests/cli_slow,
# tests/cli_tvm and tests/hostile, and what it prints as JSON as the golden documents of tests/golden
# (tests/golden.h), and shows what that changes. The only way in which those files are written.
#
#   scripts/approve.sh [TRANSCRIPT...]                  # these only; without arguments: all
#   scripts/approve.sh tests/cli/analyze.txt
#   RIDGE_BUILD=build-debug scripts/approve.sh          # what another build prints
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath "${RIDGE_BUILD:-build}")
filter=
for file in "$@"; do
  [ -f "$file" ] || { echo "approve: no file $file" >&2; exit 2; }
  case $(realpath --relative-to=. "$file") in
    tests/cli/*.txt) suite=CommandLine ;;
    tests/cli_slow/*.txt) suite=CommandLineSlow ;;
    tests/cli_tvm/*.txt) suite=CommandLineTvmSlow ;;
    tests/hostile/*.txt) suite=CommandLineHostile ;;
    *) echo "approve: $file is no transcript" >&2; exit 2 ;;
  esac
  filter+=${filter:+:}Transcript/$suite.PrintsWhatWasApproved/$(basename "$file" .txt)
done
RIDGE_APPROVE=1 RIDGE_PROGRAM=$folder/ridge RIDGE_SOURCE=$PWD \
  "$folder/tests/data_tests" --gtest_brief=1 --gtest_filter="${filter:-*CommandLine*:Schema.*:SchemaSlow.*}"
paths=("$@")
[ $# -gt 0 ] || paths=(tests/cli tests/cli_slow tests/cli_tvm tests/hostile tests/golden)
git diff --stat -- "${paths[@]}"
git status --short -- "${paths[@]}"
