#!/usr/bin/env python3
"""What pictures cost that no event loop has an answer for at hand: from memory, from the disk, large ones, ones that are not
stored, and all the others while an origin is slow. Beside nginx as a cache for the same origin, at its best.

    Tests/Benchmarks/pictures.py --banchan .build/release/banchan [--rows memory,disk,large,miss,slow] [--rounds 7]

One core for each server, one for wrk and the origin. Traffic stays on the loopback interface, and every run has its end.
"""

import argparse
import http.client
import statistics
import sys
import threading
import time
from pathlib import Path

from machine import Workshop, fetch, free_port, median_with_interval, progress, run_wrk
from servers import Server, Servers, picture

ROWS = {
    "memory": "a cached picture of 20 KB, one of 1,200: in the cache's memory, and not in the loop's table",
    "disk": "a cached picture of 20 KB, one of 4,000: most of them from the disk",
    "large": "a cached picture of 3 MB",
    "miss": "milliseconds that a picture which is not stored takes beyond what its origin takes (target: 3)",
    "slow": "p99 of a cached picture while 200 pictures of an origin that takes 5 s are asked for (target: 2 × without)",
}
CONNECTIONS = 16
MISSES = 300


class Bench:
    def __init__(self, options, workshop: Workshop):
        self.options = options
        self.workshop = workshop
        self.servers = Servers(workshop, options.banchan)
        self.port = free_port()
        self.upstream = free_port()
        folder = workshop.folder / "nginx"
        (folder / "html" / "m").mkdir(parents=True)
        self.html = folder / "html" / "m"
        http_block = f"""\
  access_log off;
  sendfile {"on" if options.sendfile else "off"};
  tcp_nodelay on;
  keepalive_requests 1000000000;
  open_file_cache max=10000 inactive=3600s;
  open_file_cache_valid 3600s;
  proxy_cache_path {folder}/cache levels=1:2 keys_zone=pictures:16m inactive=1h use_temp_path=off;
  server {{
    listen 127.0.0.1:{self.port} backlog=4096;
    location /list {{ return 200 ""; }}
    location /m/ {{ proxy_pass http://127.0.0.1:{self.upstream}; proxy_cache pictures; proxy_cache_valid 200 1h; }}
  }}
"""
        peer = self.servers.start_nginx(
            "nginx", "nginx", folder, "worker_connections 4096;", http_block, self.port, None, core=workshop.server_core
        )
        self.nginx = Server("nginx proxy_cache", peer.process, self.port, peer.pids)
        # The origin is another nginx, so that what it costs is nobody's.
        origin = workshop.folder / "origin"
        origin.mkdir()
        block = f"""\
  access_log off;
  server {{
    listen 127.0.0.1:{self.upstream} backlog=4096;
    location /list {{ return 200 ""; }}
    location /m/ {{ root {folder}/html; types {{ }} default_type image/jpeg; add_header Cache-Control max-age=86400; }}
  }}
"""
        self.servers.start_nginx(
            "origin", "origin", origin, "worker_connections 4096;", block, self.upstream, None, core=workshop.client_core
        )
        self.banchan = self.start_banchan("banchan", f"http://127.0.0.1:{self.upstream}/m")

    def start_banchan(self, name: str, origin: str, extra=()) -> Server:
        folder = self.workshop.folder / name
        folder.mkdir()
        seed = self.servers.seed(1, 0) if not (self.workshop.folder / "seed-1-0").exists() else self.workshop.folder / "seed-1-0"
        arguments = [self.options.banchan, "serve", "--host", "127.0.0.1", "--port", 0, "--threads", 1, "--log", "off"]
        arguments += ["--warm", "off", "--data", folder / "data", "--cache", folder / "cache", "--seed", seed]
        arguments += ["--mount", f"/m={origin}", *extra]
        process = self.workshop.start(name, arguments, cwd=folder, core=self.workshop.server_core)
        port = process.wait_for(rb"listening on http://[^\s:]+:(\d+)")
        return Server("Banchan", process, port, [process.pid])

    def make(self, prefix: str, count: int, size: int) -> None:
        body = picture(min(size, 60_000))
        body += b"\0" * (size - len(body))
        for number in range(count):
            mark = f"{prefix}{number:08}".encode()
            at = 40
            (self.html / f"{prefix}{number}.jpg").write_bytes(body[:at] + mark + body[at + len(mark):])

    def script(self, prefix: str, count: int) -> Path:
        """wrk asks for all of them in turn, so that who keeps the last few has nothing of it."""
        path = self.workshop.folder / f"{prefix}.lua"
        path.write_text(
            f"local i = 0\nrequest = function()\n  i = (i + 1) % {count}\n"
            f'  return wrk.format("GET", "/m/{prefix}" .. i .. ".jpg")\nend\n'
        )
        return path

    def contest(self, row: str, prefix: str, count: int, size: int) -> None:
        self.make(prefix, count, size)
        for server in (self.banchan, self.nginx):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            for number in list(range(count)) * 2:
                connection.request("GET", f"/m/{prefix}{number}.jpg")
                answer = connection.getresponse()
                if answer.status != 200 or len(answer.read()) != size:
                    sys.exit(f"{server.name} answers /m/{prefix}{number}.jpg with {answer.status}")
        script = self.script(prefix, count)
        runs = {"Banchan": [], self.nginx.name: []}
        contestants = [self.banchan, self.nginx]
        for number in range(self.options.rounds):
            for server in contestants if number % 2 == 0 else contestants[::-1]:
                url = f"http://127.0.0.1:{server.port}/m/{prefix}0.jpg"
                runs[server.name].append(
                    run_wrk(self.workshop, url, server.pids, connections=CONNECTIONS, seconds=self.options.seconds,
                            script=script))
        print(f"\n{row}: {ROWS[row]}")
        for name, some in runs.items():
            medians = {what: statistics.median(run[what] for run in some) for what in ("rate", "cpu", "p50", "p99")}
            print(f"  {name:20}{medians['rate']:>10,.0f} requests/s{medians['cpu']:>10.2f} µs of CPU each,"
                  f" p50 {medians['p50']:.2f} ms, p99 {medians['p99']:.2f} ms")
        ratio = median_with_interval([a["cpu"] / b["cpu"] for a, b in zip(*runs.values())])
        print(f"  CPU, of nginx proxy_cache's: {ratio['median']:.2f} [{ratio['low']:.2f}, {ratio['high']:.2f}]")

    def memory(self) -> None:
        self.contest("memory", "a", 1_200, 20 * 1024)

    def disk(self) -> None:
        self.contest("disk", "b", 4_000, 20 * 1024)

    def large(self) -> None:
        self.contest("large", "c", 8, 3 << 20)

    def miss(self) -> None:
        """Each picture is asked for once of the origin, then once of each cache, one after the other."""
        self.make("d", MISSES, 20 * 1024)
        connections = [
            http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            for port in (self.upstream, self.banchan.port, self.nginx.port)
        ]
        taken = []
        for number in range(MISSES):
            times = []
            for connection in connections:
                begin = time.perf_counter()
                connection.request("GET", f"/m/d{number}.jpg")
                connection.getresponse().read()
                times.append(1000 * (time.perf_counter() - begin))
            taken.append(times)
        print(f"\nmiss: {ROWS['miss']}")
        for index, name in ((1, "Banchan"), (2, self.nginx.name)):
            added = sorted(times[index] - times[0] for times in taken)
            print(f"  {name:20}median {statistics.median(added):.2f} ms, 90 % {added[int(0.9 * MISSES)]:.2f} ms;"
                  f" the origin alone {statistics.median(times[0] for times in taken):.2f} ms")

    def slow(self) -> None:
        origin = self.workshop.folder / "pictures"
        origin.mkdir()
        for number in range(400):
            (origin / f"e{number}.jpg").write_bytes(picture(20 * 1024 + number))
        process = self.workshop.start(
            "slow", [self.options.banchan, "origin", "--dir", origin, "--log", "off", "--fault", "/ latency=5s"],
            core=self.workshop.client_core)
        port = process.wait_for(rb"http://[^\s:]+:(\d+)")
        server = self.start_banchan("slowed", f"http://127.0.0.1:{port}", ["--mount", f"/n=http://127.0.0.1:{self.upstream}/m"])
        self.make("f", 1, 20 * 1024)
        path = "/n/f0.jpg"
        fetch(server.port, path)
        url = f"http://127.0.0.1:{server.port}{path}"

        def p99() -> float:
            run = run_wrk(self.workshop, url, server.pids, connections=CONNECTIONS, seconds=2)
            return run["p99"]

        def ask(number: int) -> None:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            try:
                connection.request("GET", f"/m/e{number}.jpg")
                connection.getresponse().read()
            except OSError:
                pass

        calm, slowed = [], []
        for number in range(self.options.rounds):
            calm.append(p99())
            first = number % 2 * 200
            threads = [threading.Thread(target=ask, args=(first + n,)) for n in range(200)]
            for thread in threads:
                thread.start()
            time.sleep(0.5)
            slowed.append(p99())
            for thread in threads:
                thread.join()
        ratio = median_with_interval([a / b for a, b in zip(slowed, calm)])
        print(f"\nslow: {ROWS['slow']}")
        print(f"  Banchan             p99 {statistics.median(calm):.2f} ms without, {statistics.median(slowed):.2f} ms beside it:"
              f" {ratio['median']:.2f} × [{ratio['low']:.2f}, {ratio['high']:.2f}]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--banchan", required=True, type=lambda path: Path(path).resolve(strict=True), help="the binary")
    parser.add_argument("--rows", default=",".join(ROWS), help=f"some of: {', '.join(ROWS)} (default: all)")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each (default: 7)")
    parser.add_argument("--seconds", type=int, default=2, help="length of a run (default: 2)")
    parser.add_argument("--sendfile", action="store_true", help="nginx uses sendfile, which suits large pictures")
    options = parser.parse_args()
    rows = [row for row in options.rows.split(",") if row]
    if unknown := [row for row in rows if row not in ROWS]:
        sys.exit(f"There is no row {', '.join(unknown)}, only {', '.join(ROWS)}.")
    workshop = Workshop()
    try:
        bench = Bench(options, workshop)
        for row in rows:
            progress(f"{row} …")
            getattr(bench, row)()
    finally:
        workshop.close()


if __name__ == "__main__":
    main()
