#!/usr/bin/env python3
"""The hit ratios of libCacheSim's SIEVE and LRU on a trace that the Swift tests wrote, to be held beside theirs.

    BANCHAN_TRACE=/some/file swift test --filter SieveSoak     # writes /some/file.0.8 …, prints our hits
    pip install libcachesim
    Tests/Benchmarks/hitratio.py /some/file.0.8 /some/file.1.0 …
"""

import sys

import libcachesim


def hits(cache, trace) -> int:
    request = libcachesim.Request()
    request.obj_size = 1
    found = 0
    for key in trace:
        request.obj_id = key
        found += bool(cache.get(request))
    return found


def main() -> None:
    for path in sys.argv[1:]:
        with open(path) as file:
            trace = [int(line) for line in file]
        for capacity in (100, 1_000, 10_000):
            for name, policy in (("sieve", libcachesim.Sieve), ("lru", libcachesim.LRU)):
                ratio = 100 * hits(policy(cache_size=capacity), trace) / len(trace)
                print(f"{path}: {name} {ratio:.3f} % of {len(trace)} at {capacity} entries")


if __name__ == "__main__":
    main()
