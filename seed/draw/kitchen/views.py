"""How a dish is photographed: hero, from above, close up, packed, on a laid table."""

import numpy as np
from PIL import Image, ImageDraw

from . import dishes_feast, dishes_kids, dishes_kimchi, dishes_main, dishes_meal, dishes_side, dishes_soup, dishes_stew, table
from .crockery import Dish, serve
from .ingredients import rice, sesame
from .light import Light
from .picture import Scene
from .wet import mound
from .words import centred

FILLS = {}
for _module in (dishes_main, dishes_feast, dishes_soup, dishes_stew, dishes_side, dishes_kimchi, dishes_meal, dishes_kids):
    for _name, _f in vars(_module).items():
        if callable(_f) and getattr(_f, "__module__", "") == _module.__name__:
            FILLS[_name] = _f


def seed_of(text):
    """A small number from a name: the same on every machine."""
    n = 7
    for c in text.encode():
        n = (n * 131 + c) % 999983
    return n


def rice_bowl(d, a, b):
    """Plain rice, heaped."""
    mound(d, a * 1.04, b * 1.04, d.rim * 0.86 - d.floor, "f8f5ec", flat=4, grain=0.04)
    d.bed = None
    rice(d, 0, 0, a, b, 520)


# --- what lies beside the dish -------------------------------------------------------------------------------------


def sticks(f):
    table.chopsticks(f, 455, 40, 1.25, 640)


def metal(f):
    table.chopsticks(f, 468, 30, 1.42, 640, metal=True)
    table.spoon(f, 420, 40, 1.40, 560)


def spoon(f):
    table.spoon(f, 432, 20, 1.35, 580)


def cloth(col, stripe=None, x=-330, y=190, turn=0.35):
    return lambda f: table.napkin(f, x, y, 460, 520, col, turn, stripe)


def chillies(f):
    table.chilli(f, -450, 210, 190, -0.7)
    table.chilli(f, -400, 285, 170, -0.35, col="4a7f2a")
    table.garlic(f, 430, -270, 50)


def garlic(f):
    table.garlic(f, -440, -230, 54)
    table.garlic(f, -360, -300, 44, 0.5)
    table.scatter(f, table.peppercorn, 16, (380, 200, 490, 330))


def herbs(f):
    table.sprig(f, -452, -180, 0.8, 150)
    table.sprig(f, 440, 230, 2.6, 140)
    table.scatter(f, sesame, 40, (-480, 210, -340, 340))


def rings(f):
    table.scatter(f, table.scallion_ring, 12, (-490, 190, -370, 340))
    table.scatter(f, sesame, 46, (360, 220, 490, 340))


def nothing(f):
    pass


def both(*parts):
    def lay(f):
        for p in parts:
            p(f)

    return lay


# --- views ---------------------------------------------------------------------------------------------------------


def hero(
    key, ware, table_, tilt=38, props=nothing, zoom=1.06, width=1200, height=900, ss=1.4, friends=(), y=18, azimuth=225, salt=""
):
    s = Scene(table_, width, height, tilt, zoom, (0, 0), seed_of(key + salt), Light(azimuth), ss, props)
    for build, fx, fy, scale in friends:
        s.add(build, fx, fy, scale)
    s.add(serve(FILLS[key], *ware), 0, y)
    return s


def close(key, ware, table_, tilt=46, ss=1.2, at=(0, -34), zoom=1.9, width=1200, height=900):
    """A close-up at a lower angle, re-rendered, with another arrangement of the food."""
    if ware[0] in ("bowl", "deep", "pot", "pan"):
        at = (at[0], at[1] - 46)
    return Scene(table_, width, height, tilt, zoom, at, seed_of(key + "close"), Light(215, 42), ss, blur=2.0).add(
        serve(FILLS[key], *ware), 0, 0
    )


def top(key, ware, table_, props=nothing, zoom=1.0, ss=1.25, width=1200, height=1200, friends=()):
    """From straight above, square."""
    s = Scene(table_, width, height, 0, zoom, (0, 0), seed_of(key + "top"), Light(235, 46), ss, props)
    for build, fx, fy, scale in friends:
        s.add(build, fx, fy, scale)
    return s.add(serve(FILLS[key], *ware), 0, 0)


def label(d, title, sub):
    """Prints a paper label on a lid."""
    k = d.k
    h, w = d.z.shape
    lw, lh = int(d.rx * 1.35 * k), int(d.ry * 0.86 * k)
    im = Image.new("RGB", (lw, lh), (250, 246, 236))
    draw = ImageDraw.Draw(im)
    ink = (74, 52, 36)
    draw.rectangle([lw * 0.03, lh * 0.06, lw * 0.97, lh * 0.94], outline=(181, 83, 60), width=max(1, int(2.4 * k)))
    size = int(lh * 0.30)
    while size > 8 and len(title) * size * 0.95 > lw * 0.86:
        size -= 2
    centred(draw, lw / 2, lh * 0.44, title, size, ink)
    centred(draw, lw / 2, lh * 0.75, sub, int(lh * 0.12), (150, 110, 80), False)
    a = np.asarray(im, np.float32) / 255
    a = np.where(a <= 0.04045, a / 12.92, ((a + 0.055) / 1.055) ** 2.4)
    y0, x0 = (h - lh) // 2, (w - lw) // 2
    d.a[y0 : y0 + lh, x0 : x0 + lw] = a * 0.92
    d.g[y0 : y0 + lh, x0 : x0 + lw] = 0.12
    d.z[y0 : y0 + lh, x0 : x0 + lw] += 0.8 * k


def lid(title, glaze, rx, ry):
    def build(k, seed):
        d = Dish("slab", glaze, rx, ry, k, seed)
        label(d, title, "그날 만든 반찬")
        return d

    return build


def pack(key, title, glaze="kraft", table_="cream", ss=1.3, tilt=30, width=1200, height=900, salt="pack"):
    """As it arrives: in its box, the lid with its label beside it."""
    s = Scene(table_, width, height, tilt, 0.98, (0, 0), seed_of(key + salt), Light(220, 50), ss)
    s.add(lid(title, "kraft" if glaze != "black" else "black", 236, 172), 236, -196)
    s.add(serve(FILLS[key], "box", glaze, 300, 218), -110, 90)
    return s


def laid(key, ware, table_, ss=1.3, side=("kongnamul", "sigeumchi"), props=nothing, width=1200, height=900):
    """On the table, with rice and two small dishes."""
    s = Scene(table_, width, height, 33, 0.80, (0, 0), seed_of(key + "laid"), Light(230, 48), ss, props)
    s.add(serve(rice_bowl, "bowl", "white", 250), 330, -235, 0.74)
    s.add(serve(FILLS[side[0]], "coupe", "celadon", 260), -380, -250, 0.62)
    s.add(serve(FILLS[side[1]], "coupe", "cream", 260), -30, -345, 0.58)
    s.add(serve(FILLS[key], *ware), -30, 128, 0.88)
    return s


def assortment(keys, glaze, table_, grid, name, tilt=28, zoom=1.0, width=1200, height=900, ss=1.4):
    """A set: boxes side by side. `grid` is (columns, rows)."""
    s = Scene(table_, width, height, tilt, zoom, (0, 0), seed_of(name), Light(222, 50), ss)
    cols, rows = grid
    w, h = 900 / cols, 660 / rows
    for i, key in enumerate(keys):
        x, y = -450 + w * (i % cols + 0.5), -330 + h * (i // cols + 0.5)
        scale = 0.72 if cols >= 3 else 0.86
        s.add(serve(FILLS[key], "box", glaze, (w / 2 - 10) / scale, (h / 2 - 10) / scale), x, y + 10, scale)
    return s


def placeholder():
    """The shop's stand-in for a picture that cannot be had: an empty bowl on a plain cloth."""
    return Scene("cream", 1200, 900, 36, 1.0, (0, 0), 5, Light(225, 46), 1.5).add(
        serve(lambda d, a, b: None, "bowl", "celadon", 300), 0, 10
    )
