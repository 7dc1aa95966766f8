"""Puts dishes on a table, lights the scene, photographs it."""

import math

import numpy as np
from PIL import Image, ImageFilter

from .colour import develop
from .crockery import outside
from .light import Light, project, shade
from .noise import blur, smooth
from .table import TABLES

DRAFT = False  # small pictures, quickly, to look at


class Scene:
    """A table top and the dishes on it. `tilt` in degrees from straight above; `zoom` enlarges; `aim` is the point on the
    table that the camera looks at, in units. `add(build, x, y)` calls `build(k, seed)`, which returns a `Dish`."""

    def __init__(
        self, table="oak", width=1200, height=900, tilt=35, zoom=1.0, aim=(0, 0), seed=1, light=None, ss=1.5, props=None, blur=1.0
    ):
        if DRAFT:
            width, height, ss = width // 2, height // 2, 1.2
        self.w, self.h, self.ss = width, height, ss
        self.k = width / 1000 * ss * zoom
        self.tilt = math.radians(tilt)
        self.aim, self.seed, self.blur = aim, seed, blur
        self.light = light or Light()
        self.uw, self.uh = 1000 / zoom, 1000 / zoom * height / width
        c = math.cos(self.tilt)
        self.pad = 60
        # The table covers what the camera sees; its own (0, 0) is the scene's (0, 0).
        self.th = self.uh / c + self.pad * 2 + abs(aim[1]) * 2
        self.tw = self.uw + self.pad * 2 + abs(aim[0]) * 2
        self.table = (
            TABLES[table](self.tw, self.th, self.k, seed) if isinstance(table, str) else table(self.tw, self.th, self.k, seed)
        )
        if props:
            props(self.table)
        self.dishes = []

    def add(self, build, x=0, y=0, scale=1.0, seed=None):
        """Sets a dish on the table; `scale` makes it, and everything in it, smaller or larger."""
        d = build(self.k * scale, self.seed * 31 + len(self.dishes) if seed is None else seed)
        d.size = scale
        self.dishes.append((d, x, y))
        return self

    def _dish_shadows(self):
        """What the vessels take from the table's light, 0 to 1."""
        t = self.table
        x, y = t.grid()
        sun = np.ones(t.z.shape, np.float32)
        for d, dx, dy in self.dishes:
            m = np.zeros_like(sun)
            for share in (0.25, 0.6, 1.0):
                off = d.rim * d.size * share / self.light.slope
                flare = d.foot + (1 - d.foot) * math.sqrt(share)
                sx, sy = dx - self.light.flat[0] * off, dy - self.light.flat[1] * off
                n = d.square
                rho = (np.abs(x - sx) / (d.rx * d.size * flare)) ** n + (np.abs(y - sy) / (d.ry * d.size * flare)) ** n
                m = np.maximum(m, (rho < 1).astype(np.float32))
            near = np.clip(blur(m, (d.rim * d.size * 0.10 + 5) * t.k) * 1.0, 0, 1)
            wide = np.clip(blur(m, (d.rim * d.size * 0.38 + 12) * t.k), 0, 1)
            sun *= 1 - 0.62 * near - 0.28 * wide
        return np.clip(sun, 0.04, 1)

    def _paste(self, canvas, picture, alpha, col0, row0):
        h, w = alpha.shape
        H, W = canvas.shape[:2]
        x0, y0 = max(0, col0), max(0, row0)
        x1, y1 = min(W, col0 + w), min(H, row0 + h)
        if x0 >= x1 or y0 >= y1:
            return
        p, a = picture[y0 - row0 : y1 - row0, x0 - col0 : x1 - col0], alpha[y0 - row0 : y1 - row0, x0 - col0 : x1 - col0, None]
        canvas[y0:y1, x0:x1] = canvas[y0:y1, x0:x1] * (1 - a) + p * a

    def render(self, transparent=False):
        """The finished picture, RGB; or RGBA with the dishes alone when `transparent`."""
        k, c = self.k, math.cos(self.tilt)
        W, H = round(self.w * self.ss), round(self.h * self.ss)
        canvas = np.zeros((H, W, 3), np.float32)
        cover = np.zeros((H, W), np.float32)
        t = self.table
        extra = self._dish_shadows()
        lit = shade(t, self.light, self.tilt, extra=extra)
        pic, al, row = project(t.z, t.alpha, lit, self.tilt)
        ox = W / 2 - (self.tw / 2 + self.aim[0]) * k
        oy = H / 2 - (self.th / 2 + self.aim[1]) * k * c
        self._paste(canvas, pic, al, round(ox), round(oy) + row)
        canvas = self._focus(canvas)
        for d, dx, dy in sorted(self.dishes, key=lambda q: q[2]):
            left = round(W / 2 + (dx - self.aim[0]) * k - d.width / 2 * d.k)
            top = round(H / 2 + ((dy - self.aim[1]) * k - d.height / 2 * d.k) * c)
            wall = outside(d, self.light, self.tilt)
            layers = [wall] if wall else []
            layers.append(project(d.z, d.alpha, shade(d, self.light, self.tilt), self.tilt))
            for pic, al, row in layers:
                self._paste(canvas, pic, np.clip(al, 0, 1), left, top + row)
                self._paste(cover[..., None], np.ones(al.shape + (1,), np.float32), np.clip(al, 0, 1), left, top + row)
        y, x = np.mgrid[0:H, 0:W].astype(np.float32)
        r2 = (x / W - 0.5) ** 2 + (y / H - 0.5) ** 2
        canvas *= (1.04 - 0.30 * r2)[..., None]
        im = Image.fromarray(develop(canvas))
        if transparent:
            im.putalpha(Image.fromarray((np.clip(cover, 0, 1) * 255).astype(np.uint8)))
        im = im.resize((self.w, self.h), Image.LANCZOS)
        return im if transparent else im.filter(ImageFilter.UnsharpMask(1.2, 22, 3))

    def _focus(self, canvas):
        """The table falls out of focus towards its far edge, as with a real lens."""
        if self.blur <= 0 or self.tilt < 0.1:
            return canvas
        h = canvas.shape[0]
        soft = np.stack([blur(canvas[..., i], 5.0 * self.ss * self.blur) for i in range(3)], -1)
        y = np.linspace(0, 1, h, dtype=np.float32)
        t = np.maximum(smooth(0.55, 0.0, y), 0.5 * smooth(0.88, 1.0, y))
        return canvas * (1 - t[:, None, None]) + soft * t[:, None, None]
