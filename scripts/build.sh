#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Configures and builds everything into build/. With --sanitize as the first
# argument: with AddressSanitizer and UndefinedBehaviorSanitizer, into
# build-sanitize/. With --only=TARGET,...: these targets alone. Other arguments
# go to cmake.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=default
if [ "${1:-}" = --sanitize ]; then
  preset=sanitize
  shift
fi

only=()
if [[ "${1:-}" == --only=* ]]; then
  IFS=, read -ra names <<<"${1#--only=}"
  only=(--target "${names[@]}")
  shift
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset "$preset" "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }

# The precompiled header needs ccache to be told what may differ.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
# A terminal gets ninja's line of progress; a log only what goes wrong.
quiet=()
[ -t 1 ] || quiet=(-- --quiet)
cmake --build --preset "$preset" --parallel "$(nproc)" "${only[@]}" \
  "${quiet[@]}"
