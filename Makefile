# From a bare Debian 12 machine with the Swift toolchain, git and make to a running shop.
# `make` alone prints the targets. Extra flags go through ARGS: make run ARGS="--port 9000".

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help toolchain deps build run install uninstall test soak browser fuzz sanitize bench sizes lint format docker \
  docker-test clean

ARGS ?=
PAIRS ?= 12
SECONDS ?= 2
KILLS ?= 1000
FUZZ_SECONDS ?= 600
FUZZ_TARGETS ?=
SANITIZERS ?= address thread
MINUTES ?= 25
ROWS ?=
DOCKER ?= docker
IMAGE ?= banchan
export PREFIX ?= /usr/local
export DESTDIR ?=

# What the server links, and what finds it. The tests and the benchmark ask for more, each at its own target.
SERVER_DEPS := pkg-config libsqlite3-dev libssl-dev zlib1g-dev
# What the picture worker links besides. Without it the server runs all the same, and shows originals for all sizes.
WORKER_DEPS := libjpeg62-turbo-dev libpng-dev libwebp-dev liblcms2-dev
TEST_DEPS := python3=python3 python3-pil libjpeg-turbo-progs=jpegtran openssl=openssl curl=curl
BENCH_DEPS := nginx-light=nginx haproxy=haproxy wrk=wrk strace=strace openssl=openssl python3=python3 gcc=cc libc6-dev
SIZES_DEPS := nginx-light=nginx libnginx-mod-http-image-filter libvips-tools=vipsthumbnail python3-pil

# What is run, measured and put into the container is one and the same build: the Swift library linked in.
# LINKING is for the container: a smaller form that older systems cannot load.
LINKING ?=
RELEASE := -c release --product banchan --static-swift-stdlib $(LINKING)
WORKER := -c release --product banchan-derive --static-swift-stdlib $(LINKING)
BINARY := .build/release/banchan
# Counts allocations of that build, for a test and the benchmark.
COUNTER := -c release --product MallocCounter
SWIFT_SOURCES := Sources Tests Package.swift

# Several makes in one checkout take turns: whoever builds holds a lock on this Makefile.
ALONE := flock --close Makefile

help: ## print these lines
	@echo 'Banchan, a side-dish shop in Swift. What make can do here:'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

toolchain:
	@.ci/toolchain.sh

deps: toolchain ## install the libraries that the build needs, if any is missing
	@.ci/packages.sh $(SERVER_DEPS) $(WORKER_DEPS)

build: deps ## build the server and its picture worker in release mode
	@$(ALONE) bash -c 'swift build $(RELEASE) && swift build $(WORKER) && packaging/toolchain-parts.sh .build/release'

run: build ## build, fill an empty data folder from seed/, and serve the shop on 127.0.0.1:8080
	@exec $(BINARY) serve $(ARGS)

install: ## install what was built (PREFIX=/usr/local DESTDIR=), with a systemd unit
	@packaging/install.sh install .build/release

uninstall: ## remove it again; the shop's data stays
	@packaging/install.sh uninstall

test: build ## build everything and run all tests
	@.ci/packages.sh $(TEST_DEPS)
	@$(ALONE) bash -c 'swift build $(COUNTER) && swift build --build-tests && \
	  BANCHAN_RELEASE_FOLDER=$(abspath .build/release) swift test --skip-build --disable-xctest $(ARGS)'

browser: build ## test the pages in Chromium, and the API against openapi.json (ARGS="-k offline")
	@.ci/packages.sh chromium=chromium python3=python3
	@.ci/browser.sh $(ARGS)

soak: deps ## kill the cache, the writing commands and the server in the middle of their work, KILLS=1000 times
	@$(ALONE) bash -c 'swift build --build-tests && \
	  BANCHAN_KILLS=$(KILLS) swift test --skip-build --disable-xctest --filter "CrashTests|DataSafetyTests"'

fuzz: deps ## give every parser random bytes (FUZZ_SECONDS=600 for each, FUZZ_TARGETS="json chunks")
	@$(ALONE) .ci/fuzz.sh $(FUZZ_SECONDS) $(FUZZ_TARGETS)

sanitize: deps ## run all tests under AddressSanitizer, then under ThreadSanitizer (SANITIZERS=address)
	@.ci/packages.sh $(TEST_DEPS)
	@$(ALONE) .ci/sanitize.sh "$(SANITIZERS)" $(ARGS)

bench: build ## measure against nginx and HAProxy (ROWS=list,picture PAIRS=12 SECONDS=2 MINUTES=25 ARGS=--json)
	@.ci/packages.sh $(BENCH_DEPS)
	@python3 Tests/Benchmarks/bench.py --banchan $(BINARY) --rows '$(ROWS)' --pairs $(PAIRS) --seconds $(SECONDS) \
	  --minutes $(MINUTES) $(ARGS)

sizes: build ## measure what a thumbnail costs, beside libvips, nginx's image_filter and thumbor
	@.ci/packages.sh $(SIZES_DEPS)
	@python3 Tests/Benchmarks/sizes.py --banchan $(BINARY) $(ARGS)

lint: toolchain ## check the formatting
	@swift format lint --strict --recursive $(SWIFT_SOURCES)

format: toolchain ## format the Swift sources in place
	@swift format --in-place --recursive $(SWIFT_SOURCES)

docker: ## build the container image (DOCKER, IMAGE; ARGS go to docker build)
	@command -v $(DOCKER) >/dev/null || { echo 'make docker needs Docker (or DOCKER=podman), and it is not on the PATH.' >&2; exit 1; }
	@$(DOCKER) build $(ARGS) -f docker/Dockerfile -t $(IMAGE) .
	@echo 'Built. To serve the shop on http://127.0.0.1:8080:'
	@echo '  $(DOCKER) run --rm -p 127.0.0.1:8080:8080 -v banchan-data:/data -v banchan-cache:/cache $(IMAGE)'

docker-test: ## build the image, run it, and check all that is promised of it (DOCKER_HOST counts)
	@docker/test.sh

clean: ## remove what was built (data/ and cache/ stay)
	@$(ALONE) rm -rf .build
