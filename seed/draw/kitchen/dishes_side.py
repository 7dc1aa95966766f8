"""밑반찬: everyday side dishes."""

import math

import numpy as np

from .colour import mix, vary
from .dishes_main import many
from .dishes_stew import sprout
from .ingredients import carrot_strip, chilli_flake, chilli_slice, green_strip, onion, quail_egg, scallion, sesame, sprinkle
from .noise import smooth
from .shapes import blob, coin, curve, leaf, spread, strand
from .wet import dress, glaze, mound, pool


def shishito(d, x, y, length=92, turn=None, col="4f7a2c"):
    """꽈리고추: a wrinkled small green pepper with its stalk."""
    rng = d.rng
    t = rng.uniform(0, 6.28) if turn is None else turn
    c = vary(rng, col, 0.12)
    pts = curve(rng, x - math.cos(t) * length / 2, y - math.sin(t) * length / 2, length, t, 0.6, 0.3, steps=9)
    for i in range(9):
        r = 12.5 * (1 - 0.5 * (i / 8) ** 2) + rng.uniform(-1.2, 1.2)
        strand(d, [pts[i], pts[i + 1]], r, vary(rng, c, 0.07), 0.75, sag=2)
    strand(d, curve(rng, pts[0][0], pts[0][1], 26, t + math.pi, 0.5), 3, "7d9a4a", 0.4)


def jangjorim(d, a, b):
    """장조림: shredded beef, quail eggs and shishito in soy."""
    rng = d.rng
    pool(d, 0, 0, a * 0.96, b * 0.96, "2e170b", h=8, gloss=0.9, thin=0.1)
    mound(d, a * 0.82, b * 0.82, 34, "3c2012")
    for x, y in spread(rng, many(70, a, b), a * 0.78, b * 0.78):
        t = rng.uniform(0, 6.28)
        c = vary(rng, rng.choice(["5c3420", "6f432a", "4a2817"]), 0.1)
        for o in range(3):
            strand(
                d,
                curve(rng, x - math.cos(t) * 44, y - math.sin(t) * 44 + o * 6, 92, t, 0.5, 0.25),
                5.6,
                vary(rng, c, 0.06),
                0.6,
                taper=0.3,
                sag=4,
            )
    glaze(d, "2a1308", 0.10, 0.7)
    for x, y in spread(rng, many(13, a, b), a * 0.66, b * 0.66, jitter=0.8):
        quail_egg(d, x, y, 29, col="b07a44")
    for x, y in spread(rng, many(9, a, b), a * 0.62, b * 0.62, jitter=0.8):
        shishito(d, y, -x)
    sprinkle(d, sesame, many(60, a, b), a * 0.7, b * 0.7)


def kongnamul(d, a, b):
    """콩나물무침: soybean sprouts with scallion and chilli."""
    rng = d.rng
    mound(d, a * 0.8, b * 0.8, 78, "cbb98a")
    for x, y in spread(rng, many(170, a, b), a * 0.76, b * 0.76, jitter=0.9):
        t = math.atan2(y, x) + rng.uniform(1.0, 2.4) * rng.choice([-1, 1])
        sprout(d, x, y, 120, t)
    dress(d)
    for x, y in spread(rng, many(18, a, b), a * 0.55, b * 0.55):
        sprout(d, x, y, 90)
    sprinkle(d, scallion, many(26, a, b), a * 0.6, b * 0.6)
    sprinkle(d, chilli_flake, many(130, a, b), a * 0.75, b * 0.75)
    sprinkle(d, sesame, many(110, a, b), a * 0.72, b * 0.72)
    for x, y in spread(rng, 5, a * 0.4, b * 0.4):
        chilli_slice(d, x, y, 12)


def sigeumchi(d, a, b):
    """시금치나물: blanched spinach with sesame."""
    rng = d.rng
    mound(d, a * 0.8, b * 0.8, 74, "1f3f1a")
    for x, y in spread(rng, many(110, a, b), a * 0.78, b * 0.78):
        if rng.random() < 0.42:
            strand(
                d,
                curve(rng, x, y, 120, None, 1.6, 0.7),
                6.5,
                vary(rng, rng.choice(["6f9d4a", "5a8a3c", "8ab05e"]), 0.1),
                0.7,
                end="3c6a2c",
                taper=0.3,
                sag=5,
            )
        else:
            leaf(
                d,
                x,
                y,
                rng.uniform(90, 140),
                rng.uniform(46, 72),
                vary(rng, rng.choice(["2a5a22", "33692a", "234d1e"]), 0.14),
                stem="7fa85a",
                stem_to=0.12,
                thick=3.5,
                wave=9,
                ruffle=0.14,
                freq=7,
                gloss=0.7,
                vein=0.2,
            )
    dress(d)
    for x, y in spread(rng, many(10, a, b), a * 0.5, b * 0.5):
        leaf(
            d,
            x,
            y,
            104,
            54,
            vary(rng, "37702c", 0.12),
            stem="8ab566",
            stem_to=0.12,
            thick=3.5,
            wave=8,
            ruffle=0.12,
            freq=7,
            gloss=0.7,
        )
    sprinkle(d, sesame, many(190, a, b), a * 0.74, b * 0.74)


def anchovy(d, x, y, length=70, turn=None):
    """A dried anchovy, glazed: silver side, dark back, an eye."""
    rng = d.rng
    t = rng.uniform(0, 6.28) if turn is None else turn
    c = vary(rng, rng.choice(["bd8a4c", "cf9f62", "a8763e", "d9b27a"]), 0.12)
    pts = curve(rng, x - math.cos(t) * length / 2, y - math.sin(t) * length / 2, length, t, 0.9, 0.3)
    strand(d, pts, 5.6, c, 0.75, end=vary(rng, "c9a873", 0.1), taper=0.55, sag=4, flat=0.8)
    strand(
        d, [(px - 1.6 * math.sin(t), py + 1.6 * math.cos(t)) for px, py in pts], 1.6, vary(rng, "7a5230", 0.1), 0.6, lift=1.6, sag=4
    )
    ex, ey = pts[1]
    blob(d, ex, ey, 2.4, 2.4, 1.4, "1e1712", gloss=0.6, wob=0, tilt=0, sink=0, lift=0.6)


def myeolchi(d, a, b):
    """꽈리고추 멸치볶음: glazed anchovies with shishito."""
    rng = d.rng
    mound(d, a * 0.8, b * 0.8, 60, "6b4522")
    for i, (x, y) in enumerate(spread(rng, many(230, a, b), a * 0.8, b * 0.8, jitter=0.9)):
        if i % 30 == 0:
            shishito(d, x, y)
        anchovy(d, x, y)
    glaze(d, "7a4312", 0.10, 0.8)
    for x, y in spread(rng, many(5, a, b), a * 0.6, b * 0.6, jitter=0.8):
        shishito(d, x, y)
    for x, y in spread(rng, many(24, a, b), a * 0.6, b * 0.6, jitter=0.9):
        anchovy(d, x, y)
    for x, y in spread(rng, 6, a * 0.5, b * 0.5, jitter=0.9):
        chilli_slice(d, x, y, 11)
    sprinkle(d, sesame, many(150, a, b), a * 0.76, b * 0.76)


def kongjorim(d, a, b):
    """콩자반: sweet black soybeans."""
    rng = d.rng
    pool(d, 0, 0, a * 0.9, b * 0.9, "1e100c", h=6, gloss=0.95, thin=0.1)
    mound(d, a * 0.78, b * 0.78, 62, "1a1010")
    for x, y in spread(rng, many(260, a, b), a * 0.78, b * 0.78, jitter=0.7):
        c = vary(rng, rng.choice(["1d1416", "271a1c", "33201f", "171114"]), 0.2)
        blob(
            d,
            x,
            y,
            rng.uniform(16, 19.5),
            rng.uniform(13, 16),
            22,
            c,
            wob=0.05,
            bump=0.10,
            scale=18,
            gloss=1.0,
            grain=0.2,
            sink=0.5,
            tilt=0.2,
        )
    dress(d)
    sprinkle(d, sesame, many(130, a, b), a * 0.74, b * 0.74)


def fishcake(d, x, y, turn=None, s=1.0, col="d3a160"):
    """A strip of flat fish cake, folded by the heat."""
    rng = d.rng
    c = vary(rng, col, 0.08)
    t = rng.uniform(0, 6.28) if turn is None else turn
    p = d.patch(x, y, 66 * s, t)
    if p is None:
        return
    la, lb = rng.uniform(48, 58) * s, rng.uniform(20, 26) * s
    r = np.maximum(np.abs(p.u) / la, np.abs(p.v + 4 * np.sin(p.u / 22)) / lb)
    n = d.speckle(p, 70)
    arch = 13 * np.cos(p.u / la * rng.uniform(1.2, 2.6) + rng.uniform(-1, 1)) + 13
    top = np.where(r < 1, 7 * np.sqrt(np.clip(1 - r**10, 0, 1)) + arch + 0.2, -1)
    col_ = mix(c * (1 + 0.08 * n)[..., None], "9a5f26", smooth(0.15, 0.8, n) * 0.55)
    col_ = mix(col_, "ecd2a0", smooth(0.90, 0.99, r) * 0.8)
    d.lay(p, top, np.clip(col_, 0, 0.95).astype(np.float32), 0.6, sink=0.4, tilt=0.5)


def eomuk(d, a, b):
    """어묵볶음: fish cake with peppers, carrot and onion."""
    rng = d.rng
    mound(d, a * 0.8, b * 0.8, 64, "8a5a2c")
    for x, y in spread(rng, many(84, a, b), a * 0.8, b * 0.8):
        q = rng.random()
        if q < 0.66:
            fishcake(d, x, y)
        elif q < 0.76:
            onion(d, x, y, 76, col="e2c594")
        elif q < 0.88:
            carrot_strip(d, x, y, 70, 6)
        else:
            green_strip(d, x, y, 74, 13, "5a9435")
    glaze(d, "8a4a14", 0.07, 0.6)
    for x, y in spread(rng, many(11, a, b), a * 0.55, b * 0.55, jitter=0.9):
        fishcake(d, x, y)
    for x, y in spread(rng, many(12, a, b), a * 0.6, b * 0.6, jitter=0.9):
        rng.choice([lambda: green_strip(d, x, y, 70, 13, "5f9c38"), lambda: carrot_strip(d, x, y, 66, 6)])()
    sprinkle(d, sesame, many(130, a, b), a * 0.74, b * 0.74)


def omelette_slice(d, x, y, turn=0.0, r=64, lean=-0.25, b=None):
    """A slice of rolled omelette: the layers show as a spiral, with bits of carrot and scallion."""
    rng = d.rng
    ph = rng.uniform(0, 1)
    bits = [
        (
            rng.uniform(-0.8, 0.8),
            rng.uniform(-0.8, 0.8),
            rng.choice(["e0702a", "5a9438", "e0702a", "6fa544"]),
            rng.uniform(0.035, 0.075),
        )
        for _ in range(26)
    ]

    def tex(u, v, rr, n):
        phi = np.arctan2(v, u) / 6.2832
        q = np.sqrt(u * u + v * v)
        turns = q * 3.6 - phi + ph
        line = np.abs(np.mod(turns, 1) - 0.5)
        c = mix("f6d35c", "f9e08a", 0.5 + 0.5 * n)
        c = mix(c, "d9a02c", smooth(0.10, 0.03, line) * 0.8 * smooth(0.02, 0.12, q))
        for bx, by, bc, br in bits:
            m = smooth(br, br * 0.6, np.hypot(u - bx, (v - by) * 1.2))
            c = mix(c, bc, m * 0.9)
        return mix(c, "cf8f2a", smooth(0.90, 0.99, rr) * 0.75), None, 1.2 * n - 1.6 * smooth(0.10, 0.03, line)

    coin(d, x, y, r, 24, tex, turn=turn, b=b or r * 0.76, gloss=0.4, bevel=0.14, wob=0.02, lean=lean, sink=0.1, tilt=0.2)


def gyeranmari(d, a, b):
    """계란말이: slices fallen over each other in a row or two."""
    rng = d.rng
    wide = a > b * 1.15
    rows = 2 if b > 170 else 1
    for j in range(rows):
        y = 0 if rows == 1 else (j - 0.5) * b * 0.86
        n = max(3, int(a * 1.55 / (58 if wide else 64)))
        for i in range(n):
            x = -a * 0.76 + a * 1.52 * (i + 0.5) / n
            omelette_slice(d, x, y + rng.uniform(-3, 3), rng.uniform(-0.06, 0.06), r=70, lean=-0.22, b=62 if rows == 2 else 66)
    dress(d)
    for x, y in ((a * 0.02, 0), (a * 0.10, b * 0.06)):
        for _ in range(3):
            leaf(d, x + rng.uniform(-12, 12), y + rng.uniform(-12, 12), 44, 24, "4f8a35", thick=1.5, wave=3, ruffle=0.2, gloss=0.3)


def lotus_slice(d, x, y, r=54, col="8f5426", thick=15, lean=None):
    """A slice of lotus root with its wheel of holes."""
    rng = d.rng
    c0 = vary(rng, col, 0.14)
    n_holes, ph = rng.choice([8, 9, 9, 10]), rng.uniform(0, 6)

    def tex(u, v, rr, n):
        phi = np.arctan2(v, u) + ph
        step = 2 * math.pi / n_holes
        off = (np.mod(phi, step) - step / 2) * np.maximum(rr, 0.05)
        hole = ((rr - 0.60) / 0.20) ** 2 + (off / 0.145) ** 2 < 1
        hole |= (u * u + v * v) < 0.010
        c = mix(c0 * (1 + 0.1 * n)[..., None], "c48a4c", smooth(0.1, 0.7, n) * 0.5)
        return mix(c, "4e2810", smooth(0.88, 0.98, rr) * 0.8), hole, 0

    coin(
        d,
        x,
        y,
        r,
        thick,
        tex,
        b=r * rng.uniform(0.86, 1),
        gloss=0.9,
        bevel=0.2,
        wob=0.02,
        sink=0.25,
        tilt=0.6,
        lean=rng.uniform(-0.2, 0.2) if lean is None else lean,
    )


def yeongeun(d, a, b):
    """연근조림: glazed lotus root."""
    rng = d.rng
    pool(d, 0, 0, a * 0.86, b * 0.86, "54290e", h=4, gloss=0.9, thin=0.15)
    mound(d, a * 0.76, b * 0.76, 42, "4a2610")
    for x, y in spread(rng, many(26, a, b), a * 0.74, b * 0.74, jitter=0.6):
        lotus_slice(d, x, y)
    dress(d, 26)
    for x, y in spread(rng, many(7, a, b), a * 0.46, b * 0.46, jitter=0.6):
        lotus_slice(d, x, y)
    dress(d)
    sprinkle(d, sesame, many(170, a, b), a * 0.76, b * 0.76)
