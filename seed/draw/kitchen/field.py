"""The height field: what lies on a table or in a dish, seen from straight above.

A field keeps, for every point, the height, the colour (linear light), how glossy it is and whether anything is there.
Ingredients are laid on it one after the other; each comes to rest on what is there already, and the higher point is seen.
Lengths are units: a picture is 1000 units wide.
"""

import math
import random

import numpy as np

from .colour import colour
from .noise import sample, tile


class Patch:
    """A rectangle of a field with coordinates turned into an ingredient's own system (`u` along, `v` across)."""

    def __init__(self, rows, cols, u, v):
        self.at = (rows, cols)
        self.u, self.v = u, v


class Field:
    def __init__(self, width, height, k, seed):
        self.k, self.width, self.height = k, width, height
        shape = (round(height * k), round(width * k))
        self.z = np.zeros(shape, np.float32)
        self.a = np.zeros(shape + (3,), np.float32)
        self.g = np.zeros(shape, np.float32)
        self.alpha = np.zeros(shape, np.float32)
        self.rng = random.Random(seed)
        self.bed = None  # what a heap rests on; nothing is laid more than `cap` units above it, so that heaps do not become towers
        self.cap = 24.0

    def grid(self):
        """Coordinates of all points, in units from the middle."""
        h, w = self.z.shape
        x = (np.arange(w, dtype=np.float32) + 0.5) / self.k - self.width / 2
        y = (np.arange(h, dtype=np.float32) + 0.5) / self.k - self.height / 2
        return np.meshgrid(x, y)

    def patch(self, x, y, radius, turn=0.0):
        """The part of the field around (x, y), or None when it lies outside."""
        k, (h, w) = self.k, self.z.shape
        cx, cy = (x + self.width / 2) * k, (y + self.height / 2) * k
        x0, x1 = max(0, int(cx - radius * k)), min(w, int(cx + radius * k) + 2)
        y0, y1 = max(0, int(cy - radius * k)), min(h, int(cy + radius * k) + 2)
        if x0 >= x1 or y0 >= y1:
            return None
        dx = ((np.arange(x0, x1, dtype=np.float32) + 0.5 - cx) / k)[None, :]
        dy = ((np.arange(y0, y1, dtype=np.float32) + 0.5 - cy) / k)[:, None]
        c, s = math.cos(turn), math.sin(turn)
        return Patch(slice(y0, y1), slice(x0, x1), dx * c + dy * s, dy * c - dx * s)

    def height_at(self, x, y):
        h, w = self.z.shape
        i = min(h - 1, max(0, int((y + self.height / 2) * self.k)))
        j = min(w - 1, max(0, int((x + self.width / 2) * self.k)))
        return float(self.z[i, j]) / self.k

    def lay(self, p, h, col, gloss=0.3, sink=0.35, tilt=0.5, lean=0.0, base=None, lift=0.0, trim=False):
        """Lays a piece of height `h` (an array; ≤ 0 is outside) on the field.

        It rests on the mean height below it, raised towards the highest point by 1 - `sink`, and follows the slope
        below by `tilt`. `lean` tips it along its length. `base` overrides all that with a fixed height. `trim` cuts the rim
        of a round piece where it would hang in the air, which a height field would show as a curtain.
        """
        inside = h > 0
        if not inside.any():
            return
        z, k = self.z[p.at], self.k
        if base is None:
            under = z[inside]
            mean = float(under.mean())
            if trim and float(under.max() - under.min()) > 1.5 * float(h.max()) * k:
                return  # it would roll off here
            floor = mean + (float(np.partition(under, int(under.size * 0.9))[int(under.size * 0.9)]) - mean) * (1 - sink)
            if self.bed is not None:
                floor = min(floor, float(self.bed[p.at][inside].mean()) + self.cap * k)
            top = floor + h * k
            if tilt:
                du, dv = p.u[inside], p.v[inside]
                du, dv, dz = du - du.mean(), dv - dv.mean(), under - mean
                gu = float((du * dz).sum() / ((du * du).sum() + 1e-3)) / k
                gv = float((dv * dz).sum() / ((dv * dv).sum() + 1e-3)) / k
                lim = 0.6
                top = top + k * tilt * (max(-lim, min(lim, gu)) * p.u + max(-lim, min(lim, gv)) * p.v)
        else:
            top = (base + h) * k
        if lean:
            top = top + lean * p.u * k
        top = top + lift * k
        win = inside & (top > z)
        if trim:
            peak = float(h.max())
            win &= ~((h < 0.5 * peak) & (top - z > 0.8 * peak * k))
        self.put(p, win, top, col, gloss)

    def put(self, p, win, top, col, gloss):
        """Writes height, colour and gloss where `win` holds."""
        if not win.any():
            return
        self.z[p.at][win] = top[win] if isinstance(top, np.ndarray) else top
        self.a[p.at][win] = col[win] if isinstance(col, np.ndarray) and col.ndim == 3 else colour(col)
        self.g[p.at][win] = gloss[win] if isinstance(gloss, np.ndarray) else gloss

    def speckle(self, p, scale=60.0, seed=3, shift=None):
        """Noise, about -1 to 1, over a patch; `scale` is the length of one repeat in units."""
        r = self.rng
        ox, oy = shift or (r.random(), r.random())
        return sample(tile(seed), p.u / scale + ox, p.v / scale + oy)
