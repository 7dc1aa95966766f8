"""What a server does when clients do not play along: heads that drip in, and more connections than descriptors."""

import socket
import threading
import time

from machine import cpu_seconds, raw_answer, read_answer, request_bytes

DRIPPING_SOCKETS = 500
DRIPPING_SECONDS = 5
DESCRIPTORS = 64
HELD_CONNECTIONS = 100
PAUSED_SECONDS = 10


def drip(port: int, path: str, done: threading.Event) -> None:
    """Keeps sockets open that send one byte of a field each, five times a second; one that is ended comes back."""
    beginning = request_bytes(port, path)[:-2] + b"X-Slow: "
    sockets: list[socket.socket | None] = [None] * DRIPPING_SOCKETS
    while not done.is_set():
        for index, connection in enumerate(sockets):
            try:
                if connection is None:
                    sockets[index] = connection = socket.create_connection(("127.0.0.1", port), timeout=5)
                    connection.sendall(beginning)
                connection.sendall(b"x")
            except OSError:
                sockets[index] = None
        done.wait(0.2)
    for connection in filter(None, sockets):
        connection.close()


def latencies_beside_dripping(port: int, path: str) -> list[float]:
    """Milliseconds of each of many GETs, keep-alive and on new connections in turn, while others drip."""
    done = threading.Event()
    dripping = threading.Thread(target=drip, args=(port, path, done))
    dripping.start()
    try:
        time.sleep(1)
        found = []
        end = time.monotonic() + DRIPPING_SECONDS
        with socket.create_connection(("127.0.0.1", port), timeout=30) as kept:
            while time.monotonic() < end:
                start = time.monotonic()
                kept.sendall(request_bytes(port, path))
                read_answer(kept)
                middle = time.monotonic()
                raw_answer(port, path)
                found += [(middle - start) * 1_000, (time.monotonic() - middle) * 1_000]
                time.sleep(0.005)
        return sorted(found)
    finally:
        done.set()
        dripping.join()


def pause_without_descriptors(port: int, pids: list[int], path: str) -> tuple[float, float]:
    """Holds more connections than the server has descriptors for: its share of a core in percent meanwhile, and the seconds
    until a GET is answered once they are gone."""
    held = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(HELD_CONNECTIONS)]
    try:
        time.sleep(2)
        before = cpu_seconds(pids)
        time.sleep(PAUSED_SECONDS)
        share = (cpu_seconds(pids) - before) / PAUSED_SECONDS * 100
    finally:
        for connection in held:
            connection.close()
    start = time.monotonic()
    raw_answer(port, path)
    return share, time.monotonic() - start
