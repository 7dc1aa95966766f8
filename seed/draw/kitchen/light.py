"""Light: turns a field into a picture, and looks at it from an angle."""

import math

import numpy as np
from PIL import Image

from .noise import blur, resize, smooth


class Light:
    """One window (the sun side) and the sky. Azimuth in degrees, 225 is from the upper left; elevation over the table."""

    def __init__(self, azimuth=225, elevation=48, warmth=0.5, strength=1.0):
        a, e = math.radians(azimuth), math.radians(elevation)
        self.dir = (math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e))
        self.slope = math.tan(e)
        self.flat = (math.cos(a), math.sin(a))
        self.sun = np.array([1.0, 0.955 - 0.03 * warmth, 0.90 - 0.10 * warmth], np.float32) * 0.98 * strength
        self.sky = np.array([0.90, 0.95, 1.0], np.float32) * 0.50


def _shifted(a, dx, dy):
    """`a` read at (x + dx, y + dy), edges repeated."""
    h, w = a.shape
    ys = np.clip(np.arange(h) + dy, 0, h - 1)
    xs = np.clip(np.arange(w) + dx, 0, w - 1)
    return a[ys][:, xs]


def cast_shadow(z, light, reach):
    """How much of the sun arrives (0 to 1): marches over the heights towards the light, softer with distance."""
    f = 2
    h, w = z.shape
    small = resize(z, max(2, w // f), max(2, h // f), Image.BOX) / f
    hidden = np.zeros_like(small)
    d = 1.0
    while d < reach / f:
        other = _shifted(small, round(light.flat[0] * d), round(light.flat[1] * d))
        hidden = np.maximum(hidden, (other - small - d * light.slope) / (0.32 * d + 0.8))
        d = d * 1.16 + 0.6
    return np.clip(1 - resize(blur(np.clip(hidden, 0, 1), 1.2), w, h), 0, 1)


def hollow(z, k):
    """Ambient light (0 to 1): what lies lower than its surroundings gets less of the sky."""
    open_ = np.ones_like(z)
    for sigma, weight in ((4, 0.36), (13, 0.36), (40, 0.30)):
        s = sigma * k
        open_ -= weight * np.clip((blur(z, s) - z) / (s * 0.9), -0.12, 0.9)
    return np.clip(open_, 0.12, 1.15)


def shade(field, light, tilt, soft=1.0, extra=None):
    """Linear picture of the field, lit, as an array. `tilt` is the camera's angle from straight above, in radians.

    `extra` multiplies the sun (shadows that come from elsewhere)."""
    k = field.k
    z = field.z = blur(field.z, 0.55 * k) if 0.55 * k > 0.4 else field.z
    gy, gx = np.gradient(z)
    inv = 1 / np.sqrt(gx * gx + gy * gy + 1)
    nx, ny, nz = -gx * inv, -gy * inv, inv
    lx, ly, lz = light.dir
    facing = nx * lx + ny * ly + nz * lz
    sun = np.clip((facing + 0.18) / 1.18, 0, 1) * (1 if extra is None else extra)
    shadow = cast_shadow(z, light, 170 * k)
    sun = sun * shadow
    sky = hollow(z, k) * (0.62 + 0.38 * nz)
    if extra is not None:
        sky = sky * (0.55 + 0.45 * extra)
    out = np.empty_like(field.a)
    for c, spread in enumerate((3.2, 1.6, 0.9)):
        e = light.sun[c] * (0.62 * sun + 0.38 * blur(sun, spread * k * soft)) + light.sky[c] * sky
        out[..., c] = field.a[..., c] * e
    vx, vy, vz = 0.0, math.sin(tilt), math.cos(tilt)
    hx, hy, hz = lx + vx, ly + vy, lz + vz
    hl = math.sqrt(hx * hx + hy * hy + hz * hz)
    nh = np.clip((nx * hx + ny * hy + nz * hz) / hl, 0, 1)
    nv = np.clip(ny * vy + nz * vz, 0, 1)
    rx, ry, rz = 2 * nv * nx - vx, 2 * nv * ny - vy, 2 * nv * nz - vz
    window = smooth(0.30, 0.16, np.abs(rx - lx)) * smooth(0.34, 0.2, np.abs(ry - ly)) * (rz > 0)
    bars = 1 - 0.75 * smooth(0.03, 0.012, np.abs(rx - lx))
    fresnel = 0.06 + 0.5 * (1 - nv) ** 4
    g = field.g
    shine = g * (0.045 * nh**20 + 0.42 * nh**80) + g * g * window * bars * 0.42 + g * fresnel * smooth(-0.2, 0.9, rz) * 0.30
    lit = 0.25 + 0.75 * shadow * (1 if extra is None else extra)
    return out + (shine * lit)[..., None] * np.array([1, 0.98, 0.95], np.float32)


def _along(a, r):
    """Mean over `r` columns to either side."""
    c = np.cumsum(np.pad(a, ((0, 0), (r + 1, r)), mode="edge"), axis=1, dtype=np.float64)
    return ((c[:, 2 * r + 1 :] - c[:, : -2 * r - 1]) / (2 * r + 1)).astype(np.float32)


def project(z, alpha, picture, tilt):
    """Looks at the field from an angle: returns picture, alpha and the pixel row that stands for field row 0, height 0.

    Every column is a curve of screen rows; the part nearest to the camera hides what is behind it, which is a running
    minimum from the front."""
    h, w = z.shape
    c, s = math.cos(tilt), math.sin(tilt)
    if s < 1e-3:
        return picture, alpha, 0
    up = int(float(z.max()) * s) + 2
    rows = int(h * c) + up + 1
    at = np.arange(h, dtype=np.float32)[:, None] * c - z * s
    seen = np.minimum.accumulate(at[::-1], axis=0)[::-1]
    want = np.arange(rows, dtype=np.float32) - up
    index = np.arange(h, dtype=np.float32)
    src = np.empty((rows, w), np.float32)
    for x in range(w):
        src[:, x] = np.interp(want, seen[:, x], index)
    i = np.minimum(src.astype(np.int32), h - 2)
    t = (src - i)[..., None]
    cols = np.arange(w)[None, :]
    flat = np.concatenate([picture, alpha[..., None]], -1)
    got = flat[i, cols] * (1 - t) + flat[i + 1, cols] * t
    inside = (want[:, None] >= seen[0][None, :] - 1) & (want[:, None] <= seen[-1][None, :] + 1)
    picture, cover = got[..., :3], got[..., 3] * inside
    # A steep side has few samples for many rows, which would show as streaks: mix neighbouring columns there.
    stretch = np.diff(seen, axis=0, append=seen[-1:] + c)[i, cols]
    steep = smooth(1.8, 4.5, stretch)
    weight = _along(steep, 4) + 1e-3
    for n in range(3):
        side = _along(picture[..., n] * steep, 4) / weight
        picture[..., n] += (side - picture[..., n]) * steep * 0.85
    return picture, cover, -up
