#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the documentation site from docs/ into build/site, or into the folder
# that is given. Installs MkDocs from PyPI into build/docs-venv if it is not
# there. Exit status 3: MkDocs cannot be installed.
set -euo pipefail
site=$(realpath -m "${1:-$(dirname "$0")/../build/site}")
cd "$(dirname "$0")/.."

venv=build/docs-venv
installed=$venv/docs-requirements.txt
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! cmp -s scripts/docs-requirements.txt "$installed"; then
  { /usr/bin/python3 -m venv --clear "$venv" &&
    "$venv/bin/pip" install --quiet --disable-pip-version-check \
      -r scripts/docs-requirements.txt; } >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    echo "error: cannot install MkDocs from PyPI" >&2
    exit 3
  }
  cp scripts/docs-requirements.txt "$installed"
fi
# With --quiet, MkDocs counts no warnings, and --strict has no effect.
"$venv/bin/mkdocs" build --strict --clean --site-dir "$site" >"$log" 2>&1 || {
  grep -v '^INFO' "$log" >&2
  exit 1
}
echo "$site/index.html"
