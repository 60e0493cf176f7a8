#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes data/schema/*.json, docs/reference/schemas.md and docs/reference/views.md from the
# descriptions of documents and views in the program that is built; tests compare them with it.
#
#   scripts/schemas.sh [path/to/ridge]
set -euo pipefail
cd "$(dirname "$0")/.."
ridge=${1:-build/ridge}
"$ridge" help schemas >docs/reference/schemas.md
"$ridge" help views >docs/reference/views.md
rm -f data/schema/*.json
"$ridge" help schemas openapi >data/schema/openapi.json
sed -n 's/^## //p' docs/reference/schemas.md | while read -r name; do
  "$ridge" help schemas "$name" >"data/schema/${name/\//.}.json"
done
