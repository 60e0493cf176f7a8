#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures two versions of a model in turns on this machine, and fails where the second is surely
# slower. action.yml calls it; by hand: ridge compare BASE.onnx HEAD.onnx --fail-on 'latency>1%'.
#
#   GATE_MODEL=model.onnx gate.sh [OPTION of ridge compare...]   # --processes 10 --budget 2m
#
# GATE_MODEL       path of the model in the repository
# GATE_PREPARE     command that writes it; runs in the checkouts of both revisions
# GATE_BASE        revision to compare with; else the pull request's base, else HEAD^
# GATE_BASE_MODEL  a model to compare with, in place of a revision
# GATE_FAIL_ON     limits of --fail-on, one a line; latency>1% without one
#
# Variables of GitHub Actions, all optional: GITHUB_WORKSPACE (the checkout), GITHUB_BASE_REF,
# RUNNER_TEMP, GITHUB_STEP_SUMMARY (gets Markdown), GITHUB_OUTPUT (gets `status` and `page`).
#
# Exit status: as ridge compare, 0 not slower, 1 slower; 2 GATE_MODEL is missing; 3 a revision
# or a model is; 4 a command of GATE_PREPARE failed.
set -euf

fail() {  # STATUS WHAT HINT
  printf 'error: %s\n  hint: %s\n' "$2" "$3" >&2
  exit "$1"
}

# Checks out the base revision into the folder $1.
check_out_base() {
  revision=${GATE_BASE:-}
  if [ -z "$revision" ] && [ -n "${GITHUB_BASE_REF:-}" ]; then
    revision=$GITHUB_BASE_REF
    git fetch --quiet --depth 1 origin "$revision" ||
      fail 3 "cannot fetch the base '$revision'" "give the step access to the repository"
    revision=FETCH_HEAD
  fi
  revision=${revision:-HEAD^}
  git rev-parse --quiet --verify "$revision^{commit}" >/dev/null ||
    fail 3 "unknown revision '$revision'" "check out with fetch-depth: 2 (0: all), or name another base"
  git worktree add --quiet --detach "$1" "$revision"
}

# Writes the model in the checkout $1; $2 names it in messages.
prepare() {
  [ -z "${GATE_PREPARE:-}" ] || (cd "$1" && sh -ec "$GATE_PREPARE") >&2 ||
    fail 4 "the command that prepares the model failed in $2" "run it there: $GATE_PREPARE"
  [ -e "$1/$GATE_MODEL" ] ||
    fail 3 "$2 has no '$GATE_MODEL'" "commit the model, or write it with 'prepare'"
}

[ -n "${GATE_MODEL:-}" ] || fail 2 "GATE_MODEL is missing" "name the model: GATE_MODEL=model.onnx"
cd "${GITHUB_WORKSPACE:-.}"
folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/ridge-gate.XXXXXX")
trap 'git worktree remove --force "$folder/base" 2>/dev/null || :' EXIT
trap 'exit 130' HUP INT TERM
base=${GATE_BASE_MODEL:-$folder/base/$GATE_MODEL}
if [ -z "${GATE_BASE_MODEL:-}" ]; then
  check_out_base "$folder/base"
  prepare "$folder/base" "the base"
fi
prepare . "the head"

# What is measured is fixed here, before anything is: a comparison that went on until it shows
# something would show something in the end.
[ $# -gt 0 ] || set -- --processes 10 --budget 2m
limits=${GATE_FAIL_ON:-latency>1%}
set -- "$@" --label "base=$base" --label "head=$GATE_MODEL"
while IFS= read -r limit; do
  [ -z "$limit" ] || set -- "$@" --fail-on "$limit"
done <<END
$limits
END

status=0
ridge compare "$base" "$GATE_MODEL" "$@" --format md --report "$folder/compare.html" \
  >"$folder/compare.md" 2>"$folder/messages" || status=$?
cat "$folder/messages" >&2
{
  sed -n 's/^check /**Check** /p' "$folder/messages"
  cat "$folder/compare.md"
  if [ "$status" -le 1 ]; then
    ridge diff "$base" "$GATE_MODEL" --format md
  else
    sed 's/^/    /' "$folder/messages"
  fi
} >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
printf 'status=%s\npage=%s\n' "$status" "$folder/compare.html" >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$status"
