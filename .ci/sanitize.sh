#!/bin/bash
# Builds and runs the tests under each sanitizer: .ci/sanitize.sh "address thread" [swift test's options]
#
# A report ends the test process, or the server that it started, with a code of its own, so that no test passes over one.
set -euo pipefail
cd "$(dirname "$0")/.."

sanitizers=$1
shift
# Leaks are not looked for: what Swift keeps for ever would be most of the list.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=99
export TSAN_OPTIONS=halt_on_error=1:exitcode=99:suppressions=$PWD/Tests/Fuzz/Sanitizers/thread-suppressions.txt
# A handler for backtraces of its own would stand in the sanitizer's way.
export SWIFT_BACKTRACE=enable=no
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8}
# What these measure would be the sanitizer's memory; the README's commands have a minute each, too short for it.
measuring='ProcessTests/slowReader|HTTPSTests/reloads|HostilePictureTests|AllocationTests|ReadmeTests'
for sanitizer in $sanitizers; do
  echo "The tests under the $sanitizer sanitizer:"
  scratch=.build/sanitize-$sanitizer
  options=(--sanitize="$sanitizer" --scratch-path "$scratch")
  if [ "$sanitizer" = thread ]; then
    mkdir -p "$scratch"
    clang -O1 -fPIC -Wall -c Tests/Fuzz/Sanitizers/mutex.c -o "$scratch/mutex.o"
    options+=(-Xlinker "$PWD/$scratch/mutex.o")
  fi
  swift build --build-tests "${options[@]}"
  swift test --skip-build --disable-xctest "${options[@]}" --skip "$measuring" "$@"
done
