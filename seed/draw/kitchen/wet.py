"""Liquids: broth, sauces, glazes, oil."""

import numpy as np

from .colour import colour, mix
from .noise import blur, sample, smooth, tile


def broth(d, level, col, clear=22.0, gloss=0.85, oil=0, oil_col="c8381a", murk=0.12, foam=0.0, seed=5):
    """Fills a dish to `level` units. What lies below shows through and fades over a depth of `clear` units."""
    k = d.k
    x, y = d.grid()
    n = sample(tile(seed), x / 330, y / 330)
    surface = (level + 0.7 * n) * k
    wet = (d.z < surface) & (d.rho < 0.99)
    depth = np.clip((surface - d.z) / k, 0, 400)
    c = colour(col) * (1 + murk * n + 0.4 * murk * sample(tile(seed + 1), x / 120, y / 120))[..., None]
    t = 1 - np.exp(-depth / clear)
    d.a[wet] = (d.a * (1 - t[..., None]) * (0.55 + 0.45 * c / (c.max() + 1e-3)) + c * t[..., None])[wet]
    edge = np.exp(-depth / (2.0)) * wet
    d.z[:] = np.where(wet, surface + edge * 1.6 * k, d.z)
    d.g[:] = np.where(wet, gloss, np.where((d.z < surface + 7 * k) & (d.rho < 0.8), np.maximum(d.g, 0.6), d.g))
    d.wet = wet
    if foam:
        f = sample(tile(seed + 9, 512, 16, 4), x / 260, y / 260)
        m = smooth(0.55, 0.9, f + foam * smooth(0.4, 0.85, d.rho)) * wet
        d.a[:] = mix(d.a, mix(c, "fff4e0", 0.35), m * 0.6)
    dress(d)
    for _ in range(oil):
        a = d.rng.uniform(0, 6.28)
        q = d.rng.uniform(0.05, 0.92) ** 0.6
        r = d.rng.choice([3, 4, 5, 6, 8, 10, 13])
        droplet(d, d.rx * 0.84 * q * np.cos(a), d.ry * 0.84 * q * np.sin(a), r, oil_col)


def droplet(d, x, y, r, col):
    """A drop of oil on broth: a tinted lens with a bright lower and a dark upper rim."""
    p = d.patch(x, y, r * 1.2)
    if p is None:
        return
    wet = getattr(d, "wet", None)
    q = np.sqrt(p.u**2 + p.v**2) / r
    win = (q < 1) & (wet[p.at] if wet is not None else True)
    a = d.a[p.at]
    t = (0.45 + 0.35 * smooth(0.6, 1, q))[..., None]
    a[win] = (a * (1 - t) + colour(col) * t)[win]
    d.z[p.at][win] += (np.sqrt(np.clip(1 - q * q, 0, 1)) * min(1.6, r * 0.25) * d.k)[win]


def pool(d, x, y, a, b, col, h=3.0, gloss=0.75, wob=0.09, seed=None, thin=0.05):
    """A puddle of sauce on a plate; thin towards its edge, so that the plate shines through."""
    rng = d.rng
    if d.shape == "bowl" and max(a, b) > 120:
        a, b, wob = a * 0.72, b * 0.72, wob * 0.3
    p = d.patch(x, y, max(a, b) * 1.3)
    if p is None:
        return
    phi = np.arctan2(p.v / b, p.u / a)
    r = np.sqrt((p.u / a) ** 2 + (p.v / b) ** 2) / (
        1
        + wob
        * (
            0.5 * np.sin(2 * phi + rng.uniform(0, 6))
            + 0.5 * np.sin(3 * phi + rng.uniform(0, 6))
            + 0.3 * np.sin(7 * phi + rng.uniform(0, 6))
        )
    )
    win = r < 1
    t = np.clip((1 - r) * 6, 0, 1)
    cover = (1 - thin) + thin * t
    swirl = d.speckle(p, 240)
    d.a[p.at][win] = (
        d.a[p.at] * (1 - cover[..., None])
        + colour(col) * (1 + 0.25 * swirl + 0.25 * smooth(0.8, 1.0, r))[..., None] * cover[..., None]
    )[win]
    d.z[p.at][win] += (h * d.k * np.sqrt(np.clip(1 - r**8, 0, 1)) * (1 + 0.18 * swirl))[win]
    d.g[p.at][win] = gloss
    for _ in range(4 if max(a, b) > 120 and d.shape in ("plate", "coupe", "square") else 0):
        t, q = rng.uniform(0, 6.28), rng.uniform(1.03, 1.10)
        drop(d, x + a * q * np.cos(t), y + b * q * np.sin(t), rng.uniform(3, 8), col, gloss)


def drop(d, x, y, r, col, gloss):
    """A splash beside a puddle."""
    p = d.patch(x, y, r * 1.2)
    if p is None:
        return
    q = (p.u**2 + p.v**2) / (r * r)
    win = q < 1
    d.a[p.at][win] = colour(col)
    d.z[p.at][win] += (2 * d.k * np.sqrt(np.clip(1 - q, 0, 1)))[win]
    d.g[p.at][win] = gloss


def glaze(d, col, amount=0.35, gloss=0.7, shine=1.0, where=0.9, scale=90, seed=8):
    """A coat of sauce over everything inside `where` that stands above the dish: colour gathers in patches, gloss rises."""
    x, y = d.grid()
    n = sample(tile(seed), x / scale, y / scale)
    food = getattr(d, "bare", None)
    m = (d.rho < where) & ((d.z > food + 0.5 * d.k) if food is not None else True)
    t = np.clip(amount * (1 + 0.9 * n), 0, 1) * m
    d.a[:] = mix(d.a, d.a * 0.35 + colour(col) * 0.65, t)
    d.g[:] = np.where(m, np.clip(gloss * (shine + 0.5 * n), 0.05, 1), d.g)
    dress(d)


def dress(d, cap=16.0):
    """From here on pieces rest on what is there now: for garnish, which must not sink into the heap."""
    d.bed, d.cap = blur(d.z, 5 * d.k), cap


def mound(d, rx, ry, h, col, x=0, y=0, flat=2.0, gloss=0.4, grain=0.2):
    """The hidden heart of a heap: a low hill that the visible pieces are laid on."""
    X, Y = d.grid()
    if d.shape in ("bowl", "box") and h < d.rim * 0.75 and rx > d.rx * 0.4:
        h, rx, ry = h + d.rim * 0.36, rx * 1.10, ry * 1.10
    n = 2 + 4 * d.rng.square
    r = (np.abs((X - x) / rx) ** n + np.abs((Y - y) / ry) ** n) ** (1 / n)
    n = sample(tile(11), X / 120, Y / 120)
    hill = h * np.power(np.clip(1 - np.clip(r, 0, 1) ** flat, 0, 1), 0.8)
    hill = hill + np.minimum(0.10 * hill, 3.0 if flat > 4 else 99.0) * n  # under soup the hill must not break the surface
    m = r < 1
    if flat > 4:
        d.z[m] = np.maximum(d.z, (d.floor + hill) * d.k)[m]  # a level bed, whatever the vessel's shape
    else:
        d.z[m] += (hill * d.k)[m]
    d.a[m] = (colour(col) * (1 + grain * n)[..., None])[m]
    d.g[m] = gloss
    d.bed = blur(d.z, 14 * d.k)


def level_of(d):
    """Where soup stands in a vessel."""
    return d.rim * 0.74


def bubble_holes(d, n, a, b):
    """Little craters where steam came through."""
    for _ in range(n):
        t, q = d.rng.uniform(0, 6.28), np.sqrt(d.rng.uniform(0, 1))
        r = d.rng.choice([2, 2, 3, 4, 6])
        p = d.patch(a * q * np.cos(t), b * q * np.sin(t), r * 1.3)
        if p is None:
            continue
        w = np.clip(1 - (p.u**2 + p.v**2) / (r * r), 0, 1)
        d.z[p.at] -= (w * r * 0.8 * d.k).astype(np.float32)
        d.a[p.at] *= (1 - 0.25 * w)[..., None]
