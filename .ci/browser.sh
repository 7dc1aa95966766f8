#!/usr/bin/env bash
# Runs the tests of the pages in Debian's Chromium: .ci/browser.sh [pytest's options]
#
# What they need from PyPI goes into a folder of their own below .build, once.
set -euo pipefail
cd "$(dirname "$0")/.."

tests=Tests/BrowserTests
home=.build/browser/venv
wanted=$(sha256sum "$tests/requirements.txt")
if [ "$(cat "$home/installed" 2>/dev/null)" != "$wanted" ]; then
  # Debian's python3 makes no environments without its python3-venv.
  python3 -c 'import ensurepip, venv' 2>/dev/null || .ci/packages.sh python3-venv
  rm -rf "$home"
  python3 -m venv "$home"
  "$home/bin/pip" install --quiet --disable-pip-version-check -r "$tests/requirements.txt"
  echo "$wanted" >"$home/installed"
fi
exec "$home/bin/python" -m pytest -v -p no:cacheprovider "$tests" "$@"
