# SPDX-License-Identifier: Apache-2.0
# Sourced. changed_since: the commit where the branch left origin/main; standing on origin/main itself,
# or without one: the one before the last commit.
changed_since() {
  local base head
  head=$(git rev-parse HEAD)
  base=$(git merge-base origin/main HEAD 2>/dev/null) || base=
  if [ -z "$base" ] || [ "$base" = "$head" ]; then
    base=$(git rev-parse --quiet --verify HEAD~1) || base=$(git hash-object -t tree /dev/null)
  fi
  printf '%s\n' "$base"
}

# changed_files PATTERN...: the files that changed since then.
changed_files() {
  git diff --name-only --diff-filter=d "$(changed_since)" -- "$@"
}
