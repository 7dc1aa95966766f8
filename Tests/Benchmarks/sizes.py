#!/usr/bin/env python3
"""Measures what a thumbnail costs: Banchan with its worker, beside vipsthumbnail, nginx's image_filter and thumbor.

Every picture is another one, a 1600² JPEG to be made 320 px wide. Banchan has fetched the originals before; what counts
then is the processor time of server and worker together for a request of a size that is not there yet: hand-over,
decoding, encoding, storing and answering. A peer that is not installed is left out. The contestants take turns.
"""

import argparse
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

try:
    from PIL import Image, ImageFilter
except ImportError:
    # Debian's Pillow belongs to Debian's Python.
    if sys.executable == "/usr/bin/python3":
        sys.exit("The pictures are made with Pillow: install python3-pil.")
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

from machine import Workshop, cpu_seconds, fetch, free_port, median_with_interval, progress

SIDE, WIDTH = 1600, 320
BOUND_MILLISECONDS = 8.0


def photograph() -> bytes:
    """As a camera would write it: soft shapes, some grain, 4:2:0, quality 85."""
    noise = Image.effect_noise((SIDE, SIDE), 60)
    round_ = Image.radial_gradient("L").resize((SIDE, SIDE))
    down = Image.linear_gradient("L").resize((SIDE, SIDE))
    planes = (Image.blend(noise, round_, 0.7), Image.blend(noise, down, 0.6), down.rotate(90))
    out = io.BytesIO()
    Image.merge("RGB", planes).filter(ImageFilter.GaussianBlur(1.2)).save(out, "JPEG", quality=85)
    return out.getvalue()


def numbered(picture: bytes, number: int) -> bytes:
    """The same picture in bytes of its own: with a comment."""
    note = f"{number:08}".encode()
    return picture[:2] + b"\xff\xfe" + (len(note) + 2).to_bytes(2, "big") + note + picture[2:]


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


class Banchan:
    name = "Banchan, worker and all"

    def __init__(self, workshop: Workshop, binary: Path, pictures: list[bytes], folder="sizes"):
        seed = workshop.folder / f"{folder}-seed"
        (seed / "images").mkdir(parents=True)
        products = []
        for number, picture in enumerate(pictures):
            (seed / "images" / f"{number}.jpg").write_bytes(picture)
            products.append({"id": f"H{number:04X}", "section": "main", "title": f"{number}", "description": "",
                             "price": 1000, "image": f"images/{number}.jpg"})
        delivery = {"types": ["dawn"], "info": "", "fee": "", "freeFrom": None}
        catalog = {"shop": {"name": "반찬", "placeholder": "images/0.jpg", "delivery": delivery},
                   "sections": [{"id": "main", "name": "메인", "title": "메인"}], "products": products, "collections": []}
        (seed / "catalog.json").write_text(json.dumps(catalog, ensure_ascii=False), encoding="utf-8")
        home = workshop.folder / folder
        home.mkdir()
        arguments = [binary, "serve", "--host", "127.0.0.1", "--port", 0, "--log", "off", "--warm", "off"]
        arguments += ["--data", home / "data", "--cache", home / "cache", "--seed", seed]
        self.process = workshop.start(folder, arguments, cwd=home)
        self.port = self.process.wait_for(rb"listening on http://[^\s:]+:(\d+)")
        listed = json.loads(fetch(self.port, "/api/v1/sections/main")[1])["section"]["products"]
        self.paths = ["/" + product["image"]["urls"]["thumb"].split("/", 3)[3] for product in listed]
        for product in listed:
            fetch(self.port, "/" + product["image"]["urls"]["original"].split("/", 3)[3])
        # What was learnt of the originals reaches the catalog a second later.
        time.sleep(1.5)
        # The first one starts the worker.
        fetch(self.port, self.paths[0])

    @property
    def workers(self) -> list[int]:
        return [pid for pid in children(self.process.pid) if "derive" in Path(f"/proc/{pid}/comm").read_text()]

    def cost(self, numbers) -> float:
        """Milliseconds of processor time for a picture."""
        pids = [self.process.pid, *self.workers]
        before = cpu_seconds(pids)
        for number in numbers:
            fetch(self.port, self.paths[number])
        assert self.workers == pids[1:], "a worker was replaced meanwhile"
        return (cpu_seconds(pids) - before) * 1000 / len(numbers)


class VIPS:
    name = "vipsthumbnail, one process for all"

    def __init__(self, workshop: Workshop, pictures: list[bytes]):
        self.folder = workshop.folder / "vips"
        self.folder.mkdir()
        for number, picture in enumerate(pictures):
            (self.folder / f"{number}.jpg").write_bytes(picture)
        # One thread, and what starting costs is taken off.
        self.start = min(self.run(["0.jpg"]) for _ in range(3))

    def run(self, names) -> float:
        before = os.times()
        subprocess.run(["vipsthumbnail", "--size", f"{WIDTH}x", "-o", "out-%s.jpg[Q=80,strip]", *names],
                       cwd=self.folder, env={**os.environ, "VIPS_CONCURRENCY": "1"}, check=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    def cost(self, numbers) -> float:
        return (self.run(["0.jpg"] + [f"{number}.jpg" for number in numbers]) - self.start) * 1000 / len(numbers)


class NginxImageFilter:
    name = "nginx, image_filter (libgd)"
    module = Path("/usr/lib/nginx/modules/ngx_http_image_filter_module.so")

    def __init__(self, workshop: Workshop, pictures: list[bytes]):
        folder = workshop.folder / "image-filter"
        (folder / "logs").mkdir(parents=True)
        for number, picture in enumerate(pictures):
            (folder / f"{number}.jpg").write_bytes(picture)
        self.port = free_port()
        (folder / "nginx.conf").write_text(f"""
            load_module {self.module}; daemon off; worker_processes 1; user root; pid {folder}/pid;
            error_log {folder}/logs/error.log;
            events {{ }}
            http {{ access_log off; types {{ image/jpeg jpg; }}
              server {{ listen 127.0.0.1:{self.port}; root {folder};
                location / {{ image_filter resize {WIDTH} -; image_filter_jpeg_quality 80; image_filter_buffer 20M; }} }} }}
            """)
        self.process = workshop.start("image-filter", [shutil.which("nginx", path="/usr/sbin:/usr/bin"), "-p", folder,
                                                       "-c", folder / "nginx.conf"], cwd=folder)
        self.process.wait_until(lambda: children(self.process.pid))
        time.sleep(0.5)

    def cost(self, numbers) -> float:
        pids = children(self.process.pid)
        before = cpu_seconds(pids)
        for number in numbers:
            fetch(self.port, f"/{number}.jpg")
        return (cpu_seconds(pids) - before) * 1000 / len(numbers)


class Thumbor:
    name = "thumbor (Pillow)"

    def __init__(self, workshop: Workshop, pictures: list[bytes]):
        folder = workshop.folder / "thumbor"
        folder.mkdir()
        for number, picture in enumerate(pictures):
            (folder / f"{number}.jpg").write_bytes(picture)
        (folder / "thumbor.conf").write_text(
            f"LOADER = 'thumbor.loaders.file_loader'\nFILE_LOADER_ROOT_PATH = '{folder}'\nQUALITY = 80\n"
            "STORAGE = 'thumbor.storages.no_storage'\nRESULT_STORAGE = None\n")
        self.port = free_port()
        self.process = workshop.start("thumbor", ["thumbor", "-i", "127.0.0.1", "-p", self.port, "-c",
                                                  folder / "thumbor.conf", "-l", "error"], cwd=folder)
        self.process.wait_until(self.answers)

    def answers(self) -> bool:
        try:
            fetch(self.port, f"/unsafe/{WIDTH}x0/0.jpg")
            return True
        except OSError:
            return False

    def cost(self, numbers) -> float:
        before = cpu_seconds([self.process.pid])
        for number in numbers:
            fetch(self.port, f"/unsafe/{WIDTH}x0/{number}.jpg")
        return (cpu_seconds([self.process.pid]) - before) * 1000 / len(numbers)


def throughput(banchan: Banchan, numbers) -> float:
    """Pictures a second when eight clients ask for different ones at a time."""
    numbers = list(numbers)
    count, begin = len(numbers), time.monotonic()

    def client():
        while numbers:
            try:
                number = numbers.pop()
            except IndexError:
                return
            fetch(banchan.port, banchan.paths[number])

    threads = [threading.Thread(target=client) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return count / (time.monotonic() - begin)


def hits_while_busy(banchan: Banchan, numbers) -> tuple[float, float]:
    """Microseconds of server time for a cached thumbnail: alone, and while all workers have work."""
    def cost():
        before = cpu_seconds([banchan.process.pid])
        for _ in range(300):
            fetch(banchan.port, banchan.paths[0])
        return (cpu_seconds([banchan.process.pid]) - before) * 1e6 / 300

    alone, latencies = cost(), []
    worker = threading.Thread(target=throughput, args=(banchan, numbers))
    worker.start()
    while worker.is_alive():
        begin = time.monotonic()
        fetch(banchan.port, banchan.paths[0])
        latencies.append((time.monotonic() - begin) * 1000)
    worker.join()
    return alone, statistics.median(latencies)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--banchan", required=True, type=lambda path: Path(path).resolve(strict=True))
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    each = 8
    count = 1 + each * options.rounds + 120
    workshop = Workshop()
    try:
        progress(f"Making {count} pictures of {SIDE}² …")
        picture = photograph()
        pictures = [numbered(picture, number) for number in range(count)]
        banchan = Banchan(workshop, options.banchan, pictures)
        contestants = [banchan]
        few = pictures[: 1 + each * options.rounds]
        if shutil.which("vipsthumbnail"):
            contestants.append(VIPS(workshop, few))
        if NginxImageFilter.module.exists():
            contestants.append(NginxImageFilter(workshop, few))
        if shutil.which("thumbor"):
            contestants.append(Thumbor(workshop, few))
        costs = {contestant.name: [] for contestant in contestants}
        for round_ in range(options.rounds):
            for contestant in contestants:
                progress(f"Round {round_ + 1} of {options.rounds}: {contestant.name}")
                costs[contestant.name].append(contestant.cost(range(1 + each * round_, 1 + each * (round_ + 1))))
        first = 1 + each * options.rounds
        rate = throughput(banchan, range(first, first + 60))
        alone, busy = hits_while_busy(banchan, range(first + 60, first + 120))
        resident = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6 for pid in banchan.workers]
    finally:
        workshop.close()
    report = {
        "picture": {"side": SIDE, "bytes": len(picture), "width": WIDTH},
        "cpuMilliseconds": {name: median_with_interval(values) for name, values in costs.items()},
        "picturesASecond": rate, "cachedHit": {"serverMicroseconds": alone, "medianMillisecondsWhileBusy": busy},
        "workersResidentMB": resident,
    }
    if options.json:
        print(json.dumps(report, indent=2))
        return
    print(f"\nA JPEG of {SIDE}² ({len(picture):,} bytes) made {WIDTH} px wide, ms of processor time for each:")
    for name, value in report["cpuMilliseconds"].items():
        print(f"  {name:38} {value['median']:6.2f}  [{value['low']:.2f}, {value['high']:.2f}]")
    ours = report["cpuMilliseconds"][banchan.name]["median"]
    print(f"  asked for: {BOUND_MILLISECONDS} at most: {'met' if ours <= BOUND_MILLISECONDS else 'not met'}")
    print(f"{rate:.0f} pictures a second for eight clients; workers hold {', '.join(f'{mb:.0f} MB' for mb in resident)}")
    print(f"a cached thumbnail: {alone:.0f} µs of the server alone; {busy:.2f} ms to a client while workers are busy")


if __name__ == "__main__":
    main()
