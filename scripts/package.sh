#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make package`: compiles once and makes the wheel, the Debian packages and a tarball of it, in
# build/packages/; then scripts/check_packages.sh installs each of them and runs it.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh build fetch package
scripts/fetch_onnxruntime.sh >/dev/null || echo "package: without ONNX Runtime's plug-in" >&2
scripts/fetch_openvino.sh >/dev/null || echo "package: without OpenVINO's plug-in" >&2
tools=$(scripts/fetch_package_tools.sh)
# What is in build/ stays linked so, and tests take it as well.
export RIDGE_CMAKE_OPTIONS="${RIDGE_CMAKE_OPTIONS:-} -DRIDGE_OLDER_GLIBC=$tools/glibc-2.28"
RIDGE_UNITY=${RIDGE_UNITY:-1} scripts/build.sh release --target package_contents

packages=build/packages
rm -rf $packages
mkdir -p $packages
cpack --config build/CPackConfig.cmake -G "DEB;TGZ" >"$packages/cpack.log" 2>&1 || { cat "$packages/cpack.log" >&2; exit 1; }
rm -rf "$packages/cpack.log" $packages/_CPack_Packages

# The wheel takes the program's files as they are installed. auditwheel looks at what the libraries
# need and names the oldest glibc with which they start; OpenVINO's own library comes with OpenVINO.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cmake --install build --component program --strip --prefix "$tree/ridge" >/dev/null
"$tools/bin/python" -m pip wheel . --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir "$tree" \
  --config-settings=cmake.define.RIDGELINE_TREE="$tree/ridge"
PATH=$tools/bin:$PATH "$tools/bin/python" -m auditwheel repair --exclude 'libopenvino.so.*' --wheel-dir $packages "$tree"/ridgeline-*.whl
ls -l --block-size=K $packages | awk 'NR > 1 {print $NF, $5}'
scripts/check_packages.sh
