#!/usr/bin/env bash
# Strips a program of all but the names that its backtraces need: strip.sh PROGRAM [lean]
#
# The names of functions stay, so that a backtrace is one of names without a file beside the program. `lean` keeps of the Swift
# library, which is two thirds of them, only the short ones; a run of others counts as one function called Swift_library_1, _2 and so on.
# That is 1.5 MB of names instead of 5.7. (A compressed table in .gnu_debugdata would be smaller still, but Swift 6.3's
# swift-backtrace crashes over one that unpacks to more than 192 KiB.)
set -euo pipefail

program=$1
longest=$([ "${2:-}" = lean ] && echo 30 || echo 100000)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nm --defined-only --numeric-sort "$program" |
  awk -v longest="$longest" -v keep="$work/keep" -v rename="$work/rename" '
    $2 !~ /^[TtWwi]$/ || $1 == address { next }
    {
      address = $1
      name = $3
      is_library = name ~ /^\$s[sS]|^_Z|FoundationEss|FoundationColl|_RegexParser|17_StringProcessing/
      if (is_library && length(name) > longest) {
        if (in_run || name in renamed) next
        in_run = renamed[name] = 1
        runs += 1
        print name, "Swift_library_" runs >rename
        print "Swift_library_" runs >keep
        next
      }
      in_run = 0
      print name >keep
    }
    END { printf "" >keep; printf "" >rename }'
objcopy --strip-all --keep-symbols="$work/keep" --redefine-syms="$work/rename" "$program"
