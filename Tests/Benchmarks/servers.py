"""The servers that are measured: Banchan, nginx in two ways, HAProxy, and the floor under them all."""

import json
import mmap
import os
import pwd
import re
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from machine import Process, Workshop, fetch, free_port, progress

LIST_BYTES = 9 * 1024
PICTURE_BYTES = 20 * 1024
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


@dataclass
class Server:
    """Something that answers, and whose CPU time, memory and malloc calls can be read."""

    name: str
    process: Process
    port: int
    pids: list[int]
    tls_port: int | None = None
    counter: mmap.mmap | None = None
    paths: dict[str, str] = field(default_factory=dict)

    def mallocs(self) -> int:
        return struct.unpack_from("Q", self.counter)[0]


@dataclass
class Answer:
    """An answer of Banchan's, which its peers are to give as well."""

    fields: list[tuple[str, str]]
    body: bytes

    def value(self, name: str) -> str:
        return next((v for k, v in self.fields if k.lower() == name.lower()), "")

    def further_fields(self, own: set[str]) -> list[tuple[str, str]]:
        """What a peer that says `own` by itself adds, so that both answers have the same number of fields."""
        return [(k, v) for k, v in self.fields if k.lower() not in own][: max(0, len(self.fields) - len(own))]


class Servers:
    """Starts servers in a workshop."""

    def __init__(self, workshop: Workshop, banchan: Path):
        self.workshop = workshop
        self.folder = workshop.folder
        self.binary = banchan
        self.counter_library = workshop.compile(
            Path(__file__).parent.with_name("MallocCounter") / "malloc_counter.c", "-shared", "-fPIC", "-fno-builtin"
        )
        self.floor_program = workshop.compile(Path(__file__).with_name("floor.c"))
        help_text = subprocess.run([banchan, "serve", "--help"], capture_output=True, text=True).stdout
        self.banchan_knows_tls = "--tls-cert" in help_text and "--tls-port" in help_text
        self.certificate = self.make_certificate() if self.banchan_knows_tls else None

    def make_certificate(self) -> Path | None:
        if shutil.which("openssl") is None:
            progress("No openssl: TLS is left out.")
            return None
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30".split()
        command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
        both = self.folder / "both.pem"
        both.write_bytes(certificate.read_bytes() + key.read_bytes())
        for file in (key, both):
            file.chmod(0o600)
        return certificate

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

    def banchan(self, name: str, seed: Path, *, core=None, counts=False, descriptors=None, flags=()) -> Server:
        """A Banchan that logs nothing and has no port for operators, unless `flags` say so."""
        folder = self.folder / name
        folder.mkdir()
        environment, counter = self.counting(name) if counts else (None, None)
        limited = ["prlimit", f"--nofile={descriptors}:{descriptors}"] if descriptors else []
        arguments = [*limited, self.binary, "serve", "--host", "127.0.0.1", "--port", 0, "--threads", 1]
        arguments += ["--warm", "off", "--data", folder / "data", "--cache", folder / "cache", "--seed", seed]
        arguments += flags or ["--log", "off"]
        if self.certificate:
            arguments += ["--tls-port", 0, "--tls-cert", self.certificate, "--tls-key", self.folder / "key.pem"]
        process = self.workshop.start(name, arguments, cwd=folder, core=core, environment=environment)
        port = process.wait_for(rb"listening on http://[^\s:]+:(\d+)")
        tls_port = process.wait_for(rb"https://[^\s:]+:(\d+)") if self.certificate else None
        server = Server("Banchan", process, port, [process.pid], tls_port, counter)
        server.paths = {"list": LIST_PATH, "picture": self.picture_path(port)}
        return server

    def picture_path(self, port: int) -> str:
        answer = json.loads(fetch(port, "/api/v1/products/H0000")[1])
        path = "/" + answer["product"]["image"]["urls"]["original"].split("/", 3)[3]
        fetch(port, path)
        return path

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

    # nginx

    def nginx(self, answers: dict[str, Answer], zipped: bytes, *, core=None, counts=False) -> Server:
        """nginx at its best for small answers from files, and as a cache before another server."""
        name = "nginx-counted" if counts else "nginx"
        folder, port, tls_port, upstream = self.nginx_folder(name, answers, zipped)
        locations = []
        for path, answer in answers.items():
            # nginx says Server, Date, Content-Type, Content-Length, Last-Modified, Connection, ETag and Accept-Ranges
            # by itself. Of the rest of Banchan's answer it gets as many fields as make the two answers alike.
            own = {"server", "date", "content-type", "content-length", "last-modified", "connection", "etag"}
            added = "max_ranges 0; "
            if answer.value("Accept-Ranges"):
                own.add("accept-ranges")
                added = ""
            added += " ".join(f'add_header {k} "{v}";' for k, v in answer.further_fields(own))
            kind = answer.value("Content-Type")
            locations.append(
                f"location = {path} {{ types {{ }} default_type {kind}; gzip_static on; gzip_vary on; {added} }}"
            )
            # A cached answer keeps the type, length, times and tag of its source; Connection and the like are its own.
            locations.append(
                f"location = /cached{path} {{ proxy_pass http://127.0.0.1:{upstream}{path}; proxy_cache pictures;"
                f" proxy_cache_valid 200 1h; {added} }}"
            )
        http = f"""\
  access_log off;
  sendfile off;
  tcp_nodelay on;
  keepalive_timeout 3600s;
  keepalive_requests 1000000000;
  open_file_cache max=100 inactive=3600s;
  open_file_cache_valid 3600s;
  open_file_cache_min_uses 1;
  proxy_cache_path {folder}/cache levels=1:2 keys_zone=pictures:1m inactive=1h use_temp_path=off;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    {self.nginx_tls(tls_port, "backlog=4096")}
    root {folder}/html;
    {" ".join(locations)}
  }}
  server {{
    listen 127.0.0.1:{upstream};
    root {folder}/html;
    location / {{ types {{ }} default_type image/jpeg; }}
  }}
"""
        events = "worker_connections 8192; accept_mutex off; multi_accept on;"
        return self.start_nginx("nginx", name, folder, events, http, port, tls_port, core=core, counts=counts)

    def nginx_of_debian(self, answers: dict[str, Answer], zipped: bytes, *, core=None) -> Server:
        """nginx with what Debian's /etc/nginx/nginx.conf says: an access log, sendfile and tcp_nopush."""
        folder, port, tls_port, _ = self.nginx_folder("nginx-debian", answers, zipped)
        locations = " ".join(
            f"location = {path} {{ types {{ }} default_type {answer.value('Content-Type')}; }}"
            for path, answer in answers.items()
        )
        http = f"""\
  sendfile on;
  tcp_nopush on;
  types_hash_max_size 2048;
  access_log {folder}/access.log;
  gzip on;
  server {{
    listen 127.0.0.1:{port};
    {self.nginx_tls(tls_port)}
    root {folder}/html;
    {locations}
  }}
"""
        return self.start_nginx(
            "nginx of Debian", "nginx-debian", folder, "worker_connections 768;", http, port, tls_port, core=core
        )

    def nginx_folder(self, name, answers, zipped):
        folder = self.folder / name
        (folder / "html").mkdir(parents=True)
        for path, answer in answers.items():
            (folder / "html" / path.lstrip("/")).write_bytes(answer.body)
        (folder / "html" / "list.gz").write_bytes(zipped)
        return folder, free_port(), free_port() if self.certificate else None, free_port()

    def nginx_tls(self, port, options="") -> str:
        if port is None:
            return ""
        key = self.folder / "key.pem"
        return (
            f"listen 127.0.0.1:{port} ssl {options}; ssl_certificate {self.certificate}; ssl_certificate_key {key};"
            " ssl_protocols TLSv1.2 TLSv1.3;"
        )

    def start_nginx(self, shown, name, folder, events, http, port, tls_port, *, core, counts=False) -> Server:
        user = f"user {pwd.getpwuid(os.geteuid()).pw_name};" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(
            f"""\
{user}
worker_processes 1;
daemon off;
pid {folder}/pid;
error_log {folder}/error.log error;
events {{ {events} }}
http {{
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
{http}
}}
"""
        )
        environment, counter = self.counting(name) if counts else (None, None)
        arguments = [program("nginx", "nginx-light"), "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"]
        process = self.workshop.start(name, arguments, cwd=folder, core=core, environment=environment)
        workers = process.wait_until(lambda: nginx_workers(process.pid))
        server = Server(shown, process, port, workers, tls_port, counter)
        server.paths = {"list": "/list", "picture": "/picture", "cached picture": "/cached/picture"}
        process.wait_until(lambda: answers_to(server))
        return server

    # HAProxy

    def haproxy(self, answers: dict[str, Answer], zipped: bytes, *, core=None) -> Server:
        """HAProxy with the answers in its memory."""
        folder = self.folder / "haproxy"
        folder.mkdir()
        port, tls_port = free_port(), free_port() if self.certificate else None
        rules = []
        for path, answer in answers.items():
            (folder / path.lstrip("/")).write_bytes(answer.body)
            # HAProxy itself says Content-Type and Content-Length.
            more = haproxy_fields(answer.further_fields({"content-type", "content-length"}))
            kind, is_path = answer.value("Content-Type"), f"path {path}"
            tag = " ".join(haproxy_fields([("ETag", answer.value("ETag"))]))
            rules.append(f"http-request return status 304 {tag} if {{ {is_path} }} {{ req.hdr(if-none-match) -m found }}")
            if path == "/list":
                (folder / "list.gz").write_bytes(zipped)
                rules.append(
                    f'http-request return status 200 content-type "{kind}" file {folder}/list.gz {" ".join(more)}'
                    f" hdr Content-Encoding gzip if {{ {is_path} }} {{ req.hdr(accept-encoding) -m sub gzip }}"
                )
            rules.append(
                f'http-request return status 200 content-type "{kind}" file {folder}{path} {" ".join(more)}'
                f" if {{ {is_path} }}"
            )
        tls = f"bind 127.0.0.1:{tls_port} ssl crt {self.folder}/both.pem alpn http/1.1" if tls_port else ""
        lines = "\n  ".join(rules)
        (folder / "haproxy.cfg").write_text(
            f"""\
global
  nbthread 1
  maxconn 8192
  tune.bufsize 65536
defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 5s
  timeout http-keep-alive 1h
frontend shop
  bind 127.0.0.1:{port}
  {tls}
  {lines}
"""
        )
        arguments = [program("haproxy", "haproxy"), "-db", "-f", folder / "haproxy.cfg"]
        process = self.workshop.start("haproxy", arguments, cwd=folder, core=core)
        server = Server("HAProxy", process, port, [process.pid], tls_port)
        server.paths = {"list": "/list", "picture": "/picture"}
        process.wait_until(lambda: answers_to(server))
        return server

    # The floor

    def floor(self, name: str, answer: bytes, *, closes=False, core=None) -> Server | None:
        """A loop that reads, and writes the same bytes."""
        if self.floor_program is None:
            return None
        file = self.folder / f"{name}.answer"
        file.write_bytes(answer)
        arguments = [self.floor_program, file] + (["close"] if closes else [])
        process = self.workshop.start(f"floor-{name}", arguments, core=core)
        port = process.wait_for(rb"^(\d+)\n")
        return Server("floor", process, port, [process.pid])


def program(name: str, package: str) -> str:
    path = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if path is None:
        sys.exit(f"The benchmark needs {name} (Debian's {package}), and it is not on the PATH.")
    return path


def haproxy_fields(fields) -> list[str]:
    """Fields as HAProxy's configuration has them: its own signs escaped."""
    escaped = [(k, re.sub(r'(["\\])', r"\\\1", v).replace("%", "%%")) for k, v in fields]
    return [f'hdr {k} "{v}"' for k, v in escaped]


def answers_to(server: Server) -> bool:
    try:
        return bool(fetch(server.port, server.paths["list"]))
    except OSError:
        return False


def nginx_workers(pid: int) -> list[int]:
    """The children that answer requests; those that look after the cache do not count, and one of them soon ends."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children if b"worker process" in Path(f"/proc/{child}/cmdline").read_bytes()]
