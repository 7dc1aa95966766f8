#!/bin/bash
# Builds the fuzzer and runs its targets one after the other: .ci/fuzz.sh SECONDS [TARGET…], all targets when none is named.
#
# New inputs that reach new code go to .build/fuzz/corpus/TARGET, and findings to .build/fuzz/findings/TARGET. The seeds
# in Tests/Fuzz/Corpus are only read.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=$1
shift
scratch=.build/fuzz
runtime=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)",*$/\1/p')
library=$runtime/clang/lib/linux/libclang_rt.fuzzer_no_main-$(uname -m).a
[ -f "$library" ] || { echo "This toolchain has no libFuzzer ($library)." >&2; exit 1; }

# `-sanitize=fuzzer` would bring a main function of its own, so coverage is asked for by its parts. Checks of the debug
# build stay on in optimised code. C is left as it is: there is little of ours, and it reads no bytes from outside.
BANCHAN_FUZZ=1 swift build -c release --scratch-path "$scratch" --product fuzz \
  -Xswiftc -sanitize=address \
  -Xswiftc -sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table \
  -Xswiftc -assert-config -Xswiftc Debug \
  -Xlinker "$library" -Xlinker -lstdc++

fuzzer=$scratch/release/fuzz
[ $# -gt 0 ] || read -ra targets -d '' < <("$fuzzer" | sed -n 's/^  //p') || true
[ $# -eq 0 ] || targets=("$@")

# The handler of Swift's own backtraces would take the signal that libFuzzer waits for.
export SWIFT_BACKTRACE=enable=no
failed=()
for target in "${targets[@]}"; do
  seeds=Tests/Fuzz/Corpus/$target
  [ -d "$seeds" ] || { echo "There is no target $target. The targets: $(ls Tests/Fuzz/Corpus | xargs)" >&2; exit 2; }
  findings=$scratch/findings/$target
  mkdir -p "$scratch/corpus/$target" "$findings"
  log=$scratch/$target.log
  echo "$target: $seconds s"
  # Leaks are not looked for: libFuzzer takes whatever Swift caches on first use for one.
  if "$fuzzer" --target="$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -detect_leaks=0 \
    -print_final_stats=1 -artifact_prefix="$findings/" "$scratch/corpus/$target" "$seeds" >"$log" 2>&1; then
    awk '/cov:/ { coverage = $4 } /number_of_executed_units/ { count = $2 }
      END { print "  " count " executions, " coverage " edges, nothing found" }' "$log"
  else
    failed+=("$target")
    file=$(sed -n 's/.*Test unit written to //p' "$log" | tail -1)
    grep -aE -m 1 -A 2 'Fatal error|ERROR: ' "$log" | sed 's/^/  /' >&2 || true
    echo "  found: ${file:-nothing written, see $log}" >&2
    [ -z "$file" ] || {
      echo "  replay: SWIFT_BACKTRACE=enable=no $fuzzer --target=$target $file" >&2
      echo "  make it smaller: add -minimize_crash=1 -runs=10000; keep it: cp $file $seeds/" >&2
    }
  fi
done

if [ ${#failed[@]} -gt 0 ]; then
  echo "Findings in: ${failed[*]}" >&2
  exit 1
fi
