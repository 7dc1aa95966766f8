#!/usr/bin/env bash
# Installs those of the named Debian packages that are missing, and does nothing, quickly, when all are there.
#   packages.sh PACKAGE[=COMMAND]...    a package with a command is not looked for when the command is on the PATH
# Works as root, and as a user with sudo.
set -euo pipefail

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Without dpkg, the libraries may have come from elsewhere: what counts is that the build can find them.
is_found_otherwise() {
  case "$1" in
    pkg-config) command -v pkg-config >/dev/null ;;
    libsqlite3-dev) pkg-config --exists sqlite3 ;;
    libssl-dev) pkg-config --exists openssl ;;
    zlib1g-dev) pkg-config --exists zlib ;;
    libjpeg62-turbo-dev) pkg-config --exists libjpeg ;;
    libpng-dev) pkg-config --exists libpng ;;
    libwebp-dev) pkg-config --exists libwebp ;;
    liblcms2-dev) pkg-config --exists lcms2 ;;
    *) false ;;
  esac 2>/dev/null
}

missing=()
for wanted in "$@"; do
  package=${wanted%%=*}
  if [ "$package" != "$wanted" ] && PATH=$PATH:/usr/sbin:/sbin command -v "${wanted#*=}" >/dev/null; then continue; fi
  if command -v dpkg-query >/dev/null; then is_installed "$package" && continue
  else is_found_otherwise "$package" && continue; fi
  missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "Banchan needs ${missing[*]} (Debian's names), and there is no apt-get here to install them with: install your system's packages of that kind, or use the container: make docker." >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Installing ${missing[*]} takes root, and there is no sudo here: ask an administrator to run 'apt-get install ${missing[*]}'." >&2
    exit 1
  fi
  as_root=(sudo)
fi

# A server among the packages (nginx, for the benchmark) is wanted as a program, not as a service on port 80.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap '"${as_root[@]}" rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
  "${as_root[@]}" chmod 755 "$policy"
fi

echo "Installing ${missing[*]} …" >&2
# Another apt-get may be at work: wait for its lock instead of failing.
apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600)
"${as_root[@]}" "${apt[@]}" update >&2
"${as_root[@]}" "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2
