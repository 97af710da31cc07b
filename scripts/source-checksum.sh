#!/usr/bin/env bash
# Prints a checksum of all that a build is made from. The build leaves it in dist/.built, so that
# run.sh builds again only what has changed, whoever built it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
{
  cksum package.json package-lock.json tsconfig.json
  find src -type f ! -name '*.test.ts' -print0 | LC_ALL=C sort -z | xargs -0 cksum
} | cksum
