"""김치・젓갈: kimchi and salted seafood."""

import math

import numpy as np

from .colour import mix, vary
from .dishes_main import many
from .ingredients import carrot_strip, chilli_flake, chilli_slice, chilli_thread, green_strip, scallion, sesame, sprinkle
from .noise import smooth
from .shapes import blob, box, coin, curve, leaf, spread, strand
from .wet import broth, dress, glaze, level_of, mound, pool


def smear(rng, amount=0.55, red="b5240e", deep="7e1408"):
    """Paints seasoning over whatever the colour was."""

    def tex(c, t, s, n):
        c = mix(c, red, np.clip(amount + 0.75 * n, 0, 0.95))
        return mix(c, deep, smooth(0.45, 0.9, n) * 0.6)

    return tex


def poggi(d, a, b):
    """포기김치: a cabbage quarter, cut across, the pieces still in order."""
    rng = d.rng
    pool(d, 0, 0, a * 0.86, b * 0.70, "a32a10", h=4, gloss=0.9)
    pieces = max(3, round(a * 1.6 / 120))
    for i in range(pieces):
        x = -a * 0.80 + a * 1.60 * (i + 0.5) / pieces
        share = i / max(1, pieces - 1)
        depth = b * 0.62
        for layer in range(3):
            for j in range(9):
                y = -depth + 2 * depth * (j + 0.5) / 9 + rng.uniform(-6, 6)
                pale = share < 0.55 and rng.random() < 0.85 - 0.5 * share
                c = vary(rng, rng.choice(["d9b45a", "c9b85e", "b9ad52"]) if not pale else "efe2b4", 0.08)
                leaf(
                    d,
                    x + rng.uniform(-5, 5),
                    y,
                    a * 1.62 / pieces + 8,
                    46,
                    c,
                    stem="f4ead0" if pale else None,
                    turn=rng.uniform(-0.08, 0.08) + (math.pi if rng.random() < 0.3 else 0),
                    thick=8 if pale else 4,
                    wave=5 + 3 * share,
                    ruffle=0.05 + 0.12 * share,
                    freq=5,
                    tip=0.6,
                    rib=2,
                    gloss=0.8,
                    tex=smear(rng, 0.60 + 0.12 * share),
                    sink=0.15,
                    tilt=0.15,
                )
    dress(d, 12)
    for x, y in spread(rng, many(22, a, b), a * 0.62, b * 0.42, jitter=0.9):
        rng.choice(
            [
                lambda: carrot_strip(d, x, y, 54, 3.6, col="efd9b4"),
                lambda: green_strip(d, x, y, 60, 6, "4f8530"),
                lambda: carrot_strip(d, x, y, 46, 3.4, col="cf4a1c"),
            ]
        )()
    sprinkle(d, chilli_flake, many(130, a, b), a * 0.8, b * 0.6)
    sprinkle(d, sesame, many(46, a, b), a * 0.7, b * 0.5)


def kkakdugi(d, a, b):
    """깍두기: cubed radish."""
    rng = d.rng
    pool(d, 0, 0, a * 0.94, b * 0.94, "a8230c", h=8, gloss=0.95, thin=0.1)
    mound(d, a * 0.84, b * 0.84, 36, "8f1c0a")

    def cube(x, y):
        s = rng.uniform(24, 29)
        c = vary(rng, "dd6f42", 0.07)
        box(
            d,
            x,
            y,
            s,
            s * rng.uniform(0.9, 1),
            s * 0.9,
            c,
            pitch=rng.uniform(-0.3, 0.3),
            roll=rng.uniform(-0.3, 0.3),
            soft=2.5,
            gloss=0.72,
            sink=0.5,
            tilt=0.2,
            tex=lambda u, v, h, n: mix(
                mix(c * (1 + 0.05 * n)[..., None], "f0b890", smooth(0.0, -0.7, n) * 0.4), "b5240c", smooth(-0.15, 0.6, n) * 0.92
            ),
        )

    for x, y in spread(rng, many(58, a, b), a * 0.8, b * 0.8):
        cube(x, y)
    for x, y in spread(rng, many(12, a, b), a * 0.6, b * 0.6, jitter=0.9):
        green_strip(d, x, y, 74, 9, "4c7f2c")
    dress(d, 22)
    for x, y in spread(rng, many(12, a, b), a * 0.48, b * 0.48, jitter=0.8):
        cube(x, y)
    dress(d)
    for x, y in spread(rng, many(9, a, b), a * 0.5, b * 0.5, jitter=0.9):
        green_strip(d, x, y, 58, 8, "5c9234")
    sprinkle(d, chilli_flake, many(170, a, b), a * 0.8, b * 0.8)


def ponytail(d, x, y, turn, s=1.0):
    """A whole young radish with its greens."""
    rng = d.rng
    c, si = math.cos(turn), math.sin(turn)
    for i in range(7):
        g = vary(rng, rng.choice(["4a7a2c", "5c8f38", "3c6824"]), 0.12)
        px, py = x - c * 52 * s + rng.uniform(-8, 8), y - si * 52 * s + rng.uniform(-8, 8)
        pts = curve(rng, px, py, rng.uniform(150, 210) * s, turn + math.pi + rng.uniform(-0.4, 0.4), 1.5, 0.6)
        strand(d, pts, 6, mix(g, "c9571f", 0.25), 0.7, end=g, sag=5)
        if i % 2:
            leaf(
                d,
                pts[-3][0],
                pts[-3][1],
                92 * s,
                44 * s,
                g,
                turn=turn + math.pi,
                thick=3,
                wave=7,
                ruffle=0.18,
                gloss=0.6,
                tex=smear(rng, 0.12),
            )
    body = vary(rng, "ecc49c", 0.05)
    blob(
        d,
        x,
        y,
        64 * s,
        33 * s,
        46 * s,
        body,
        turn=turn,
        n=2.2,
        wob=0.06,
        bump=0.03,
        gloss=0.9,
        sink=0.5,
        tilt=0.2,
        scale=70,
        tex=lambda u, v, r, n: mix(
            mix(body * (1 + 0.05 * n)[..., None], "b5280e", np.clip(0.58 + 0.8 * n + 0.25 * smooth(0.5, 1, r), 0, 0.92)),
            "7e1408",
            smooth(0.6, 0.95, n) * 0.5,
        ),
    )
    tail = curve(rng, x + c * 60 * s, y + si * 60 * s, 40 * s, turn, 0.8)
    strand(d, tail, 5 * s, "c8603a", 0.7, taper=0.5)


def chonggak(d, a, b):
    """총각김치: young radishes with their greens."""
    rng = d.rng
    pool(d, 0, 0, a * 0.74, b * 0.72, "a3260e", h=5, gloss=0.9)
    mound(d, a * 0.7, b * 0.66, 22, "7e1c0a")
    n = many(8, a, b)
    for i in range(n):
        y = -b * 0.62 + 1.24 * b * (i + 0.5) / n
        ponytail(d, a * 0.30 * (1 if i % 2 else -0.1) + rng.uniform(-16, 16), y, rng.uniform(-0.25, 0.25), 1.05)
    glaze(d, "b0220a", 0.20, 0.85)
    sprinkle(d, chilli_flake, many(170, a, b), a * 0.78, b * 0.66)
    for x, y in spread(rng, 8, a * 0.5, b * 0.5):
        green_strip(d, x, y, 60, 8, "5c9234")


def oisobagi(d, a, b):
    """오이소박이: cucumbers cut crosswise, filled with chives and chilli."""
    rng = d.rng
    pool(d, 0, 0, a * 0.74, b * 0.72, "ab2a10", h=4, gloss=0.9)

    def tex(u, v, rr, n):
        phi = np.arctan2(v, u)
        c = mix("dfe8b8", "c5d896", smooth(0.2, 0.75, rr))
        c = mix(c, "f0f3d2", np.exp(-(((rr - 0.55) / 0.08) ** 2)) * 0.5)
        seeds = np.exp(-(((np.mod(phi * 9 / 6.283, 1) - 0.5) / 0.12) ** 2)) * np.exp(-(((rr - 0.40) / 0.13) ** 2))
        c = mix(c, "f4f2d0", seeds * 0.8)
        c = mix(c, "3f7a2a", smooth(0.86, 0.93, rr + 0.02 * n))
        cut = (np.minimum(np.abs(u), np.abs(v)) < 0.13 + 0.06 * n) & (rr < 0.93)
        red = mix("b02a0e", "7e1608", 0.5 + 0.6 * n)
        return np.where(cut[..., None], red, c), None, np.where(cut, 5 + 4 * n, 0)

    spots = [
        (x * a, y * b)
        for x, y in (
            (-0.56, -0.34),
            (-0.14, -0.50),
            (0.30, -0.40),
            (0.62, -0.06),
            (-0.62, 0.16),
            (-0.22, 0.02),
            (0.20, 0.08),
            (-0.30, 0.50),
            (0.12, 0.54),
            (0.52, 0.42),
        )
    ]
    for x, y in spots:
        t = rng.uniform(0, 1.5)
        coin(d, x, y, 52, 74, tex, turn=t, gloss=0.75, bevel=0.10, wob=0.03, base=d.floor, lean=rng.uniform(-0.14, 0.14))
        dress(d, 30)
        for _ in range(7):
            q, w = rng.uniform(-0.7, 0.7) * 40, rng.choice([0, math.pi / 2]) + t
            px, py = x + q * math.cos(w), y + q * math.sin(w)
            green_strip(d, px - 13, py - 4, rng.uniform(24, 42), 5, rng.choice(["3c6f26", "4d8530"]), turn=rng.uniform(0, 6.28))
        for _ in range(4):
            q, w = rng.uniform(-0.6, 0.6) * 40, rng.choice([0, math.pi / 2]) + t
            carrot_strip(d, x + q * math.cos(w), y + q * math.sin(w), 26, 2.4, col="d9762c")
    sprinkle(d, chilli_flake, many(150, a, b), a * 0.8, b * 0.8)
    sprinkle(d, sesame, many(50, a, b), a * 0.7, b * 0.7)


def nabak(d, a, b):
    """나박김치: water kimchi, pink broth with thin squares of radish."""
    rng = d.rng
    level = level_of(d)
    mound(d, a, b, max(2, level - 40 - d.floor), "e8b8a0", flat=5)
    for x, y in spread(rng, many(34, a, b), a * 0.84, b * 0.84, jitter=0.8):
        box(d, x, y, 28, 26, 3, "f3e6d6", gloss=0.6)
    broth(d, level, "dd8d74", clear=42, oil=0, gloss=0.95, murk=0.05)
    for x, y in spread(rng, many(30, a, b), a * 0.76, b * 0.74, jitter=0.9):
        c = vary(rng, rng.choice(["f4e8da", "f1d9c8", "f6eee2"]), 0.03)
        q = rng.random()
        if q < 0.6:
            box(d, x, y, 29, 27, 3, c, pitch=rng.uniform(-0.1, 0.1), roll=rng.uniform(-0.1, 0.1), gloss=0.8, base=level - 3, tilt=0)
        elif q < 0.8:
            leaf(d, x, y, 76, 56, "dfe2a8", stem="f4efe0", thick=3, wave=3, ruffle=0.06, gloss=0.7, base=level - 4, tilt=0)
        else:
            coin(
                d,
                x,
                y,
                26,
                4,
                lambda u, v, rr, n: mix(mix("e6edc2", "cfe0a0", smooth(0.2, 0.8, rr)), "3f7a2a", smooth(0.84, 0.92, rr)),
                gloss=0.8,
                base=level - 2,
                tilt=0,
            )
    for x, y in spread(rng, many(18, a, b), a * 0.66, b * 0.64, jitter=0.9):
        rng.choice(
            [
                lambda: chilli_slice(d, x, y, 12),
                lambda: green_strip(d, x, y, 60, 6, "5c9a3a"),
                lambda: carrot_strip(d, x, y, 42, 3.4),
                lambda: scallion(d, x, y),
            ]
        )()
    for _ in range(7):
        blob(d, rng.uniform(-a, a) * 0.5, rng.uniform(-b, b) * 0.5, 8, 4, 4, "f2dca0", gloss=0.5, wob=0.03)


def pakimchi(d, a, b):
    """파김치: whole scallions in chilli seasoning, laid side by side."""
    rng = d.rng
    pool(d, 0, 0, a * 0.84, b * 0.66, "a8260c", h=4, gloss=0.8)
    mound(d, a * 0.82, b * 0.72, 30, "8f2410", flat=4)
    d.cap = 13
    n = many(56, a, b)
    for i in range(n):
        y = b * 0.60 * (2 * ((i * 0.618) % 1) - 1)
        x0, x1 = -a * 0.74 + rng.uniform(-14, 14), a * 0.72 + rng.uniform(-34, 20)
        ph, amp = rng.uniform(0, 6), rng.uniform(4, 11)
        pts = [(x0 + (x1 - x0) * t / 20, y * (1 - 0.10 * t / 20) + amp * math.sin(ph + t * 0.22)) for t in range(21)]
        white = mix("f3dcb8", "c93a14", rng.uniform(0.35, 0.9))
        pale = mix("b3c26c", "c23a14", rng.uniform(0.3, 0.8))
        green = mix(vary(rng, rng.choice(["5f9636", "78ab48", "4c7f2c"]), 0.1), "b5300f", rng.uniform(0.05, 0.5))
        blob(d, pts[0][0], y + amp * math.sin(ph), 15, 10, 15, white, turn=0, wob=0.05, gloss=0.75)
        strand(d, pts[:8], 7.0, white, 0.75, end=pale, sag=5)
        strand(d, pts[7:14], 7.2, pale, 0.75, end=green, sag=5)
        strand(d, pts[13:], 7.6, green, 0.7, end=vary(rng, green, 0.1), sag=5, flat=0.8)
    glaze(d, "b8200a", 0.46, 0.75, scale=130)
    for q in (-0.06, 0.05):
        strand(d, [(a * q, -b * 0.55), (a * q + 12, 0), (a * q, b * 0.55)], 7.5, mix("6f9f3e", "b53a14", 0.25), 0.75, sag=5)
    for x, y in spread(rng, many(12, a, b), a * 0.6, b * 0.44, jitter=0.9):
        carrot_strip(d, x, y, 44, 3.2, col="cf4a1c")
    sprinkle(d, chilli_flake, many(240, a, b), a * 0.72, b * 0.52)
    sprinkle(d, sesame, many(130, a, b), a * 0.66, b * 0.48)


def roe(d, x, y, turn, s=1.0, cut=True):
    """A sac of pollack roe; `cut` shows the grains."""
    rng = d.rng
    c0 = vary(rng, "e07a5e", 0.06)
    ph = rng.uniform(0, 6)

    def skin(u, v, r, n):
        veins = np.exp(-((np.abs(np.sin(v / 9 + 2.4 * np.sin(u / 40 + ph) + 1.5 * n)) / 0.12) ** 2))
        c = mix(c0 * (1 + 0.1 * n)[..., None], "b0301c", veins * 0.55)
        return mix(c, "c2452a", smooth(0.3, 0.8, n) * 0.5)

    blob(
        d,
        x,
        y,
        118 * s,
        38 * s,
        44 * s,
        c0,
        turn=turn,
        n=2.3,
        wob=0.05,
        bump=0.03,
        gloss=0.9,
        tex=skin,
        scale=80,
        sink=0.3,
        tilt=0.2,
    )
    if cut:
        c, si = math.cos(turn), math.sin(turn)
        for _ in range(230):
            u, v = rng.uniform(-74, 74) * s, rng.gauss(0, 6.5) * s
            blob(
                d,
                x + c * u - si * v,
                y + si * u + c * v,
                3.1,
                3.1,
                3.4,
                vary(rng, "f0906a", 0.12),
                gloss=0.8,
                wob=0,
                sink=0.2,
                tilt=0,
            )


def myeongnan(d, a, b):
    """명란젓: salted pollack roe with sesame oil."""
    rng = d.rng
    pool(d, 0, 0, a * 0.8, b * 0.72, "b98a2e", h=3, gloss=0.95, thin=0.5)
    for i, (x, y, t) in enumerate(((-0.06, -0.44, 0.10), (0.04, -0.02, -0.06), (-0.04, 0.42, 0.08))):
        roe(d, x * a, y * b, t, min(1.25, a / 180), cut=i != 0)
    dress(d)
    sprinkle(d, scallion, many(22, a, b), a * 0.36, b * 0.5)
    sprinkle(d, sesame, many(80, a, b), a * 0.66, b * 0.6)
    for _ in range(9):
        chilli_thread(d, rng.uniform(-a, a) * 0.3, rng.uniform(-b, b) * 0.3)
    for x in (-0.3, 0.28, 0.02):
        coin(
            d, x * a, (0.24 - x * 0.1) * b, 21, 4, lambda u, v, rr, n: mix("f4ead0", "dccba0", smooth(0.5, 1, rr)), b=14, gloss=0.5
        )


def ojingeojeot(d, a, b):
    """오징어젓: strips of salted squid in chilli seasoning."""
    rng = d.rng
    mound(d, a * 0.78, b * 0.78, 58, "7e1508")
    for x, y in spread(rng, many(140, a, b), a * 0.78, b * 0.78, jitter=0.9):
        strand(
            d,
            curve(rng, x, y, rng.uniform(60, 110), None, 2.2, 0.9),
            rng.uniform(7, 9.5),
            vary(rng, rng.choice(["b8321a", "c94a2c", "a3240f", "d0623e"]), 0.1),
            0.95,
            sag=4,
            flat=0.8,
        )
    glaze(d, "9c1606", 0.22, 0.95)
    for x, y in spread(rng, many(15, a, b), a * 0.5, b * 0.5, jitter=0.9):
        strand(d, curve(rng, x, y, 84, None, 2.0, 0.9), 8.5, vary(rng, "cf5a36", 0.1), 0.95, sag=4, flat=0.8)
    for x, y in spread(rng, many(12, a, b), a * 0.56, b * 0.56, jitter=0.9):
        chilli_slice(d, x, y, 13, col=rng.choice(["5a9432", "4c8429", "c2231a"]))
    for x, y in spread(rng, many(6, a, b), a * 0.5, b * 0.5, jitter=0.9):
        coin(d, x, y, 19, 5, lambda u, v, rr, n: mix("f0dfba", "cf8a5c", smooth(0.5, 1, rr)), b=13, gloss=0.6, lean=0.2)
    sprinkle(d, sesame, many(140, a, b), a * 0.72, b * 0.72)
