"""Processes, their clocks and memory, and what the numbers of many runs amount to."""

import http.client
import os
import random
import re
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# ---------------------------------------------------------------------------------------------------------- processes


class Process:
    """A program that was started here, and is ended here."""

    def __init__(self, arguments, *, core=None, log, cwd, environment=None):
        self.log = Path(log)
        pinned = ["taskset", "-c", str(core)] if core is not None else []
        # Appending: who empties the file in between has what comes later at its start.
        with open(log, "ab") as output:
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
        sys.exit(f"{self.process.args} did not start: {self.log.read_text(errors='replace')[-2000:]}")

    def wait_for(self, expression: bytes, seconds=30) -> int:
        """Waits for a line with a number in its log."""
        found = self.wait_until(lambda: re.search(expression, self.log.read_bytes()), seconds)
        return int(found[1])

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def raise_descriptor_limit() -> int:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def cpu_seconds(pids: list[int]) -> float:
    """Processor time of all threads of the processes, to the nanosecond."""
    nanoseconds = 0
    for pid in pids:
        for task in Path(f"/proc/{pid}/task").iterdir():
            nanoseconds += int((task / "schedstat").read_text().split()[0])
    return nanoseconds / 1e9


def resident_bytes(pids: list[int]) -> int:
    return sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids) * os.sysconf("SC_PAGE_SIZE")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# ----------------------------------------------------------------------------------------------------------- requests


def fetch(port: int, path: str, fields=None, expected=200):
    """The fields and the body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers=fields or {})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.status != expected:
        sys.exit(f"http://127.0.0.1:{port}{path} answered {response.status}, not {expected}: {body[:200]!r}")
    return response.getheaders(), body


def request_bytes(port: int, path: str, fields=None) -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"] + [f"{k}: {v}" for k, v in (fields or {}).items()]
    return "\r\n".join(lines + ["", ""]).encode()


def read_answer(connection: socket.socket) -> bytes:
    """One answer as it came, head and body."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += receive(connection)
    head = answer.partition(b"\r\n\r\n")[0]
    length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
    size = len(head) + 4 + (int(length[1]) if length and b" 304 " not in head[:16] else 0)
    while len(answer) < size:
        answer += receive(connection)
    return answer


def receive(connection: socket.socket) -> bytes:
    chunk = connection.recv(65536)
    if not chunk:
        sys.exit("A server ended a connection in the middle of an answer")
    return chunk


def raw_answer(port: int, path: str, fields=None) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request_bytes(port, path, fields))
        return read_answer(connection)


# -------------------------------------------------------------------------------------------------------- measurement


class Workshop:
    """The folder, the cores and the processes of one benchmark; nothing of them is left behind."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="banchan-bench-"))
        # nginx's workers may run as another user.
        self.folder.chmod(0o755)
        self.processes: list[Process] = []
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) < 2:
            sys.exit("The benchmark needs two cores: one for the server, one for the client.")
        self.server_core, self.client_core = cores[0], cores[1]

    def close(self) -> None:
        for process in self.processes:
            process.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, name, arguments, *, cwd=None, environment=None, core=None) -> Process:
        process = Process(
            arguments, core=core, log=self.folder / f"{name}.log", cwd=cwd or self.folder, environment=environment
        )
        self.processes.append(process)
        return process

    def compile(self, source: Path, *flags) -> Path | None:
        """A C program or library out of one file; None without a compiler."""
        compiler = next((c for c in ("cc", "gcc", "clang") if shutil.which(c)), None)
        if compiler is None:
            progress(f"No C compiler: {source.name} is left out.")
            return None
        product = self.folder / source.stem
        subprocess.run([compiler, "-O2", *flags, "-o", product, source], check=True)
        return product


def median_with_interval(values):
    """The median, and the interval in which it lies with 95 %, by 10,000 resamples (the same ones every time)."""
    dice = random.Random(20180312)
    medians = sorted(statistics.median(dice.choices(values, k=len(values))) for _ in range(10_000))
    return {"median": statistics.median(values), "low": medians[250], "high": medians[9749]}


UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}


def run_wrk(workshop: Workshop, url: str, pids, *, connections: int, seconds: float, fields=None) -> dict:
    """One run of wrk: requests, requests per second, latencies in milliseconds, CPU microseconds per request."""
    command = ["taskset", "-c", str(workshop.client_core), "wrk", "-t1", f"-c{connections}", f"-d{seconds}s"]
    command += ["--latency", "--timeout", "20s"]
    for name, value in (fields or {}).items():
        command += ["-H", f"{name}: {value}"]
    before = cpu_seconds(pids)
    output = subprocess.run(command + [url], check=True, capture_output=True, text=True, timeout=seconds + 60).stdout
    used = cpu_seconds(pids) - before
    requests = int(re.search(r"(\d+) requests in", output)[1])
    wrong = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    errors = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", output)
    failed = (int(wrong[1]) if wrong else 0) + (sum(map(int, errors.groups())) if errors else 0)
    # A connection that is lost now and then is the machine's; more of them are the server's.
    if requests == 0 or failed * 1000 > requests:
        sys.exit(f"{url}: {failed} of {requests} requests failed: {output}")
    latencies = {
        f"p{share}": float(value) * UNITS[unit]
        for share, value, unit in re.findall(r"^\s+(50|99)%\s+([\d.]+)(us|ms|s|m)", output, re.MULTILINE)
    }
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    return {"requests": requests, "rate": rate, "cpu": used * 1e6 / requests, **latencies}


def count_system_calls(workshop: Workshop, pids, during) -> int | None:
    """The system calls of the processes while `during` runs; None where nobody may look at them."""
    report = workshop.folder / "strace.out"
    command = ["strace", "-c", "-f", "-o", report] + [part for pid in pids for part in ("-p", str(pid))]
    tracer = subprocess.Popen([str(part) for part in command], stderr=subprocess.PIPE, text=True)
    line = tracer.stderr.readline()
    if "attached" not in line:
        tracer.wait(10)
        progress(f"System calls are not counted: {line.strip()}")
        return None
    try:
        during()
    finally:
        tracer.send_signal(2)
        tracer.communicate(timeout=30)
    total = re.search(r"^100\.00\s+[\d.]+\s+\d+\s+(\d+)(\s+\d+)?\s+total", report.read_text(), re.MULTILINE)
    return int(total[1]) if total else None
