#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts what reads other programs' formats into the user's cache, for the tests of `ridge export`,
# and prints the folder: Python packages (scripts/export-readers.lock) in python/, and pprof
# (scripts/pprof.mod, .sum) in bin/ where there is a Go to build it with. google-benchmark's
# compare.py comes as a Debian package. Does nothing where all is there already.
#
#   scripts/fetch_export_readers.sh
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/export-readers.lock
target=$cache/export-readers/1

build_pprof() {  # folder
  command -v go >/dev/null || { say "no Go here: tests read no pprof profiles with pprof"; return; }
  mkdir "$1/pprof"
  cp "$here/pprof.mod" "$1/pprof/go.mod"
  cp "$here/pprof.sum" "$1/pprof/go.sum"
  (cd "$1/pprof" && GOPATH=$1/go GOFLAGS="-mod=readonly -modcacherw" GOTOOLCHAIN=local \
    go build -trimpath -o "$1/result/bin/pprof" github.com/google/pprof >&2) ||
    say "pprof could not be built: tests read no pprof profiles with it"
}

bring() {  # folder
  "$here/setup.sh" fetch readers
  say "fetching the readers of exports (for the tests)"
  mkdir -p "$1/result/bin"
  python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --require-hashes --requirement "$lock" --target "$1/result/python" >&2 ||
    fail "pip could not install the readers of $lock"
  build_pprof "$1"
}

made_by=$(cat "$lock" "$here/pprof.sum" "$0" | sha256sum | cut -c1-16)
make_once "$target" "$made_by" bring
printf '%s\n' "$target"
