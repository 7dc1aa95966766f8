#!/usr/bin/env bash
# Puts what `make build` has built where a Unix system has such things, or takes it away again; the shop's data stays.
#   [DESTDIR=] [PREFIX=/usr/local] [NAMES=lean] install.sh install|uninstall BUILD-FOLDER
#
#   PREFIX/bin/banchan                       the program
#   PREFIX/libexec/banchan/                  what it starts: the picture worker, and what writes a backtrace when it crashes
#   PREFIX/share/banchan/                    the pages and the demo shop
#   PREFIX/share/doc/banchan/                licences, and what there is to read
#   PREFIX/lib/systemd/system/banchan.service
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

action=${1:-}
built=${2:-.build/release}
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}
bin=$root$prefix/bin
libexec=$root$prefix/libexec/banchan
share=$root$prefix/share/banchan
doc=$root$prefix/share/doc/banchan
units=$root$prefix/lib/systemd/system

# One that is running goes on with its own file: the new one takes its place in the folder.
put_program() { # file folder
  mkdir -p "$2"
  cp "$built/$1" "$2/.$1.new"
  chmod 755 "$2/.$1.new"
  # Without binutils what only debuggers read stays in.
  if command -v objcopy >/dev/null; then packaging/strip.sh "$2/.$1.new" "${NAMES:-}"; fi
  mv -f "$2/.$1.new" "$2/$1"
}

# Files of a folder, with the modes that everybody can read, and without what an earlier version had there.
put_folder() { # from to
  rm -rf "$2"
  mkdir -p "$2"
  cp -R "$1/." "$2/"
  chmod -R u=rwX,go=rX "$2"
}

put_file() { # from to
  mkdir -p "$(dirname "$2")"
  cp "$1" "$2"
  chmod 644 "$2"
}

case "$action" in
  install)
    if [ ! -x "$built/banchan" ] || [ ! -x "$built/banchan-derive" ]; then
      echo "There is nothing to install in $built yet: run \`make build\` first." >&2
      exit 1
    fi
    put_program banchan "$bin"
    put_program banchan-derive "$libexec"
    if [ -e "$built/swift-backtrace-static" ]; then
      cp "$built/swift-backtrace-static" "$libexec/.new"
      if command -v strip >/dev/null; then strip "$libexec/.new"; fi
      chmod 755 "$libexec/.new"
      mv -f "$libexec/.new" "$libexec/swift-backtrace-static"
    fi
    put_folder Public "$share/Public"
    put_folder seed/images "$share/seed/images"
    put_file seed/catalog.json "$share/seed/catalog.json"
    put_file LICENSE "$doc/copyright"
    for text in README.md CHANGELOG.md SECURITY.md; do put_file "$text" "$doc/$text"; done
    if [ -e "$built/swift-LICENSE.txt" ]; then put_file "$built/swift-LICENSE.txt" "$doc/swift-LICENSE.txt"; fi
    mkdir -p "$units"
    sed "s|@PREFIX@|$prefix|g" packaging/banchan.service >"$units/banchan.service"
    chmod 644 "$units/banchan.service"
    ;;
  uninstall)
    rm -f "$bin/banchan" "$units/banchan.service"
    rm -rf "$libexec" "$share" "$doc"
    ;;
  *)
    sed -n '2,3p' "$0" >&2
    exit 2
    ;;
esac
