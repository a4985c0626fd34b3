#!/usr/bin/env bash
# Puts ClickHouse as a library (npm's chdb, 150 MB to load and 550 on disk) into .tap/clickhouse/, for tests that
# have an engine of their own: apart from our packages, because of its size. What is there is left as it is.
# `installed-engine.ts` finds it; without it these tests are left out.
set -e -o pipefail
cd "$(dirname "$0")/../.."
engine="$PWD/.tap/clickhouse"
packages="$PWD/test/clickhouse/packages"

if ! cmp -s "$packages/package-lock.json" "$engine/installed.json"; then
  mkdir -p "$engine"
  cp "$packages"/package*.json "$engine/"
  # Not `npm ci`: it insists on the engines of other machines, which no registry need have.
  npm install --prefix "$engine" --ignore-scripts --no-audit --no-fund --loglevel=error
  cp "$packages/package-lock.json" "$engine/installed.json"
fi
