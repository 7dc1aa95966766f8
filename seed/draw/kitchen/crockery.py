"""Plates, bowls, pots and boxes. A `Dish` is a field shaped like the inside of a vessel, and knows its outside."""

import math

import numpy as np
from PIL import Image

from .colour import colour, mix
from .field import Field
from .noise import blur, resize, sample, smooth, tile

GLAZES = {
    # name: (colour, rim colour, gloss, speckle)
    "white": ("e9e5dd", "edeae3", 0.55, 0.015),
    "cream": ("eadfc8", "d9c7a4", 0.45, 0.05),
    "celadon": ("b9c8ae", "a3b59a", 0.60, 0.04),
    "sky": ("c3d2da", "8fa9b8", 0.55, 0.03),
    "navy": ("2e4560", "21344a", 0.60, 0.06),
    "moss": ("6e7b58", "566344", 0.50, 0.08),
    "stone": ("37322e", "2a2623", 0.22, 0.16),
    "onggi": ("5a3a26", "43291a", 0.55, 0.12),
    "iron": ("2b2a2a", "222120", 0.30, 0.08),
    "sand": ("d2bf9f", "a88f6c", 0.35, 0.10),
    "rose": ("e4cfc6", "cfaea2", 0.50, 0.03),
    "kraft": ("b98f5e", "a87f50", 0.12, 0.06),
    "black": ("232323", "2c2c2c", 0.42, 0.02),
    "clear": ("dfe5e4", "eef2f1", 0.80, 0.01),
    "brass": ("c79a4a", "d7ae5e", 0.75, 0.04),
    "wood": ("a9774a", "98683e", 0.22, 0.10),
}

# name: (height, foot share, squareness, profile of (rho, height))
SHAPES = {
    "plate": (34, 0.60, 2.0, [(0, 12), (0.60, 12), (0.70, 15), (0.95, 33), (0.985, 34), (1, 30)]),
    "coupe": (52, 0.55, 2.0, [(0, 12), (0.45, 14), (0.75, 26), (0.95, 50), (0.985, 52), (1, 46)]),
    "bowl": (120, 0.46, 2.0, [(0, 20), (0.35, 24), (0.62, 50), (0.84, 96), (0.955, 118), (0.985, 120), (1, 112)]),
    "deep": (165, 0.48, 2.0, [(0, 24), (0.40, 30), (0.66, 70), (0.86, 132), (0.955, 163), (0.985, 165), (1, 156)]),
    "pot": (150, 0.80, 2.0, [(0, 20), (0.66, 26), (0.80, 70), (0.865, 146), (0.90, 150), (0.975, 150), (1, 138)]),
    "pan": (70, 0.86, 2.0, [(0, 10), (0.80, 12), (0.92, 66), (0.95, 70), (0.985, 70), (1, 64)]),
    "box": (96, 0.86, 7.0, [(0, 8), (0.80, 10), (0.905, 88), (0.92, 95), (0.985, 96), (1, 90)]),
    "tray": (44, 0.90, 9.0, [(0, 10), (0.88, 10), (0.95, 40), (0.985, 44), (1, 38)]),
    "slab": (22, 0.94, 9.0, [(0, 22), (0.97, 22), (1, 17)]),
    "round": (24, 0.95, 2.0, [(0, 24), (0.97, 24), (1, 18)]),
    "square": (36, 0.62, 5.5, [(0, 12), (0.66, 12), (0.78, 16), (0.95, 34), (0.985, 36), (1, 31)]),
}


class Dish(Field):
    """A vessel of half width `rx`, half depth `ry`, and what is in it. `(0, 0)` is its middle."""

    def __init__(self, shape, glaze, rx, ry=None, k=1.0, seed=1):
        ry = ry or rx
        super().__init__(2 * rx + 24, 2 * ry + 24, k, seed)
        self.rng.square = 0.75 if shape in ("box", "tray") else 0.0  # heaps follow the corners of a box
        self.shape, self.glaze, self.rx, self.ry = shape, glaze, rx, ry
        self.rim, self.foot, self.square, profile = SHAPES[shape]
        scale = min(rx, ry) / 330
        self.scale = 0.55 + 0.45 * scale
        self.rim *= self.scale
        x, y = self.grid()
        self.rho = ((np.abs(x) / rx) ** self.square + (np.abs(y) / ry) ** self.square) ** (1 / self.square)
        h = np.interp(self.rho, [p[0] for p in profile], [p[1] * self.scale for p in profile]).astype(np.float32)
        h = blur(h, 2.2 * k)
        inside = self.rho <= 1
        self.alpha[:] = inside
        self.z[:] = h * k
        body, rim, gloss, speck = GLAZES[glaze]
        n = sample(tile(seed % 7 + 20), x / 260, y / 260)
        fine = sample(tile(seed % 5 + 40, 512, 64, 3), x / 300, y / 300)
        c = mix(body, rim, smooth(0.90, 0.96, self.rho + 0.012 * n))
        c = c * (1 + speck * (0.6 * n + 0.8 * fine))[..., None]
        if glaze in ("cream", "sand", "sky", "celadon", "rose"):
            c = np.where((fine > 0.62)[..., None] & inside[..., None], c * 0.72, c)
        if glaze in ("stone", "iron"):
            self.z += (fine * 1.1 * k * inside).astype(np.float32)
        if shape in ("slab", "round") and glaze == "wood":
            c = wood_grain(x, y, seed, "a9774a", "7f5430")
        self.a[:] = np.clip(c, 0.002, 0.95)
        self.g[:] = gloss
        self.floor = profile[0][1] * self.scale

    def outline(self, share=0.97):
        return self.rx * share, self.ry * share


def wood_grain(x, y, seed, light, dark):
    """Colours of a wooden board, grain along x."""
    n = sample(tile(seed + 60), x / 1400, y / 330)
    fine = sample(tile(seed + 61, 512, 8, 6), x / 1700, y / 170)
    lines = 0.5 + 0.5 * np.sin((y / 17 + n * 5.5) * 2)
    return mix(light, dark, np.clip(0.32 + 0.30 * n + 0.22 * lines + 0.22 * fine, 0, 1))


def outside(dish, light, tilt):
    """The vessel's outer wall as the camera sees it: (picture, alpha, row of field row 0). None from straight above.

    It is stacked from slices, foot to rim, each a little wider than the one below."""
    c, s = math.cos(tilt), math.sin(tilt)
    if s < 0.05:
        return None
    full = dish.z.shape
    full_up = int(dish.rim * dish.k * s) + 2
    full_rows = int(full[0] * c) + full_up + 1
    # Walls are smooth: half the resolution will do.
    k, w = dish.k / 2, full[1] // 2
    up = full_up / 2
    rows = full_rows // 2
    picture = np.zeros((rows, w, 3), np.float32)
    alpha = np.zeros((rows, w), np.float32)
    X = ((np.arange(w, dtype=np.float32) + 0.5) / k - dish.width / 2)[None, :]
    body = colour(GLAZES[dish.glaze][0])
    gloss, n = GLAZES[dish.glaze][2], dish.square
    steps = max(8, int(dish.rim * k * s / 1.7))
    noise = sample(tile(33), X / 300, X / 300)
    lx, ly, lz = light.dir
    for i in range(steps + 1):
        t = i / steps
        bowl = dish.shape in ("bowl", "deep")
        flare = dish.foot + (1 - dish.foot) * (
            math.sin(t * math.pi / 2) ** 0.8 if bowl else t ** (1.1 if dish.foot < 0.75 else 0.7)
        )
        slope = 0.75 * (1 - t) + 0.05 if dish.foot < 0.75 else 0.12
        z = t * dish.rim * 0.985
        rx, ry = dish.rx * flare * 0.996, dish.ry * flare * 0.996
        r0 = (dish.height / 2 * c - z * s) * k + up
        r1 = (dish.height / 2 * c + ry * c - z * s) * k + up
        a, b = max(0, int(r0)), min(rows, int(r1) + 2)
        Y = (((np.arange(a, b, dtype=np.float32) + 0.5 - up) / k + z * s) / c - dish.height / 2)[:, None]
        rho = (np.abs(X) / rx) ** n + (np.abs(Y) / ry) ** n
        win = (rho <= 1) & (Y > 0)
        gx, gy = np.sign(X) * (np.abs(X) / rx) ** (n - 1) / rx, np.sign(Y) * (np.abs(Y) / ry) ** (n - 1) / ry
        m = np.sqrt(gx * gx + gy * gy) + 1e-9
        q = 1 / math.sqrt(1 + slope * slope)
        nx, ny, nz = gx / m * q, gy / m * q, -slope * q
        sun = np.clip((nx * lx + ny * ly + nz * lz + 0.25) / 1.25, 0, 1)
        sky = (0.34 + 0.30 * ny) * (0.35 + 0.65 * min(1, t * 2.2)) + 0.10 * np.clip(-nx, 0, 1)
        shine = gloss * 0.30 * np.exp(-(((nx + 0.42) / 0.10) ** 2)) * math.exp(-(((t - 0.62) / 0.28) ** 2))
        e = light.sun * 0.75 * sun[..., None] + light.sky * 1.05 * sky[..., None]
        col = body * (1 + 0.04 * noise)[..., None] * e + shine[..., None]
        picture[a:b][win] = col[win]
        alpha[a:b][win] = 1
    grow = [resize(picture[..., n], full[1], full_rows, Image.BILINEAR) for n in range(3)]
    cover = resize(alpha, full[1], full_rows, Image.BILINEAR)
    return np.stack(grow, -1) / np.maximum(cover, 1e-3)[..., None], np.clip(cover * 1.6 - 0.3, 0, 1), -full_up


INNER = {
    "plate": 0.80,
    "coupe": 0.82,
    "bowl": 0.80,
    "deep": 0.80,
    "pot": 0.80,
    "pan": 0.86,
    "box": 0.84,
    "tray": 0.86,
    "slab": 0.88,
    "round": 0.86,
    "square": 0.80,
}


def serve(fill, shape, glaze, rx=330, ry=None, **options):
    """A builder for `Scene.add`: the vessel with `fill(dish, a, b)` in it; `a`, `b` are the half lengths food may take."""

    def build(k, seed):
        d = Dish(shape, glaze, rx, ry, k, seed)
        d.bare = d.z.copy()
        fill(d, d.rx * INNER[shape], d.ry * INNER[shape], **options)
        return d

    return build
