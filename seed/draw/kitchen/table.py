"""What the dish stands on: boards, cloths, stone; and what lies beside it."""

import math

import numpy as np

from .colour import colour, mix
from .crockery import wood_grain
from .field import Field
from .noise import sample, smooth, tile
from .shapes import blob, curve, leaf, ring, strand


def _field(w, h, k, seed):
    f = Field(w, h, k, seed)
    f.alpha[:] = 1
    f.z[:] = 0
    return f


def wood(w, h, k, seed, light="b58a5c", dark="7d5634", plank=250):
    """Planks along x, with narrow gaps."""
    f = _field(w, h, k, seed)
    x, y = f.grid()
    row = np.floor(y / plank + 0.37).astype(np.int32)
    inner = (y / plank + 0.37) - row
    hash_ = ((row * 7919 + seed * 13) % 97) / 97.0
    f.a[:] = wood_grain(x + hash_ * 900, y + hash_ * 400, seed % 9, light, dark) * (0.86 + 0.28 * hash_)[..., None]
    gap = smooth(0.012, 0.0, np.minimum(inner, 1 - inner))
    f.a *= (1 - 0.6 * gap)[..., None]
    f.z -= (3 * gap * k).astype(np.float32)
    f.z += (0.5 * k * sample(tile(seed % 9 + 61, 512, 8, 6), (x + hash_ * 900) / 1700, y / 170)).astype(np.float32)
    f.g[:] = 0.10
    return f


def linen(w, h, k, seed, col="e7dfd0", stripe=None, gap=170, turn=0.1, folds=5.0):
    """A cloth with a soft weave, gentle folds and, if wanted, stripes."""
    f = _field(w, h, k, seed)
    x, y = f.grid()
    c, s = math.cos(turn), math.sin(turn)
    u, v = x * c + y * s, y * c - x * s
    weave = np.sin(u * 2 * math.pi / 5.2) * 0.5 + np.sin(v * 2 * math.pi / 5.2) * 0.5
    slub = sample(tile(seed % 6 + 70, 512, 8, 6), u / 900, v / 60) + sample(tile(seed % 6 + 71, 512, 8, 6), v / 900, u / 60)
    f.a[:] = colour(col) * (1 + 0.025 * weave + 0.035 * slub)[..., None]
    if stripe:
        for at in (0.0, 0.11):
            band = smooth(0.028, 0.018, np.abs(np.mod(v / gap + at, 1) - 0.5))
            f.a[:] = mix(f.a, colour(stripe) * (1 + 0.05 * weave)[..., None], band * 0.85)
    n = sample(tile(seed % 5 + 80, 512, 2, 3), u / 1500, v / 900)
    f.z[:] = (folds * k * n + 0.25 * k * weave).astype(np.float32)
    f.g[:] = 0.02
    return f


def stone(w, h, k, seed, col="cfcac2", fleck="8f877c", veins=0.0):
    """A stone or plaster top, lightly mottled."""
    f = _field(w, h, k, seed)
    x, y = f.grid()
    n = sample(tile(seed % 6 + 90), x / 900, y / 900)
    fine = sample(tile(seed % 6 + 91, 512, 64, 3), x / 420, y / 420)
    f.a[:] = mix(colour(col) * (1 + 0.10 * n)[..., None], fleck, smooth(0.55, 0.95, fine) * 0.5)
    if veins:
        line = np.exp(-((np.abs(sample(tile(seed % 6 + 93, 512, 2, 5), x / 1500, y / 1100)) / 0.05) ** 2))
        f.a[:] = mix(f.a, fleck, line * veins)
    f.z[:] = (0.6 * k * n).astype(np.float32)
    f.g[:] = 0.16
    return f


TABLES = {
    "oak": lambda *a: wood(*a),
    "walnut": lambda *a: wood(*a, light="6e4a30", dark="3f2817", plank=230),
    "ash": lambda *a: wood(*a, light="d8bf98", dark="b3926a", plank=280),
    "grey": lambda *a: wood(*a, light="a79f94", dark="726a60", plank=210),
    "linen": lambda *a: linen(*a),
    "blue": lambda *a: linen(*a, col="b9c6cf", stripe="f1eee6", turn=0.25),
    "stripe": lambda *a: linen(*a, col="ece5d8", stripe="7d93a6", turn=-0.2),
    "red": lambda *a: linen(*a, col="efe6d8", stripe="b5493a", turn=0.3, gap=210),
    "sage": lambda *a: linen(*a, col="b5bda4", turn=0.15),
    "mustard": lambda *a: linen(*a, col="d9b46a", turn=0.2),
    "pink": lambda *a: linen(*a, col="e6cdc4", turn=-0.1),
    "char": lambda *a: linen(*a, col="57544f", turn=0.2),
    "stone": lambda *a: stone(*a),
    "slate": lambda *a: stone(*a, col="5b5f63", fleck="7d8286"),
    "marble": lambda *a: stone(*a, col="ece9e4", fleck="a8a6a4", veins=0.35),
    "cream": lambda *a: stone(*a, col="eadfca", fleck="cdbd9f"),
    "mint": lambda *a: stone(*a, col="c9d8cb", fleck="a8bcae"),
}


def napkin(f, x, y, w, h, col, turn=0.2, stripe=None, seed=4):
    """A folded cloth that lies under or beside the dish."""
    p = f.patch(x, y, math.hypot(w, h) / 2 * 1.1, turn)
    if p is None:
        return
    n = f.speckle(p, 300)
    u = p.u + 4 * np.sin(p.v / 60)
    v = p.v + 4 * np.sin(p.u / 75)
    edge = np.minimum(w / 2 - np.abs(u), h / 2 - np.abs(v))
    weave = np.sin(p.u * 1.25) * 0.5 + np.sin(p.v * 1.25) * 0.5
    top = np.where(edge > 0, 5 * (1 - np.clip(1 - edge / 5, 0, 1) ** 2) + 3 * n + 3 + 0.3 * weave, -1)
    top = np.where((edge > 0), np.maximum(top, 0.3), -1)
    c = colour(col) * (1 + 0.03 * weave + 0.03 * n)[..., None]
    if stripe:
        c = mix(c, stripe, 0.9 * smooth(6, 4, np.abs(edge - 22)))
    f.lay(p, top, np.clip(c, 0, 0.95).astype(np.float32), 0.02, base=0, tilt=0)


def chopsticks(f, x, y, turn=0.35, length=620, col="5b3620", tip="3a2114", metal=False):
    """A pair of chopsticks; metal ones as on a Korean table."""
    for off, skew in ((-9, -0.012), (9, 0.012)):
        a = turn + skew
        px, py = x - math.sin(turn) * off, y + math.cos(turn) * off
        ends = [
            (px - math.cos(a) * length / 2, py - math.sin(a) * length / 2),
            (px + math.cos(a) * length / 2, py + math.sin(a) * length / 2),
        ]
        strand(
            f,
            ends,
            6.0 if not metal else 5.0,
            "8d8a86" if metal else col,
            0.9 if metal else 0.45,
            end="98958f" if metal else tip,
            lift=8,
        )


def spoon(f, x, y, turn=0.3, length=560, metal=True):
    """A Korean spoon, its bowl at the far end."""
    col = "8d8a86" if metal else "8a5a34"
    c, s = math.cos(turn), math.sin(turn)
    strand(
        f,
        [(x - c * length * 0.5, y - s * length * 0.5), (x + c * length * 0.30, y + s * length * 0.30)],
        8,
        col,
        0.9,
        lift=8,
        flat=0.6,
    )
    blob(f, x + c * length * 0.38, y + s * length * 0.38, 78, 52, 16, col, turn=turn, wob=0, gloss=0.95, grain=0.02, dome=3)
    p = f.patch(x + c * length * 0.38, y + s * length * 0.38, 80, turn)
    if p is not None:
        r = np.sqrt((p.u / 68) ** 2 + (p.v / 43) ** 2)
        f.z[p.at][r < 1] -= (14 * f.k * (1 - r * r))[r < 1]


def scatter(f, what, n, box, seed=0):
    """Little things on the table (sesame, peppercorns, rings) within `box` = (x0, y0, x1, y1)."""
    for _ in range(n):
        what(f, f.rng.uniform(box[0], box[2]), f.rng.uniform(box[1], box[3]))


def chilli(f, x, y, length=190, turn=0.5, col="b3201a", radius=12):
    """A whole chilli pepper with its stalk."""
    pts = curve(f.rng, x, y, length, turn, bend=0.5, wiggle=0.1, steps=60)
    n = len(pts)
    for i in range(n - 1):
        t = i / (n - 1)
        r = radius * (1 - t**2.2 * 0.85)
        blob(f, pts[i][0], pts[i][1], r, r, 1.6 * r, col, wob=0, grain=0.03, gloss=0.8, base=0)
    a = turn + math.pi
    strand(f, curve(f.rng, x, y, 40, a, 0.6), 4, "5d7a2e", 0.4, lift=10)
    blob(f, x, y, 11, 14, 22, "6f8f38", turn=turn, gloss=0.4)


def garlic(f, x, y, r=46, turn=0.0):
    """A clove bulb, seen from above."""
    for i in range(6):
        a = turn + i * math.pi / 3
        blob(
            f,
            x + math.cos(a) * r * 0.45,
            y + math.sin(a) * r * 0.45,
            r * 0.66,
            r * 0.42,
            r * 0.9,
            "efe7da",
            turn=a,
            gloss=0.25,
            grain=0.05,
            base=0,
        )
    blob(f, x, y, r * 0.22, r * 0.22, r * 1.15, "d9ccb4", gloss=0.2, base=0)


def sprig(f, x, y, turn=0.0, size=150, col="4f7f3a"):
    """A perilla-like leaf as decoration."""
    leaf(f, x, y, size, size * 0.72, col, turn=turn, thick=2, wave=5, ruffle=0.05, freq=11, gloss=0.25)


def peppercorn(f, x, y):
    blob(f, x, y, 4.5, 4.5, 8, "2b211c", gloss=0.25)


def scallion_ring(f, x, y):
    ring(f, x, y, f.rng.uniform(9, 13), 4, 7, "6fa043", inner="c9dc9c")
