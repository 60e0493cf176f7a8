#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh clone to a report: sets up, builds, and profiles a model (default: zoo:resnet50) with
# all further arguments.
#
#   scripts/profile.sh [MODEL] [ridge profile's options]
#
# OpenVINO is fetched where the options ask for it, ONNX Runtime always.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
"$top"/scripts/setup.sh build
"$top"/scripts/fetch_onnxruntime.sh >/dev/null || true  # ridge says itself what is missing
case " $* " in
  *" --runtime openvino "* | *" --runtime=openvino "*) "$top"/scripts/fetch_openvino.sh >/dev/null || true ;;
esac
RIDGE_UNITY=${RIDGE_UNITY:-1} "$top"/scripts/build.sh release --target ridge_everything
model=${1:-zoo:resnet50}
[ $# -eq 0 ] || shift
exec "$top"/build/ridge profile "$model" --report "$top"/report.html "$@"
