# SPDX-License-Identifier: Apache-2.0
# What scripts do where something is absent; sourced, not run. A tool, package or target that the
# scripts install or fetch may be missing in `make test`, which lists it at its end. With
# RIDGE_REQUIRE_ALL=1 (.ci/run) three tries are made for it, and then that is a failure.

# Runs a command until it succeeds: once, with RIDGE_REQUIRE_ALL=1 three times.
try() {  # command...
  local pause
  "$@" && return
  [ "${RIDGE_REQUIRE_ALL:-0}" = 1 ] || return 1
  for pause in ${RIDGE_PAUSES:-5 20}; do
    printf '%s: failed, again in %s s\n' "$*" "$pause" >&2
    sleep "$pause"
    "$@" && return
  done
  return 1
}

# Prints what was left out and why, and ends the script: with status 1 where nothing may be.
leave_out() {  # what why
  printf 'left out: %s: %s\n' "$1" "$2"
  exit "$([ "${RIDGE_REQUIRE_ALL:-0}" = 1 ] && echo 1 || echo 0)"
}
