#!/usr/bin/env bash
# Makes an installed tree the root of an image, in a Debian container that has the libraries:
#   root.sh ROOT VERSION
# Adds the libraries that the programs load, certificates, the notices of everything inside, and a bill of materials.
set -euo pipefail

root=$1
version=$2
usr=$root/usr
doc=$usr/share/doc

# Debian's own layout, in which /lib is a link.
mkdir -p "$usr/lib" "$usr/lib64" "$root/etc/ssl/certs" "$usr/lib/ssl" "$root/var/lib/dpkg/status.d"
ln -s usr/lib "$root/lib"
ln -s usr/lib64 "$root/lib64"

declare -A packages
note_package_of() { # file
  local owner
  owner=$(dpkg -S "$1" 2>/dev/null || dpkg -S "/usr$1" 2>/dev/null || dpkg -S "${1#/usr}" 2>/dev/null)
  owner=${owner%%: *}
  packages[${owner%%:*}]=1
}

# The libraries that the programs are linked to, and those that these are linked to in turn. None is opened by name at run
# time but libz, by the program that writes backtraces; look-ups of names need none since glibc 2.34.
programs=$(find "$usr/local/bin" "$usr/local/libexec" -type f -perm /111)
# shellcheck disable=SC2086
libraries=$(ldd $programs | sed -nE 's/.*(=> |^\s+)(\/\S+) \(0x.*/\2/p' | sort -u)
if ldd $programs | grep 'not found' >&2; then exit 1; fi
for library in $libraries; do
  cp -L --parents "$library" "$root"
  note_package_of "$(readlink -f "$library")"
done

# Where OpenSSL looks.
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
ln -s /etc/ssl/certs "$usr/lib/ssl/certs"
ln -s /etc/ssl/certs/ca-certificates.crt "$usr/lib/ssl/cert.pem"
packages[ca-certificates]=1
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"

# By these a scanner for weaknesses knows the system and the packages.
cp -L /etc/os-release "$usr/lib/os-release"
ln -s ../usr/lib/os-release "$root/etc/os-release"
packages[base-files]=1
for package in "${!packages[@]}"; do
  dpkg-query -s "$package" >"$root/var/lib/dpkg/status.d/$package"
done

# Notices: of each package, the licences of Debian's that they refer to, and those of what is linked in.
for package in "${!packages[@]}"; do
  mkdir -p "$doc/$package"
  cp -L "/usr/share/doc/$package/copyright" "$doc/$package/copyright"
done
mkdir -p "$doc/swift"
mv "$usr/local/share/doc/banchan/swift-LICENSE.txt" "$doc/swift/copyright"
mkdir -p "$usr/share/common-licenses"
grep -rhoE '/usr/share/common-licenses/[A-Za-z]+(-[0-9]+(\.[0-9]+)?)?' "$doc" | sort -u | while read -r licence; do
  if [ -e "$licence" ]; then cp -L "$licence" "$usr/share/common-licenses/"; fi
done
# The rest of the documents is on the web.
rm -rf "$usr/local/lib" "$usr/local/share/doc/banchan"/*.md

# SPDX 2.3.
entry() { # id name version supplier licence purl
  printf '    {"SPDXID": "SPDXRef-%s", "name": "%s", "versionInfo": "%s", "supplier": "%s",\n' "$1" "$2" "$3" "$4"
  printf '     "downloadLocation": "NOASSERTION", "filesAnalyzed": false, "licenseConcluded": "NOASSERTION",\n'
  printf '     "licenseDeclared": "%s", "copyrightText": "NOASSERTION"' "$5"
  if [ -n "$6" ]; then
    printf ',\n     "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": "%s"}]' "$6"
  fi
  printf '}'
}
bill=$usr/local/share/doc/banchan/sbom.spdx.json
names=$(printf '%s\n' "${!packages[@]}" | sort)
{
  # shellcheck disable=SC2086
  print=$(dpkg-query -W -f '${Package} ${Version} ${Architecture}\n' $names | sha256sum | cut -c 1-32)
  printf '{\n  "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "banchan-%s",\n' "$version"
  printf '  "documentNamespace": "https://spdx.org/spdxdocs/banchan-%s-%s",\n' "$version" "$print"
  printf '  "creationInfo": {"created": "%s", "creators": ["Tool: banchan-docker-root.sh"]},\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
  printf '  "packages": [\n'
  entry banchan banchan "$version" NOASSERTION MIT ''
  printf ',\n'
  entry swift 'Swift standard library, Foundation Essentials and swift-backtrace' 6.3 'Organization: swift.org' \
    'Apache-2.0 WITH Swift-exception' ''
  for package in $names; do
    purl=$(dpkg-query -W -f 'pkg:deb/debian/${Package}@${Version}?arch=${Architecture}&distro=bookworm' "$package")
    printf ',\n'
    entry "deb-${package//+/plus}" "$package" "$(dpkg-query -W -f '${Version}' "$package")" 'Organization: Debian' NOASSERTION "${purl//+/%2B}"
  done
  printf '\n  ],\n  "relationships": [\n'
  printf '    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-banchan"},\n'
  printf '    {"spdxElementId": "SPDXRef-banchan", "relationshipType": "STATIC_LINK", "relatedSpdxElement": "SPDXRef-swift"}'
  for package in $names; do
    printf ',\n    {"spdxElementId": "SPDXRef-banchan", "relationshipType": "DEPENDS_ON", "relatedSpdxElement": "SPDXRef-deb-%s"}' "${package//+/plus}"
  done
  printf '\n  ]\n}\n'
} >"$bill"

# Whoever it runs as may write here, and nowhere else: a volume takes over owner and mode.
mkdir "$root/data" "$root/cache"
chown 10001:10001 "$root/data" "$root/cache"
chmod 777 "$root/data" "$root/cache"
