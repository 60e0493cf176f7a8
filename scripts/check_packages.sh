#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs each package of build/packages into an empty place and runs what it installed:
#
#   wheel      into an empty virtual environment with onnxruntime from the index, then a profile; no
#              file appears outside the environment and ridge's cache
#   ridgeline  the Debian package, alone in an empty root with the C and C++ libraries; lintian
#   tarball    unpacked elsewhere
#
# Prints what it measured: sizes, seconds, the glibc that the files need.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$PWD/build/packages
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1

one() {  # pattern
  local found=("$packages"/$1)
  [ ${#found[@]} -eq 1 ] && [ -e "${found[0]}" ] || { echo "packages: not one file $1 in build/packages" >&2; exit 1; }
  printf '%s\n' "${found[0]}"
}
expect() {  # text file: the file has the text
  grep -qF -- "$1" "$2" || { echo "packages: not in $2: $1" >&2; cat "$2" >&2; exit 1; }
}
wheel=$(one 'ridgeline-*.whl') deb=$(one 'ridgeline_*.deb') dev=$(one 'ridgeline-dev_*.deb')
tarball=$(one 'ridgeline-*.tar.gz')

# The oldest glibc is named by the wheel; the Debian package depends on the same one.
glibc=$(sed -E 's/.*manylinux_2_([0-9]+)_.*/2.\1/' <<<"$wheel")
[ "$glibc" = 2.28 ] || { echo "packages: the wheel needs glibc $glibc, not 2.28 (cmake/older_glibc.cmake)" >&2; exit 1; }
expect "libc6 (>= $glibc)" <(dpkg-deb --field "$deb" Depends)

# Wheel
mkdir "$work/home" "$work/cache" "$work/there"
started=$SECONDS
python3 -m venv "$work/environment"
HOME=$work/home PATH=/usr/bin:/bin "$work/environment/bin/pip" install --quiet --no-cache-dir "$wheel[ort]" \
  "onnxruntime==$(sed -n 's/^version //p' scripts/onnxruntime.lock)"
installed=$((SECONDS - started))
(cd "$work/there" && HOME=$work/home XDG_CACHE_HOME=$work/cache PATH=/usr/bin:/bin "$work/environment/bin/ridge" \
  profile zoo:squeezenet1_1 --format json --output "$work/run.json" 2>"$work/log") || { cat "$work/log" >&2; exit 1; }
profiled=$((SECONDS - started - installed))
python3 - "$work" <<'END'
import json, sys
run = json.load(open(f"{sys.argv[1]}/run.json"))
assert run["runtime"]["library"].startswith(f"{sys.argv[1]}/environment/lib/python3"), run["runtime"]["library"]
assert len(run["layers"]) > 20 and not run["unattributed"]["layers"], run["unattributed"]
END
outside=$(find "$work/home" "$work/there" -mindepth 1)
[ -z "$outside" ] || { printf 'packages: outside the environment: %s\n' "$outside" >&2; exit 1; }
nodes=$("$work/environment/bin/python" -c "import ridgeline; print(len(ridgeline.analyze('zoo:squeezenet1_1').nodes))" 2>/dev/null)
[ "$nodes" = "$("$work/environment/bin/ridge" analyze zoo:squeezenet1_1 --format csv 2>/dev/null | tail -n +2 | wc -l)" ] ||
  { echo "packages: the Python client has '$nodes' nodes" >&2; exit 1; }
"$work/environment/bin/ridge" doctor >"$work/doctor" || [ $? -eq 4 ]
expect "ONNX Runtime" "$work/doctor"
echo "wheel: $(stat -c %s "$wheel" | numfmt --to=iec), glibc $glibc; installed with onnxruntime in $installed s, first profile after $profiled s more"

# Debian packages
root=$work/root
mkdir "$root"
dpkg-deb --extract "$deb" "$root"
ldd "$root/usr/bin/ridge" "$root"/usr/lib/ridge/*.so | grep -o '/[^ ]*[.]so[^ ]*' | grep -v "$root" | sort -u |
  while read -r library; do mkdir -p "$root$(dirname "$library")" && cp -L "$library" "$root$library"; done
mkdir -p "$root/proc" "$root/dev" "$root/tmp"
unshare --map-root-user --mount --pid --fork bash -ec "mount -t proc none '$root/proc'
  mount --rbind /dev '$root/dev'
  chroot '$root' /usr/bin/ridge analyze zoo:squeezenet1_1 --format csv
  chroot '$root' /usr/bin/ridge eval zoo:squeezenet1_1 --runtime null --duration 200ms >/dev/null || [ \$? -eq 1 ]" \
  >"$work/out" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
expect "/features/features.0/Conv" "$work/out"
man --warnings -l "$root/usr/share/man/man1/ridge-profile.1.gz" >"$work/page" 2>"$work/warnings"
expect "--processes" "$work/page"
[ ! -s "$work/warnings" ] || { cat "$work/warnings" >&2; exit 1; }
lintian --allow-root --fail-on error --tag-display-limit 0 "$deb" "$dev" >"$work/lintian" || { cat "$work/lintian" >&2; exit 1; }
echo "Debian package: $(stat -c %s "$deb" | numfmt --to=iec), with the library $(stat -c %s "$dev" | numfmt --to=iec) more; \
  lintian: $(grep -c '^W:' "$work/lintian") warnings"

# Tarball
mkdir "$work/elsewhere"
tar -xzf "$tarball" -C "$work/elsewhere" --strip-components=1
"$work/elsewhere/bin/ridge" analyze zoo:squeezenet1_1 >/dev/null
echo "tarball: $(stat -c %s "$tarball" | numfmt --to=iec)"
echo "packages: all run"
