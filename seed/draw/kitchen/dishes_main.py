"""메인반찬, part one: meat. Each function fills a dish; `a`, `b` are the half lengths that food may take."""

import math

import numpy as np

from .colour import mix, vary
from .ingredients import (
    carrot_coin,
    carrot_strip,
    chilli_slice,
    chilli_thread,
    green_strip,
    meat_slice,
    mushroom_slice,
    onion,
    rice_cake,
    sesame,
    sprinkle,
)
from .noise import smooth
from .shapes import coil, blob, box, curve, leaf, spread, strand
from .wet import broth, dress, glaze, mound, pool


def many(n, a, b):
    """A count that was chosen for a dish of 230 by 230, for this one."""
    return max(1, round(n * a * b / (230 * 230)))


def rib(d, x, y, turn=None):
    """A braised short rib: bone, meat with grain, dark glaze."""
    rng = d.rng
    t = rng.uniform(0, 6.28) if turn is None else turn
    bone = vary(rng, "cfb78f", 0.06)
    bx, by = x + math.cos(t) * 66, y + math.sin(t) * 66
    blob(
        d,
        bx,
        by,
        40,
        18,
        32,
        bone,
        turn=t,
        n=3.5,
        dome=3,
        wob=0.06,
        gloss=0.35,
        grain=0.10,
        sink=0.6,
        tilt=0.2,
        tex=lambda u, v, r, n: mix(bone * (1 + 0.12 * n)[..., None], "8a5a34", smooth(24, 6, u)),
    )
    c0, c1 = vary(rng, "5e2f16", 0.12), vary(rng, "7d4522", 0.12)
    blob(
        d,
        x,
        y,
        74,
        50,
        58,
        c0,
        turn=t,
        n=2.8,
        dome=3.2,
        wob=0.10,
        gloss=0.85,
        bump=0.09,
        scale=55,
        sink=0.6,
        tilt=0.25,
        tex=lambda u, v, r, n: mix(
            mix(c0, c1, np.clip(0.5 + 0.5 * np.sin(u / 4.4 + 3 * n) * 0.7 + 0.5 * n, 0, 1)), "38170a", smooth(0.7, 1, r + 0.15 * n)
        ),
    )


def galbi(d, a, b):
    """소갈비찜: ribs, carrot, chestnut, jujube, ginkgo, pine nuts."""
    rng = d.rng
    pool(d, 0, 0, a * 0.84, b * 0.84, "4a2210", h=6, gloss=0.6)
    mound(d, a * 0.8, b * 0.8, 34, "4a2210")
    for x, y in spread(rng, many(7, a, b), a * 0.74, b * 0.72, hole=0.5):
        carrot_coin(d, x * 1.05, y * 1.05, 30, 22)
    for x, y in spread(rng, many(9, a, b), a * 0.70, b * 0.66, jitter=0.3):
        rib(d, x, y)
    dress(d, 10)
    for i in range(many(15, a, b)):
        t = i * 2.4 + 0.5
        x, y = a * 0.72 * math.cos(t) * rng.uniform(0.3, 1), b * 0.72 * math.sin(t) * rng.uniform(0.3, 1)
        c = vary(rng, "d9a64a", 0.08)
        blob(d, x, y, 31, 26, 30, c, n=2.3, wob=0.07, gloss=0.6, grain=0.1, sink=0.5, trim=True)
        j = vary(rng, "661a12", 0.12)
        x, y = a * 0.7 * math.cos(t + 1.2) * rng.uniform(0.3, 1), b * 0.7 * math.sin(t + 1.2) * rng.uniform(0.3, 1)
        blob(d, x, y, 27, 18, 22, j, wob=0.04, bump=0.22, scale=22, gloss=0.7, sink=0.5, trim=True)
    glaze(d, "3c1708", 0.16, 0.75)
    sprinkle(d, lambda f, x, y: blob(f, x, y, 10, 5, 6, vary(rng, "efe0b4", 0.06), gloss=0.5), 12, a * 0.5, b * 0.5)
    sprinkle(d, sesame, many(50, a, b), a * 0.7, b * 0.7)
    for _ in range(10):
        green_strip(d, rng.uniform(-50, 50), rng.uniform(-45, 45), 74, 5, "6aa03f", white="d7e6b0")
    sprinkle(d, chilli_thread, 12, 50, 44)


def jeyuk(d, a, b):
    """제육볶음: spicy pork with onion, scallion and carrot."""
    rng = d.rng
    pool(d, 0, 0, a * 0.84, b * 0.84, "8f2411", h=4)
    mound(d, a * 0.86, b * 0.86, 66, "8f2411")
    for x, y in spread(rng, many(60, a, b), a * 0.84, b * 0.84):
        q = rng.random()
        if q < 0.66:
            meat_slice(
                d,
                x,
                y,
                rng.uniform(46, 64),
                rng.uniform(28, 40),
                13,
                cols=("a83a1a", "c4552b", "6e1f0e"),
                fat="e6ae84",
                fatty=0.3,
                gloss=0.6,
            )
        elif q < 0.84:
            onion(d, x, y, 80, col="dfa874")
        elif q < 0.93:
            carrot_strip(d, x, y, 64, 6)
        else:
            green_strip(d, x, y, 80, 13, "5c8a35", white="b9cf86")
    glaze(d, "a02408", 0.22, 0.62)
    for x, y in spread(rng, 9, a * 0.6, b * 0.6):
        green_strip(d, x, y, 66, 13, "64983a", white="cadf9e")
    for _ in range(5):
        chilli_slice(d, rng.uniform(-a, a) * 0.5, rng.uniform(-b, b) * 0.5, col=rng.choice(["c2231a", "4f8a2c"]))
    sprinkle(d, sesame, many(90, a, b), a * 0.75, b * 0.75)


def dakgalbi(d, a, b):
    """닭갈비: chicken, rice cakes, sweet potato, cabbage, perilla."""
    rng = d.rng
    pool(d, 0, 0, a * 0.84, b * 0.84, "9a3413", h=5)
    mound(d, a * 0.95, b * 0.95, 40, "9a3413")
    for x, y in spread(rng, many(22, a, b), a * 0.92, b * 0.92):
        leaf(d, x, y, 92, 74, vary(rng, "b8bd6a", 0.1), stem="efe8c4", thick=4, wave=7, gloss=0.5)
    for x, y in spread(rng, many(46, a, b), a * 0.86, b * 0.86):
        q = rng.random()
        if q < 0.52:
            c0, c1 = vary(rng, "bd4f20", 0.12), vary(rng, "d98548", 0.1)
            blob(
                d,
                x,
                y,
                rng.uniform(38, 54),
                rng.uniform(28, 38),
                34,
                c0,
                n=2.5,
                dome=3,
                wob=0.22,
                bump=0.12,
                gloss=0.7,
                scale=50,
                tex=lambda u, v, r, n: mix(mix(c0, c1, np.clip(0.4 + 0.6 * n, 0, 1)), "7c270c", smooth(0.75, 1, r)),
            )
        elif q < 0.70:
            rice_cake(d, x, y, 92, 15, coat="cf5a22")
        elif q < 0.86:
            y0 = vary(rng, "e2a93c", 0.07)
            box(
                d,
                x,
                y,
                46,
                15,
                13,
                y0,
                pitch=rng.uniform(-0.15, 0.15),
                roll=rng.uniform(-0.6, 0.6),
                gloss=0.5,
                tex=lambda u, v, h, n: mix(y0 * (1 + 0.08 * n)[..., None], "7a3350", smooth(40, 45, np.abs(u))),
            )
        else:
            onion(d, x, y, 76, col="e2b384")
    glaze(d, "b23a10", 0.18, 0.6)
    for x, y in spread(rng, 26, a * 0.5, b * 0.5):
        green_strip(d, x, y, 70, 9, rng.choice(["3f6f34", "4d7f3a", "5b8a48"]))
    for _ in range(7):
        green_strip(d, rng.uniform(-a, a) * 0.6, rng.uniform(-b, b) * 0.6, 60, 13, "6c9c3d", white="cfe0a4")
    sprinkle(d, sesame, many(80, a, b), a * 0.7, b * 0.7)


def enoki(d, x, y, n=26, turn=None, length=130):
    """A bundle of enoki mushrooms."""
    rng = d.rng
    t = rng.uniform(0, 6.28) if turn is None else turn
    for i in range(n):
        o = (i - n / 2) * 3.2
        sx, sy = x - math.sin(t) * o * 0.5, y + math.cos(t) * o * 0.5
        pts = curve(rng, sx, sy, length * rng.uniform(0.85, 1.1), t + o * 0.006, 0.35, 0.2)
        c = vary(rng, "f1e6cc", 0.05)
        strand(d, pts, 3.2, c, 0.4, sag=6)
        blob(d, pts[-1][0], pts[-1][1], 6.2, 5.4, 8, vary(rng, "efdfbb", 0.05), gloss=0.5)


def bulgogi(d, a, b):
    """소불고기: thin beef in soy broth with mushrooms and glass noodles."""
    rng = d.rng
    mound(d, a * 0.94, b * 0.94, 44, "553318")
    for _ in range(many(24, a, b)):
        t = rng.uniform(0, 6.28)
        q = rng.uniform(0.3, 0.85)
        strand(d, coil(rng, a, b, t, q), 3.8, vary(rng, "9c7443", 0.1), 0.8, sag=8)
    for x, y in spread(rng, many(64, a, b), a * 0.88, b * 0.88):
        if rng.random() < 0.78:
            meat_slice(
                d,
                x,
                y,
                rng.uniform(48, 70),
                rng.uniform(30, 44),
                13,
                cols=("744628", "9c683c", "52301a"),
                fat="c9a67a",
                fatty=0.12,
                gloss=0.55,
            )
        else:
            onion(d, x, y, 84, col="d8bd90")
    glaze(d, "3d1f0c", 0.14, 0.55)
    broth(d, d.floor + 17, "4a2810", clear=26, oil=24, oil_col="8a5a24")
    enoki(d, -a * 0.52, b * 0.18, 30, turn=-0.5, length=150)
    for x, y in ((a * 0.40, -b * 0.36), (a * 0.50, -b * 0.18), (a * 0.30, -b * 0.50)):
        mushroom_slice(d, x, y, 1.25)
    for _ in range(9):
        carrot_strip(d, rng.uniform(0, a * 0.6), rng.uniform(0, b * 0.55), 70, 5)
        green_strip(d, rng.uniform(-a * 0.1, a * 0.4), rng.uniform(-b * 0.1, b * 0.6), 76, 12, "679a3c", white="d3e3ae")
    sprinkle(d, sesame, many(90, a, b), a * 0.7, b * 0.7)
