#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Estimates from bricks beside measured networks: twelve networks of the zoo, each of another
# family. Plans them, measures bricks and networks until their intervals are narrow, and estimates
# a network that was not measured. Less than ten minutes on two processors, without the build.
#
#   scripts/bricks_demo.sh [NETWORK...]                # these instead of the twelve
#   RIDGE_DEMO_SECONDS=300 scripts/bricks_demo.sh      # ends the measurement earlier
#
# resnet34 can be estimated where resnet18 is among the networks. Exit status 1: an estimate is
# missing, or an interval is still wider than 3 %, for example because other programs run. Another
# ridge would run on the same processor, and make the networks seem slower than their bricks.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
ridge=$top/build/ridge
[ $# -gt 0 ] || set -- alexnet convnext_tiny distilbert_base efficientnet_b0 googlenet lstm \
  mobilenet_v2 resnet18 shufflenet_v2_x1_0 squeezenet1_1 vit_tiny_patch16_224 yolov5n
networks=("${@/#/zoo:}")
unmeasured=zoo:resnet34
check_failed=1 timed_out=124
limit=${RIDGE_DEMO_SECONDS:-540} least=20

if [ ! -x "$ridge" ]; then
  "$top"/scripts/setup.sh build
  "$top"/scripts/fetch_onnxruntime.sh >/dev/null || true  # ridge says itself what is missing
  "$top"/scripts/build.sh release --target ridge_everything
fi

# Runs ridge until the time of the whole demonstration is over, but at least as long as planning or
# an estimate takes.
SECONDS=0
result=0
demonstrate() {
  printf '\n$ ridge %s\n' "$*"
  local status=0 left=$((limit - SECONDS))
  # An interrupted `check` prints what it has. In the foreground Ctrl-C reaches it as well.
  timeout --foreground --signal=INT --kill-after=20 "$((left > least ? left : least))" \
    "$ridge" "$@" || status=$?
  [ $status -eq 0 ] || result=1
  [ $status -ne $timed_out ] ||
    printf 'the limit of %s s is reached: what was measured until then counts\n' "$limit" >&2
  [ $status -eq 0 ] || [ $status -eq $check_failed ] || [ $status -eq $timed_out ] || exit $status
}

folder=$(mktemp -d "${TMPDIR:-/tmp}/ridge-bricks.XXXXXX")
demonstrate bricks plan "${networks[@]}" --out "$folder/suite"
# The check plans again, into a folder of its own: with the suite's, which has every brick, the time
# that it reports for planning would be too short.
demonstrate bricks check "${networks[@]}" --store "$folder/bricks.db" --width 3%
demonstrate bricks estimate $unmeasured --store "$folder/bricks.db"

cat <<END

$unmeasured was not measured: its estimate is made of the bricks of the networks above.
$folder/suite      the bricks as ONNX files, and manifest.json
$folder/bricks.db  their times: ridge bricks estimate MODEL --store $folder/bricks.db
$SECONDS s. To delete the files: rm -r $folder
END
exit $result
