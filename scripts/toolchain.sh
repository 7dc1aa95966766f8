#!/usr/bin/env bash
# Says in one sentence what to do when the Swift toolchain is missing or too old.
set -euo pipefail

wanted=6.3
other_way='or use the container, which brings its own: make docker'

if ! command -v swift >/dev/null; then
  echo "Banchan is built with the Swift $wanted toolchain, and there is no 'swift' on the PATH: install it from https://www.swift.org/install, $other_way." >&2
  exit 1
fi
if ! version=$(swift --version 2>&1); then
  echo "The Swift toolchain at $(command -v swift) does not start: $(tail -n 1 <<<"$version")" >&2
  exit 1
fi
found=$(sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' <<<"$version" | head -n 1)
if [ "$(printf '%s\n' "$wanted" "$found" | sort -V | head -n 1)" != "$wanted" ]; then
  echo "Banchan is built with Swift $wanted or newer, and $(command -v swift) is ${found:-of an unknown version}: install a newer one from https://www.swift.org/install, $other_way." >&2
  exit 1
fi
