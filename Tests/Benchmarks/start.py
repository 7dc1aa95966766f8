#!/usr/bin/env python3
"""How long Banchan takes from its start to its first answers, with ten and with a million pictures in its cache's index.

    Tests/Benchmarks/start.py --banchan .build/release/banchan [--entries 1000000] [--rounds 9]

The entries are rows alone: no body stands on the disk for them, which is also what the sweep in the background finds out
while the answers are measured.
"""

import argparse
import hashlib
import json
import os
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path


class Running:
    """A server on a port of its own, from its start to its end."""

    def __init__(self, banchan: str, folder: Path, cache: str):
        self.begin = time.monotonic()
        self.process = subprocess.Popen(
            [banchan, "serve", "--port", "0", "--threads", "1", "--log", "off", "--warm", "off", "--data", "data",
             "--cache", cache, "--seed", str(Path(__file__).resolve().parents[2] / "seed")],
            cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.url = ""
        for line in self.process.stderr:
            if "listening on http://" in line:
                self.url = line.split("listening on ")[1].strip()
                break
        if not self.url:
            sys.exit("banchan did not start")

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(self.url + path, timeout=30) as answer:
            return answer.read()

    def milliseconds(self) -> float:
        return 1000 * (time.monotonic() - self.begin)

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.stderr.read()
        self.process.wait(timeout=30)


def fill(index: Path, entries: int) -> None:
    """Adds rows as those of pictures of 20 KB that were fetched once."""
    database = sqlite3.connect(index)
    database.execute("PRAGMA synchronous = OFF")
    with database:
        first = database.execute("SELECT coalesce(max(id), 0) + 1 FROM body").fetchone()[0]
        rows = range(first, first + entries)
        database.executemany(
            "INSERT INTO body (id, digest, bytes, rank) VALUES (?, ?, 20000, 2)",
            ((row, hashlib.sha256(str(row).encode()).digest()) for row in rows))
        database.executemany(
            "INSERT INTO source (key, body, url, format, fetched_at, checked_at, last_status) "
            "VALUES (?, ?, ?, 'jpeg', 1700000000, 1700000000, 200)",
            ((f"r:https://pictures.example/{row}/galbi.jpg".encode(), row,
              f"https://pictures.example/{row}/galbi.jpg".encode()) for row in rows))
    database.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--banchan", default=".build/release/banchan")
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    banchan = os.path.abspath(options.banchan)
    with tempfile.TemporaryDirectory(prefix="banchan-start-") as name:
        folder = Path(name)
        caches = {"ten": 10, "million": options.entries}
        for cache, entries in caches.items():
            server = Running(banchan, folder, cache)
            products = json.loads(server.get("/api/v1/catalog"))["sections"][0]["products"]
            url = products[0]["image"]["urls"]["original"]
            picture = "/images/" + url.split("/images/")[1]
            server.get(picture)
            server.end()
            fill(folder / cache / "index.db", entries)
        times = {(cache, what): [] for cache in caches for what in ("catalog", "picture")}
        for _ in range(options.rounds):
            for cache in caches:
                server = Running(banchan, folder, cache)
                server.get("/api/v1/products/HBDEF")
                times[cache, "catalog"].append(server.milliseconds())
                server.get(picture)
                times[cache, "picture"].append(server.milliseconds())
                server.end()
        for what in ("catalog", "picture"):
            for cache, entries in caches.items():
                values = times[cache, what]
                print(f"first {what}, {entries:,} entries: {statistics.median(values):.1f} ms "
                      f"({min(values):.1f} to {max(values):.1f})")


if __name__ == "__main__":
    main()
