# SPDX-License-Identifier: Apache-2.0
# Sourced. Configures build-commands/, where nothing is built: its compile_commands.json compiles each
# file alone, without precompiled headers, whatever build/ does.
compile_commands() {
  cmake --preset release -B build-commands -Wno-dev -DRIDGE_UNITY=OFF -DRIDGE_PRECOMPILE=OFF >/dev/null
}
