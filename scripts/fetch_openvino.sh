#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts OpenVINO's library, C++ headers and CMake package into the user's cache, pinned by
# scripts/openvino.lock, and prints the folder. Does nothing where they are there already or an
# installed one was named. Safe to run several times at once.
#
#   scripts/fetch_openvino.sh
#   OPENVINO_ROOT=/usr/lib/python3/dist-packages scripts/fetch_openvino.sh # your own: it has
#   openvino/libs, openvino/include and openvino/cmake
#   RIDGE_DOWNLOADS=/media/usb scripts/fetch_openvino.sh # a folder with the archive, no network
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/openvino.lock

field() { awk -v part="$1" -v column="$2" '$1 == part { print $column }' "$lock"; }

is_whole() {
  compgen -G "$1/openvino/libs/libopenvino.so*" >/dev/null &&
    [ -f "$1/openvino/cmake/OpenVINOConfig.cmake" ] &&
    [ -f "$1/openvino/include/openvino/openvino.hpp" ]
}

# The processor's part and the front ends; what is for other devices takes twice as much room.
unpack() {  # folder
  cd "$1"
  "$here/setup.sh" fetch
  obtain "$(field library 2)" "$(field library 3)" "$(field library 4)" "$(field library 5)" \
    "$(field library 6)" "OpenVINO" "set OPENVINO_ROOT to an installed one"
  unzip -q -o "$(field library 5)" 'openvino/include/*' 'openvino/cmake/*' 'openvino/libs/*' \
    'openvino-*/licenses/*' -x 'openvino/libs/libopenvino_intel_[gn]pu_plugin.so*'
  mkdir result
  mv openvino result/  # its CMake package names its files from the folder above
  mv openvino-*/licenses result/licenses
  is_whole result || fail "the archive lacks the library, the headers or the CMake package"
}

if [ -n "${OPENVINO_ROOT:-}" ] && is_whole "$OPENVINO_ROOT"; then
  printf '%s\n' "$OPENVINO_ROOT"
  exit
fi
target=$cache/openvino/$(field version 2)
if ! is_whole "$target"; then
  [ "$(uname -m)" = x86_64 ] ||
    fail "the pinned library is for x86_64; set OPENVINO_ROOT to one for $(uname -m)"
fi
make_once "$target" "$(field library 6)" unpack
printf '%s\n' "$target"
