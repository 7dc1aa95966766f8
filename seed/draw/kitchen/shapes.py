"""Shapes that ingredients are made of. Each lays one piece on a field."""

import math

import numpy as np

from .colour import colour, mix
from .noise import smooth


def blob(
    f, x, y, a, b, h, col, turn=None, n=2.0, dome=2.0, wob=0.10, gloss=0.3, bump=0.0, grain=0.10, scale=40.0, tex=None, **rest
):
    """A rounded piece: half lengths `a`, `b`, height `h`. `n` squares the outline, `dome` flattens the top (2 is a
    half ball, 8 a slab), `wob` makes the outline uneven, `bump` the top, `grain` the colour. `tex(u, v, r, noise)` paints."""
    rng = f.rng
    turn = rng.uniform(0, math.pi * 2) if turn is None else turn
    p = f.patch(x, y, max(a, b) * (1.45 if n > 2.4 else 1.2), turn)
    if p is None:
        return
    r = (np.abs(p.u / a) ** n + np.abs(p.v / b) ** n) ** (1 / n)
    if wob:
        phi = np.arctan2(p.v / b, p.u / a)
        r = r / (
            1
            + wob
            * (
                0.5 * np.sin(2 * phi + rng.uniform(0, 6))
                + 0.6 * np.sin(3 * phi + rng.uniform(0, 6))
                + 0.4 * np.sin(5 * phi + rng.uniform(0, 6))
            )
        )
    top = h * np.sqrt(np.clip(1 - r**dome, 0, 1))
    noise = f.speckle(p, scale)
    if bump:
        top = top * (1 + bump * noise) + 0 * r
    top = np.where(r < 1, np.maximum(top, 0.02), -1)
    c = tex(p.u, p.v, r, noise) if tex else colour(col) * (1 + grain * noise)[..., None]
    f.lay(p, top, np.clip(c, 0.001, 0.95).astype(np.float32), gloss, **rest)


def box(f, x, y, sx, sy, sz, col, yaw=None, pitch=0.0, roll=0.0, soft=2.0, gloss=0.3, grain=0.06, scale=30.0, tex=None, **rest):
    """A block with half sizes `sx`, `sy`, `sz`, turned in space: tofu, radish, rice cake."""
    rng = f.rng
    yaw = rng.uniform(0, math.pi * 2) if yaw is None else yaw
    p = f.patch(x, y, math.sqrt(sx * sx + sy * sy + sz * sz) * 1.05, yaw)
    if p is None:
        return
    cp, sp, cr, sr = math.cos(pitch), math.sin(pitch), math.cos(roll), math.sin(roll)
    axes = ((cp, sp * sr, -sp * cr), (0, cr, sr), (sp, -cp * sr, cp * cr))
    tops, lows = [], []
    for (ax, ay, az), half in zip(axes, (sx, sy, sz)):
        at = p.u * ax + p.v * ay
        if abs(az) < 1e-3:
            inside = np.abs(at) < half
            tops.append(np.where(inside, 1e3, -1e3))
            lows.append(np.where(inside, -1e3, 1e3))
        else:
            tops.append((np.sign(az) * half - at) / az)
            lows.append((-np.sign(az) * half - at) / az)
    top = np.minimum(np.minimum(tops[0], tops[1]), tops[2])
    low = np.maximum(np.maximum(lows[0], lows[1]), lows[2])
    gap = top - low
    round_ = soft * (1 - np.clip(gap / (soft * 3), 0, 1)) ** 2
    h = top - round_ + sz
    if abs(pitch) < 1e-3 and abs(roll) < 1e-3:
        edge = np.minimum(sx - np.abs(p.u), sy - np.abs(p.v))
        h = 2 * sz - soft * (1 - np.clip(edge / (soft * 2), 0, 1)) ** 2
        gap = np.where(edge > 0, 1, -1)
    h = np.where(gap > 0, np.maximum(h, 0.05), -1)
    noise = f.speckle(p, scale)
    c = tex(p.u, p.v, h, noise) if tex else colour(col) * (1 + grain * noise)[..., None]
    f.lay(p, h, np.clip(c, 0.001, 0.95).astype(np.float32), gloss, **rest)


def coin(f, x, y, r, thick, tex, turn=None, b=None, bevel=0.12, gloss=0.3, wob=0.02, **rest):
    """A slice. `tex(u, v, rr, noise)` with u, v in -1…1 gives the colours, or (colours, hole mask, relief)."""
    rng = f.rng
    turn = rng.uniform(0, math.pi * 2) if turn is None else turn
    b = b or r
    p = f.patch(x, y, max(r, b) * 1.12, turn)
    if p is None:
        return
    u, v = p.u / r, p.v / b
    phi = np.arctan2(v, u)
    rr = np.sqrt(u * u + v * v) / (1 + wob * (np.sin(3 * phi + rng.uniform(0, 6)) + np.sin(5 * phi + rng.uniform(0, 6))))
    h = thick * np.sqrt(np.clip(1 - np.clip((rr - 1 + bevel) / bevel, 0, 1) ** 2, 0, 1))
    noise = f.speckle(p, r * 2.2)
    got = tex(u, v, rr, noise)
    hole, relief = None, 0
    if isinstance(got, tuple):
        got, hole, relief = got
    h = np.where(rr < 1, np.maximum(h + relief, 0.05), -1)
    if hole is not None:
        h = np.where(hole, -1, h)
    f.lay(p, h, np.clip(got, 0.001, 0.95).astype(np.float32), gloss, **rest)


def ring(f, x, y, r, tube, h, col, inner=None, turn=None, squash=1.0, gloss=0.35, **rest):
    """A ring, such as a slice of scallion or squid."""
    rng = f.rng
    p = f.patch(x, y, r + tube + 1, rng.uniform(0, 6.3) if turn is None else turn)
    if p is None:
        return
    d = np.sqrt(p.u**2 + (p.v / squash) ** 2)
    t = (d - r) / tube
    top = np.where(np.abs(t) < 1, h * np.sqrt(np.clip(1 - np.abs(t) ** 3, 0, 1)) + 0.05, -1)
    f.lay(p, top, mix(inner if inner is not None else col, col, np.clip(0.5 + 0.5 * t, 0, 1)), gloss, **rest)


_discs = {}


def strand(f, pts, radius, col, gloss=0.4, end=None, taper=0.0, sag=5, lift=0.0, flat=1.0, hug=1.0):
    """A round thread along points (x, y): noodle, sprout, chilli thread. `end` is the colour it fades to, `taper` thins
    the ends, `flat` < 1 makes it a ribbon, `sag` smooths how it lies over what is below."""
    k = f.k
    xs = np.array([q[0] for q in pts], np.float32)
    ys = np.array([q[1] for q in pts], np.float32)
    length = np.concatenate([[0], np.cumsum(np.hypot(np.diff(xs), np.diff(ys)))])
    n = max(3, int(length[-1] / max(radius * 0.4, 0.7 / k)))
    at = np.linspace(0, length[-1], n)
    xs, ys, t = np.interp(at, length, xs), np.interp(at, length, ys), at / max(length[-1], 1e-6)
    H, W = f.z.shape
    px = np.clip(((xs + f.width / 2) * k), 0, W - 1).astype(int)
    py = np.clip(((ys + f.height / 2) * k), 0, H - 1).astype(int)
    base = f.z[py, px].astype(np.float32)
    w = max(1, min(n // 2, int(sag * radius / max(radius * 0.4, 0.7 / k))))
    if w > 1:
        kernel = np.ones(w, np.float32) / w
        base = np.maximum(np.convolve(np.pad(base, (w, w), mode="edge"), kernel, "same")[w:-w], base * hug)
        base = np.convolve(np.pad(base, (w, w), mode="edge"), kernel, "same")[w:-w]
    if f.bed is not None:
        base = np.minimum(base, f.bed[py, px] + f.cap * 1.25 * k)
    c0, c1 = colour(col), colour(end if end is not None else col)
    for i in range(n):
        r = radius * (1 - taper * abs(2 * t[i] - 1) ** 3)
        key = round(r * k * 4)
        if key not in _discs:
            q = max(1, math.ceil(key / 4))
            g = np.arange(-q, q + 1, dtype=np.float32)
            d2 = (g[None, :] ** 2 + g[:, None] ** 2) / (max(key, 1) / 4) ** 2
            _discs[key] = (q, np.where(d2 <= 1.0001, np.sqrt(np.clip(1 - d2, 0, 1)), -1).astype(np.float32))
        q, dome = _discs[key]
        y0, y1, x0, x1 = py[i] - q, py[i] + q + 1, px[i] - q, px[i] + q + 1
        if y0 < 0 or x0 < 0 or y1 > H or x1 > W:
            continue
        top = base[i] + (lift + r * flat * 0.7) * k + dome * r * k * flat
        z = f.z[y0:y1, x0:x1]
        win = (dome >= 0) & (top > z)
        z[win] = top[win]
        f.a[y0:y1, x0:x1][win] = c0 + (c1 - c0) * t[i]
        f.g[y0:y1, x0:x1][win] = gloss


def leaf(
    f,
    x,
    y,
    length,
    width,
    col,
    stem=None,
    turn=None,
    thick=3.0,
    wave=4.0,
    ruffle=0.10,
    freq=9.0,
    tip=0.75,
    rib=1.5,
    gloss=0.3,
    vein=0.18,
    stem_to=0.35,
    grain=0.12,
    tex=None,
    **rest
):
    """A leaf from its stem (u = -length/2) to its tip: `wave` curls it up and down, `ruffle` frays its edge, `rib` is the
    midrib. `stem` is the colour at the foot, which gives way to `col` at the share `stem_to` of the length."""
    rng = f.rng
    turn = rng.uniform(0, math.pi * 2) if turn is None else turn
    p = f.patch(x, y, math.hypot(length / 2, width / 2) * 1.1, turn)
    if p is None:
        return
    bend = rng.uniform(-0.25, 0.25) * width
    t = p.u / length + 0.5
    v = p.v - bend * (np.clip(t, 0, 1) - 0.5) ** 2 * 4
    half = width / 2 * np.power(np.clip(np.sin(np.pi * np.clip(t, 0, 1) ** tip), 0, 1), 0.7)
    half = np.maximum(half, np.where((t > 0) & (t < 0.5), width * 0.07, 0))
    ph = rng.uniform(0, 6)
    half = half * (
        1
        + ruffle * np.sin(t * freq * 2.6 + ph)
        + ruffle * 0.45 * np.sin(t * freq * 5.9 + 2 * ph)
        + 0.25 * ruffle * np.sin(t * freq * 11 + ph)
    )
    s = np.abs(v) / np.maximum(half, 1e-3)
    h = thick * np.sqrt(np.clip(1 - s**4, 0, 1))
    h = h + wave * (np.sin(t * freq + ph) * s * s * np.sign(v + 0.01) + 0.6 * np.sin(t * freq * 0.6 + ph * 2)) + wave
    h = h + rib * np.exp(-((v / (width * 0.05)) ** 2))
    noise = f.speckle(p, width * 0.8)
    lines = np.exp(-(((np.mod(t * 9 - np.abs(v) / width * 2.2, 1) - 0.5) / 0.10) ** 2)) * (s < 0.9)
    c = colour(col) * (1 + grain * noise + vein * 0.6 * lines)[..., None]
    if stem is not None:
        c = mix(
            c,
            stem,
            np.maximum(
                smooth(stem_to + 0.2, stem_to - 0.15, t + 0.08 * noise), 0.8 * np.exp(-((v / (width * 0.045)) ** 2)) * (t < 0.9)
            ),
        )
    if tex:
        c = tex(c, t, s, noise)
    h = np.where((s < 1) & (t > 0) & (t < 1), np.maximum(h, 0.1), -1)
    f.lay(p, h, np.clip(c, 0.001, 0.95).astype(np.float32), gloss, **rest)


def curve(rng, x, y, length, turn=None, bend=0.8, wiggle=0.25, steps=14):
    """Points of a random, softly bent path that starts at (x, y)."""
    a = rng.uniform(0, math.pi * 2) if turn is None else turn
    da = rng.uniform(-bend, bend) / steps
    out = [(x, y)]
    for _ in range(steps):
        da += rng.uniform(-wiggle, wiggle) / steps
        a += da
        x += math.cos(a) * length / steps
        y += math.sin(a) * length / steps
        out.append((x, y))
    return out


def spread(rng, n, rx, ry=None, jitter=0.5, hole=0.0):
    """`n` points evenly over an ellipse, from the outside in (so that the middle comes to lie on top)."""
    ry = ry or rx
    start = rng.uniform(0, 6.3)
    square = getattr(rng, "square", 0.0)
    out = []
    for i in range(n):
        q = math.sqrt(hole * hole + (1 - hole * hole) * (n - i - 0.5) / n)
        a = start + i * 2.399963
        j = jitter / math.sqrt(n)
        q *= 1 + square * (1 / max(abs(math.cos(a)), abs(math.sin(a))) - 1)
        out.append((rx * (q * math.cos(a) + rng.uniform(-j, j)), ry * (q * math.sin(a) + rng.uniform(-j, j))))
    return out


def coil(rng, a, b, t, q, turns=0.0):
    """A noodle that winds about the middle of a heap, at the share `q` of its radius."""
    way = rng.choice([-1, 1])
    span = turns or rng.uniform(0.7, 1.9)
    drift, wob, ph = rng.uniform(-0.75, 0.4), rng.uniform(0.04, 0.16), rng.uniform(0, 6)
    out = []
    for i in range(19):
        s = i / 18
        r = abs(q + drift * s + wob * math.sin(s * 5 + ph))
        r = r if r < 0.9 else 1.8 - r
        out.append((a * r * math.cos(t + way * span * s), b * r * math.sin(t + way * span * s)))
    return out
