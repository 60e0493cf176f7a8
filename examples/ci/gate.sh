#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures a model as the stored baseline was measured, and fails where it is surely slower.
#
#   gate.sh MODEL BASELINE [LIMIT [OPTION...]]
#
# BASELINE: a run of this machine (ridge.profile/1). Where there is none, this run becomes it.
# LIMIT:    as `ridge compare --fail-on` takes it; latency>5% without one.
# OPTION:   of `ridge profile`, for the baseline (--runtime openvino, --bind batch=8, ...); later
#           runs are measured as the baseline was.
#
# Leaves compare.json and compare.html here, or profile.html where there was no baseline. Exit
# status: 0 not slower, or the first run; 1 slower; 2, 3 and 4 as those of ridge.
set -eu
model=$1 baseline=$2 limit=${3:-latency>5%}
shift $(($# < 3 ? $# : 3))

if [ ! -e "$baseline" ]; then
  ridge profile "$model" --processes 5 "$@" --format json --output "$baseline" \
    --report profile.html
  echo "no baseline yet: $baseline is the baseline from now on"
else
  ridge compare "$baseline" "$model" --processes 5 --fail-on "$limit" \
    --output compare.json --report compare.html
fi
