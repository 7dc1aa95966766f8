#!/usr/bin/env bash
# Says in one sentence what to do when the Swift toolchain is missing or too old.
set -euo pipefail

wanted=6.3
other_way='or use the container, which brings its own: make docker'

if ! command -v swift >/dev/null; then
  echo "Banchan is built with the Swift $wanted toolchain, and there is no 'swift' on the PATH: install it from https://www.swift.org/install, $other_way." >&2
  exit 1
fi

# A toolchain that was merely unpacked lacks what it loads and links with. The names are Debian 12's; elsewhere the
# toolchain's own instructions name them.
if (. /etc/os-release && [ "$ID-${VERSION_ID:-}" = debian-12 ]) 2>/dev/null; then
  "$(dirname "${BASH_SOURCE[0]}")/packages.sh" \
    binutils libc6-dev libcurl4 libedit2 libncurses6 libstdc++-12-dev libsqlite3-0 libxml2
fi

if ! version=$(swift --version 2>&1); then
  echo "The Swift toolchain at $(command -v swift) does not start ($(tail -n 1 <<<"$version")): install what its instructions at https://www.swift.org/install name, $other_way." >&2
  exit 1
fi
found=$(sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' <<<"$version" | head -n 1)
if [ "$(printf '%s\n' "$wanted" "$found" | sort -V | head -n 1)" != "$wanted" ]; then
  echo "Banchan is built with Swift $wanted or newer, and $(command -v swift) is ${found:-of an unknown version}: install a newer one from https://www.swift.org/install, $other_way." >&2
  exit 1
fi
