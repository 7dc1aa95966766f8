"""Single ingredients in small dishes, for the long pictures."""

import math

from .colour import mix, vary
from .crockery import serve
from .dishes_main import enoki, rib
from .dishes_feast import squid
from .dishes_side import fishcake, shishito
from .dishes_soup import courgette_piece
from .dishes_stew import sprout
from .ingredients import (
    carrot_coin,
    chilli_flake,
    chilli_slice,
    green_strip,
    meat_slice,
    mushroom_slice,
    onion,
    perilla,
    quail_egg,
    rice,
    rice_cake,
    scallion,
    sesame,
    tofu,
)
from .noise import smooth
from .shapes import coil, blob, box, coin, leaf, spread, strand
from .wet import mound


def _heap(each, n, h=50, col="b09060", share=0.74):
    def fill(d, a, b):
        if n >= 20:
            mound(d, a * 0.8, b * 0.8, h, col)
        for x, y in spread(d.rng, n, a * share, b * share, jitter=0.8):
            each(d, x, y)

    return fill


def _raw(d, x, y):
    meat_slice(d, x, y, 60, 38, 14, cols=("a8413a", "c4605a", "8a2f2c"), fat="f0d9cf", fatty=0.5, gloss=0.5)


def _pork(d, x, y):
    meat_slice(d, x, y, 60, 38, 14, cols=("d98a80", "e5a59a", "c4736a"), fat="f6e6dc", fatty=0.6, gloss=0.5)


def _egg(d, x, y):
    c = vary(d.rng, "d9a074", 0.08)
    blob(d, x, y, 74, 56, 78, c, wob=0, gloss=0.35, grain=0.05, sink=0.6, tilt=0)


def _napa(d, x, y):
    leaf(d, x, y, 170, 96, "c4cf78", stem="f2eed8", thick=5, wave=8, ruffle=0.12, freq=6, gloss=0.4, tilt=0.3)


def _cucumber(d, x, y):
    coin(
        d,
        x,
        y,
        40,
        12,
        lambda u, v, rr, n: mix(mix("e3ecbe", "c9dc98", smooth(0.2, 0.8, rr)), "3f7a2a", smooth(0.86, 0.92, rr)),
        gloss=0.6,
        lean=d.rng.uniform(-0.2, 0.2),
    )


def _seaweed(d, x, y):
    leaf(
        d,
        x,
        y,
        d.rng.uniform(110, 170),
        d.rng.uniform(40, 66),
        vary(d.rng, "26381f", 0.15),
        thick=3,
        wave=8,
        ruffle=0.2,
        freq=8,
        gloss=0.8,
    )


def _clam(d, x, y):
    from .dishes_stew import clam

    clam(d, x, y, 1.1)


def _spinach(d, x, y):
    leaf(
        d, x, y, 130, 70, vary(d.rng, "33702a", 0.12), stem="8ab566", stem_to=0.2, thick=3, wave=7, ruffle=0.08, freq=7, gloss=0.45
    )


def _noodle(d, a, b):

    mound(d, a * 0.8, b * 0.8, 40, "9a8a6a")
    for _ in range(110):
        t, q = d.rng.uniform(0, 6.28), math.sqrt(d.rng.uniform(0.02, 0.6))
        strand(d, coil(d.rng, a, b, t, q), 4, vary(d.rng, "c9b58c", 0.08), 0.9, sag=5)


def _paste(col):
    def fill(d, a, b):
        blob(d, 0, 0, a * 0.72, b * 0.72, 60, col, wob=0.06, bump=0.12, scale=120, gloss=0.7)

    return fill


def _sauce(col):
    def fill(d, a, b):
        from .wet import broth

        broth(d, d.rim * 0.5, col, clear=2.5, gloss=0.7, oil=6, oil_col="b98a3a")

    return fill


LARDER = {
    "꽈리고추": _heap(lambda d, x, y: shishito(d, x, y, 150), 16, 20),
    "소갈비": _heap(lambda d, x, y: rib(d, x, y), 5),
    "소고기": _heap(_raw, 16),
    "돼지고기": _heap(_pork, 16),
    "당근": _heap(lambda d, x, y: carrot_coin(d, x, y, 40, 14), 14, 40),
    "밤": _heap(lambda d, x, y: blob(d, x, y, 40, 34, 40, vary(d.rng, "d9a64a", 0.08), wob=0.07, gloss=0.6), 12),
    "대추": _heap(lambda d, x, y: blob(d, x, y, 36, 24, 30, vary(d.rng, "661a12", 0.12), bump=0.22, scale=22, gloss=0.7), 18),
    "대파": _heap(lambda d, x, y: scallion(d, x, y, d.rng.uniform(14, 19)), 70, 40, "8fae62"),
    "양파": _heap(lambda d, x, y: onion(d, x, y, 110), 40, 40, "e2d8bc"),
    "표고버섯": _heap(lambda d, x, y: mushroom_slice(d, x, y, 1.5), 26, 40, "8a6a48"),
    "팽이버섯": lambda d, a, b: [enoki(d, -90, -70 + 46 * i, 26, 0.05 * i, 180) for i in range(4)],
    "두부": _heap(lambda d, x, y: tofu(d, x, y, 46, sz=34), 9, 20, "d9ceb4"),
    "애호박": _heap(lambda d, x, y: courgette_piece(d, x, y, 50), 22, 40, "b5bd78"),
    "된장": _paste("8a5526"),
    "고추장": _paste("8f1a0c"),
    "고춧가루": _heap(lambda d, x, y: chilli_flake(d, x, y), 900, 56, "9c1f10"),
    "간장": _sauce("2a1208"),
    "참기름": _sauce("9c6a1c"),
    "참깨": _heap(lambda d, x, y: sesame(d, x, y, size=1.9), 420, 50, "d9c697"),
    "청양고추": _heap(lambda d, x, y: chilli_slice(d, x, y, 22, col=d.rng.choice(["5a9432", "c2231a"])), 34, 34, "7fae4a"),
    "달걀": _heap(_egg, 6, 10, "b09060", 0.6),
    "메추리알": _heap(lambda d, x, y: quail_egg(d, x, y, 40, "ece3d2"), 18),
    "배추": _heap(_napa, 12, 40, "d9d8a0"),
    "오이": _heap(_cucumber, 24, 40, "a9c878"),
    "미역": _heap(_seaweed, 28, 40, "24301c"),
    "바지락": _heap(_clam, 11, 30),
    "시금치": _heap(_spinach, 26, 40, "2f5a26"),
    "당면": _noodle,
    "떡": _heap(lambda d, x, y: rice_cake(d, x, y, 124, 20), 18, 40, "e9e0cc"),
    "어묵": _heap(lambda d, x, y: fishcake(d, x, y, s=1.4), 14),
    "오징어": _heap(lambda d, x, y: squid(d, x, y, "e6c8b6", "f4e6da", s=1.4), 10),
    "깻잎": _heap(lambda d, x, y: perilla(d, x, y, 170), 12, 20, "33602a"),
    "콩나물": _heap(lambda d, x, y: sprout(d, x, y, 140), 50, 40, "e2d6ae"),
    "쌀": lambda d, a, b: (mound(d, a * 0.9, b * 0.9, 60, "f4f0e4"), rice(d, 0, 0, a * 0.8, b * 0.8, 420)),
    "부추": _heap(lambda d, x, y: green_strip(d, x, y, 130, 8, "3f7a2a"), 60, 30, "3c6a2c"),
    "빵가루": _heap(
        lambda d, x, y: blob(d, x, y, d.rng.uniform(5, 10), 5, 6, vary(d.rng, "eed7a4", 0.08), wob=0.2, gloss=0.2),
        380,
        50,
        "e6cb92",
    ),
    "무": _heap(
        lambda d, x, y: box(
            d, x, y, 38, 36, 34, "f4f1e6", pitch=d.rng.uniform(-0.3, 0.3), roll=d.rng.uniform(-0.3, 0.3), gloss=0.5
        ),
        11,
        20,
        "e6e2d4",
    ),
}


def small_dish(name, glaze="white"):
    """A builder for one ingredient in a small bowl."""
    return serve(LARDER[name], "coupe", glaze, 300)
