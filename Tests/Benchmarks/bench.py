#!/usr/bin/env python3
"""Measures Banchan side by side with nginx: the same 9 KB list and the same 20 KB picture, on one core.

Each server has one thread on one core, and wrk with 64 keep-alive connections has another core. The servers take turns,
run by run, so that whatever else the machine does hits all of them alike. What counts is CPU time per request (from
/proc), which does not depend on the client; the ratio of two servers is the median over all rounds, with the interval
in which it lies with 95 % (bootstrap).

Only the standard library is used. Traffic stays on the loopback interface, every run has its end, every process that was
started is ended by its number, and nothing is left behind.
"""

import argparse
import http.client
import json
import mmap
import os
import pwd
import random
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

LIST_BYTES = 9 * 1024
PICTURE_BYTES = 20 * 1024
CONNECTIONS = 64
LIST_PATH = "/onban/main"

# An 8 × 8 grey JPEG. A comment segment makes it as long as is wanted.
JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb0043001b12141714111b1716171e1c1b2028422b28252528513a3d3042605565645f"
    "555d5b6a7899816a7190735b5d85b586909ea3abadab6780bcc9baa6c799a8aba4ffc0000b080008000801011100ffc40014000100000000"
    "000000000000000000000002ffc40014100100000000000000000000000000000000ffda0008010100003f002fffd9"
)


def picture(size: int) -> bytes:
    comment = size - len(JPEG) - 4
    return JPEG[:2] + b"\xff\xfe" + struct.pack(">H", comment + 2) + b"." * comment + JPEG[2:]


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# ---------------------------------------------------------------------------------------------------------- processes


class Process:
    """A program that was started here, and is ended here."""

    def __init__(self, arguments, *, core=None, log, cwd, environment=None):
        self.log = Path(log)
        pinned = ["taskset", "-c", str(core)] if core is not None else []
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                pinned + [str(argument) for argument in arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=cwd,
                env={**os.environ, **(environment or {})},
            )

    @property
    def pid(self) -> int:
        return self.process.pid

    def wait_until(self, ready, seconds=30):
        """Polls `ready` until it gives something; a program that ends instead has its log printed."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            if result := ready():
                return result
            time.sleep(0.02)
        self.stop()
        sys.exit(f"{self.process.args[-1]} did not start: {self.log.read_text(errors='replace')[-2000:]}")

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def nginx_workers(pid: int) -> list[int]:
    """The children that answer requests; those that look after the cache do not count, and one of them soon ends."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children if b"worker process" in Path(f"/proc/{child}/cmdline").read_bytes()]


def cpu_seconds(pids: list[int]) -> float:
    """User and system time of the processes, all their threads included."""
    ticks = 0
    for pid in pids:
        # The name in parentheses may hold blanks; after it come fields 3 and on, of which 14 and 15 are wanted.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fetch(port: int, path: str):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.status != 200:
        sys.exit(f"http://127.0.0.1:{port}{path} answered {response.status}: {body[:200]!r}")
    return response.getheaders(), body


# ------------------------------------------------------------------------------------------------------------ servers


@dataclass
class Server:
    """Something that answers, and whose CPU time and malloc calls can be read."""

    process: Process
    port: int
    pids: list[int]
    counter: mmap.mmap | None = None

    def mallocs(self) -> int:
        return struct.unpack_from("Q", self.counter)[0]


class Bench:
    def __init__(self, options):
        self.options = options
        self.folder = Path(tempfile.mkdtemp(prefix="banchan-bench-"))
        self.processes: list[Process] = []
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) < 2:
            sys.exit("The benchmark needs two cores: one for the server, one for the client.")
        self.server_core, self.client_core = cores[0], cores[1]
        self.counter_library = self.compile_counter()

    def close(self) -> None:
        for process in self.processes:
            process.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, name, arguments, *, cwd, environment=None, core=None) -> Process:
        process = Process(arguments, core=core, log=self.folder / f"{name}.log", cwd=cwd, environment=environment)
        self.processes.append(process)
        return process

    # The malloc counter

    def compile_counter(self) -> Path | None:
        compiler = next((c for c in ("cc", "gcc", "clang") if shutil.which(c)), None)
        if compiler is None:
            progress("No C compiler: malloc calls are not counted.")
            return None
        library = self.folder / "malloc_counter.so"
        source = Path(__file__).parent.with_name("MallocCounter") / "malloc_counter.c"
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-fno-builtin", "-o", library, source], check=True)
        return library

    def counting(self, name: str):
        """The environment that counts a program's malloc calls, and where the count can be read."""
        path = self.folder / f"{name}.count"
        path.write_bytes(bytes(8))
        with open(path, "r+b") as file:
            counter = mmap.mmap(file.fileno(), 8)
        return {"LD_PRELOAD": str(self.counter_library), "MALLOC_COUNT_FILE": str(path)}, counter

    # Banchan

    def seed(self, products: int, padding: int) -> Path:
        """A shop with one section and one kind of picture, its first list about as long as wanted."""
        seed = self.folder / f"seed-{products}-{padding}"
        (seed / "images").mkdir(parents=True)
        (seed / "images" / "picture.jpg").write_bytes(picture(PICTURE_BYTES))
        description = "배즙에 하룻밤 재운 소갈비를 뼈가 쏙 빠질 때까지 뭉근히 졸였습니다."
        rows = [
            {
                "id": f"H{number:04X}",
                "section": "main",
                "title": f"소갈비찜 {number + 1}호",
                "description": description + ("." * padding if number == 0 else ""),
                "price": 24900 + 100 * number,
                "listPrice": 29900 + 100 * number,
                "badges": ["event"],
                "image": "images/picture.jpg",
            }
            for number in range(products)
        ]
        catalog = {
            "shop": {
                "name": "반찬",
                "placeholder": "images/picture.jpg",
                "delivery": {
                    "types": ["dawn", "parcel"],
                    "info": "새벽배송",
                    "fee": "2,500원 (40,000원 이상 구매 시 무료)",
                    "freeFrom": 40000,
                },
            },
            "sections": [{"id": "main", "name": "메인반찬", "title": "한그릇 뚝딱 메인 요리"}],
            "products": rows,
            "collections": [],
        }
        (seed / "catalog.json").write_text(json.dumps(catalog, ensure_ascii=False), encoding="utf-8")
        return seed

    def banchan(self, name: str, seed: Path, *, core=None, environment=None, counter=None) -> Server:
        folder = self.folder / name
        folder.mkdir()
        arguments = [self.options.banchan, "serve", "--host", "127.0.0.1", "--port", 0, "--threads", 1, "--log", "off"]
        arguments += ["--data", folder / "data", "--cache", folder / "cache", "--seed", seed]
        process = self.start(name, arguments, cwd=folder, core=core, environment=environment)
        listening = re.compile(rb"listening on http://[^\s:]+:(\d+)")
        found = process.wait_until(lambda: listening.search(process.log.read_bytes()))
        return Server(process, int(found[1]), [process.pid], counter)

    def fitting_seed(self) -> Path:
        """The seed whose list has LIST_BYTES, found by asking for the list."""
        products, padding = 16, 0
        for attempt in range(4):
            seed = self.seed(products, padding)
            server = self.banchan(f"fitting-{attempt}", seed)
            size = len(fetch(server.port, LIST_PATH)[1])
            server.process.stop()
            if size == LIST_BYTES:
                return seed
            if 0 < LIST_BYTES - size <= 460:
                padding += LIST_BYTES - size
            else:
                products, padding = LIST_BYTES * products // size, 0
        # The length of a port in the addresses may differ from start to start: a few bytes are no matter.
        return seed

    def picture_path(self, server: Server) -> str:
        answer = json.loads(fetch(server.port, "/api/v1/products/H0000")[1])
        url = answer["product"]["image"]["urls"]["original"]
        path = "/" + url.split("/", 3)[3]
        fetch(server.port, path)
        return path

    # nginx

    def nginx(self, name: str, files: dict, *, core=None, environment=None, counter=None) -> Server:
        """nginx at its best for small answers from files: `files` maps a path to its headers and body."""
        folder = self.folder / name
        (folder / "html").mkdir(parents=True)
        port, upstream = free_port(), free_port()
        locations = []
        for path, (fields, body) in files.items():
            (folder / "html" / path.lstrip("/")).write_bytes(body)
            # nginx says Server, Date, Content-Type, Content-Length, Last-Modified, Connection, ETag and Accept-Ranges
            # by itself. Of the rest of Banchan's answer it gets as many fields as make the two answers alike.
            own = {"server", "date", "content-type", "content-length", "last-modified", "connection", "etag", "accept-ranges"}
            added = ""
            if not any(k.lower() == "accept-ranges" for k, _ in fields):
                own.remove("accept-ranges")
                added = "max_ranges 0; "
            more = [(k, v) for k, v in fields if k.lower() not in own][: max(0, len(fields) - len(own))]
            added += " ".join(f'add_header {k} "{v}";' for k, v in more)
            kind = next(v for k, v in fields if k.lower() == "content-type")
            locations.append(f'location = {path} {{ types {{ }} default_type {kind}; {added} }}')
            # A cached answer keeps the type, length, times and tag of its source; Connection and the like are its own.
            locations.append(
                f"location = /cached{path} {{ proxy_pass http://127.0.0.1:{upstream}{path}; proxy_cache pictures;"
                f" proxy_cache_valid 200 1h; {added} }}"
            )
        everything = "\n    ".join(locations)
        user = f"user {pwd.getpwuid(os.geteuid()).pw_name};" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(
            f"""\
{user}
worker_processes 1;
daemon off;
pid {folder}/pid;
error_log {folder}/error.log error;
events {{ worker_connections 4096; accept_mutex off; multi_accept on; }}
http {{
  access_log off;
  sendfile off;
  tcp_nodelay on;
  keepalive_timeout 3600s;
  keepalive_requests 1000000000;
  open_file_cache max=100 inactive=3600s;
  open_file_cache_valid 3600s;
  open_file_cache_min_uses 1;
  proxy_cache_path {folder}/cache levels=1:2 keys_zone=pictures:1m inactive=1h use_temp_path=off;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    root {folder}/html;
    {everything}
  }}
  server {{
    listen 127.0.0.1:{upstream};
    root {folder}/html;
    location / {{ types {{ }} default_type image/jpeg; }}
  }}
}}
"""
        )
        program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
        if program is None:
            sys.exit("The benchmark needs nginx (Debian's nginx-light), and it is not on the PATH.")
        arguments = [program, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"]
        process = self.start(name, arguments, cwd=folder, core=core, environment=environment)
        workers = process.wait_until(lambda: nginx_workers(process.pid))

        def answers():
            try:
                return bool(fetch(port, next(iter(files))))
            except OSError:
                return False

        process.wait_until(answers)
        return Server(process, port, workers, counter)

    # The client

    def wrk(self, server: Server, path: str, seconds: float):
        """One run; returns requests per second and CPU microseconds per request."""
        command = ["taskset", "-c", str(self.client_core), "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s"]
        before = cpu_seconds(server.pids)
        output = subprocess.run(
            command + [f"http://127.0.0.1:{server.port}{path}"],
            check=True,
            capture_output=True,
            text=True,
            timeout=seconds + 60,
        ).stdout
        used = cpu_seconds(server.pids) - before
        requests, duration = re.search(r"(\d+) requests in ([\d.]+)(?=s)", output).groups()
        trouble = re.search(r"Non-2xx or 3xx responses.*|Socket errors.*", output)
        if trouble or int(requests) == 0:
            sys.exit(f"{path}: {trouble[0] if trouble else 'no answer'}")
        rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
        return rate, used * 1e6 / int(requests), int(requests)

    # What is measured

    def rounds(self, contestants):
        """Measures all contestants in turn, as often as asked. Who goes first changes from round to round."""
        runs = {name: [] for name, _, _ in contestants}
        for _, server, path in contestants:
            self.wrk(server, path, 1)
        for number in range(self.options.pairs):
            shift = number % len(contestants)
            for name, server, path in contestants[shift:] + contestants[:shift]:
                runs[name].append(self.wrk(server, path, self.options.seconds))
            shown = ", ".join(f"{name} {runs[name][-1][1]:.2f}" for name, _, _ in contestants)
            progress(f"  round {number + 1} of {self.options.pairs}: CPU µs per request: {shown}")
        return runs

    def mallocs_per_request(self, server: Server, path: str) -> float:
        """What a longer run takes more than a shorter one, so that opening the connections does not count."""
        self.wrk(server, path, 1)
        runs = []
        for seconds in (1, 3):
            before = server.mallocs()
            requests = self.wrk(server, path, seconds)[2]
            runs.append((requests, server.mallocs() - before))
        (few, before), (many, after) = runs
        return max(0.0, (after - before) / (many - few))

    def run(self):
        load = os.getloadavg()[0]
        if load > 1:
            progress(f"Other work runs on this machine (load {load:.1f}): the intervals will be wider.")
        progress("Looking for a list of 9 KB …")
        seed = self.fitting_seed()
        banchan = self.banchan("banchan", seed, core=self.server_core)
        path = self.picture_path(banchan)
        files = {"/list": fetch(banchan.port, LIST_PATH), "/picture": fetch(banchan.port, path)}
        nginx = self.nginx("nginx", files, core=self.server_core)
        contests = [
            ("list", [("Banchan", banchan, LIST_PATH), ("nginx", nginx, "/list")]),
            (
                "picture",
                [("Banchan", banchan, path), ("nginx", nginx, "/picture"), ("nginx proxy_cache", nginx, "/cached/picture")],
            ),
        ]
        mallocs = {}
        if self.counter_library:
            environment, counter = self.counting("banchan")
            counted = self.banchan("banchan-counted", seed, environment=environment, counter=counter)
            self.picture_path(counted)
            environment, counter = self.counting("nginx")
            counted_nginx = self.nginx("nginx-counted", files, environment=environment, counter=counter)
            for _, contestants in contests:
                for name, server, target in contestants:
                    of = counted if server is banchan else counted_nginx
                    mallocs[name, target] = self.mallocs_per_request(of, target)
            counted.process.stop()
            counted_nginx.process.stop()
        results = []
        for title, contestants in contests:
            sizes = {}
            for name, server, target in contestants:
                fields, body = fetch(server.port, target)
                sizes[name] = (len(body), len(fields))
                if body != files[f"/{title}"][1]:
                    sys.exit(f"{name} answers {target} with other bytes than Banchan")
            progress(f"The {title}: {self.options.pairs} rounds of {self.options.seconds} s each")
            runs = self.rounds(contestants)
            result = {"what": title, "bytes": sizes["Banchan"][0], "contestants": [], "ratios": []}
            for name, _, target in contestants:
                result["contestants"].append(
                    {
                        "name": name,
                        "fields": sizes[name][1],
                        "requestsPerSecond": statistics.median(run[0] for run in runs[name]),
                        "cpuMicrosecondsPerRequest": statistics.median(run[1] for run in runs[name]),
                        "mallocsPerRequest": mallocs.get((name, target)),
                    }
                )
            for name, _, _ in contestants[1:]:
                pairs = list(zip(runs["Banchan"], runs[name]))
                result["ratios"].append(
                    {
                        "peer": name,
                        "requestsPerSecond": median_with_interval([ours[0] / theirs[0] for ours, theirs in pairs]),
                        "cpuPerRequest": median_with_interval([ours[1] / theirs[1] for ours, theirs in pairs]),
                    }
                )
            results.append(result)
        return {
            "connections": CONNECTIONS,
            "rounds": self.options.pairs,
            "secondsPerRun": self.options.seconds,
            "load": load,
            "results": results,
        }


# ------------------------------------------------------------------------------------------------------------ results


def median_with_interval(values):
    """The median, and the interval in which it lies with 95 %, by 10,000 resamples (the same ones every time)."""
    dice = random.Random(20180312)
    medians = sorted(statistics.median(dice.choices(values, k=len(values))) for _ in range(10_000))
    return {"median": statistics.median(values), "low": medians[250], "high": medians[9749]}


def table(report) -> str:
    lines = [
        f"{report['connections']} keep-alive connections, one core for the server and one for wrk, "
        f"{report['rounds']} rounds of {report['secondsPerRun']} s; medians"
    ]

    def interval(value):
        return f"{value['median']:.3f} [{value['low']:.3f}, {value['high']:.3f}]"

    for result in report["results"]:
        lines += ["", f"The same {result['what']} of {result['bytes']:,} bytes"]
        lines.append(f"  {'':24}{'requests/s':>12}{'CPU µs/request':>18}{'malloc/request':>18}{'fields':>9}")
        for one in result["contestants"]:
            mallocs = "–" if one["mallocsPerRequest"] is None else f"{one['mallocsPerRequest']:.3f}"
            lines.append(
                f"  {one['name']:24}{one['requestsPerSecond']:>12,.0f}{one['cpuMicrosecondsPerRequest']:>18.2f}"
                f"{mallocs:>18}{one['fields']:>9}"
            )
        for ratio in result["ratios"]:
            lines.append(
                f"  Banchan : {ratio['peer']:20} requests/s {interval(ratio['requestsPerSecond'])}   "
                f"CPU per request {interval(ratio['cpuPerRequest'])}"
            )
    return "\n".join(lines)


def main() -> None:
    def bounded(low, high, kind):
        def parse(text):
            value = kind(text)
            if not low <= value <= high:
                raise argparse.ArgumentTypeError(f"from {low} to {high}")
            return value

        return parse

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--banchan", required=True, type=lambda path: Path(path).resolve(strict=True), help="the binary")
    parser.add_argument("--pairs", type=bounded(1, 200, int), default=12, help="rounds (default: 12)")
    parser.add_argument("--seconds", type=bounded(1, 30, int), default=2, help="length of a run (default: 2)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    options = parser.parse_args()

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    bench = Bench(options)
    try:
        report = bench.run()
    finally:
        bench.close()
    print(json.dumps(report, indent=2) if options.json else table(report))


if __name__ == "__main__":
    main()
