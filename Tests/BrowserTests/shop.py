"""A real server for the pages: the built binary on the demo seed, on folders and a port of its own."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


class Shop:
    """Started when it is made; ended by `stop`, and started again on the same port by `start`."""

    def __init__(self, change=None, arguments=(), before=None):
        """`change` is called with the seed's catalog, and may alter it; `arguments` are further ones of `serve`; `before` is
        called with the seed folder, for what else is to be in it."""
        self.arguments = list(arguments)
        self.folder = Path(tempfile.mkdtemp(prefix="banchan-browser-"))
        self.seed = self.folder / "seed"
        self.seed.mkdir()
        (self.seed / "images").symlink_to(CHECKOUT / "seed" / "images")
        self.write_seed(change)
        if before:
            before(self.seed)
        self.port = 0
        self.start()

    def seed_text(self, change=None) -> str:
        """The demo shop's seed file, altered."""
        catalog = json.loads((CHECKOUT / "seed" / "catalog.json").read_text())
        if change:
            change(catalog)
        return json.dumps(catalog, ensure_ascii=False)

    def write_seed(self, change=None) -> Path:
        path = self.seed / "catalog.json"
        path.write_text(self.seed_text(change))
        return path

    @property
    def binary(self) -> str:
        return os.environ.get("BANCHAN_BINARY", str(CHECKOUT / ".build/release/banchan"))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            [self.binary, "serve", "--port", str(self.port), "--data", "data", "--cache", "cache", "--seed", self.seed,
             "--public", CHECKOUT / "Public", "--log", "off", *self.arguments],
            cwd=self.folder, stderr=subprocess.PIPE, text=True)
        said = []
        for line in self.process.stderr:
            said.append(line)
            found = re.search(r"listening on http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                # Whoever writes must be read, or waits.
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return
        raise RuntimeError("banchan did not start: " + "".join(said))

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            # Streams that are still open are not waited for.
            self.process.wait(timeout=20)

    def import_catalog(self, change):
        """Imports an altered catalog into the running shop."""
        subprocess.run([self.binary, "import", self.write_seed(change), "--data", "data"], cwd=self.folder, check=True,
                       capture_output=True)

    def get(self, path: str) -> bytes:
        return urllib.request.urlopen(self.url + path, timeout=20).read()

    def until(self, look):
        """What `look` finds, once it finds something."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if found := look():
                return found
            time.sleep(0.05)
        raise AssertionError("it never came")

    def json(self, path: str):
        return json.loads(self.get(path))

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
