"""Procedural noise and blurring on float arrays. Everything is a function of its seed."""

import math
from functools import lru_cache

import numpy as np
from PIL import Image


def resize(a, w, h, how=Image.BICUBIC):
    """Resamples a two-dimensional float array to `w` by `h`."""
    return np.asarray(Image.fromarray(np.ascontiguousarray(a, dtype=np.float32)).resize((w, h), how))


@lru_cache(maxsize=32)
def tile(seed=1, size=512, coarse=4, octaves=5, fade=0.55):
    """A square of fractal noise, about -1 to 1, that repeats without a seam."""
    gen = np.random.Generator(np.random.PCG64(seed))
    out = np.zeros((size, size), np.float32)
    weight, total, n = 1.0, 0.0, coarse
    for _ in range(octaves):
        if n > size:
            break
        lattice = np.tile(gen.random((n, n)).astype(np.float32) * 2 - 1, (3, 3))
        out += weight * resize(lattice, size * 3, size * 3)[size : 2 * size, size : 2 * size]
        total += weight * 0.6
        weight *= fade
        n *= 2
    return out / total


def sample(t, u, v):
    """Reads tile `t` at coordinates given in tiles (1 is one whole repeat), nearest point."""
    n = t.shape[0]
    return t[np.floor(v * n).astype(np.int32) % n, np.floor(u * n).astype(np.int32) % n]


def _box(a, r, axis):
    n = 2 * r + 1
    pad = [(0, 0)] * a.ndim
    pad[axis] = (r + 1, r)
    if r <= 2:
        wide = np.pad(a, [(q[0] - 1, q[1]) if q[0] else q for q in pad], mode="edge").swapaxes(0, axis)
        m = a.shape[axis]
        out = wide[0:m].copy()
        for i in range(1, n):
            out += wide[i : i + m]
        return (out * np.float32(1 / n)).swapaxes(0, axis)
    c = np.cumsum(np.pad(a, pad, mode="edge"), axis=axis, dtype=np.float64)
    hi = [slice(None)] * a.ndim
    lo = [slice(None)] * a.ndim
    hi[axis], lo[axis] = slice(n, None), slice(0, -n)
    return ((c[tuple(hi)] - c[tuple(lo)]) / n).astype(np.float32)


def blur(a, sigma):
    """Gaussian blur (three boxes) of a two-dimensional array; large sigmas work on a reduced copy."""
    if sigma < 0.4:
        return a
    h, w = a.shape
    f = max(1, int(sigma / 1.3))
    small = resize(a, max(2, math.ceil(w / f)), max(2, math.ceil(h / f)), Image.BOX) if f > 1 else a
    r = max(1, round((sigma / f) * 0.98))
    for _ in range(3):
        small = _box(_box(small, r, 0), r, 1)
    return resize(small, w, h) if f > 1 else small


def smooth(lo, hi, x):
    """Smoothstep from 0 at `lo` to 1 at `hi`."""
    t = np.clip((x - lo) / (hi - lo), 0, 1)
    return t * t * (3 - 2 * t)
