"""국・찌개, part one: seaweed, soybean paste, kimchi, dumplings."""

import math

import numpy as np

from .colour import colour, mix, ramp, vary
from .dishes_main import many
from .ingredients import (
    bubble,
    chilli_flake,
    chilli_slice,
    egg_ribbon,
    meat_slice,
    mushroom_slice,
    scallion,
    sesame,
    sprinkle,
    tofu,
)
from .noise import smooth
from .shapes import blob, coin, curve, leaf, spread, strand
from .wet import broth, level_of, mound


def simmer(d, level, n=40):
    """Bubbles along the rim of a pot that boils."""
    for _ in range(n):
        t, q = d.rng.uniform(0, 6.28), d.rng.uniform(0.60, 0.75)
        bubble(d, d.rx * q * math.cos(t), d.ry * q * math.sin(t), d.rng.choice([4, 5, 6, 8, 10]))


def bed(d, a, b, below, col):
    """Raises the middle of the vessel to `below` units under the soup's surface."""
    mound(d, a * 1.0, b * 1.0, max(2, level_of(d) - below - d.floor), col, flat=5, grain=0.25)
    return level_of(d)


def beef_bit(d, x, y, s=1.0, **kw):
    """A torn piece of boiled beef, with its grain."""
    rng = d.rng
    c0, c1 = vary(rng, "7a5540", 0.1), vary(rng, "a07a60", 0.08)
    blob(
        d,
        x,
        y,
        34 * s,
        19 * s,
        17 * s,
        c0,
        n=2.6,
        dome=3,
        wob=0.2,
        gloss=0.4,
        bump=0.15,
        scale=30,
        tex=lambda u, v, r, n: mix(c0, c1, np.clip(0.5 + 0.5 * np.sin(v / 1.9 + n * 3), 0, 1)),
        **kw
    )


def miyeok(d, a, b):
    """미역국: seaweed and beef in a clear, oily broth."""
    rng = d.rng
    level = bed(d, a, b, 34, "3c4a2c")
    for x, y in spread(rng, many(34, a, b), a * 0.86, b * 0.86):
        leaf(
            d,
            x,
            y,
            rng.uniform(130, 210),
            rng.uniform(50, 84),
            vary(rng, rng.choice(["24381f", "2f4a26", "1c2e1a"]), 0.15),
            thick=3,
            wave=9,
            ruffle=0.22,
            freq=8,
            rib=1,
            gloss=0.8,
            vein=0.1,
            sink=0.5,
        )
    for x, y in spread(rng, many(16, a, b), a * 0.7, b * 0.7):
        beef_bit(d, x, y)
    broth(d, level, "8f8454", clear=26, oil=46, oil_col="b9a04e", gloss=0.85)
    for x, y in spread(rng, many(12, a, b), a * 0.66, b * 0.6):
        leaf(
            d,
            x,
            y,
            rng.uniform(110, 170),
            rng.uniform(36, 60),
            vary(rng, rng.choice(["2b4322", "35542a"]), 0.12),
            thick=3,
            wave=6,
            ruffle=0.2,
            freq=8,
            gloss=0.85,
            base=level - 4,
            tilt=0,
        )
    for x, y in spread(rng, many(9, a, b), a * 0.5, b * 0.45):
        beef_bit(d, x, y, 1.05, base=level - 4)
    sprinkle(d, sesame, 26, a * 0.5, b * 0.5)


def courgette_piece(d, x, y, r=36, **kw):
    """A half moon of courgette."""
    rng = d.rng
    c0 = vary(rng, "dfe0a0", 0.05)

    def tex(u, v, rr, n):
        c = mix(c0 * (1 + 0.06 * n)[..., None], "f1eec4", smooth(0.5, 0.2, rr))
        seeds = np.exp(-(((np.mod(np.arctan2(v, u) * 7 / 6.283, 1) - 0.5) / 0.14) ** 2)) * np.exp(-(((rr - 0.42) / 0.10) ** 2))
        c = mix(c, "c9cc7e", seeds)
        return mix(c, "4f7d2c", smooth(0.86, 0.95, rr)), v < -0.04, 0

    coin(d, x, y, r, 12, tex, gloss=0.6, bevel=0.15, lean=rng.uniform(-0.2, 0.2), **kw)


def doenjang(d, a, b):
    """된장찌개: soybean paste stew with brisket, tofu, courgette."""
    rng = d.rng
    level = bed(d, a, b, 26, "8a6030")
    for x, y in spread(rng, many(14, a, b), a * 0.8, b * 0.8):
        meat_slice(d, x, y, 46, 26, 12, cols=("8a6a52", "a98a70", "6e4f3a"), fat="e2d0b4", fatty=0.4)
    broth(d, level, "93622a", clear=10, oil=36, oil_col="c28a34", murk=0.2, foam=0.35)
    for x, y in spread(rng, many(11, a, b), a * 0.68, b * 0.66, jitter=0.7):
        tofu(d, x, y, 32, sx=34, sz=20, base=level - 24, tilt=0)
    for x, y in spread(rng, many(15, a, b), a * 0.72, b * 0.70, jitter=0.7):
        courgette_piece(d, x, y, base=level - 6, tilt=0)
    for x, y in spread(rng, many(6, a, b), a * 0.6, b * 0.6):
        meat_slice(d, x, y, 44, 24, 12, cols=("87664e", "a98a70", "6e4f3a"), fat="e8d8be", fatty=0.4, base=level - 6, tilt=0)
        mushroom_slice(d, -x * 0.9, y * 0.8, 1.0)
    for _ in range(9):
        chilli_slice(d, rng.uniform(-a, a) * 0.5, rng.uniform(-b, b) * 0.5, col=rng.choice(["5a9432", "4c8429", "c2231a"]))
    sprinkle(d, scallion, many(26, a, b), a * 0.55, b * 0.55)
    simmer(d, level)


def kimchi_bit(d, x, y, s=1.0, **kw):
    """A cut piece of ripe kimchi."""
    rng = d.rng
    c = vary(rng, rng.choice(["b8381a", "c5502a", "a82c14"]), 0.1)
    leaf(
        d,
        x,
        y,
        rng.uniform(84, 120) * s,
        rng.uniform(60, 84) * s,
        c,
        stem=vary(rng, "e9b98a", 0.08),
        stem_to=rng.uniform(0.2, 0.6),
        thick=5,
        wave=7,
        ruffle=0.14,
        freq=6,
        gloss=0.7,
        tex=lambda q, t, s_, n: mix(q, "9c1f0c", smooth(0.25, 0.8, n) * 0.6),
        **kw
    )


def kimchijjigae(d, a, b):
    """김치찌개: ripe kimchi, pork, tofu."""
    rng = d.rng
    level = bed(d, a, b, 26, "8c2a12")
    for x, y in spread(rng, many(26, a, b), a * 0.85, b * 0.85):
        kimchi_bit(d, x, y)
    broth(d, level, "8f1e0a", clear=12, oil=56, oil_col="c2400f")
    for x, y in spread(rng, many(16, a, b), a * 0.72, b * 0.7):
        kimchi_bit(d, x, y, 0.95, base=level - 5, tilt=0)
    for x, y in spread(rng, many(9, a, b), a * 0.66, b * 0.62):
        meat_slice(
            d, x, y, 48, 30, 16, cols=("b5714e", "cf9472", "8f4f32"), fat="efdcc0", fatty=0.45, base=level - 6, tilt=0, ruffled=0.3
        )
    for i in range(4):
        tofu(
            d,
            -a * 0.34 + i * 42,
            -b * 0.10 + i * 15,
            36,
            sx=50,
            sz=15,
            yaw=1.25,
            pitch=0.10,
            base=level - 2 + i * 1.5,
            tilt=0,
            gloss=0.4,
        )
    sprinkle(d, scallion, many(24, a, b), a * 0.4, b * 0.4, cx=a * 0.12, cy=b * 0.2)
    for _ in range(5):
        chilli_slice(d, rng.uniform(-a, a) * 0.45, rng.uniform(-b, b) * 0.45, col=rng.choice(["c2231a", "5a9432"]))
    sprinkle(d, chilli_flake, 60, a * 0.7, b * 0.7)
    simmer(d, level)


def dumpling(d, x, y, turn=None, s=1.0, col="f2e9d8", sear=0.0, **kw):
    """A half-moon dumpling with pleats along its seam."""
    rng = d.rng
    t = rng.uniform(0, 6.28) if turn is None else turn
    p = d.patch(x, y, 86 * s, t)
    if p is None:
        return
    u, v = p.u / (78 * s), p.v / (46 * s)
    lower = 1 - np.abs(u) ** 2.2
    body = (v < np.sqrt(np.clip(lower, 0, 1)) * 0.95) & (v > -0.62 * np.sqrt(np.clip(1 - u * u, 0, 1))) & (np.abs(u) < 1)
    mid = 0.22
    q = np.clip(1 - (u / 0.98) ** 2 - ((v - mid) / 0.80) ** 2, 0, 1)
    seam_y = -0.55 * np.sqrt(np.clip(1 - u * u, 0, 1))
    pleat = np.cos(u * 17) * smooth(seam_y + 0.75, seam_y + 0.05, v)
    h = 44 * s * np.sqrt(q) + 9 * s + 4.0 * s * pleat + 3 * s * smooth(seam_y + 0.22, seam_y + 0.1, v)
    n = d.speckle(p, 90)
    c = colour(col) * (1 + 0.05 * n)[..., None]
    c = mix(c, "c9a878", smooth(0.35, 0.75, q + 0.25 * n) * 0.22)
    if sear:
        c = mix(c, ramp([(0, "d99a48"), (1, "8f5520")], np.clip(0.5 + 0.6 * n, 0, 1)), smooth(0.25, 0.6, q + 0.2 * n) * sear)
    d.lay(
        p, np.where(body, np.maximum(h, 0.3), -1), np.clip(c, 0, 0.95).astype(np.float32), 0.55, **({"sink": 0.4, "tilt": 0.3} | kw)
    )


def tteokmanduguk(d, a, b):
    """떡만둣국: rice cakes and dumplings in milky bone broth."""
    rng = d.rng
    level = bed(d, a, b, 22, "e2dcc8")
    broth(d, level, "e6dfcb", clear=12, oil=40, oil_col="efe0a8", gloss=0.7, murk=0.05)
    for x, y in spread(rng, many(26, a, b), a * 0.84, b * 0.82):
        coin(
            d,
            x,
            y,
            37,
            12,
            lambda u, v, rr, n: mix("f5f0e4", "eae2cf", smooth(0.6, 1, rr)),
            b=22,
            gloss=0.75,
            bevel=0.3,
            base=level - 7,
            tilt=0,
            lean=rng.uniform(-0.12, 0.12),
        )
    for x, y, t in ((-0.38, -0.26, 0.3), (0.34, -0.32, -0.4), (-0.40, 0.34, -0.25), (0.38, 0.26, 0.5)):
        dumpling(d, x * a, y * b, t, base=level - 16, tilt=0)
    for _ in range(16):
        egg_ribbon(d, rng.uniform(-50, 40), rng.uniform(-26, 30), 76, 4.6, rng.choice(["f0c244", "faf3df"]))
    for _ in range(9):
        strand(d, curve(rng, rng.uniform(-40, 40), rng.uniform(-30, 30), 70, None, 0.3), 4, "1d2420", 0.3, flat=0.4, sag=8)
    for x, y in spread(rng, 6, 56, 40):
        beef_bit(d, x + 20, y + 30, 0.8)
    sprinkle(d, scallion, 20, a * 0.6, b * 0.55)
    sprinkle(d, lambda f, x, y: blob(f, x, y, 2.2, 1.8, 1.4, "2b211a", gloss=0.2), 40, a * 0.7, b * 0.7)
