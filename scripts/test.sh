#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds one preset and runs its tests; the last line counts them. Exits with 1 if one failed or
# none ran, with RIDGE_REQUIRE_ALL=1 also if something that the scripts bring was absent.
#
#   scripts/test.sh release              every test
#   scripts/test.sh asan fast            the tests that CTest labels fast
#   scripts/test.sh tsan fast TARGET...  only these targets are built, and those of them that are test
#                                        programs run
set -uo pipefail
cd "$(dirname "$0")/.."
preset=$1 label=${2:-.}
targets=("${@:3}")
programs=.
[ ${#targets[@]} -eq 0 ] || programs="^($(IFS='|'; echo "${targets[*]}"))[.]"
folder=build
[ "$preset" = release ] || folder=build-$preset
scripts/build.sh "$preset" ${targets:+--target "${targets[@]}"} || exit 1

# ONNX Runtime is not instrumented: its own still reachable memory is not ours to report, nor are
# its threads.
export ASAN_OPTIONS=detect_stack_use_after_return=1:allocator_may_return_null=1
export LSAN_OPTIONS=suppressions=$PWD/scripts/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1
rm -rf "$folder/test-results"
ctest --test-dir "$folder" --label-regex "$label" --tests-regex "$programs" --output-on-failure \
  --parallel "${RIDGE_JOBS:-$(nproc)}" --no-tests=error </dev/null
status=$?
# Cases that need other targets skip where only some are built.
[ ${#targets[@]} -eq 0 ] || export RIDGE_REQUIRE_ALL=0
scripts/test_summary.py "$folder" "$label" "$programs" || status=1
exit $status
