#!/usr/bin/env bash
# Takes what the command line prints now as the golden text of tests/cli, tests/cli_slow,
# tests/cli_tvm and tests/hostile, and shows what that changes. The only way in which those files are
# written.
#
#   scripts/approve.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath "${1:-build}")
RIDGE_APPROVE=1 RIDGE_PROGRAM=$folder/ridge RIDGE_SOURCE=$PWD \
  "$folder/tests/data_tests" --gtest_brief=1 --gtest_filter='*CommandLine*'
git diff --stat -- tests/cli tests/cli_slow tests/cli_tvm tests/hostile
git status --short -- tests/cli tests/cli_slow tests/cli_tvm tests/hostile
