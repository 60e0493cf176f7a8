#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Releases what is checked out: compares the version in CMakeLists.txt, CHANGELOG.md and the tags, dates
# the section of the changelog and commits that, runs .ci/run and `make package` on the commit, and tags
# it. It pushes nothing. After a failure the same command continues from the commit that repairs it.
#
#   scripts/release.sh [--dry-run] VERSION     # VERSION: MAJOR.MINOR.PATCH, the tag is vVERSION
#
# --dry-run looks at the same things, and prints each step instead of taking it. Exit status: 0 tagged,
# 1 a check failed, 2 usage.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  printf 'release: %s\n  hint: scripts/release.sh [--dry-run] VERSION, such as 1.2.0\n' "$1" >&2
  exit 2
}

dry=no
[ "${1:-}" != --dry-run ] || { dry=yes; shift; }
[ $# -eq 1 ] || usage "expected one version, got $# arguments"
version=$1 tag=v$1
number='(0|[1-9][0-9]*)'
[[ $version =~ ^$number\.$number\.$number$ ]] || usage "'$version' is no version"

problems=0
problem() {  # what hint
  printf 'release: %s\n  hint: %s\n' "$1" "$2" >&2
  problems=$((problems + 1))
}

# The lines of a section of CHANGELOG.md, without its heading.
section() {  # name
  awk -v heading="## [$1]" 'index($0, "## ") == 1 { inside = index($0, heading) == 1; next } inside' CHANGELOG.md
}
has_entries() { section "$1" | grep -q '^- '; }

check_tree() {
  [ -z "$(git status --porcelain)" ] ||
    problem "the working tree has changes (files: $(git status --porcelain | wc -l))" "commit or remove what git status lists"
  git symbolic-ref -q HEAD >/dev/null || problem "no branch is checked out" "git switch to the branch that is released"
  ! git rev-parse -q --verify "refs/tags/$tag" >/dev/null ||
    problem "the tag $tag exists" "a released version never changes; release the next one"
}

check_version() {
  local built
  built=$(sed -n 's/^project(ridgeline VERSION \([^ )]*\).*/\1/p' CMakeLists.txt)
  [ "$built" = "$version" ] ||
    problem "CMakeLists.txt has version '$built', not $version" "commit 'project(ridgeline VERSION $version ...'"
}

# Sets `dated`: whether the section has its version and date already.
check_changelog() {
  dated=no
  ! grep -qE "^## \[${version//./\\.}\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || dated=yes
  if [ $dated = no ]; then
    has_entries Unreleased || problem "CHANGELOG.md has no entry under '## [Unreleased]'" "write there what changed for users"
  elif has_entries Unreleased; then
    problem "CHANGELOG.md has '## [$version]' and entries under '## [Unreleased]'" "move the entries to the section of the release"
  fi
}

step() {  # words command...
  printf 'release: %s%s\n' "$([ $dry = no ] || echo 'would ')" "$1"
  [ $dry = yes ] || "${@:2}"
}

date_section() {
  local text
  text=$(awk -v new="## [$version] - $(date -u +%F)" '{ print } /^## \[Unreleased\]/ { print ""; print new }' CHANGELOG.md)
  printf '%s\n' "$text" >CHANGELOG.md
}

commit_section() {
  git commit --quiet --message "Release $version" --message "The section of the changelog gets its version and date." CHANGELOG.md
}

tag_commit() {
  { printf 'ridge %s\n\n' "$version"; section "$version"; } | git tag --annotate --cleanup=whitespace --file=- "$tag" "$1"
}

failed() {
  printf 'release: %s; there is no tag\n  hint: commit the repair, and run this again\n' "$1" >&2
  exit 1
}

check_tree
check_version
check_changelog
[ $problems -eq 0 ] || exit 1

if [ $dated = no ]; then
  step "date the section of CHANGELOG.md" date_section
  step "commit it" commit_section
fi
commit=$(git rev-parse HEAD)
step "run .ci/run" .ci/run || failed ".ci/run failed"
step "run make package" make --no-print-directory package || failed "make package failed"
[ "$(git rev-parse HEAD)" = "$commit" ] && [ -z "$(git status --porcelain)" ] || failed "the tree changed while it was checked"
step "tag the commit as $tag" tag_commit "$commit"
printf 'to publish it: git push origin %s %s\n' "$(git symbolic-ref --short HEAD)" "$tag"
