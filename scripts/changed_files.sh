# Sourced. changed_files PATTERN...: the files that changed since the branch left origin/main; standing
# on origin/main itself, or without one: those of the last commit.
changed_files() {
  local base head
  head=$(git rev-parse HEAD)
  base=$(git merge-base origin/main HEAD 2>/dev/null) || base=
  if [ -z "$base" ] || [ "$base" = "$head" ]; then
    base=$(git rev-parse --quiet --verify HEAD~1) || base=$(git hash-object -t tree /dev/null)
  fi
  git diff --name-only --diff-filter=d "$base" -- "$@"
}
