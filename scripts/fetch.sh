# SPDX-License-Identifier: Apache-2.0
# What the scripts share that fetch pinned packages into the user's cache; sourced, not run. They set
# `lock`, the file with the pinned hashes. An archive comes through its registry's own client, or from
# the folder RIDGE_DOWNLOADS without a network.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ridge

say() { printf '%s\n' "$*" >&2; }
fail() { say "$(basename "$0" .sh): $*"; exit 4; }

download_pip() {  # package version archive
  local platform=${3%.whl}
  platform=${platform##*[-.]}  # the last of those that the archive names
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --python-version 3.11 --implementation cp --abi cp311 --platform "$platform" \
    --dest . "$1==$2" >&2
}

download_npm() {  # package version archive
  npm pack --silent --ignore-scripts "$1@$2" >/dev/null
}

# Leaves an archive, with the hash of the lock file, in the current folder.
obtain() {  # client package version archive hash purpose [advice]
  if [ -n "${RIDGE_DOWNLOADS:-}" ] && [ -f "$RIDGE_DOWNLOADS/$4" ]; then
    cp "$RIDGE_DOWNLOADS/$4" .
  else
    say "fetching $2 $3 ($6)"
    "download_$1" "$2" "$3" "$4" || fail "$1 could not download $2 $3${7:+; $7}"
  fi
  [ -f "$4" ] || fail "$1 did not leave $4"
  printf '%s  %s\n' "$5" "$4" | sha256sum --check --quiet >&2 ||
    fail "$4 is not what $(basename "$lock") names: refusing it"
}

# Makes the virtual environment `target` with the packages of the lock file. Its place is where it will
# stay, since an environment does not move; make_once gets it from there.
make_environment() {  # purpose
  "$here/setup.sh" fetch
  say "fetching $1"
  rm -rf "$target"
  python3 -m venv "$target" >&2 || fail "python3 could not make a virtual environment"
  "$target/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
    --only-binary=:all: --require-hashes --requirement "$lock" >&2 ||
    fail "pip could not install the packages of $lock"
}

# Makes a folder, unless `made_by` made the one that is there: hands the function a folder to work in,
# and what it leaves in `result` there becomes the new one. Safe to run several times at once.
make_once() {  # folder made_by function
  local around work
  around=$(dirname "$1")
  [ "$(cat "$1/made-by" 2>/dev/null)" != "$2" ] || return 0
  mkdir -p "$around"
  exec 9>"$around/.$(basename "$1").lock"
  flock 9  # another run may be making it right now
  [ "$(cat "$1/made-by" 2>/dev/null)" != "$2" ] || return 0
  work=$(mktemp -d "$around/.$(basename "$1").XXXXXX")
  trap "rm -rf '$work'" EXIT
  ("$3" "$work")
  printf '%s\n' "$2" >"$work/result/made-by"
  rm -rf "$1"
  mv -T "$work/result" "$1"
}
