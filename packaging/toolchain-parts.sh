#!/usr/bin/env bash
# Copies into a build folder what an installation needs of the Swift toolchain: the program that writes backtraces, and the
# licence of what is linked in.
#   toolchain-parts.sh FOLDER
set -euo pipefail

resources=$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": *"\(.*\)".*/\1/p')
usr=${resources%/lib/swift}
for part in libexec/swift/linux/swift-backtrace-static share/swift/LICENSE.txt; do
  if [ ! -e "$usr/$part" ]; then
    # A crash is then reported by its signal alone.
    echo "packaging: this toolchain has no $part" >&2
    continue
  fi
  name=$(basename "$part")
  [ "$name" != LICENSE.txt ] || name=swift-LICENSE.txt
  cmp -s "$usr/$part" "$1/$name" || cp "$usr/$part" "$1/$name"
done
