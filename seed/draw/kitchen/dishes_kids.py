"""우리아이 반찬: mild and small."""

import math

import numpy as np

from .colour import mix, ramp, vary
from .dishes_main import many
from .dishes_soup import courgette_piece
from .ingredients import carrot_coin, carrot_strip, green_strip, quail_egg, scallion, sesame, sprinkle, tofu
from .noise import sample, smooth, tile
from .shapes import blob, box, coin, curve, leaf, spread, strand
from .wet import bubble_holes, dress, mound, pool


def patty(d, x, y, r=58, lean=-0.1):
    """A small glazed meat patty with char marks."""
    rng = d.rng
    c0, c1 = vary(rng, "6b3517", 0.1), vary(rng, "93552a", 0.1)

    def tex(u, v, rr, n):
        bars = smooth(0.55, 0.95, np.cos(u * 9 + 0.6 * n)) * smooth(0.95, 0.7, rr)
        c = mix(c0, c1, np.clip(0.5 + 0.7 * n, 0, 1))
        return mix(c, "2e1408", bars * 0.7), None, 2.2 * n - 1.4 * bars

    coin(
        d,
        x,
        y,
        r,
        30,
        tex,
        gloss=0.85,
        bevel=0.55,
        wob=0.03,
        lean=lean,
        sink=0.15,
        tilt=0.2,
        b=r * 0.92,
        turn=rng.uniform(-0.3, 0.3),
    )


def tteokgalbi(d, a, b):
    """한입 떡갈비: bite-sized beef and pork patties."""
    rng = d.rng
    pool(d, 0, 0, a * 0.84, b * 0.8, "4a210c", h=3, gloss=0.9)
    for x, y in spread(rng, many(13, a, b), a * 0.72, b * 0.68, jitter=0.25):
        patty(d, x, y)
    dress(d, 30)
    sprinkle(
        d,
        lambda f, x, y: blob(f, x, y, rng.uniform(3, 7), rng.uniform(2, 4), 4, vary(rng, "ead8a8", 0.08), gloss=0.3),
        many(90, a, b),
        a * 0.72,
        b * 0.66,
    )
    for x, y in spread(rng, many(9, a, b), a * 0.5, b * 0.45):
        green_strip(d, x, y, 34, 4, "5f9a3a")
    for x, y in ((-a * 0.80, -b * 0.10), (a * 0.80, b * 0.16)):
        leaf(d, x, y, 96, 70, "4f8a35", stem="8ab566", thick=2, wave=5, ruffle=0.1, gloss=0.4)


def dubu(d, a, b):
    """두부조림: slabs of fried tofu in soy sauce."""
    rng = d.rng
    pool(d, 0, 0, a * 0.82, b * 0.74, "5c2c0e", h=4, gloss=0.95)
    rows = 2 if b > 150 else 1
    for j in range(rows):
        y = 0 if rows == 1 else (j - 0.5) * b * 0.82
        n = max(2, int(a * 1.84 / 112))
        for i in range(n):
            x = -a * 0.92 + 1.84 * a * (i + 0.5) / n
            tofu(
                d,
                x,
                y,
                min(78, b * 0.36),
                sx=50,
                sz=14,
                yaw=rng.uniform(-0.06, 0.06),
                pitch=0.0,
                fried=True,
                gloss=0.6,
                base=d.floor + rng.uniform(0, 3),
            )
    dress(d, 14)
    for j in range(rows):
        y = 0 if rows == 1 else (j - 0.5) * b * 0.82
        for _ in range(many(46, a, b)):
            x, yy = rng.uniform(-0.84, 0.84) * a, y + rng.gauss(0, 15)
            rng.choice(
                [
                    lambda: scallion(d, x, yy, 8),
                    lambda: scallion(d, x, yy, 9),
                    lambda: box(d, x, yy, 5, 5, 3, "dd7426", gloss=0.5),
                    lambda: sesame(d, x, yy),
                    lambda: sesame(d, x, yy),
                ]
            )()


def mechurial(d, a, b):
    """메추리알조림: quail eggs in soy."""
    rng = d.rng
    pool(d, 0, 0, a * 0.94, b * 0.94, "4a250d", h=12, gloss=0.95)
    mound(d, a * 0.7, b * 0.7, 26, "4a250d")
    for x, y in spread(rng, many(38, a, b), a * 0.76, b * 0.76, jitter=0.45):
        quail_egg(d, x, y, 33, col=rng.choice(["b5814a", "a8723c", "bf8d58"]))
    dress(d, 10)
    sprinkle(d, sesame, many(60, a, b), a * 0.7, b * 0.7)
    for x, y in spread(rng, many(7, a, b), a * 0.5, b * 0.5):
        carrot_coin(d, x, y, 17, 8)


def gamja(d, a, b):
    """감자채볶음: potato strips with carrot and pepper."""
    rng = d.rng
    mound(d, a * 0.8, b * 0.8, 68, "cdb06a")
    for x, y in spread(rng, many(210, a, b), a * 0.76, b * 0.76, jitter=0.9):
        t = rng.uniform(0, 6.28)
        q = rng.random()
        x0, y0 = x - 44 * math.cos(t), y - 44 * math.sin(t)
        if q < 0.80:
            strand(
                d,
                curve(rng, x0, y0, rng.uniform(76, 104), t, 0.35, 0.1),
                6.2,
                vary(rng, rng.choice(["f0cf74", "f4d98a", "e8c262"]), 0.05),
                0.65,
                sag=4,
                flat=0.85,
            )
        elif q < 0.90:
            carrot_strip(d, x0, y0, 78, 5, turn=t)
        else:
            green_strip(d, x0, y0, 70, 10, "5f9c38", turn=t)
    dress(d)
    for x, y in spread(rng, many(20, a, b), a * 0.56, b * 0.56, jitter=0.9):
        rng.choice(
            [
                lambda: carrot_strip(d, x, y, 64, 5),
                lambda: green_strip(d, x, y, 62, 10, "62a03c"),
                lambda: strand(d, curve(rng, x, y, 80, None, 0.4), 6.2, "f0d894", 0.65),
            ]
        )()
    sprinkle(d, sesame, many(120, a, b), a * 0.72, b * 0.72)


def cutlet(d, x, y, la, lb, turn=0.0):
    """A breaded cutlet, cut into strips."""
    rng = d.rng

    def skin(u, v, r, n):
        c = ramp([(0, "8f4f18"), (0.4, "c07a2c"), (0.8, "dba04a"), (1, "ecc27a")], np.clip(0.52 + 0.55 * n, 0, 1))
        gap = smooth(3.2, 1.4, np.abs(np.mod(u + la, la / 2.5) - la / 5))
        return mix(c, "f1dfc4", gap * 0.95)

    p = d.patch(x, y, la * 1.2, turn)
    if p is None:
        return
    phi = np.arctan2(p.v / lb, p.u / la)
    r = (np.abs(p.u / la) ** 2.7 + np.abs(p.v / lb) ** 2.7) ** (1 / 2.7) / (1 + 0.03 * np.sin(3 * phi + 1) + 0.03 * np.sin(5 * phi))
    n = sample(tile(37, 512, 32, 4), p.u / 260, p.v / 260)
    gap = smooth(4, 1, np.abs(np.mod(p.u + la, la / 2.5) - la / 5))
    top = 30 * np.sqrt(np.clip(1 - r**7, 0, 1)) + 4.2 * n - 12 * gap
    d.lay(p, np.where(r < 1, np.maximum(top, 0.5), -1), skin(p.u, p.v, r, n), 0.22, sink=0.3, tilt=0.1)
    for _ in range(int(la * lb / 60)):
        t, q = rng.uniform(0, 6.28), math.sqrt(rng.uniform(0, 0.94))
        u, v = la * q * math.cos(t), lb * q * math.sin(t)
        if abs((u + la) % (la / 2.5) - la / 5) < 5:
            continue
        blob(
            d,
            x + u * math.cos(turn) - v * math.sin(turn),
            y + u * math.sin(turn) + v * math.cos(turn),
            rng.uniform(3, 7),
            rng.uniform(2, 3.6),
            3.6,
            vary(rng, rng.choice(["c98432", "dda650", "b06a22", "e8bd74"]), 0.1),
            wob=0.2,
            gloss=0.2,
            sink=0.2,
        )


def tomato(d, x, y, r=30):
    """Half a cherry tomato."""

    def tex(u, v, rr, n):
        seed = np.exp(-(((np.hypot(np.abs(u) - 0.38, v * 0.9)) / 0.24) ** 2))
        return mix(mix("d9402a", "b5241a", smooth(0.7, 1, rr)), "e8a23c", seed * 0.7)

    coin(d, x, y, r, 16, tex, gloss=0.85, bevel=0.3, wob=0.01)


def donkatsu(d, a, b):
    """등심돈가스: two cutlets, shredded cabbage, cherry tomatoes."""
    rng = d.rng
    mound(d, a * 0.36, b * 0.40, 44, "dfe3b0", x=-a * 0.46, y=-b * 0.36)
    for _ in range(many(150, a, b)):
        t, q = rng.uniform(0, 6.28), math.sqrt(rng.uniform(0, 1))
        strand(
            d,
            curve(rng, -a * 0.46 + a * 0.36 * q * math.cos(t) - 20, -b * 0.36 + b * 0.38 * q * math.sin(t), 60, None, 1.2, 0.4),
            2.7,
            vary(
                rng,
                rng.choice(
                    ["eef0c8", "dfe8a8", "cfe094", "f4f4da", "a45a86"] if rng.random() < 0.3 else ["eef0c8", "dfe8a8", "f4f4da"]
                ),
                0.05,
            ),
            0.4,
        )
    d.bed = None
    cutlet(d, a * 0.26, -b * 0.14, a * 0.50, b * 0.36, 0.22)
    cutlet(d, -a * 0.10, b * 0.36, a * 0.50, b * 0.36, -0.08)
    dress(d, 20)
    for x, y in ((-a * 0.70, b * 0.04), (-a * 0.62, b * 0.20), (-a * 0.78, -b * 0.12)):
        tomato(d, x, y)
    pool(d, -a * 0.02, b * 0.33, a * 0.26, b * 0.10, "4a1d0c", h=4, gloss=0.95, thin=0.1)
    leaf(d, a * 0.62, b * 0.44, 84, 54, "5f9a3a", thick=2, wave=6, ruffle=0.2, gloss=0.4)


def shrimp(d, x, y, turn=None, s=1.0):
    """A curled, peeled shrimp."""
    rng = d.rng
    t = rng.uniform(0, 6.28) if turn is None else turn
    for i in range(15):
        q = i / 14
        ang = t + q * 3.9
        r = 30 * s
        px, py = x + r * math.cos(ang), y + r * math.sin(ang) * 0.92
        w = (16 - 8.5 * q**1.5) * s
        c = mix("f3c4a4", "e5805a", 0.5 + 0.5 * math.sin(i * 2.1))
        blob(d, px, py, w * 0.72, w, w * 1.5, vary(rng, c, 0.04), turn=ang + math.pi / 2, wob=0.02, gloss=0.8, sink=0.6, tilt=0.1)
    ang = t + 3.9 + 0.35
    for o in (-0.35, 0.3):
        blob(
            d,
            x + 33 * s * math.cos(ang),
            y + 31 * s * math.sin(ang),
            15 * s,
            6 * s,
            6,
            "d9552e",
            turn=ang + math.pi / 2 + o,
            wob=0.05,
            gloss=0.7,
        )


def aehobak(d, a, b):
    """애호박 새우볶음: courgette and shrimp."""
    rng = d.rng
    mound(d, a * 0.8, b * 0.8, 48, "a3a862")
    for x, y in spread(rng, many(54, a, b), a * 0.76, b * 0.76, jitter=0.7):
        courgette_piece(d, x, y, 43)
    dress(d, 14)
    for x, y in spread(rng, many(11, a, b), a * 0.64, b * 0.64, jitter=0.6):
        shrimp(d, x, y)
    for x, y in spread(rng, many(9, a, b), a * 0.6, b * 0.6, jitter=0.9):
        carrot_strip(d, x, y, 50, 5)
    sprinkle(d, sesame, many(100, a, b), a * 0.72, b * 0.72)


def gyeranjjim(d, a, b):
    """뚝배기 계란찜: steamed egg, risen above the rim."""
    rng = d.rng
    mound(d, a * 1.0, b * 1.0, max(20, d.rim * 1.0 - d.floor), "f2cb55", flat=4, grain=0.04, gloss=0.5)
    X, Y = d.grid()
    n = sample(tile(17), X / 300, Y / 300)
    m = (d.rho < 0.86) & (d.z > d.bare + d.k)
    d.z[m] += (n * 7 * d.k)[m]
    d.a[:] = np.where(m[..., None], mix(mix("f3cc58", "f7de88", smooth(-0.2, 0.7, n)), "d9a036", smooth(0.3, 0.8, -n) * 0.4), d.a)
    bubble_holes(d, 170, a * 0.92, b * 0.92)
    dress(d)
    sprinkle(d, lambda f, x, y: box(f, x, y, 6, 6, 3, vary(rng, "dd7426", 0.1), gloss=0.5), many(46, a, b), a * 0.74, b * 0.74)
    sprinkle(d, scallion, many(56, a, b), a * 0.62, b * 0.62)
    sprinkle(d, sesame, many(60, a, b), a * 0.6, b * 0.6)


def rice_ball(d, x, y, kind, r=82):
    """A rice ball: coated in seaweed flakes, in egg crumbs, or with anchovies and vegetables in it."""
    rng = d.rng
    blob(d, x, y, r, r * 0.96, r * 1.05, "f2eee2", wob=0.03, bump=0.03, gloss=0.35, base=d.floor)
    d.bed = None
    for _ in range(260 if kind != "laver" else 150):
        t, q = rng.uniform(0, 6.28), math.sqrt(rng.uniform(0, 0.97))
        px, py = x + r * q * math.cos(t), y + r * 0.96 * q * math.sin(t)
        blob(d, px, py, 8.4, 4.4, 4.4, vary(rng, "f6f3ea", 0.03), wob=0.04, gloss=0.45, sink=0.9, tilt=1.0)
    for _ in range(210 if kind == "laver" else 120 if kind == "egg" else 70):
        t, q = rng.uniform(0, 6.28), math.sqrt(rng.uniform(0, 0.98))
        px, py = x + r * q * math.cos(t), y + r * 0.96 * q * math.sin(t)
        if kind == "laver":
            blob(
                d,
                px,
                py,
                rng.uniform(5, 12),
                rng.uniform(3, 6),
                2,
                vary(rng, rng.choice(["1c2a1e", "24352a", "16211a"]), 0.2),
                wob=0.3,
                gloss=0.45,
                sink=0.8,
                tilt=1,
            )
        elif kind == "egg":
            blob(
                d, px, py, rng.uniform(5, 9), rng.uniform(4, 6), 4, vary(rng, "f4cd4e", 0.08), wob=0.3, gloss=0.4, sink=0.8, tilt=1
            )
        else:
            rng.choice(
                [
                    lambda: box(d, px, py, 5, 5, 3, "dd7426", gloss=0.5, sink=0.8),
                    lambda: blob(d, px, py, 13, 3, 4, "b98a52", gloss=0.6, sink=0.8, tilt=1),
                    lambda: box(d, px, py, 5, 4, 3, "5f9a3a", gloss=0.5, sink=0.8),
                ]
            )()


def jumeokbap(d, a, b):
    """한입 주먹밥: three kinds of rice balls."""
    rng = d.rng
    kinds = ["laver", "mixed", "egg"]
    cols = max(2, int(a * 1.70 / 150))
    rows = max(1, int(b * 1.7 / 150))
    for j in range(rows):
        for i in range(cols):
            x, y = -a * 0.88 + a * 1.76 * (i + 0.5) / cols, -b * 0.88 + b * 1.76 * (j + 0.5) / rows
            if d.square < 4 and (x / a) ** 2 + (y / b) ** 2 > 0.72:
                continue
            rice_ball(
                d, x + rng.uniform(-4, 4), y + rng.uniform(-4, 4), kinds[(i + j) % 3], 0.46 * min(1.76 * a / cols, 1.76 * b / rows)
            )
    dress(d)
    sprinkle(d, sesame, many(80, a, b), a * 0.8, b * 0.8)
