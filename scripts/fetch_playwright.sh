#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts playwright-core, with which bench/serve_paint.mjs drives Debian's Chromium, into the user's cache,
# and prints the package's folder. Pinned by scripts/playwright.lock: 2 MB to fetch; it brings no browser
# of its own. Does nothing where it is there already.
#
#   scripts/fetch_playwright.sh
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/playwright.lock
read -r client package version archive hash < <(grep -v '^#' "$lock")
target=$cache/playwright/$version

bring() {  # folder
  cd "$1"
  obtain "$client" "$package" "$version" "$archive" "$hash" "drives the browser"
  tar -xzf "$archive"
  mv package result
}

make_once "$target" "$hash" bring
printf '%s\n' "$target"
