#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts ONNX Runtime's library and C API headers into the user's cache, pinned by
# scripts/onnxruntime.lock, and prints the folder. Does nothing where they are there already or an
# installed one was named. Safe to run several times at once.
#
#   scripts/fetch_onnxruntime.sh
#   ONNXRUNTIME_ROOT=/opt/onnxruntime scripts/fetch_onnxruntime.sh # your own: <root>/lib and
#   <root>/include
#   RIDGE_DOWNLOADS=/media/usb scripts/fetch_onnxruntime.sh # a folder with the two archives, no
#   network
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/onnxruntime.lock
cache=$cache/onnxruntime

field() { awk -v part="$1" -v column="$2" '$1 == part { print $column }' "$lock"; }

has_headers() { find -L "$1" -maxdepth 6 -name onnxruntime_c_api.h 2>/dev/null | grep -q .; }
has_library() { compgen -G "$1/lib/libonnxruntime.so*" >/dev/null; }

installed_package() {
  local folder found=1
  folder=$(mktemp -d)  # cmake leaves a CMakeFiles folder where it looks
  (cd "$folder" && cmake --find-package -DNAME=onnxruntime -DCOMPILER_ID=GNU -DLANGUAGE=CXX \
    -DMODE=EXIST) >/dev/null 2>&1 && found=0
  rm -rf "$folder"
  return $found
}

obtain_part() {
  obtain "$(field "$1" 2)" "$(field "$1" 3)" "$(field "$1" 4)" "$(field "$1" 5)" \
    "$(field "$1" 6)" "$1 of ONNX Runtime" "set ONNXRUNTIME_ROOT to an installed one"
}

unpack() {
  mkdir -p result/lib result/include
  unzip -q -o "$(field library 5)" 'onnxruntime/capi/libonnxruntime.so.*' 'onnxruntime/LICENSE' \
    'onnxruntime/ThirdPartyNotices.txt'
  mv onnxruntime/capi/libonnxruntime.so.* result/lib/
  mv onnxruntime/LICENSE onnxruntime/ThirdPartyNotices.txt result/
  tar -xzf "$(field headers 5)" package/Plugins/Android/onnxruntime.aar
  unzip -q -o package/Plugins/Android/onnxruntime.aar 'headers/*'
  mv headers/* result/include/
  has_library result && has_headers result || fail "the archives lack the library or the headers"
}

main() {
  if [ -n "${ONNXRUNTIME_ROOT:-}" ] && has_library "$ONNXRUNTIME_ROOT" &&
      has_headers "$ONNXRUNTIME_ROOT"; then
    printf '%s\n' "$ONNXRUNTIME_ROOT"
    return
  fi
  installed_package && { say "using the installed onnxruntime package"; return; }

  local version target
  version=$(field version 2)
  target=$cache/$version
  if ! { has_library "$target" && has_headers "$target"; }; then
    [ "$(uname -m)" = x86_64 ] ||
      fail "the pinned library is for x86_64; set ONNXRUNTIME_ROOT to one for $(uname -m)"
    mkdir -p "$cache"
    exec 9>"$cache/.lock"
    flock 9  # another run may be bringing it right now
    if ! { has_library "$target" && has_headers "$target"; }; then
      rm -rf "$cache"/.fetch.*  # left by a run that was killed
      work=$(mktemp -d "$cache/.fetch.XXXXXX")
      trap 'rm -rf "$work"' EXIT
      "$here/setup.sh" fetch
      (cd "$work"; obtain_part library; obtain_part headers; unpack)
      rm -rf "$target"
      mv -T "$work/result" "$target"
    fi
  fi
  printf '%s\n' "$target"
}

main
