"""Colours: written as sRGB hex, worked with as linear light."""

import numpy as np


def rgb(text):
    """Linear light of a colour such as `c0392b`."""
    c = np.array([int(text[i : i + 2], 16) for i in (0, 2, 4)], np.float32) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4).astype(np.float32)


def colour(c):
    """Accepts hex or a linear triple."""
    return rgb(c) if isinstance(c, str) else np.asarray(c, np.float32)


def mix(a, b, t):
    """From `a` to `b`; `t` may be an array, which gives an array of colours."""
    a, b = colour(a), colour(b)
    if isinstance(t, np.ndarray):
        t = t[..., None]
    return (a + (b - a) * t).astype(np.float32)


def ramp(stops, t):
    """A colour gradient: `stops` is a list of (position, colour), `t` an array."""
    xs = [s[0] for s in stops]
    cs = np.array([colour(s[1]) for s in stops])
    return np.stack([np.interp(t, xs, cs[:, i]) for i in range(3)], -1).astype(np.float32)


def vary(rng, c, amount=0.12, warm=0.04):
    """A neighbour of `c`: a little lighter or darker, a little warmer or cooler."""
    f = 1 + rng.uniform(-amount, amount)
    w = rng.uniform(-warm, warm)
    return np.clip(colour(c) * f * np.array([1 + w, 1, 1 - w], np.float32), 0.002, 0.95).astype(np.float32)


def develop(linear):
    """Linear light to 8 bit sRGB, with a soft shoulder for the highlights."""
    grey = (linear * np.array([0.25, 0.65, 0.10], np.float32)).sum(-1, keepdims=True)
    c = np.maximum(grey + (linear - grey) * 1.12, 0)
    knee = 0.62
    c = np.where(c > knee, knee + (1 - knee) * (1 - np.exp(-(c - knee) / (1 - knee))), c)
    s = np.where(c <= 0.0031308, c * 12.92, 1.055 * np.power(np.maximum(c, 1e-6), 1 / 2.4) - 0.055)
    return np.clip(s * 255 + 0.5, 0, 255).astype(np.uint8)
