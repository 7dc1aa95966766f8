"""국・찌개, part two: silken tofu, beef, pollack, sausage."""

import math

import numpy as np

from .colour import colour, mix, vary
from .dishes_main import enoki, many
from .ingredients import chilli_flake, chilli_slice, green_strip, onion, scallion, sesame, sprinkle, tofu
from .noise import smooth
from .shapes import blob, box, coin, curve, spread, strand
from .wet import broth, pool
from .dishes_soup import simmer, bed, kimchi_bit


def clam(d, x, y, s=1.0, turn=None, **kw):
    """A clam in its opened shell."""
    rng = d.rng
    t = rng.uniform(0, 6.28) if turn is None else turn
    c0, c1 = vary(rng, rng.choice(["b9a688", "9c8d78", "cbb897"]), 0.1), vary(rng, "5d5146", 0.1)
    ph = rng.uniform(0, 6)

    def shell(u, v, r, n):
        q = np.sqrt((u / (46 * s) + 0.7) ** 2 + (v / (36 * s)) ** 2)
        return mix(mix(c0, c1, smooth(0.1, 0.9, np.sin(q * 26 + ph)) * 0.55), c1, smooth(0.2, 0.8, n) * 0.5)

    blob(d, x, y, 46 * s, 36 * s, 30 * s, c0, turn=t, n=2.1, dome=2, wob=0.05, gloss=0.6, tex=shell, **({"sink": 0.4} | kw))
    mx, my = x + math.cos(t) * 26 * s, y + math.sin(t) * 26 * s
    blob(d, mx, my, 22 * s, 17 * s, 24 * s, vary(rng, "e0b27c", 0.06), turn=t, wob=0.2, bump=0.2, scale=20, gloss=0.75, **kw)


def sundubu(d, a, b):
    """순두부찌개: silken tofu, clams, an egg."""
    rng = d.rng
    level = bed(d, a, b, 24, "a23a18")
    broth(d, level, "9c240b", clear=11, oil=60, oil_col="cf4a10")
    for x, y in spread(rng, many(19, a, b), a * 0.78, b * 0.76, jitter=0.8):
        blob(
            d,
            x,
            y,
            rng.uniform(38, 62),
            rng.uniform(30, 44),
            rng.uniform(16, 30),
            vary(rng, "f4ead8", 0.03, 0.01),
            n=2.2,
            dome=2.6,
            wob=0.26,
            bump=0.10,
            scale=70,
            gloss=0.75,
            base=level - 11,
            tilt=0,
            tex=lambda u, v, r, n: mix(
                colour("f4ead8") * (1 + 0.03 * n)[..., None], "d9693a", smooth(0.78, 1.0, r + 0.15 * n) * 0.75
            ),
        )
    for x, y in ((-0.58, -0.34), (0.60, -0.22), (0.44, 0.50), (-0.48, 0.46), (0.05, -0.66)):
        clam(d, x * a, y * b, 0.95, base=level - 10, tilt=0)
    blob(d, 0, 6, 84, 72, 9, "f6efe0", n=2, dome=3, wob=0.16, gloss=0.8, base=level - 1, tilt=0, grain=0.03)
    blob(d, 4, 2, 38, 37, 30, "f0a01e", n=2, wob=0.01, gloss=0.9, grain=0.03, base=level + 2, tilt=0)
    sprinkle(d, scallion, many(34, a, b), a * 0.7, b * 0.66, dense=0.5)
    for _ in range(6):
        chilli_slice(d, rng.uniform(-a, a) * 0.6, rng.uniform(-b, b) * 0.6, col=rng.choice(["c2231a", "5a9432"]))
    sprinkle(d, chilli_flake, 70, a * 0.8, b * 0.8)
    simmer(d, level)


def yukgaejang(d, a, b):
    """육개장: shredded beef, bracken, leek, sprouts in red broth."""
    rng = d.rng
    level = bed(d, a, b, 18, "6e1c0c")
    broth(d, level, "7e1407", clear=12, oil=80, oil_col="b8340c")
    for x, y in spread(rng, many(74, a, b), a * 0.74, b * 0.72, jitter=0.9):
        q, t = rng.random(), rng.uniform(0, 6.28)
        px, py = x - math.cos(t) * 60, y - math.sin(t) * 60
        if q < 0.28:
            for o in range(3):
                strand(
                    d,
                    curve(rng, px, py + o * 6, 125, t, 0.9, 0.3),
                    5.5,
                    vary(rng, rng.choice(["7a4a34", "8f5f46", "6a3c28"]), 0.1),
                    0.5,
                    sag=4,
                )
        elif q < 0.44:
            strand(d, curve(rng, px, py, 150, t, 1.6, 0.6), 5.5, vary(rng, "4a3320", 0.15), 0.65, sag=4)
        elif q < 0.86:
            green_strip(d, px, py, 130, 17, rng.choice(["6a9038", "7fa04a", "587f30"]), white="c9d294", turn=t)
        else:
            strand(d, curve(rng, px, py, 120, t, 1.4, 0.6), 4, "e9d6ac", 0.6)
    for x, y in spread(rng, 12, a * 0.6, b * 0.56):
        blob(d, x, y, 36, 20, 7, vary(rng, "efc766", 0.06), wob=0.4, bump=0.3, scale=26, gloss=0.5, dome=3)
    sprinkle(d, scallion, 16, a * 0.4, b * 0.4)
    sprinkle(d, chilli_flake, 60, a * 0.7, b * 0.7)
    sprinkle(d, sesame, 30, a * 0.5, b * 0.5)


def sprout(d, x, y, length=120, turn=None, base_col="efe4c2", head="d8b552", **kw):
    """A soybean sprout: pale stem, split yellow head."""
    rng = d.rng
    pts = curve(rng, x, y, length * rng.uniform(0.75, 1.1), turn, 2.4, 1.4)
    strand(d, pts, 4.3, vary(rng, base_col, 0.05), 0.65, end="f6efdc", taper=0.45, sag=6, **kw)
    hx, hy = pts[0]
    t = rng.uniform(0, 6.28)
    c = vary(rng, head, 0.1)
    for o in (-1, 1):
        blob(
            d,
            hx + math.cos(t) * 4.6 * o,
            hy + math.sin(t) * 4.6 * o,
            9.5,
            5.8,
            8,
            c,
            turn=t + 1.57 + 0.2 * o,
            wob=0.05,
            gloss=0.55,
            sink=0.3,
        )


def hwangtae(d, a, b):
    """콩나물 황태국: dried pollack, sprouts, egg in a clear broth."""
    rng = d.rng
    level = bed(d, a, b, 20, "cdbf94")
    for x, y in spread(rng, many(20, a, b), a * 0.8, b * 0.8):
        box(d, x, y, 30, 26, 5, "eee6cc", gloss=0.5)
    broth(d, level, "c9b67c", clear=20, oil=36, oil_col="d9b95a", murk=0.06)
    for x, y in spread(rng, many(38, a, b), a * 0.66, b * 0.64, jitter=0.8):
        if rng.random() < 0.55:
            sprout(d, x, y, 125)
        else:
            t = rng.uniform(0, 6.28)
            c = vary(rng, rng.choice(["e6d2a6", "d9bf8c", "efe0bc"]), 0.06)
            for o in range(3):
                strand(
                    d,
                    curve(rng, x - math.cos(t) * 40, y - math.sin(t) * 40 + o * 7, 92, t + rng.uniform(-0.1, 0.1), 0.8, 0.4),
                    6.5,
                    c,
                    0.4,
                    taper=0.6,
                    sag=3,
                )
    for x, y in spread(rng, 11, a * 0.6, b * 0.58):
        blob(d, x, y, 40, 20, 7, vary(rng, "f3d987", 0.05), wob=0.4, bump=0.3, scale=26, gloss=0.5, dome=3)
    for x, y in ((-0.5, 0.3), (0.52, 0.2), (0.1, -0.56)):
        tofu(d, x * a, y * b, 24, sz=14, base=level - 10, tilt=0)
    sprinkle(d, scallion, many(30, a, b), a * 0.6, b * 0.56)
    for _ in range(5):
        chilli_slice(d, rng.uniform(-a, a) * 0.4, rng.uniform(-b, b) * 0.4, 12)


def sausage(d, x, y, r=25, **kw):
    """A slanted slice of sausage."""
    rng = d.rng
    c0 = vary(rng, "d98a72", 0.06)
    coin(
        d,
        x,
        y,
        r * 1.3,
        12,
        lambda u, v, rr, n: mix(
            mix(c0 * (1 + 0.05 * n)[..., None], "efb59c", smooth(0.35, 0.8, n) * 0.4), "9c3a26", smooth(0.90, 0.97, rr)
        ),
        b=r,
        gloss=0.65,
        bevel=0.2,
        lean=rng.uniform(-0.25, 0.25),
        **kw
    )


def budae(d, a, b):
    """부대찌개: sausage, ham, noodles, tofu, cheese, laid out by kind."""
    rng = d.rng
    level = bed(d, a, b, 14, "8c2a12")
    broth(d, level, "a4300f", clear=12, oil=50, oil_col="d05418")
    for i in range(30):
        t = i / 30 * 6.283
        if (i // 5) % 3 == 0:
            kimchi_bit(d, a * 0.74 * math.cos(t), b * 0.72 * math.sin(t), 0.9)
        elif (i // 5) % 3 == 1:
            green_strip(
                d, a * 0.64 * math.cos(t), b * 0.62 * math.sin(t), 110, 18, rng.choice(["6a9a3a", "84ac50"]), white="dfe8bd", turn=t
            )
        else:
            onion(d, a * 0.7 * math.cos(t), b * 0.68 * math.sin(t), 84, turn=t + 1.4)
    for i in range(11):
        t = 0.05 + i * 0.135
        sausage(d, a * 0.60 * math.cos(t), b * 0.60 * math.sin(t))
        sausage(d, a * 0.82 * math.cos(t + 0.05), b * 0.80 * math.sin(t + 0.05))
    for i in range(6):
        t = 1.95 + i * 0.17
        pink = vary(rng, "e2958c", 0.05)
        box(d, a * 0.66 * math.cos(t), b * 0.66 * math.sin(t), 62, 30, 9, pink, yaw=t, gloss=0.5, pitch=0.16)
    for i in range(5):
        t = 3.35 + i * 0.19
        tofu(d, a * 0.66 * math.cos(t), b * 0.66 * math.sin(t), 32, sx=54, sz=12, yaw=t, pitch=0.16)
    for i in range(26):
        t, q = rng.uniform(4.5, 5.1), rng.uniform(0.5, 0.86)
        blob(d, a * q * math.cos(t), b * q * math.sin(t), 13, 9, 10, vary(rng, "cf8a4e", 0.1), wob=0.05, gloss=0.7)
    enoki(d, a * 0.44 * math.cos(5.55), b * 0.44 * math.sin(5.55), 24, turn=5.55, length=130)
    for ring_ in range(40):
        q = rng.uniform(12, 78)
        t = rng.uniform(0, 6.28)
        pts = [
            (q * math.cos(t + s * 0.22) + 3.5 * math.sin(s * 2.4), q * 0.95 * math.sin(t + s * 0.22) + 3.5 * math.cos(s * 2.4))
            for s in range(22)
        ]
        strand(d, pts, 4.2, vary(rng, "f0cf7e", 0.07), 0.5, sag=3)
    blob(d, 4, -4, 60, 60, 6, "f6c445", turn=0.5, n=9, dome=9, wob=0.01, gloss=0.6, grain=0.03, tilt=0.4, sink=0.1)
    sprinkle(d, scallion, 22, a * 0.5, b * 0.5)
    pool(d, -8, 58, 34, 26, "9c1408", h=8, thin=0.1)
