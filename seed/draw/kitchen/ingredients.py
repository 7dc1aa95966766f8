"""Ingredients that several dishes share."""

import math

import numpy as np

from .colour import colour, mix, ramp, vary
from .noise import smooth
from .shapes import blob, box, coin, curve, leaf, ring, strand


def sesame(f, x, y, col="ead9b0", size=1.0):
    blob(f, x, y, 5.4 * size, 3.3 * size, 3.2 * size, vary(f.rng, col, 0.14), n=2, wob=0.05, gloss=0.35, grain=0.05, sink=0.2)


def sprinkle(f, what, n, rx, ry, cx=0, cy=0, dense=0.7, **kw):
    """Drops `n` of `what` over an ellipse, denser in the middle."""
    for _ in range(n):
        a, q = f.rng.uniform(0, 6.283), f.rng.uniform(0, 1) ** dense
        q *= 1 + getattr(f.rng, "square", 0.0) * (1 / max(abs(math.cos(a)), abs(math.sin(a))) - 1)
        what(f, cx + rx * q * math.cos(a), cy + ry * q * math.sin(a), **kw)


def scallion(f, x, y, r=None, col=None, **kw):
    """A ring of scallion, sometimes an oval one, cut at a slant."""
    rng = f.rng
    r = r or rng.uniform(8, 13)
    g = vary(rng, col or rng.choice(["5d9438", "78ab48", "4d8530", "93bb5c"]), 0.10)
    ring(
        f,
        x,
        y,
        r,
        r * 0.36,
        r * 0.55,
        g,
        inner=mix(g, "e6efc0", 0.65),
        squash=rng.uniform(0.62, 1.0),
        gloss=0.4,
        sink=0.3,
        tilt=0.8,
        lean=rng.uniform(-0.25, 0.25),
    )


def green_strip(f, x, y, length=70, width=9, col="5f9440", white=None, turn=None):
    """A length of scallion or leek, cut along."""
    strand(f, curve(f.rng, x, y, length, turn, 0.7), width * 0.5, vary(f.rng, col, 0.12), 0.45, end=white, flat=0.5, sag=6)


def chilli_thread(f, x, y, length=46):
    """실고추: hair-thin dried chilli."""
    strand(
        f,
        curve(f.rng, x, y, f.rng.uniform(0.6, 1.1) * length, None, 2.4, 1.5),
        1.15,
        vary(f.rng, "a8160f", 0.15),
        0.3,
        lift=1.5,
        sag=12,
    )


def chilli_flake(f, x, y):
    blob(f, x, y, f.rng.uniform(2, 4.6), f.rng.uniform(1.4, 3), 1.4, vary(f.rng, "a61c10", 0.25), wob=0.25, gloss=0.5, sink=0.1)


def chilli_slice(f, x, y, r=None, col="c2231a"):
    """A slanted slice of fresh chilli with its seeds."""
    rng = f.rng
    r = r or rng.uniform(11, 15)
    ring(
        f,
        x,
        y,
        r,
        r * 0.30,
        r * 0.6,
        vary(rng, col, 0.1),
        inner=mix(col, "f0b48c", 0.35),
        squash=0.66,
        gloss=0.7,
        sink=0.2,
        lean=rng.uniform(-0.3, 0.3),
    )
    for _ in range(3):
        a = rng.uniform(0, 6.28)
        blob(f, x + math.cos(a) * r * 0.4, y + math.sin(a) * r * 0.3, 2.6, 2, 2.5, "f2dfae", gloss=0.4)


def onion(f, x, y, length=80, turn=None, col="eadfc4"):
    """A curved, glassy strip of onion."""
    rng = f.rng
    a = rng.uniform(0, 6.28) if turn is None else turn
    strand(f, curve(rng, x, y, length * rng.uniform(0.8, 1.15), a, 1.5, 0.2), 6.5, vary(rng, col, 0.06), 0.55, flat=0.6, sag=5)


def carrot_strip(f, x, y, length=70, w=5.5, col="dd7424", turn=None):
    rng = f.rng
    strand(f, curve(rng, x, y, length * rng.uniform(0.8, 1.2), turn, 0.4, 0.1), w, vary(rng, col, 0.10), 0.5, flat=0.75, sag=5)


def carrot_coin(f, x, y, r=30, thick=11, col="dd7626"):
    rng = f.rng
    c0 = vary(rng, col, 0.08)
    coin(
        f,
        x,
        y,
        r,
        thick,
        lambda u, v, rr, n: mix(mix(c0, "efa552", np.exp(-(((rr - 0.45) / 0.10) ** 2)) * 0.5), c0 * 1.1, smooth(0.42, 0.3, rr))
        * (1 + 0.08 * n)[..., None],
        gloss=0.5,
        bevel=0.25,
        wob=0.015,
        lean=rng.uniform(-0.2, 0.2),
    )


def tofu(f, x, y, s=34, sx=None, sz=None, col="f3ead6", pitch=None, yaw=None, gloss=0.35, fried=False, **kw):
    """A block of tofu; `fried` browns its top."""
    rng = f.rng
    c = vary(rng, col, 0.03, 0.01)

    def skin(u, v, h, n):
        base = c * (1 + 0.03 * n)[..., None]
        if not fried:
            return base
        edge = np.maximum(np.abs(u) / (sx or s), np.abs(v) / s)
        t = np.clip(0.72 + 0.5 * n + 0.35 * smooth(0.6, 1, edge), 0, 0.97)
        return mix(base, ramp([(0, "e6b866"), (0.6, "c98736"), (1, "8f5521")], np.clip(t, 0, 1)), t)

    box(
        f,
        x,
        y,
        sx or s,
        s,
        sz or s * 0.55,
        c,
        yaw=yaw,
        pitch=rng.uniform(-0.12, 0.12) if pitch is None else pitch,
        roll=rng.uniform(-0.12, 0.12) if pitch is None else 0,
        soft=3,
        gloss=gloss,
        scale=120 if fried else 30,
        tex=skin,
        **kw
    )


def mushroom_slice(f, x, y, s=1.0, col="7a5535"):
    """A slice of shiitake: dark skin, pale flesh."""
    rng = f.rng
    c0 = vary(rng, col, 0.12)
    blob(
        f,
        x,
        y,
        36 * s,
        13 * s,
        9 * s,
        c0,
        n=2.2,
        dome=5,
        wob=0.08,
        gloss=0.45,
        tex=lambda u, v, r, n: mix(mix(c0, "dcc7a0", smooth(-4 * s, 6 * s, v)), c0 * 0.7, smooth(0.8, 1, r))
        * (1 + 0.1 * n)[..., None],
        lean=rng.uniform(-0.2, 0.2),
    )


def meat_slice(
    f, x, y, a=58, b=36, h=12, cols=("6b3f24", "8a5836", "4b2816"), fat="dcc2a0", fatty=0.25, gloss=0.45, ruffled=0.5, **kw
):
    """A thin, curled slice of cooked meat with grain, a lighter rim of fat and browned edges."""
    rng = f.rng
    c0, c1, c2 = (vary(rng, c, 0.10) for c in cols)
    ph = rng.uniform(0, 6)

    def skin(u, v, r, n):
        g = 0.5 + 0.5 * np.sin(v / 2.6 + n * 4 + ph)
        c = mix(c0, c1, np.clip(g * 0.6 + 0.35 * n + 0.2, 0, 1))
        c = mix(c, c2, smooth(0.72, 1.0, r + 0.12 * n) * 0.8)
        if fatty:
            c = mix(c, fat, smooth(0.62, 0.8, v / b + 0.3 * n) * fatty * 2 * (fatty > 0))
            c = mix(c, fat, smooth(0.72, 0.9, n) * fatty)
        return c

    t = rng.uniform(0, 6.28) if "turn" not in kw else kw.pop("turn")
    p = f.patch(x, y, max(a, b) * 1.25, t)
    if p is None:
        return
    phi = np.arctan2(p.v / b, p.u / a)
    r = (np.abs(p.u / a) ** 2.4 + np.abs(p.v / b) ** 2.4) ** (1 / 2.4)
    r = r / (1 + 0.16 * np.sin(3 * phi + rng.uniform(0, 6)) + 0.09 * np.sin(5 * phi + rng.uniform(0, 6)))
    n = f.speckle(p, 60)
    wave = (
        ruffled * h * (np.sin(p.u / a * rng.uniform(2.4, 4.2) + rng.uniform(0, 6)) + 0.5 * np.sin(p.v / b * 3 + rng.uniform(0, 6)))
    )
    top = h * 0.6 * np.sqrt(np.clip(1 - r**8, 0, 1)) + (wave + ruffled * h * 1.2) + 1.3 * n
    top = np.where(r < 1, np.maximum(top, 0.3), -1)
    f.lay(p, top, np.clip(skin(p.u, p.v, r, n), 0.002, 0.95).astype(np.float32), gloss, **kw)


def egg_ribbon(f, x, y, length=60, w=4.5, col="f0c244"):
    """지단: a strip of thin omelette."""
    strand(
        f, curve(f.rng, x, y, length * f.rng.uniform(0.8, 1.1), None, 0.5, 0.2), w, vary(f.rng, col, 0.06), 0.3, flat=0.45, sag=8
    )


def egg_half(f, x, y, r=44):
    """Half a boiled egg, cut side up."""

    def tex(u, v, rr, n):
        d = np.sqrt((u + 0.05) ** 2 + (v * 1.05) ** 2)
        yolk = ramp([(0, "f4b52c"), (1, "e89a1c")], np.clip(d / 0.55, 0, 1)) * (1 + 0.08 * n)[..., None]
        return mix(np.broadcast_to(colour("f7f1e6"), yolk.shape), yolk, smooth(0.58, 0.54, d)), None, -2.5 * smooth(0.6, 0.5, d)

    coin(f, x, y, r, 20, tex, b=r * 0.78, bevel=0.2, gloss=0.5, wob=0.0)


def quail_egg(f, x, y, r=25, col="a9713c"):
    """A quail egg braised brown in soy sauce."""
    c0 = vary(f.rng, col, 0.12)
    blob(f, x, y, r * 1.18, r, r * 1.25, c0, wob=0.01, gloss=0.85, grain=0.12, scale=90, sink=0.55, tilt=0.2, trim=True)


def rice(f, x, y, rx, ry, n=900, col="fbf8f0"):
    """A heap of rice grains over an ellipse."""
    for _ in range(n):
        a, q = f.rng.uniform(0, 6.283), math.sqrt(f.rng.uniform(0, 1))
        blob(
            f,
            x + rx * q * math.cos(a),
            y + ry * q * math.sin(a),
            8.8,
            4.6,
            3.4,
            vary(f.rng, col, 0.03, 0.01),
            wob=0.04,
            gloss=0.35,
            grain=0.03,
            sink=0.7,
            tilt=0.8,
            lean=f.rng.uniform(-0.2, 0.2),
        )


def rice_cake(f, x, y, length=88, r=15, col="f3ecdd", turn=None, coat=None):
    """떡볶이떡: a chewy cylinder with cut ends."""
    rng = f.rng
    a = rng.uniform(0, 6.28) if turn is None else turn
    c0 = vary(rng, col, 0.04)
    blob(
        f,
        x,
        y,
        length / 2,
        r,
        r * 1.7,
        c0,
        turn=a,
        n=5,
        dome=2.2,
        wob=0.02,
        gloss=0.7,
        grain=0.05,
        tex=(
            (
                lambda u, v, rr, n: mix(
                    c0 * (1 + 0.04 * n)[..., None], coat, np.clip(0.55 + 0.5 * n + 0.3 * smooth(0.5, 1, rr), 0, 1)
                )
            )
            if coat
            else None
        ),
        sink=0.4,
        tilt=0.6,
    )


def perilla(f, x, y, size=120, turn=None, col="3f6f34"):
    leaf(
        f,
        x,
        y,
        size,
        size * 0.8,
        vary(f.rng, col, 0.12),
        turn=turn,
        thick=1.6,
        wave=4,
        ruffle=0.045,
        freq=13,
        tip=0.8,
        gloss=0.25,
        vein=0.3,
    )


def pepper_square(f, x, y, s=20, col="4f8f34"):
    blob(f, x, y, s, s * 0.8, 8, vary(f.rng, col, 0.14), n=4, dome=5, wob=0.06, gloss=0.65, lean=f.rng.uniform(-0.35, 0.35))


def bubble(d, x, y, r):
    """A bubble at the rim of a boiling stew."""
    p = d.patch(x, y, r * 1.2)
    if p is None:
        return
    q = np.sqrt(p.u**2 + p.v**2) / r
    win = (q < 1) & getattr(d, "wet", d.alpha > 0)[p.at] & (d.rho[p.at] < 0.80) & (d.g[p.at] > 0.65)
    d.z[p.at][win] += (np.sqrt(np.clip(1 - q * q, 0, 1)) * r * 0.7 * d.k)[win]
    a = d.a[p.at]
    t = (0.10 + 0.30 * smooth(0.7, 1.0, q))[..., None]
    a[win] = (a * (1 - t) + colour("ffe9d0") * t)[win]
    d.g[p.at][win] = 0.9
