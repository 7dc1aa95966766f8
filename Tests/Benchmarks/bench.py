#!/usr/bin/env python3
"""Measures Banchan side by side with nginx and HAProxy, over a floor that only reads and writes.

Each server has one thread on one core, and wrk has another core. The servers take turns, run by run, so that whatever
else the machine does hits all of them alike. What counts is CPU time per request (from /proc), which does not depend on
the client; the ratio of two servers is the median over all rounds, with the interval in which it lies with 95 %
(bootstrap). Beside each ratio stands what the design asks for (its section 9), and whether that was met.

Only the standard library is used. Traffic stays on the loopback interface, every run has its end, every process that was
started is ended by its number, and nothing is left behind.
"""

import argparse
import json
import os
import signal
import socket
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from machine import (
    Workshop,
    count_system_calls,
    cpu_seconds,
    fetch,
    median_with_interval,
    progress,
    raise_descriptor_limit,
    raw_answer,
    read_answer,
    request_bytes,
    resident_bytes,
    run_wrk,
)
from pressure import (
    DESCRIPTORS,
    DRIPPING_SOCKETS,
    HELD_CONNECTIONS,
    latencies_beside_dripping,
    pause_without_descriptors,
)
from servers import Answer, Server, Servers

CONNECTIONS = 64
MANY_CONNECTIONS = 1_000
IDLE_CONNECTIONS = 2_000
IDLE_SECONDS = 20
GZIP = {"Accept-Encoding": "gzip"}
CLOSE = {"Connection": "close"}

# What each row is, in the order in which they are measured: memory first, while no server has any to spare.
ROWS = {
    "memory": f"memory per idle keep-alive connection, of {IDLE_CONNECTIONS:,}",
    "list": "a list of 9 KB, keep-alive",
    "picture": "a cached picture of 20 KB, keep-alive",
    "304": "the list, which the client has already: 304",
    "gzip": "the list in gzip",
    "close": "the list, a connection per request",
    "tls": "the list over TLS, keep-alive",
    "tls-close": "the list over TLS, a connection and a handshake per request",
    "many": f"the list on {MANY_CONNECTIONS:,} connections",
    "watched": "the list, keep-alive: what a log and metrics cost",
    "calls": "malloc and system calls per request",
    "idle": f"processor time of an idle server over {IDLE_SECONDS} s",
    "dripping": f"milliseconds of a GET beside {DRIPPING_SOCKETS} sockets whose heads drip in (p50, p99, longest)",
    "descriptors": f"{HELD_CONNECTIONS} connections to a server with {DESCRIPTORS} descriptors: % of a core meanwhile",
}
# Those that are no contest of runs.
LONE_ROWS = ("memory", "calls", "idle", "dripping", "descriptors")


@dataclass
class Contestant:
    """One server in one row."""

    server: Server
    path: str
    fields: dict[str, str] = field(default_factory=dict)
    is_encrypted: bool = False
    name: str = ""

    def __post_init__(self):
        self.name = self.name or self.server.name

    @property
    def url(self) -> str:
        if self.is_encrypted:
            return f"https://127.0.0.1:{self.server.tls_port}{self.path}"
        return f"http://127.0.0.1:{self.server.port}{self.path}"


def target(what: str, bound: float, value, unit="", aim=None) -> dict:
    """What is asked for, and whether it was met. `value` is a number, or a median with its interval."""
    interval = value if isinstance(value, dict) else {"median": value, "low": value, "high": value}
    return {"what": what, "bound": bound, "aim": aim, "unit": unit, **interval, "isMet": interval["median"] <= bound}


class Bench:
    def __init__(self, options, workshop: Workshop):
        self.options = options
        self.workshop = workshop
        self.core = workshop.server_core
        self.watching: dict[str, Server] = {}
        self.servers = Servers(workshop, options.banchan)
        progress("Looking for a list of 9 KB …")
        self.seed = self.servers.fitting_seed()
        self.banchan = self.servers.banchan("banchan", self.seed, core=self.core)
        self.paths = self.banchan.paths
        self.answers = {f"/{what}": Answer(*fetch(self.banchan.port, path)) for what, path in self.paths.items()}
        self.zipped = fetch(self.banchan.port, self.paths["list"], GZIP)[1]
        self.nginx = self.servers.nginx(self.answers, self.zipped, core=self.core)
        self.nginx_of_debian = self.servers.nginx_of_debian(self.answers, self.zipped, core=self.core)
        self.haproxy = self.servers.haproxy(self.answers, self.zipped, core=self.core)
        # A picture that was fetched just now is news that the catalog takes in a second later.
        time.sleep(2)

    # Rows of runs

    def watched(self) -> list[Contestant]:
        """Banchan as in the other rows, and the same watched in one way or another."""
        flags = {
            "metrics": ["--log", "off", "--ops-port", 0],
            "log text": ["--log", "text"],
            "log json": ["--log", "json"],
            "both": ["--log", "json", "--ops-port", 0],
        }
        if not self.watching:
            for name, some in flags.items():
                folder = f"watched-{name.replace(' ', '-')}"
                self.watching[name] = self.servers.banchan(folder, self.seed, core=self.core, flags=some)
            # As above: the picture is news.
            time.sleep(2)
        servers = {"Banchan": self.banchan, **self.watching}
        return [Contestant(one, one.paths["list"], name=name) for name, one in servers.items()]

    def contestants(self, row: str) -> list[Contestant]:
        if row == "watched":
            return self.watched()
        kind = "picture" if row == "picture" else "list"
        peers = [self.banchan, self.nginx, self.nginx_of_debian, self.haproxy]
        if row in ("tls", "tls-close"):
            fields = CLOSE if row == "tls-close" else {}
            return [Contestant(peer, peer.paths[kind], fields, is_encrypted=True) for peer in peers]
        if row == "gzip":
            # Debian's nginx leaves JSON as it is.
            peers.remove(self.nginx_of_debian)
        if row == "many":
            # Debian's nginx has room for 768.
            peers.remove(self.nginx_of_debian)
        fields = {"gzip": GZIP, "close": CLOSE}.get(row, {})
        found = [Contestant(peer, peer.paths[kind], fields) for peer in peers]
        if row == "picture":
            found.insert(2, Contestant(self.nginx, self.nginx.paths["cached picture"], name="nginx proxy_cache"))
        if row == "304":
            for one in found:
                tag = next(v for k, v in fetch(one.server.port, one.path)[0] if k.lower() == "etag")
                one.fields = {"If-None-Match": tag}
        answer = raw_answer(self.banchan.port, found[0].path, found[0].fields)
        floor = self.servers.floor(row, answer, closes=row == "close", core=self.core)
        return found + ([Contestant(floor, found[0].path, fields)] if floor else [])

    def check(self, row: str, contestants: list[Contestant]) -> int:
        """All of them must give the same answer; returns how many bytes its body has."""
        expected = None
        for one in contestants:
            body = fetch(one.server.port, one.path, one.fields, 304 if row == "304" else 200)[1]
            expected = body if expected is None else expected
            # Several Banchans write their own ports into the addresses.
            if row != "watched" and body != expected:
                sys.exit(f"{one.name} answers {one.path} with other bytes than Banchan")
        return len(expected)

    def run(self, one: Contestant, row: str, seconds: float) -> dict:
        connections = MANY_CONNECTIONS if row == "many" else CONNECTIONS
        return run_wrk(
            self.workshop, one.url, one.server.pids, connections=connections, seconds=seconds, fields=one.fields
        )

    def contest(self, row: str, rounds: int) -> dict:
        """Measures all contestants in turn, `rounds` times. Who goes first changes from round to round."""
        contestants = self.contestants(row)
        size = self.check(row, contestants)
        progress(f"{row}: {ROWS[row]}: {rounds} rounds of {self.options.seconds} s each")
        runs = {one.name: [] for one in contestants}
        for one in contestants:
            self.run(one, row, 1)
        for number in range(rounds):
            shift = number % len(contestants)
            for one in contestants[shift:] + contestants[:shift]:
                runs[one.name].append(self.run(one, row, self.options.seconds))
                if row == "watched":
                    # A line per request would fill the disk.
                    os.truncate(one.server.process.log, 0)
            shown = ", ".join(f"{name} {some[-1]['cpu']:.2f}" for name, some in runs.items())
            progress(f"  round {number + 1}: CPU µs per request: {shown}")
        for one in contestants:
            if one.server.name == "floor":
                one.server.process.stop()

        def ratio(peer, what):
            return median_with_interval([ours[what] / theirs[what] for ours, theirs in zip(runs["Banchan"], runs[peer])])

        result = {"row": row, "what": ROWS[row], "bodyBytes": size, "rounds": rounds, "contestants": [], "targets": []}
        for name, some in runs.items():
            medians = {what: statistics.median(run[what] for run in some) for what in ("rate", "cpu", "p50", "p99")}
            result["contestants"].append(
                {
                    "name": name,
                    "requestsPerSecond": medians["rate"],
                    "cpuMicrosecondsPerRequest": medians["cpu"],
                    "p50Milliseconds": medians["p50"],
                    "p99Milliseconds": medians["p99"],
                    "cpuOfBanchan": None if name == "Banchan" else ratio(name, "cpu"),
                }
            )
        if row == "watched":
            for name in self.watching:
                costs = [watched["cpu"] / bare["cpu"] for watched, bare in zip(runs[name], runs["Banchan"])]
                result["targets"].append(
                    target(f"CPU per request with {name}, of Banchan's without", 1.1, median_with_interval(costs))
                )
            return result
        if row == "many":
            result["targets"].append(target("p99, of nginx's", 1.0, ratio("nginx", "p99")))
        peer = "nginx proxy_cache" if row == "picture" else "nginx"
        aim = 0.9 if row in ("list", "picture") else None
        result["targets"].append(target(f"CPU per request, of {peer}'s", 1.0, ratio(peer, "cpu"), aim=aim))
        return result

    # Rows of one measurement

    def calls(self) -> dict:
        """What a longer run takes more than a shorter one, so that opening the connections does not count."""
        result = {"row": "calls", "what": ROWS["calls"], "contestants": [], "targets": []}
        counted = [None, None]
        if self.servers.counter_library:
            counted = [
                self.servers.banchan("banchan-counted", self.seed, counts=True),
                self.servers.nginx(self.answers, self.zipped, counts=True),
            ]
            time.sleep(2)
        for server, counting in zip((self.banchan, self.nginx), counted):
            for kind in ("list", "picture"):
                row = {"name": f"{server.name}, {kind}", "mallocsPerRequest": None, "systemCallsPerRequest": None}
                if counting:
                    row["mallocsPerRequest"] = self.mallocs(Contestant(counting, counting.paths[kind]))
                row["systemCallsPerRequest"] = self.system_calls(Contestant(server, server.paths[kind]))
                result["contestants"].append(row)
                if server is self.banchan:
                    for what, key, bound in (("malloc", "mallocs", 0), ("system", "systemCalls", 2.3)):
                        value = row[f"{key}PerRequest"]
                        if value is not None:
                            result["targets"].append(target(f"{what} calls per request, {kind}", bound, round(value, 2)))
        for server in filter(None, counted):
            server.process.stop()
        return result

    def mallocs(self, one: Contestant) -> float:
        self.run(one, "list", 1)
        runs = []
        for seconds in (1, 3):
            before = one.server.mallocs()
            requests = self.run(one, "list", seconds)["requests"]
            runs.append((requests, one.server.mallocs() - before))
        (few, before), (many, after) = runs
        return max(0.0, (after - before) / (many - few)) if many > few else after / many

    def system_calls(self, one: Contestant) -> float | None:
        requests = 0

        def during():
            nonlocal requests
            requests = self.run(one, "list", 2)["requests"]

        calls = count_system_calls(self.workshop, one.server.pids, during)
        return None if calls is None else calls / requests

    def memory(self) -> dict:
        """Resident memory with many idle connections, each of which has been answered once, less that without them."""
        result = {"row": "memory", "what": ROWS["memory"], "contestants": [], "targets": []}
        for server in (self.banchan, self.nginx, self.haproxy):
            path = server.paths["list"]
            self.run(Contestant(server, path), "list", 1)
            time.sleep(1)
            before = resident_bytes(server.pids)
            connections = []
            try:
                for _ in range(IDLE_CONNECTIONS):
                    connections.append(socket.create_connection(("127.0.0.1", server.port), timeout=30))
                    connections[-1].sendall(request_bytes(server.port, path))
                    read_answer(connections[-1])
                time.sleep(1)
                grown = (resident_bytes(server.pids) - before) / IDLE_CONNECTIONS
            finally:
                for connection in connections:
                    connection.close()
            result["contestants"].append({"name": server.name, "bytesPerIdleConnection": round(grown)})
            if server is self.banchan:
                result["targets"].append(target("bytes per idle connection", 2048, round(grown), "bytes"))
        return result

    def idle(self) -> dict:
        result = {"row": "idle", "what": ROWS["idle"], "contestants": [], "targets": []}
        servers = (self.banchan, self.nginx, self.haproxy)
        before = [cpu_seconds(server.pids) for server in servers]
        time.sleep(IDLE_SECONDS)
        for server, start in zip(servers, before):
            share = (cpu_seconds(server.pids) - start) / IDLE_SECONDS * 100
            result["contestants"].append({"name": server.name, "percentOfACore": round(share, 4)})
            if server is self.banchan:
                result["targets"].append(target("% of a core when idle", 0.1, round(share, 4), "%"))
        return result

    def dripping(self) -> dict:
        result = {"row": "dripping", "what": ROWS["dripping"], "contestants": [], "targets": []}
        for server in (self.banchan, self.nginx, self.haproxy):
            times = latencies_beside_dripping(server.port, server.paths["list"])
            shown = [round(times[int(share * (len(times) - 1))], 2) for share in (0.5, 0.99, 1)]
            result["contestants"].append({"name": server.name, "milliseconds": shown})
            if server is self.banchan:
                result["targets"].append(target("ms of the longest GET", 100, shown[-1], "ms"))
        return result

    def descriptors(self) -> dict:
        result = {"row": "descriptors", "what": ROWS["descriptors"], "contestants": [], "targets": []}
        server = self.servers.banchan("short", self.seed, core=self.core, descriptors=DESCRIPTORS)
        share, recovery = pause_without_descriptors(server.port, server.pids, server.paths["list"])
        server.process.stop()
        result["contestants"].append({"name": server.name, "percentOfACore": round(share, 4)})
        result["targets"].append(target("% of a core without descriptors", 1, round(share, 4), "%"))
        result["targets"].append(target("s until a GET is answered afterwards", 2, round(recovery, 3), "s"))
        return result

    # All rows

    def measure(self, rows: list[str]) -> dict:
        load = os.getloadavg()[0]
        if load > 1:
            progress(f"Other work runs on this machine (load {load:.1f}): the intervals will be wider.")
        results, left_out = [], []
        contests = [row for row in rows if row not in LONE_ROWS]
        if not self.servers.certificate and any(row.startswith("tls") for row in contests):
            why = "there is no openssl to make a certificate with" if self.servers.banchan_knows_tls else (
                "this banchan does not know --tls-port and --tls-cert"
            )
            left_out = [{"row": row, "why": why} for row in contests if row.startswith("tls")]
            contests = [row for row in contests if not row.startswith("tls")]
        # Five contestants to a row, or a little more; a run takes a little longer than its seconds.
        rounds = self.options.pairs
        longest = self.options.minutes * 60 / max(1, len(contests)) / (5 * (self.options.seconds + 0.2))
        if rounds > longest:
            rounds = max(1, int(longest))
            progress(f"{rounds} rounds instead of {self.options.pairs}, to be done in {self.options.minutes} minutes.")
        for row in rows:
            if row in contests:
                results.append(self.contest(row, rounds))
            elif row in LONE_ROWS:
                results.append(getattr(self, row)())
        return {
            "connections": CONNECTIONS,
            "rounds": rounds,
            "secondsPerRun": self.options.seconds,
            "load": load,
            "results": results,
            "leftOut": left_out,
        }


# ------------------------------------------------------------------------------------------------------------ results


def shown_interval(value) -> str:
    return "" if value is None else f"{value['median']:.3f} [{value['low']:.3f}, {value['high']:.3f}]"


def shown_target(one) -> str:
    value, bound = one["median"], one["bound"]
    shown = shown_interval(one) if one["low"] != one["high"] else f"{value:g}"
    if one["isMet"]:
        verdict = "met"
        if one["aim"] is not None:
            verdict += f", and the aim of {one['aim']:g} too" if value <= one["aim"] else f", the aim of {one['aim']:g} not"
        if one["high"] > bound:
            verdict += " (the interval reaches beyond)"
    else:
        verdict = f"MISSED by {value - bound:g}" if bound == 0 else f"MISSED by {(value / bound - 1) * 100:.0f} %"
        if one["low"] <= bound:
            verdict += " (the interval reaches within)"
    return f"  {one['what']}: {shown}, asked for ≤ {bound:g}: {verdict}"


def table(report) -> str:
    lines = [
        f"One core for the server and one for wrk, {report['connections']} connections where nothing else is said, "
        f"{report['rounds']} rounds of {report['secondsPerRun']} s; medians"
    ]
    for result in report["results"]:
        lines += ["", f"{result['row']}: {result['what']}"]
        if "bodyBytes" in result:
            lines.append(
                f"  {'':20}{'requests/s':>11}{'CPU µs/request':>16}{'p50 ms':>9}{'p99 ms':>9}   Banchan's CPU, of this one's"
            )
            for one in result["contestants"]:
                lines.append(
                    f"  {one['name']:20}{one['requestsPerSecond']:>11,.0f}{one['cpuMicrosecondsPerRequest']:>16.2f}"
                    f"{one['p50Milliseconds']:>9.2f}{one['p99Milliseconds']:>9.2f}   {shown_interval(one['cpuOfBanchan'])}"
                )
        elif result["row"] == "calls":
            lines.append(f"  {'':20}{'malloc':>11}{'system':>11}")
            for one in result["contestants"]:
                numbers = [one["mallocsPerRequest"], one["systemCallsPerRequest"]]
                lines.append(f"  {one['name']:20}" + "".join(f"{'–' if n is None else f'{n:.3f}':>11}" for n in numbers))
        else:
            for one in result["contestants"]:
                name, value = one.values()
                values = value if isinstance(value, list) else [value]
                lines.append(f"  {name:20}" + "".join(f"{one:>11,}" for one in values))
        lines += [shown_target(one) for one in result["targets"]]
    for one in report["leftOut"]:
        lines += ["", f"{one['row']}: {ROWS[one['row']]}: left out, because {one['why']}"]
    missed = sum(not one["isMet"] for result in report["results"] for one in result["targets"])
    lines += ["", f"{missed} of the targets are missed." if missed else "All targets of the rows above are met."]
    return "\n".join(lines)


def main() -> None:
    def bounded(low, high):
        def parse(text):
            value = int(text)
            if not low <= value <= high:
                raise argparse.ArgumentTypeError(f"from {low} to {high}")
            return value

        return parse

    def rows(text):
        names = [name.strip() for name in text.split(",") if name.strip()]
        if unknown := [name for name in names if name not in ROWS]:
            raise argparse.ArgumentTypeError(f"there is no row {', '.join(unknown)}, only {', '.join(ROWS)}")
        return [name for name in ROWS if name in names] or list(ROWS)

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--banchan", required=True, type=lambda path: Path(path).resolve(strict=True), help="the binary")
    parser.add_argument("--rows", type=rows, default=list(ROWS), help=f"some of: {', '.join(ROWS)} (default: all)")
    parser.add_argument("--pairs", type=bounded(1, 200), default=12, help="rounds (default: 12)")
    parser.add_argument("--seconds", type=bounded(1, 30), default=2, help="length of a run (default: 2)")
    parser.add_argument("--minutes", type=bounded(1, 120), default=25, help="the most that all runs take (default: 25)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    options = parser.parse_args()

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if raise_descriptor_limit() < IDLE_CONNECTIONS + 100:
        sys.exit(f"The benchmark opens {IDLE_CONNECTIONS:,} connections: raise the limit of open files (ulimit -Hn).")
    workshop = Workshop()
    try:
        report = Bench(options, workshop).measure(options.rows)
    finally:
        workshop.close()
    print(json.dumps(report, indent=2) if options.json else table(report))


if __name__ == "__main__":
    main()
