#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts what builds the wheel (scikit-build-core, auditwheel) into a virtual environment in the user's
# cache, and prints the environment's folder. Its folder glibc-2.28 is what packages are linked with
# (cmake/older_glibc.cmake): the names and versions of that glibc, which zig knows. Zig itself, 411 MB,
# does not stay. Pinned by scripts/package-tools.lock. Does nothing where it is there already.
#
#   scripts/fetch_package_tools.sh
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
lock=$here/package-tools.lock
target=$cache/package-tools/current

make_stubs() {  # folder to work in
  local stubs=$target/glibc-2.28 name
  say "making what the linker reads of glibc 2.28"
  printf 'int main(void) { return 0; }\n' >"$1/empty.c"
  ZIG_LOCAL_CACHE_DIR=$1/zig ZIG_GLOBAL_CACHE_DIR=$1/zig "$target/bin/python" -m ziglang cc \
    -target x86_64-linux-gnu.2.28 -fPIE -pie -o "$1/empty" "$1/empty.c" -lm -ldl -lpthread >&2 ||
    fail "zig could not link for glibc 2.28"
  mkdir "$stubs"
  for name in Scrt1.o libc_nonshared.a libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 libld.so.2; do
    find "$1/zig" -name $name -exec cp {} "$stubs" \; -quit
    [ -f "$stubs/$name" ] || fail "zig made no $name"
  done
  for name in libm.so.6 libdl.so.2 libpthread.so.0; do
    ln -s $name "$stubs/${name%.*}"
  done
  printf 'GROUP ( libc.so.6 libc_nonshared.a AS_NEEDED ( libpthread.so.0 libdl.so.2 libld.so.2 ) )\n' \
    >"$stubs/libc.so"
  "$target/bin/python" -m pip uninstall --quiet --yes ziglang >&2
}

bring() {  # folder
  make_environment "what builds the wheel"
  make_stubs "$1"
  mv -T "$target" "$1/result"
}

# The stubs are made by this script, so another one makes them again.
make_once "$target" "$(cat "$lock" "$0" | sha256sum | cut -c1-16)" bring
printf '%s\n' "$target"
