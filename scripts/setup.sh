#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages of the named groups (default: build) that are missing, and nothing
# else. Without root, or where apt-get fails, it prints what to ask the administrator for and goes
# on: the build says itself what it cannot do without.
#
#   scripts/setup.sh [build] [test] [fetch] [readers] [check] [bench] [demo]
#   scripts/setup.sh --missing build test     # lists them, one a line, and installs nothing
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

present() {
  case $1 in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

missing_packages() {
  local group package probe _
  while read -r group package probe _; do
    case " $* " in *" $group "*) present "$probe" || printf '%s\n' "$package" ;; esac
  done < <(grep -v '^#' "$here/debian-packages.txt")
}

ask_administrator() {
  printf 'setup: %s\n  ask the administrator for: apt-get install %s\n' "$1" "${missing[*]}" >&2
}

only_list=no
[ "${1:-}" != --missing ] || { only_list=yes; shift; }
[ $# -gt 0 ] || set -- build
mapfile -t missing < <(missing_packages "$@")
[ ${#missing[@]} -gt 0 ] || exit 0
[ $only_list = no ] || { printf '%s\n' "${missing[@]}"; exit 0; }

if ! command -v apt-get >/dev/null; then
  ask_administrator "these Debian packages, or what corresponds to them here, are missing"
elif [ "$(id -u)" -ne 0 ]; then
  ask_administrator "packages are missing and this is not root"
else
  printf 'setup: installing %s\n' "${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  options=(-qq -o DPkg::Lock::Timeout=300)
  apt-get "${options[@]}" update >&2 || true
  apt-get "${options[@]}" install --yes --no-install-recommends "${missing[@]}" </dev/null >&2 ||
    ask_administrator "apt-get could not install everything"
fi
