#!/usr/bin/env bash
# Builds the image, runs it, and checks all that is promised of it; a line for each: "ok", "not ok" or "skipped".
#   docker/test.sh
#
# Needs a container engine (DOCKER=docker, with DOCKER_HOST and the like), curl and python3. BUILD_ARGS go to `docker build`.
# Where the engine makes no networks, containers share the host's, and compose is skipped. Where no registry can be reached for the images of nginx
# and HAProxy, stand-ins are made of Debian's packages.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

DOCKER=${DOCKER:-docker}
image=${IMAGE:-banchan:test}
read -ra build_args <<<"${BUILD_ARGS:-}"
limit=60000000
hardened=(--read-only --cap-drop ALL --security-opt no-new-privileges)

if ! $DOCKER version >/dev/null 2>&1; then
  echo "skipped: no container engine answers to \`$DOCKER version\`; none of the container's promises was tested"
  exit 0
fi

work=$(mktemp -d)
tag=banchan-test-$$
passed=0 failed=0 skipped=0

cleanup() {
  $DOCKER ps -aq --filter "label=test=$tag" | xargs -r "$DOCKER" rm -f -v >/dev/null 2>&1
  $DOCKER volume ls -q --filter "label=test=$tag" | xargs -r "$DOCKER" volume rm -f >/dev/null 2>&1
  $DOCKER network ls -q --filter "label=test=$tag" | xargs -r "$DOCKER" network rm >/dev/null 2>&1
  # What a container wrote may be another user's.
  rm -rf "$work" 2>/dev/null || $DOCKER run --rm -v "$work:/work" "$base" rm -rf /work/. >/dev/null 2>&1
}
base=docker.io/library/debian:bookworm-slim
trap cleanup EXIT

ok() { passed=$((passed + 1)); echo "ok      $1${2:+: $2}"; }
not_ok() { failed=$((failed + 1)); echo "not ok  $1${2:+: $2}"; }
skip() { skipped=$((skipped + 1)); echo "skipped $1: $2"; }
check() { # words command...
  local words=$1 output
  shift
  if output=$("$@" 2>&1); then ok "$words" "$(tail -n 1 <<<"$output")"; else not_ok "$words" "$(tail -n 3 <<<"$output" | tr '\n' ' ')"; fi
}
inspect() { $DOCKER inspect -f "$2" "$1"; }

# Repeats a command until it works, for at most so many seconds.
within() { # seconds command...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.2
  done
}

# MARK: Running

network=$tag
$DOCKER network create --label "test=$tag" "$network" >/dev/null 2>&1 || network=
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Starts a container of the image; `$url` is where it answers. Options of docker run come first, a command after --.
start() { # name options... [-- command...]
  local name=$tag-$1 options=() command=()
  shift
  while [ $# -gt 0 ]; do
    if [ "$1" = -- ]; then shift; command=("$@"); break; fi
    options+=("$1")
    shift
  done
  port=$(free_port)
  if [ -n "$network" ]; then
    options+=(--network "$network" -p "127.0.0.1:$port:8080")
  else
    options+=(--network host -e "BANCHAN_PORT=$port")
  fi
  url=http://127.0.0.1:$port
  $DOCKER run -d --name "$name" --label "test=$tag" "${options[@]}" "$image" "${command[@]}" >/dev/null
}
volumes() { # name: makes a pair of them
  for kind in data cache; do $DOCKER volume create --label "test=$tag" "$tag-$1-$kind" >/dev/null; done
  mounts=(-v "$tag-$1-data:/data" -v "$tag-$1-cache:/cache")
}
answers() { curl -fsS -m 5 -o /dev/null "$url/readyz" 2>/dev/null; }
is_ready() { within 20 answers && curl -fsS -m 5 "$url/readyz" | python3 -c 'import json, sys; a = json.load(sys.stdin); sys.exit(a["status"] != "ready" and str(a))'; }
thumbs() { curl -fsS "$url/api/v1/catalog" | grep -oE '/images/[^"]+-thumb\.jpg' | sort -u; }
# A thumbnail that a worker made: a JPEG of another length than the original.
shows_thumb() {
  local name; name=$(thumbs | head -n 1)
  curl -fsS -m 20 -o "$work/thumb" "$url$name" && curl -fsS -m 20 -o "$work/original" "$url${name/-thumb/-original}" || return 1
  [ "$(head -c 3 "$work/thumb" | od -An -tx1 | tr -d ' ')" = ffd8ff ] && [ "$(stat -c %s "$work/thumb")" -lt "$(stat -c %s "$work/original")" ] &&
    echo "$(stat -c %s "$work/thumb") bytes of $(stat -c %s "$work/original")"
}

# MARK: The image

started=$SECONDS
if ! $DOCKER build "${build_args[@]}" -f docker/Dockerfile -t "$image" . >"$work/build.log" 2>&1; then
  not_ok "docker/Dockerfile builds" "$(tail -n 5 "$work/build.log")"
  exit 1
fi
ok "docker/Dockerfile builds" "in $((SECONDS - started)) s, for $(inspect "$image" '{{.Os}}/{{.Architecture}}')"
size=$(inspect "$image" '{{.Size}}')
is_small() { echo "$((size / 1000000)).$((size / 100000 % 10)) MB" && [ "$size" -le $limit ]; }
check "the image has at most 60 MB" is_small

$DOCKER create --name "$tag-files" --label "test=$tag" "$image" >/dev/null
$DOCKER export "$tag-files" >"$work/files.tar"
mkdir "$work/files" && tar -C "$work/files" --exclude 'dev/*' -xf "$work/files.tar" 2>/dev/null
has_only_programs() {
  local found
  found=$(cd "$work/files" && find . -type f -perm /111 ! -name '*.so*' -printf '%f ' | tr ' ' '\n' | sort | xargs)
  echo "$found" && [ "$found" = "banchan banchan-derive swift-backtrace-static" ]
}
check "there is no program inside but its own, and no shell" has_only_programs
has_no_setuid() { [ -z "$(tar -tvf "$work/files.tar" | awk '$1 ~ /s/')" ]; }
check "nothing inside changes its user" has_no_setuid
has_no_tmp() { [ ! -e "$work/files/tmp" ]; }
check "there is no /tmp" has_no_tmp
is_needed() { # every library is one that a program loads
  local needed there
  needed=$(find "$work/files/usr" -type f \( -perm /111 -o -name '*.so*' \) -exec objdump -p {} + 2>/dev/null | awk '$1 == "NEEDED" { print $2 }' | sort -u)
  there=$(find "$work/files/usr" -name '*.so*' -printf '%f\n' | sort -u)
  diff <(echo "$needed") <(echo "$there") && echo "$(wc -l <<<"$there") libraries"
}
check "the libraries are those that the programs load, and no other" is_needed
has_notices() {
  local package count=0
  for package in "$work/files/var/lib/dpkg/status.d/"* banchan swift; do
    package=$(basename "$package")
    [ -s "$work/files/usr/share/doc/$package/copyright" ] || [ -s "$work/files/usr/local/share/doc/$package/copyright" ] || { echo "none of $package"; return 1; }
    count=$((count + 1))
  done
  echo "of $count packages"
}
check "the notices of everything inside are there" has_notices
has_bill() {
  python3 - "$work/files" <<'PYTHON'
import json, os, sys
root = sys.argv[1]
bill = json.load(open(root + "/usr/local/share/doc/banchan/sbom.spdx.json"))
named = {package["name"] for package in bill["packages"]}
missing = set(os.listdir(root + "/var/lib/dpkg/status.d")) - named
assert bill["spdxVersion"] == "SPDX-2.3" and not missing, missing
identifiers = {package["SPDXID"] for package in bill["packages"]} | {"SPDXRef-DOCUMENT"}
assert all(r["relatedSpdxElement"] in identifiers for r in bill["relationships"])
print(f"SPDX 2.3, {len(named)} packages")
PYTHON
}
check "there is a bill of materials" has_bill
has_authorities() { local count; count=$(grep -c BEGIN "$work/files/etc/ssl/certs/ca-certificates.crt") && echo "$count" && [ "$count" -gt 100 ]; }
check "there are certificate authorities" has_authorities
is_described() { inspect "$image" '{{index .Config.Labels "org.opencontainers.image.title"}} {{index .Config.Labels "org.opencontainers.image.version"}}, {{index .Config.Labels "org.opencontainers.image.licenses"}}' | grep -E '^Banchan [0-9.]+, MIT$'; }
check "its labels say what it is" is_described
is_numeric() { inspect "$image" '{{.Config.User}}' | grep -E '^[1-9][0-9]*:[1-9][0-9]*$'; }
check "its user is a number other than root's" is_numeric
is_exec() { inspect "$image" '{{json .Config.Entrypoint}} {{json .Config.Healthcheck.Test}}' | grep -F '["/usr/local/bin/banchan"] ["CMD","/usr/local/bin/banchan","healthcheck"]'; }
check "program and health check are run without a shell" is_exec

# MARK: The container

volumes main
begun=$(date +%s%N)
start main "${hardened[@]}" --memory 64m --memory-swap 64m --pids-limit 256 "${mounts[@]}" --health-interval 1s
check "it serves, read-only, without capabilities, in 64 MB" is_ready
check "a worker makes sizes there" shows_thumb
echo "        (from docker run to the first thumbnail: $((($(date +%s%N) - begun) / 1000000)) ms)"
is_healthy() { [ "$(inspect "$tag-main" '{{.State.Health.Status}}')" = healthy ]; }
check "the engine finds it healthy" within 20 is_healthy
has_pages() { curl -fsS "$url/" | grep -ciE '<!doctype html' && curl -fsS "$url/openapi.json" | head -c 1 | grep -q '{'; }
check "it has the pages" has_pages

memory() { # of the container, in MiB: what is not given back when others want it
  local id; id=$(inspect "$tag-main" '{{.Id}}')
  $DOCKER stats --no-stream --format '{{.MemUsage}}' "$id" | awk '{ print $1 }'
}
idle=$(memory)
stays_small() {
  thumbs >"$work/thumbs"
  sed 's/-thumb.jpg/-medium.webp/; p; s/-medium.webp/-large.jpg/' "$work/thumbs" | cat "$work/thumbs" - | sed "s|^|url = $url|; s|\$|\\noutput = /dev/null|" >"$work/load"
  local asked; asked=$(grep -c ^url "$work/load")
  curl -sS -m 300 --parallel --parallel-max 32 -w '%{http_code}\n' -K "$work/load" >"$work/codes" 2>"$work/errors"
  local good; good=$(grep -c '^200' "$work/codes")
  # Too many at a time are asked to come again, which is an answer.
  local later; later=$(grep -c '^503' "$work/codes")
  echo "$asked sizes asked for by 32 clients: $good made, $later told to come again; $idle idle, $(memory) after; $(inspect "$tag-main" '{{.State.OOMKilled}}' | sed 's/false/never out of memory/')"
  [ $((good + later)) = "$asked" ] && [ "$good" -gt 0 ] && [ "$(inspect "$tag-main" '{{.State.OOMKilled}}')" = false ] && [ "$(inspect "$tag-main" '{{.State.Running}}')" = true ]
}
check "64 MB are enough under load, with workers" stays_small

workers() { $DOCKER top "$tag-main" -eo pid,stat,args | awk '/banchan-derive/ { print $1 }'; }
takes_in() {
  local pids; pids=$(workers)
  [ -n "$pids" ] || { echo "there is no worker"; return 1; }
  # shellcheck disable=SC2086
  kill -KILL $pids || $DOCKER run --rm --pid host --privileged "$base" kill -KILL $pids || return 1
  local name; name=$(thumbs | tail -n 1)
  curl -fsS -m 20 -o /dev/null "$url${name/-thumb.jpg/-thumb.webp}" || return 1
  ! $DOCKER top "$tag-main" -eo pid,stat,args | grep -q defunct && echo "$(wc -w <<<"$pids") killed, taken in and replaced"
}
check "as process 1 it takes in workers that have ended" takes_in

stops() {
  local begun=$SECONDS
  $DOCKER stop -t 30 "$tag-main" >/dev/null && [ "$(inspect "$tag-main" '{{.State.ExitCode}}')" = 0 ] && [ $((SECONDS - begun)) -lt 15 ] &&
    $DOCKER logs "$tag-main" 2>&1 | grep -c 'banchan: stopping'
}
check "SIGTERM ends it in order, with code 0" stops
$DOCKER rm -f "$tag-main" >/dev/null
start again "${hardened[@]}" "${mounts[@]}" -e BANCHAN_OFFLINE=true
check "another container goes on with its volumes" shows_thumb
$DOCKER rm -f "$tag-again" >/dev/null

volumes other
start other "${hardened[@]}" --user 12345:12345 "${mounts[@]}"
check "any user will do" shows_thumb
$DOCKER rm -f "$tag-other" >/dev/null

mkdir -p "$work/mine/data" "$work/mine/cache"
chmod 755 "$work" "$work/mine" "$work/mine/data" "$work/mine/cache"
owner=$(stat -c '%u:%g' "$work/mine/data")
tells_owner() {
  local said; said=$($DOCKER run --rm "${hardened[@]}" --user 12345:12345 -v "$work/mine/data:/data" -v "$work/mine/cache:/cache" "$image" 2>&1)
  echo "$said"
  grep -qF "/data belongs to user $owner" <<<"$said" && grep -qF 'runs as user 12345:12345' <<<"$said" && grep -qF 'chown -R 12345:12345 /data' <<<"$said"
}
check "a mount of the wrong owner is told of, with the command that mends it" tells_owner
mends_owner() {
  chown -R 12345:12345 "$work/mine" 2>/dev/null || $DOCKER run --rm -v "$work/mine:/mine" "$base" chown -R 12345:12345 /mine || return 1
  start mine "${hardened[@]}" --user 12345:12345 -v "$work/mine/data:/data" -v "$work/mine/cache:/cache"
  shows_thumb_soon && $DOCKER rm -f "$tag-mine" >/dev/null
}
shows_thumb_soon() { within 20 answers && shows_thumb; }
check "and that command mends it" mends_owner

crashes() {
  local said; said=$($DOCKER run --rm "${hardened[@]}" --memory 64m --memory-swap 64m "$image" doctor --crash 2>&1)
  grep -E 'in banchan' <<<"$said" >"$work/backtrace"
  grep -q 'DoctorCommand.run' "$work/backtrace" && grep -q 'banchan_main' "$work/backtrace" && echo "$(wc -l <"$work/backtrace") frames with names" && return
  echo "$said" | tail -n 3
  return 1
}
check "a crash leaves a backtrace with names, in 64 MB" crashes

# MARK: compose

if $DOCKER compose version >/dev/null 2>&1; then compose=("$DOCKER" compose)
elif command -v docker-compose >/dev/null; then compose=(docker-compose)
else compose=(); fi

# The images that the files name, or what stands in for them.
stand_in() { # variable package
  local wanted; wanted=$(sed -nE "s/.*\\$\\{$1:-(.*)\\}.*/\\1/p" docker/compose.yaml docker/compose.tls.yaml)
  if $DOCKER image inspect "$wanted" >/dev/null 2>&1 || timeout 60 "$DOCKER" pull -q "$wanted" >/dev/null 2>&1; then return; fi
  printf 'FROM %s\nRUN apt-get update && apt-get install -y --no-install-recommends %s && rm -rf /var/lib/apt/lists/*\n' "$base" "$2" |
    $DOCKER build "${build_args[@]}" -t "banchan-test-$2" - >"$work/stand-in.log" 2>&1 || { tail -n 3 "$work/stand-in.log"; return 1; }
  export "$1=banchan-test-$2"
  echo "        ($wanted cannot be had here: Debian's $2 stands in for it)"
}

project() { "${compose[@]}" -p "$tag" --project-directory "$work/docker" "$@"; }
brings_up() { # files...
  local file files=()
  for file in "$@"; do files+=(-f "$work/docker/$file"); done
  project "${files[@]}" up -d --no-build >"$work/up.log" 2>&1 || { tail -n 5 "$work/up.log"; return 1; }
}
test_compose() {
  cp -r docker "$work/" && ln -s "$PWD/seed" "$work/seed"
  # The image that was built above, under the name that the file has.
  sed -i "s|image: banchan\$|image: $image|" "$work/docker/compose.yaml"
  chmod -R go+rX "$work/docker"
  PORT=$(free_port) TLS_PORT=$(free_port)
  export PORT TLS_PORT
  check "compose.yaml comes up" brings_up compose.yaml
  url=http://127.0.0.1:$PORT
  check "and is ready" is_ready
  check "its pictures come from the origin beside it" comes_from_origin
  check "both are limited and locked" is_limited

  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout "$work/key" -out "$work/cert" 2>/dev/null
  cat "$work/cert" "$work/key" >"$work/docker/proxy/shop.pem"
  chmod 644 "$work/docker/proxy/shop.pem"
  check "compose.tls.yaml comes up" brings_up compose.yaml compose.tls.yaml
  check "HTTP/2 over TLS, and URLs that say https" within 20 speaks_http2
  project -f "$work/docker/compose.yaml" -f "$work/docker/compose.tls.yaml" down --volumes >"$work/down.log" 2>&1
}
comes_from_origin() {
  shows_thumb && project -f "$work/docker/compose.yaml" logs origin 2>&1 | grep -cE 'GET /images/.* 200'
}
is_limited() {
  local container
  for container in $(project -f "$work/docker/compose.yaml" ps -q); do
    inspect "$container" '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}} {{gt .HostConfig.Memory 0}} {{gt .HostConfig.PidsLimit 0}}' |
      grep -x 'true \[ALL\] \[no-new-privileges:true\] true true' || return 1
  done
}
speaks_http2() {
  local answer; answer=$(curl -fsSk --http2 -w '\nHTTP/%{http_version}' "https://localhost:$TLS_PORT/onban/main") &&
    grep -qx 'HTTP/2' <<<"$answer" && grep -o "https://localhost:$TLS_PORT/images/[^\"]*" <<<"$answer" | head -n 1
}

if [ ${#compose[@]} = 0 ]; then
  skip "docker/compose.yaml" "there is no docker compose"
elif [ -z "$network" ]; then
  skip "docker/compose.yaml" "this engine makes no networks for containers"
else
  stand_in NGINX_IMAGE nginx-light && stand_in HAPROXY_IMAGE haproxy && test_compose
fi

echo "$passed ok, $failed not ok, $skipped skipped"
[ $failed = 0 ]
