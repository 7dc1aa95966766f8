"""간편식: one-bowl meals, noodles, dumplings."""

import math

import numpy as np

from .colour import colour, mix, vary
from .dishes_main import enoki, many

from .dishes_side import fishcake
from .dishes_soup import courgette_piece, dumpling, kimchi_bit
from .dishes_stew import sprout
from .ingredients import (
    carrot_coin,
    carrot_strip,
    egg_half,
    green_strip,
    meat_slice,
    mushroom_slice,
    onion,
    rice,
    rice_cake,
    scallion,
    sesame,
    sprinkle,
)
from .noise import smooth
from .shapes import coil, blob, box, coin, curve, leaf, spread, strand
from .wet import broth, dress, glaze, level_of, mound


def fried_egg(d, x, y, r=84):
    """An egg, sunny side up, with a lacy rim."""
    rng = d.rng
    blob(
        d,
        x,
        y,
        r,
        r * 0.9,
        11,
        "f7f1e4",
        n=2,
        dome=4,
        wob=0.12,
        gloss=0.7,
        bump=0.1,
        scale=60,
        sink=0.1,
        tilt=0.1,
        tex=lambda u, v, q, n: mix(colour("f7f1e4") * (1 + 0.03 * n)[..., None], "cf9440", smooth(0.88, 1.0, q + 0.06 * n) * 0.7),
    )
    blob(d, x + rng.uniform(-6, 6), y, r * 0.42, r * 0.41, 27, "f3a41f", wob=0.01, gloss=0.95, grain=0.03, sink=0.1, tilt=0, n=2)


def rice_bed(d, a, b, h=None):
    """Rice that fills the lower part of a bowl."""
    mound(d, a, b, h or max(6, d.rim * 0.62 - d.floor), "f8f5ec", flat=5, grain=0.05, gloss=0.3)


def bibimbap(d, a, b):
    """비빔밥: six kinds of namul over rice, a fried egg in the middle."""
    rng = d.rng
    rice_bed(d, a, b)
    rice(d, 0, 0, a * 0.95, b * 0.95, many(420, a, b))

    def wedge(i, each, n):
        t0 = i * math.pi / 3 + 0.3
        for _ in range(n):
            t, q = t0 + rng.uniform(-0.44, 0.44), math.sqrt(rng.uniform(0.10, 0.80))
            each(a * q * math.cos(t), b * q * math.sin(t), t)

    n = many(30, a, b)
    wedge(0, lambda x, y, t: carrot_strip(d, x, y, 66, 5, turn=t + rng.uniform(-0.6, 0.6)), n + 10)
    wedge(
        1,
        lambda x, y, t: leaf(
            d, x, y, 92, 42, vary(rng, "2f6226", 0.14), stem="7fa85a", stem_to=0.1, thick=3, wave=7, ruffle=0.12, freq=7, gloss=0.6
        ),
        n,
    )
    wedge(2, lambda x, y, t: meat_slice(d, x, y, 30, 20, 12, cols=("5c3822", "7a4e30", "432514"), fatty=0, gloss=0.6), n)
    wedge(3, lambda x, y, t: sprout(d, x, y, 88, t + rng.uniform(-0.9, 0.9)), n)
    wedge(4, lambda x, y, t: mushroom_slice(d, x, y, 0.95), n)
    wedge(5, lambda x, y, t: courgette_piece(d, x, y, 30), n - 4)
    dress(d, 8)
    fried_egg(d, 0, 0, 88)
    blob(d, a * 0.30, b * 0.36, 34, 30, 22, "8e140a", wob=0.1, bump=0.1, gloss=0.9)
    sprinkle(d, sesame, many(120, a, b), a * 0.8, b * 0.8)
    for _ in range(4):
        strand(d, curve(rng, rng.uniform(-60, 20), rng.uniform(-60, 40), 50, None, 0.2), 3, "1d2420", 0.3, flat=0.4)


def deopbap(d, a, b):
    """차돌 간장덮밥: brisket over rice with onion and a soft egg."""
    rng = d.rng
    rice_bed(d, a, b)
    rice(d, 0, 0, a * 0.96, b * 0.96, many(700, a, b))
    dress(d, 12)
    for x, y in spread(rng, many(44, a, b), a * 0.62, b * 0.7):
        x += a * 0.16
        if rng.random() < 0.75:
            meat_slice(
                d,
                x,
                y,
                rng.uniform(44, 64),
                rng.uniform(26, 36),
                13,
                cols=("6e4426", "8f603a", "4e2c16"),
                fat="e3cba6",
                fatty=0.55,
                gloss=0.7,
            )
        else:
            onion(d, x, y, 76, col="d9b57c")
    dress(d)
    blob(d, -a * 0.05, 0, 66, 58, 20, "f6efe0", dome=3, wob=0.08, gloss=0.85, grain=0.03)
    blob(d, -a * 0.05 + 3, -2, 35, 33, 34, "ee9a1c", wob=0.02, gloss=0.95, grain=0.03, sink=0.5)
    for x, y in spread(rng, 10, a * 0.30, b * 0.36):
        green_strip(d, x + a * 0.3, y - b * 0.1, 56, 6, "5f9a3a", white="d7e6b0")
    sprinkle(d, scallion, many(20, a, b), a * 0.5, b * 0.5, cx=a * 0.2)
    sprinkle(d, sesame, many(110, a, b), a * 0.7, b * 0.7)
    for x, y in spread(rng, 6, 34, 28):
        strand(d, curve(rng, -a * 0.58 + x, b * 0.36 + y, 44, None, 0.6), 3.4, "d9697a", 0.7)


def jeonbokjuk(d, a, b):
    """전복죽: abalone porridge."""
    rng = d.rng
    level = level_of(d)
    broth(d, level, "d9d3a0", clear=8, oil=30, oil_col="d0b252", gloss=0.6, murk=0.10)
    for _ in range(many(420, a, b)):
        t, q = rng.uniform(0, 6.28), math.sqrt(rng.uniform(0, 0.98))
        blob(
            d,
            a * q * math.cos(t),
            b * q * math.sin(t),
            rng.uniform(8, 12),
            rng.uniform(5, 7.5),
            4,
            vary(rng, rng.choice(["ece6c4", "e3dcae", "f1ecd2", "cfcb94"]), 0.05),
            wob=0.15,
            gloss=0.7,
            base=level - 1.5,
            tilt=0,
        )
    dress(d, 20)
    for i in range(7):
        t = -0.9 + i * 0.3
        x, y = 64 * math.cos(t + 2.6) * 1.5, 46 * math.sin(t + 2.6) * 1.4
        c = vary(rng, "d9c393", 0.05)
        blob(
            d,
            x,
            y,
            54,
            30,
            15,
            c,
            turn=t + 2.6,
            n=2.4,
            dome=4,
            wob=0.08,
            gloss=0.7,
            scale=40,
            bump=0.05,
            tex=lambda u, v, r, n: mix(
                mix(c * (1 + 0.05 * n)[..., None], "efe2bd", smooth(0.5, 0.1, r)),
                "5f5230",
                smooth(0.84, 0.97, r + 0.08 * np.sin(np.arctan2(v, u) * 9)) * 0.9,
            ),
            sink=0.1,
        )
    for _ in range(40):
        t, q = rng.uniform(0, 6.28), math.sqrt(rng.uniform(0.1, 0.9))
        box(
            d,
            a * q * math.cos(t),
            b * q * math.sin(t),
            6,
            6,
            3,
            rng.choice(["dd7a2c", "8fae4a", "5f8f3a"]),
            gloss=0.5,
            base=level - 1,
            tilt=0,
        )
    for _ in range(8):
        strand(d, curve(rng, rng.uniform(10, 60), rng.uniform(-20, 40), 52, None, 0.3), 3.4, "1b231e", 0.3, flat=0.4, sag=6)
    sprinkle(d, scallion, 14, a * 0.4, b * 0.4)
    sprinkle(d, sesame, 60, a * 0.5, b * 0.5)


def tteokbokki(d, a, b):
    """떡볶이: rice cakes and fish cake in chilli sauce, with egg."""
    rng = d.rng
    mound(d, a * 0.96, b * 0.96, 22, "8f1c08")
    broth(d, d.floor + 20, "9c1f08", clear=8, gloss=0.8, oil=20, oil_col="d0481a")
    for x, y in spread(rng, many(40, a, b), a * 0.82, b * 0.82):
        rice_cake(d, x, y, rng.uniform(92, 112), 18, col="e9b48c", coat="b8300f")
    for x, y in spread(rng, many(12, a, b), a * 0.66, b * 0.66, jitter=0.9):
        fishcake(d, x, y, s=0.95, col="c98445")
    glaze(d, "b32708", 0.30, 0.9)
    for x, y in spread(rng, many(12, a, b), a * 0.52, b * 0.52, jitter=0.8):
        rice_cake(d, x, y, 104, 18, col="e0946a", coat="bb3512")
    glaze(d, "b32708", 0.10, 0.9)
    for x, y in ((-a * 0.34, b * 0.16), (a * 0.30, -b * 0.24)):
        egg_half(d, x, y, 60)
    for x, y in spread(rng, many(13, a, b), a * 0.6, b * 0.6, jitter=0.9):
        green_strip(d, x, y, 58, 13, "649a3a", white="d9e8b6")
    sprinkle(d, scallion, many(16, a, b), a * 0.5, b * 0.5)
    sprinkle(d, sesame, many(110, a, b), a * 0.7, b * 0.7)


def roll(d, x, y, r=52, turn=None, lean=0.0, base=None):
    """A slice of gimbap: seaweed, rice, fillings."""
    rng = d.rng
    ph = rng.uniform(0, 6.28)
    fills = [
        ("f3c63c", 0.30, 0.0),
        ("dd6f22", 0.20, 0.9),
        ("3c7a2c", 0.22, 1.9),
        ("d98a86", 0.24, 2.9),
        ("e9c21f", 0.22, 3.9),
        ("6b4326", 0.20, 5.0),
    ]

    def tex(u, v, rr, n):
        g = np.sin(u * 34 + 5 * n) * np.sin(v * 34 - 5 * n)
        c = mix("f4f0e6", "dcd6c8", smooth(0.2, 0.9, g))
        for col, size, at in fills:
            cx, cy = 0.30 * math.cos(at + ph), 0.30 * math.sin(at + ph)
            m = np.maximum(np.abs(u - cx), np.abs(v - cy)) < size * 0.80
            c = np.where(m[..., None], colour(col) * (1 + 0.10 * n)[..., None], c)
        return mix(c, "141b16", smooth(0.90, 0.93, rr)), None, np.where(rr < 0.9, 1.2 * g, 0)

    coin(d, x, y, r, 40, tex, turn=turn, gloss=0.35, bevel=0.06, wob=0.015, lean=lean, sink=0.1, tilt=0.1, base=base)


def gimbap(d, a, b):
    """꼬마김밥: two rows of slices and a heap's shadow."""
    rng = d.rng
    rows = max(1, round(b * 1.5 / 112))
    for j in range(rows):
        y = (j - (rows - 1) / 2) * 116
        span = a * 0.82
        n = max(3, int(span * 2 / 84))
        for i in range(n):
            roll(d, -span + 2 * span * (i + 0.5) / n, y + rng.uniform(-4, 4), 56, lean=-0.12, base=d.floor + rng.uniform(0, 5))
    dress(d)
    sprinkle(d, sesame, many(150, a, b), a * 0.8, b * 0.72)


def mandu(d, a, b):
    """손만두: steamed dumplings in a ring."""
    rng = d.rng
    if d.square > 4:
        rows, cols = max(1, round(b * 1.7 / 128)), max(2, round(a * 1.7 / 176))
        for i in range(rows * cols):
            dumpling(
                d,
                -a * 0.86 + 1.72 * a * (i % cols + 0.5) / cols,
                -b * 0.84 + 1.68 * b * (i // cols + 0.5) / rows,
                rng.uniform(-0.12, 0.12),
                1.02,
                base=d.floor,
            )
    else:
        n = max(5, int(6.283 * 0.68 * a / 205))
        for i in range(n):
            t = i * 6.283 / n
            dumpling(
                d, a * 0.68 * math.cos(t), b * 0.68 * math.sin(t), t - math.pi / 2 + rng.uniform(-0.1, 0.1), 1.24, base=d.floor
            )
        for t in (0.3, 2.4, 4.5)[: 3 if a > 270 else 1]:
            q = 0.22 if a > 270 else 0
            dumpling(d, a * q * math.cos(t), b * q * math.sin(t), t - 1.57, 1.0, base=d.floor)
    dress(d)
    sprinkle(d, lambda f, x, y: blob(f, x, y, 2, 1.8, 1.2, "2b211a", gloss=0.2), 30, a * 0.8, b * 0.8)
    for x, y in spread(rng, 10, 40, 34):
        green_strip(d, x, y, 40, 4, "5f9a3a")


def nabe(d, a, b):
    """밀푀유나베: cabbage, perilla and beef in standing layers, mushrooms in the middle."""
    rng = d.rng
    level = d.rim * 0.52
    mound(d, a * 1.04, b * 1.04, max(4, level - d.floor - 8), "b08a5a", flat=6)
    kinds = [("d6dc96", "f0eecb"), ("b54a44", "d9837a"), ("39692c", "4d8040"), ("cfd88c", "f2f0d0"), ("a8403c", "cf7068")]
    q, i = 0.95, 0
    while q > 0.30:
        lo, hi = kinds[i % 5]
        steps = max(20, int(70 * q))
        pts = []
        ph, amp = rng.uniform(0, 6), rng.uniform(0.008, 0.018)
        for s in range(steps + 1):
            t = s / steps * 6.3 + i
            r = q + amp * math.sin(t * 9 + ph) + 0.6 * amp * math.sin(t * 17 + ph * 2)
            pts.append((a * r * math.cos(t), b * r * math.sin(t)))
        for s in range(0, steps - 2, 3):
            strand(
                d,
                pts[s : s + 5],
                8.2 if i % 5 != 2 else 5.5,
                vary(rng, mix(lo, hi, rng.random()), 0.07),
                0.55,
                sag=2,
                lift=10 + 6 * math.sin(s * 0.4 + i) + rng.uniform(-3, 3),
                hug=0.0,
            )
        q -= 0.036 if i % 5 != 2 else 0.026
        i += 1
    broth(d, level + 3, "b08a50", clear=22, oil=14, oil_col="d0aa5a")
    dress(d, 30)
    mound(d, a * 0.26, b * 0.26, 16, "c9b68a")
    dress(d, 26)
    for t in (0.2, 1.4, 2.6, 3.8, 5.0):
        enoki(d, 10 * math.cos(t), 10 * math.sin(t), 12, turn=t, length=70)
    for t in (0.8, 2.9, 5.0):
        c = vary(rng, "6b4628", 0.08)
        star = rng.uniform(0, 1)
        coin(
            d,
            a * 0.25 * math.cos(t),
            b * 0.25 * math.sin(t),
            42,
            22,
            lambda u, v, rr, n: np.where(
                ((np.abs(u) < 0.09) | (np.abs(v) < 0.09))[..., None] & (rr < 0.75)[..., None],
                colour("efe0c0"),
                c * (1 + 0.15 * n)[..., None],
            ),
            turn=star,
            gloss=0.45,
            bevel=0.7,
        )
    carrot_coin(d, a * 0.20, b * 0.12, 26)
    carrot_coin(d, -a * 0.22, -b * 0.02, 24)
    sprinkle(d, scallion, 12, a * 0.24, b * 0.24)


def bibimguksu(d, a, b):
    """비빔국수: thin noodles in chilli dressing, cucumber, egg."""
    rng = d.rng
    mound(d, a * 0.92, b * 0.92, max(30, d.rim * 0.62 - d.floor), "b55a34")
    for i in range(many(230, a, b)):
        t, q = rng.uniform(0, 6.28), math.sqrt(rng.uniform(0.01, 0.84))
        strand(
            d,
            coil(rng, a * 0.98, b * 0.98, t, q),
            3.3,
            vary(rng, rng.choice(["d98a58", "e6a878", "cf7342", "ecc09a"]), 0.08),
            0.7,
            sag=6,
        )
    glaze(d, "b5280c", 0.16, 0.7)
    blob(d, a * 0.06, -b * 0.10, 70, 60, 16, "9c1c0a", wob=0.2, bump=0.15, gloss=0.9, dome=3)
    for _ in range(34):
        x, y = -a * 0.34 + rng.uniform(-46, 46), b * 0.16 + rng.uniform(-40, 40)
        strand(
            d,
            curve(rng, x, y, 74, 0.9 + rng.uniform(-0.3, 0.3), 0.3),
            4.2,
            vary(rng, rng.choice(["cfe0a0", "dbe8b8", "4a8a30"]), 0.06),
            0.6,
            flat=0.7,
        )
    for x, y in spread(rng, 9, 56, 44):
        kimchi_bit(d, x + a * 0.36, y + b * 0.22, 0.62)
    egg_half(d, a * 0.05, b * 0.06, 60)
    sprinkle(d, sesame, many(130, a, b), a * 0.7, b * 0.7)
    for _ in range(7):
        strand(d, curve(rng, rng.uniform(-20, 60), rng.uniform(-80, -30), 54, None, 0.3), 3.4, "1b231e", 0.3, flat=0.4, sag=6)
