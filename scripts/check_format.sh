#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks (or with --fix: mends) the format of every C++ file, with the one version of clang-format
# that .clang-format is for.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/left_out.sh
tool=clang-format-16
if ! command -v $tool >/dev/null; then
  leave_out "the format of the code" "$tool is not installed"
fi
mode=(--dry-run -Werror)
[ "${1:-}" != --fix ] || mode=(-i)
git ls-files -z '*.cc' '*.h' | xargs -0 -r -P "$(nproc)" -n 20 $tool "${mode[@]}"
