#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What paddings and sequence lengths cost on an accelerator: tables on standard output, and a page,
# a CSV by layer and a table of each network in DIR.
#
#   examples/accelerator/reproduce.sh [DIR]      # default: accelerator-pages
#
# RIDGE names the program (default: build/ridge), MACHINE a shipped machine or a .toml.
set -euo pipefail

ridge=${RIDGE:-build/ridge}
machine=${MACHINE:-wmma-16x16x16}
out=${1:-accelerator-pages}
pads=none,16x16x16,32x8x16,8x32x16
mkdir -p "$out"

# costs NAME OPTION...: the network's points as a page, by layer and as a table.
costs() {
  local name=$1
  shift
  "$ridge" accel "zoo:$name" --machine "$machine" "$@" --format csv \
    --output "$out/$name.csv" --report "$out/$name.html" 2>/dev/null
  "$ridge" accel "zoo:$name" --machine "$machine" "$@" --sensitivity off --output "$out/$name.txt"
  cat "$out/$name.txt"
  echo
}

for network in resnet18 resnet50 efficientnet_b0; do
  costs "$network" --pad "$pads" --bind batch=1
done
costs gpt2 --bind 'batch=1,sequence=64..1024:*2'
echo "pages: $out/*.html"
