"""메인반찬, part two: squid, fish, noodles, things fried in egg."""

import math

import numpy as np

from .colour import mix, ramp, vary
from .ingredients import (
    carrot_strip,
    chilli_flake,
    chilli_slice,
    chilli_thread,
    egg_ribbon,
    green_strip,
    mushroom_slice,
    onion,
    sesame,
    sprinkle,
)
from .noise import smooth
from .shapes import coil, blob, coin, curve, leaf, ring, spread, strand
from .wet import dress, glaze, mound, pool
from .dishes_main import many


def squid(d, x, y, col="c8482a", pale="dd8f66", turn=None, s=1.0):
    """A scored, curled piece of squid."""
    rng = d.rng
    c0, c1 = vary(rng, col, 0.1), vary(rng, pale, 0.06)
    t = rng.uniform(0, 6.28) if turn is None else turn
    p = d.patch(x, y, 70 * s, t)
    if p is None:
        return
    u, v = p.u / (56 * s), p.v / (30 * s)
    r = (np.abs(u) ** 4 + np.abs(v) ** 4) ** 0.25
    cut = np.maximum(np.cos((p.u + p.v) / (5.2 * s)), np.cos((p.u - p.v) / (5.2 * s)))
    top = 30 * s * np.sqrt(np.clip(1 - v * v, 0, 1)) * (1 - 0.25 * u * u) - 3.2 * s * smooth(0.72, 0.98, cut)
    top = np.where(r < 1, np.maximum(top, 0.2), -1)
    n = d.speckle(p, 60)
    col_ = mix(mix(c1, c0, np.clip(0.45 + 0.6 * n, 0, 1)), "8e1d0c", smooth(0.75, 1.0, cut) * 0.7)
    d.lay(p, top, np.clip(col_, 0, 0.95).astype(np.float32), 0.7, sink=0.5)


def tentacle(d, x, y, col="b04a38", length=120):
    """A squid's arm, curled, with suckers."""
    rng = d.rng
    pts = curve(rng, x, y, length, None, 3.4, 0.6, steps=20)
    for i in range(len(pts) - 1):
        strand(d, [pts[i], pts[i + 1]], 11 * (1 - 0.7 * i / 20), vary(rng, col, 0.06), 0.7, sag=2)
        if i % 2:
            blob(d, pts[i][0], pts[i][1], 4, 4, 5, "e6b49c", gloss=0.6)


def ojingeo(d, a, b):
    """오징어볶음: squid stir-fried with onion, carrot and scallion in chilli sauce."""
    rng = d.rng
    pool(d, 0, 0, a * 0.84, b * 0.84, "98200c", h=4)
    mound(d, a * 0.84, b * 0.84, 56, "98200c")
    for x, y in spread(rng, many(64, a, b), a * 0.82, b * 0.82):
        q = rng.random()
        if q < 0.40:
            squid(d, x, y)
        elif q < 0.52:
            ring(d, x, y, 25, 9, 20, vary(rng, "d06a48", 0.1), inner="edc6ac", gloss=0.75, lean=rng.uniform(-0.3, 0.3), squash=0.8)
        elif q < 0.60:
            tentacle(d, x, y)
        elif q < 0.78:
            onion(d, x, y, 84, col="e3a77c")
        elif q < 0.90:
            carrot_strip(d, x, y, 62, 7)
        else:
            green_strip(d, x, y, 74, 14, "5c9038", white="c3d795")
    glaze(d, "b01f06", 0.34, 0.75)
    for x, y in spread(rng, 5, a * 0.5, b * 0.5):
        squid(d, x, y, col="d2603c", pale="e8b08c")
    for _ in range(8):
        chilli_slice(d, rng.uniform(-a, a) * 0.55, rng.uniform(-b, b) * 0.55, col=rng.choice(["c2231a", "5a9432"]))
    sprinkle(d, sesame, many(100, a, b), a * 0.72, b * 0.72)


def mackerel(d, x, y, turn, s=1.0):
    """A thick cut of mackerel, skin up: blue-black waves above, silver below."""
    rng = d.rng
    ph = rng.uniform(0, 6)

    def skin(u, v, r, n):
        q = v / (64 * s)
        c = ramp([(-1, "30424c"), (-0.45, "4f6a74"), (-0.1, "a4aeaa"), (0.4, "cfc9b8"), (1, "c2a888")], q + 0.08 * n)
        wave = smooth(0.2, 0.7, np.sin(u / (8.5 * s) + 2.2 * np.sin(v / (11 * s) + ph) + n)) * smooth(0.05, -0.35, q)
        c = mix(c, "1c272e", wave * 0.75)
        c = mix(c, "a8451e", np.clip(0.20 + 0.5 * n, 0, 0.55))
        return mix(c, "d9bf9c", smooth(82 * s, 94 * s, np.abs(u)))

    blob(
        d,
        x,
        y,
        98 * s,
        64 * s,
        56 * s,
        "888888",
        turn=turn,
        n=3.2,
        dome=2.4,
        wob=0.03,
        bump=0.03,
        gloss=0.8,
        scale=80,
        tex=skin,
        sink=0.5,
        tilt=0.2,
    )
    for o in (-26, 14):
        c, si = math.cos(turn), math.sin(turn)
        strand(
            d,
            [
                (x + c * (o + 12) + si * 34 * s, y + si * (o + 12) - c * 34 * s),
                (x + c * (o - 8) - si * 22 * s, y + si * (o - 8) + c * 22 * s),
            ],
            2.6,
            "e0c6a4",
            0.3,
            lift=-1.5,
            sag=2,
        )


def radish_slab(d, x, y, r=72, thick=26, col="d49a52"):
    """Radish braised until it takes the colour of the sauce."""
    c0 = vary(d.rng, col, 0.08)
    coin(
        d,
        x,
        y,
        r,
        thick,
        lambda u, v, rr, n: mix(mix(c0, "e9c892", 0.4 + 0.3 * n), "9c4a1c", smooth(0.8, 1.0, rr)),
        gloss=0.65,
        bevel=0.18,
        wob=0.01,
        lean=d.rng.uniform(-0.08, 0.08),
    )


def godeungeo(d, a, b):
    """고등어 무조림: mackerel on braised radish."""
    rng = d.rng
    pool(d, 0, 0, a * 0.84, b * 0.84, "8c2c10", h=8, gloss=0.85)
    for x, y in spread(rng, many(7, a, b), a * 0.72, b * 0.70, hole=0.45):
        radish_slab(d, x, y)
    mound(d, a * 0.5, b * 0.5, 18, "8c2c10")
    for i, (x, y, t) in enumerate(((-0.40, -0.24, 0.35), (0.36, -0.30, -0.25), (-0.02, 0.30, 0.08))):
        mackerel(d, x * a, y * b, t + rng.uniform(-0.15, 0.15))
    glaze(d, "a5330f", 0.16, 0.7)
    pool(d, -a * 0.1, b * 0.02, a * 0.42, b * 0.22, "9c2c0c", h=3, thin=0.7)
    for x, y in spread(rng, 12, a * 0.6, b * 0.6):
        onion(d, x, y, 60, col="dba878")
    for x, y in spread(rng, 12, a * 0.55, b * 0.5):
        chilli_slice(d, x, y, col=rng.choice(["c2231a", "5a9432"]))
    for x, y in spread(rng, 14, a * 0.5, b * 0.45):
        green_strip(d, x, y, 58, 11, "66993a", white="d6e5b2")
    sprinkle(d, chilli_flake, 90, a * 0.8, b * 0.8)
    sprinkle(d, sesame, many(50, a, b), a * 0.6, b * 0.6)


def japchae(d, a, b):
    """잡채: glass noodles with vegetables, beef and egg."""
    rng = d.rng
    mound(d, a * 0.86, b * 0.86, 80, "6d4a22")
    for i in range(many(190, a, b)):
        t, q = rng.uniform(0, 6.28), math.sqrt(rng.uniform(0.02, 0.72))
        strand(d, coil(rng, a, b, t, q), 4.6, vary(rng, rng.choice(["a47636", "b88a48", "94682c"]), 0.1), 0.95, sag=6)
        x, y = a * q * 0.9 * math.cos(t), b * q * 0.9 * math.sin(t)
        w = rng.random()
        if i % 2:
            continue
        if w < 0.26:
            carrot_strip(d, x, y, 74, 5)
        elif w < 0.48:
            strand(d, curve(rng, x, y, 90, None, 1.8, 1), 5.2, vary(rng, "2f5a26", 0.16), 0.45, flat=0.6)
        elif w < 0.62:
            onion(d, x, y, 66)
        elif w < 0.78:
            strand(d, curve(rng, x, y, 70, None, 0.7), 7, vary(rng, "5a3820", 0.12), 0.4, flat=0.7)
        elif w < 0.90:
            mushroom_slice(d, x, y, 0.95)
        else:
            strand(d, curve(rng, x, y, 66, None, 0.5), 5, vary(rng, "b5301f", 0.1), 0.6, flat=0.6)
    dress(d)
    for _ in range(many(26, a, b)):
        t, q = rng.uniform(0, 6.28), rng.uniform(0.1, 0.8)
        x, y = a * q * math.cos(t), b * q * math.sin(t)
        rng.choice(
            [
                lambda: carrot_strip(d, x, y, 74, 5),
                lambda: mushroom_slice(d, x, y, 0.95),
                lambda: onion(d, x, y, 60),
                lambda: strand(d, curve(rng, x, y, 66, None, 0.5), 5, vary(rng, "b5301f", 0.1), 0.6, flat=0.6),
                lambda: strand(d, curve(rng, x, y, 74, None, 0.7), 7, vary(rng, "5a3820", 0.12), 0.4, flat=0.7),
            ]
        )()
    for _ in range(16):
        t, q = rng.uniform(0, 6.28), rng.uniform(0.1, 0.7)
        leaf(
            d,
            a * q * math.cos(t),
            b * q * math.sin(t),
            90,
            40,
            vary(rng, "33662a", 0.12),
            stem="6f9a4c",
            thick=2.5,
            wave=5,
            gloss=0.4,
        )
    for _ in range(16):
        t, q = rng.uniform(0, 6.28), rng.uniform(0, 0.55)
        egg_ribbon(d, a * q * math.cos(t), b * q * math.sin(t), 62, 4.6, rng.choice(["f0c244", "f6ecd2", "f0c244"]))
    sprinkle(d, sesame, many(150, a, b), a * 0.8, b * 0.8)


def egg_coat(rng, core, r_core=0.80):
    """Paints a slice fried in egg: core colour in the middle, a lacy golden rim, brown freckles."""
    c0, rim = vary(rng, core, 0.06), vary(rng, "edbf4c", 0.05)

    def tex(u, v, rr, n):
        m = smooth(r_core + 0.10, r_core - 0.08, rr + 0.10 * n)
        c = mix(rim * (1 + 0.10 * n)[..., None], c0 * (1 + 0.08 * n)[..., None], m)
        c = mix(c, "c07a26", smooth(0.30, 0.75, n) * 0.55)
        return mix(c, "a8641c", smooth(0.93, 1.0, rr) * 0.5), None, 1.5 * n + 3.0 * smooth(0.98, 0.7, rr)

    return tex


def jeon(d, a, b):
    """모둠전: four kinds of things fried in egg, in rows."""
    rng = d.rng

    def round_meat(x, y):
        coin(
            d,
            x,
            y,
            60,
            19,
            egg_coat(rng, rng.choice(["c99a54", "d2a75e"]), 0.72),
            gloss=0.4,
            wob=0.03,
            sink=0.15,
            lean=-0.12,
            turn=0,
            bevel=0.3,
        )
        for _ in range(12):
            q, t = rng.uniform(0, 42), rng.uniform(0, 6.28)
            blob(
                d,
                x + q * math.cos(t),
                y + q * math.sin(t),
                5,
                3.4,
                1.6,
                rng.choice(["d9722a", "5e8c38", "efe6d2"]),
                gloss=0.4,
                tilt=0,
            )

    def courgette(x, y):
        base = egg_coat(rng, "d5d58a", 0.86)

        def tex(u, v, rr, n):
            c, hole, rel = base(u, v, rr, n)
            c = mix(c, "4d7a2c", np.exp(-(((rr - 0.80) / 0.045) ** 2)) * 0.85)
            seeds = np.exp(-(((np.mod(np.arctan2(v, u) * 5 / 6.283, 1) - 0.5) / 0.16) ** 2)) * np.exp(-(((rr - 0.38) / 0.12) ** 2))
            return mix(c, "f2ecbc", seeds * 0.7), hole, rel

        coin(d, x, y, 58, 15, tex, gloss=0.45, sink=0.15, lean=-0.12, turn=0, bevel=0.25)

    def pollack(x, y):
        coin(
            d,
            x,
            y,
            78,
            17,
            egg_coat(rng, "eed27e", 0.9),
            b=50,
            gloss=0.4,
            wob=0.05,
            sink=0.15,
            lean=-0.1,
            turn=rng.uniform(-0.2, 0.2),
            bevel=0.3,
        )

    def perilla_half(x, y):
        def tex(u, v, rr, n):
            c = mix("2f5a2a", "4d7a3c", 0.5 + 0.5 * n)
            vein = np.exp(-(((np.mod(u * 4 - np.abs(v) * 2, 1) - 0.5) / 0.07) ** 2))
            c = mix(c, "8fae62", vein * 0.35)
            return mix(c, "e6bb4c", np.clip(smooth(0.35, 0.8, n) * 0.7 + smooth(0.80, 0.97, rr), 0, 0.9)), v > 0.42, 1.5 * n

        coin(d, x, y, 74, 17, tex, b=66, gloss=0.4, wob=0.04, sink=0.15, lean=-0.08, turn=rng.uniform(-0.15, 0.15), bevel=0.25)

    kinds = [round_meat, courgette, pollack, perilla_half]
    rows = 4
    for i, kind in enumerate(kinds):
        y = (i - (rows - 1) / 2) * b * 0.44
        span = a * math.sqrt(max(0.1, 1 - (y / b) ** 2)) * 0.86 if d.square < 4 else a * 0.84
        n = max(3, int(span * 2 / 80))
        for j in range(n):
            kind(-span + 2 * span * (j + 0.5) / n + rng.uniform(-4, 4), y + rng.uniform(-5, 5))
    for x, y in ((-a * 0.1, b * 0.02), (a * 0.28, -b * 0.22)):
        for _ in range(3):
            leaf(d, x + rng.uniform(-14, 14), y + rng.uniform(-14, 14), 46, 26, "4f8a35", thick=1.5, wave=3, ruffle=0.2, gloss=0.3)
    sprinkle(d, chilli_thread, 8, a * 0.3, b * 0.2)
