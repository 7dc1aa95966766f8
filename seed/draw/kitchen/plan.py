"""The list of pictures: file name → how to take it. One row a product for the first picture, then the further views."""

from .views import assortment, both, chillies, close, cloth, garlic, herbs, hero, laid, metal, pack, rings, spoon, sticks, top

# key: (ware, table, tilt, props, further options)
HEROES = {
    "galbi": (("coupe", "white", 372), "oak", 40, both(sticks, herbs), {}),
    "jeyuk": (("plate", "navy", 392, 350), "linen", 36, both(cloth("c9836b"), sticks), {}),
    "dakgalbi": (("pan", "iron", 372), "slate", 42, herbs, {}),
    "bulgogi": (("pan", "brass", 372), "walnut", 38, rings, {}),
    "ojingeo": (("coupe", "cream", 392, 340), "sage", 40, both(chillies, sticks), {}),
    "godeungeo": (("coupe", "moss", 400, 340), "ash", 38, both(cloth("e9dfcc", "7d93a6"), rings), {}),
    "japchae": (("plate", "celadon", 388), "linen", 36, both(sticks, herbs), {"azimuth": 300}),
    "jeon": (("slab", "wood", 440, 330), "stripe", 32, sticks, {"zoom": 1.0}),
    "miyeok": (("deep", "white", 322), "blue", 40, spoon, {}),
    "doenjang": (("pot", "stone", 350), "oak", 40, both(spoon, chillies), {}),
    "kimchijjigae": (("pot", "onggi", 350), "ash", 42, both(cloth("7d93a6"), spoon), {}),
    "tteokmanduguk": (("deep", "navy", 330), "cream", 38, spoon, {}),
    "sundubu": (("pot", "stone", 350), "red", 40, both(spoon, rings), {}),
    "yukgaejang": (("deep", "onggi", 330), "linen", 40, both(cloth("b5493a"), garlic), {}),
    "hwangtae": (("deep", "celadon", 330), "grey", 40, both(spoon, rings), {}),
    "budae": (("pan", "iron", 392), "oak", 36, rings, {"zoom": 1.0}),
    "jangjorim": (("bowl", "white", 322), "sage", 42, both(sticks, garlic), {}),
    "kongnamul": (("bowl", "navy", 322), "cream", 40, both(sticks, rings), {}),
    "sigeumchi": (("coupe", "cream", 356), "walnut", 40, both(sticks, herbs), {}),
    "myeolchi": (("coupe", "white", 356), "mustard", 40, sticks, {}),
    "kongjorim": (("bowl", "celadon", 316), "linen", 42, both(cloth("6e7b58"), sticks), {}),
    "eomuk": (("coupe", "sky", 366), "oak", 38, both(sticks, rings), {}),
    "gyeranmari": (("slab", "wood", 420, 262), "blue", 38, sticks, {"zoom": 1.06}),
    "yeongeun": (("plate", "moss", 380), "stone", 38, both(sticks, herbs), {}),
    "poggi": (("square", "white", 368, 296), "slate", 38, chillies, {"zoom": 1.12}),
    "kkakdugi": (("bowl", "onggi", 330), "linen", 40, both(cloth("c9836b"), sticks), {}),
    "chonggak": (("coupe", "sand", 396, 350), "walnut", 38, garlic, {}),
    "oisobagi": (("plate", "white", 356), "mint", 40, chillies, {"zoom": 1.12}),
    "nabak": (("deep", "white", 330), "pink", 38, spoon, {}),
    "pakimchi": (("plate", "cream", 400, 336), "oak", 38, both(sticks, garlic), {}),
    "myeongnan": (("square", "navy", 356, 290), "marble", 38, both(sticks, rings), {"zoom": 1.12}),
    "ojingeojeot": (("bowl", "sky", 318), "ash", 42, both(sticks, chillies), {}),
    "bibimbap": (("deep", "stone", 346), "red", 36, metal, {}),
    "deopbap": (("deep", "navy", 340), "ash", 38, sticks, {}),
    "jeonbokjuk": (("deep", "celadon", 336), "linen", 40, spoon, {}),
    "tteokbokki": (("pan", "iron", 380), "mustard", 38, rings, {}),
    "gimbap": (("slab", "wood", 430, 320), "sage", 38, both(sticks, herbs), {"zoom": 1.0}),
    "mandu": (("round", "wood", 356), "slate", 38, both(sticks, rings), {"zoom": 1.12}),
    "nabe": (("pan", "iron", 392), "linen", 36, both(cloth("6e7b58"), herbs), {"zoom": 1.0}),
    "bibimguksu": (("deep", "white", 340), "blue", 38, metal, {}),
    "tteokgalbi": (("plate", "rose", 384), "cream", 38, sticks, {}),
    "dubu": (("square", "celadon", 350, 286), "oak", 38, both(sticks, rings), {"zoom": 1.14}),
    "mechurial": (("bowl", "rose", 318), "mint", 42, sticks, {}),
    "gamja": (("coupe", "navy", 360), "pink", 38, both(sticks, herbs), {}),
    "donkatsu": (("plate", "white", 400), "stripe", 36, both(cloth("d9b46a"), herbs), {}),
    "aehobak": (("coupe", "sand", 366), "mint", 38, sticks, {}),
    "gyeranjjim": (("pot", "stone", 340), "pink", 40, spoon, {}),
    "jumeokbap": (("square", "sky", 346, 340), "mustard", 38, herbs, {"zoom": 1.12}),
}

SETS = {
    "set-home": (("kongnamul", "sigeumchi", "eomuk", "yeongeun"), "kraft", "linen", (2, 2)),
    "set-six": (("jangjorim", "gyeranmari", "myeolchi", "kkakdugi", "gamja", "kongjorim"), "black", "oak", (3, 2)),
    "set-kids": (("tteokgalbi", "dubu", "aehobak", "mechurial"), "clear", "mint", (2, 2)),
    "set-meat": (("galbi", "bulgogi", "jeyuk", "dakgalbi"), "black", "walnut", (2, 2)),
}

# file name (without its kind): a function of nothing that gives the scene
SHOTS = {}
for _key, (_ware, _table, _tilt, _props, _more) in HEROES.items():
    SHOTS[f"{_key}-1"] = lambda key=_key, ware=_ware, t=_table, tilt=_tilt, props=_props, more=_more: hero(
        key, ware, t, tilt, props, **more
    )
for _key, (_keys, _glaze, _table, _grid) in SETS.items():
    SHOTS[f"{_key}-1"] = lambda name=_key, keys=_keys, g=_glaze, t=_table, grid=_grid: assortment(keys, g, t, grid, name)


def _close(key, table=None, **kw):
    ware = HEROES[key][0]
    SHOTS[f"{key}-close"] = lambda: close(key, ware, table or HEROES[key][1], **kw)


def _top(key, ware, table, **kw):
    SHOTS[f"{key}-top"] = lambda: top(key, ware, table, **kw)


def _pack(key, title, glaze="kraft", table="cream"):
    SHOTS[f"{key}-pack"] = lambda: pack(key, title, glaze, table)


def _laid(key, table, side=("kongnamul", "sigeumchi"), ware=None, **kw):
    SHOTS[f"{key}-table"] = lambda: laid(key, ware or HEROES[key][0], table, side=side, **kw)


for _key in (
    "galbi",
    "godeungeo",
    "japchae",
    "kimchijjigae",
    "yeongeun",
    "oisobagi",
    "myeongnan",
    "bibimbap",
    "tteokbokki",
    "dubu",
):
    _close(_key)
_close("gyeranmari", at=(-80, 60))
_close("gimbap", at=(-60, 60))
_close("tteokgalbi", at=(-40, 20))
_close("donkatsu", at=(60, 30))
_top("galbi", ("coupe", "celadon", 430), "slate")
_top("dakgalbi", ("pan", "iron", 430), "oak")
_top("ojingeo", ("plate", "navy", 430), "marble")
_top("jeon", ("square", "white", 440, 420), "red")
_top("doenjang", ("pot", "onggi", 420), "cream")
_top("budae", ("pan", "iron", 430), "slate")
_top("bibimbap", ("pan", "brass", 430), "walnut")
_top("nabe", ("pan", "iron", 440), "cream")
_top("gyeranjjim", ("pot", "onggi", 420), "stripe")
_top("jumeokbap", ("tray", "clear", 346, 346), "pink", zoom=1.22)
_pack("galbi", "소갈비찜", "black")
_pack("bulgogi", "서울식 소불고기", "black", "ash")
_pack("jeyuk", "불맛 제육볶음", "kraft", "linen")
_pack("kongnamul", "콩나물무침")
_pack("gyeranmari", "도톰 계란말이", "kraft", "sage")
_pack("jangjorim", "소고기 장조림", "black", "cream")
_pack("poggi", "포기김치", "clear", "linen")
_pack("kkakdugi", "서울 깍두기", "clear", "stone")
_pack("tteokgalbi", "한입 떡갈비", "kraft", "mint")
_laid("galbi", "oak", ("japchae", "sigeumchi"))
_laid("bulgogi", "linen", ("kkakdugi", "kongnamul"))
_laid("miyeok", "ash", ("poggi", "gyeranmari"))
_laid("doenjang", "linen", ("myeolchi", "sigeumchi"))
_laid("sundubu", "ash", ("eomuk", "kongnamul"))
_laid("bibimbap", "stripe", ("kkakdugi", "kongjorim"))
_laid("poggi", "walnut", ("jangjorim", "kongnamul"))
_laid("donkatsu", "pink", ("gamja", "mechurial"))
SHOTS["set-home-top"] = lambda: assortment(
    SETS["set-home"][0], "kraft", "sage", (2, 2), "set-home-top", tilt=0, width=1200, height=900
)
SHOTS["set-six-top"] = lambda: assortment(
    SETS["set-six"][0], "black", "linen", (3, 2), "set-six-top", tilt=0, width=1200, height=900
)
SHOTS["set-kids-top"] = lambda: assortment(
    SETS["set-kids"][0], "clear", "mustard", (2, 2), "set-kids-top", tilt=0, width=1200, height=900
)

# What is not a plain JPEG: PNG with an alpha channel, WebP, and one JPEG whose pixels lie on their side (EXIF orientation 6).
PNG = {"mandu-1": "rgba", "kkakdugi-1": "palette"}
WEBP = {"yeongeun-1", "oisobagi-close", "budae-top"}
TURNED = {"bibimguksu-1"}


def file_name(shot):
    return f"{shot}.{'png' if shot in PNG else 'webp' if shot in WEBP else 'jpg'}"
