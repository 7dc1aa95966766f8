#!/usr/bin/env python3
"""Checks a seed folder: canonical JSON, references, ids, lengths, prices, galleries, NFC, bytes. `check.py [FOLDER]`"""

import json
import os
import re
import sys
import unicodedata

root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
raw = open(f"{root}/catalog.json", "rb").read().decode("utf-8")
cat = json.loads(raw)
faults = []


def need(ok, what):
    if not ok:
        faults.append(what)


need(raw == json.dumps(cat, ensure_ascii=False, indent=2) + "\n", "not canonical")
need(raw == unicodedata.normalize("NFC", raw), "not NFC")
need([*cat] == ["shop", "sections", "products", "collections"], "top keys")
need(
    [*cat["shop"]] == ["name", "placeholder", "delivery"] and [*cat["shop"]["delivery"]] == ["types", "info", "fee", "freeFrom"],
    "shop keys",
)
KEYS = "id section title description alt price listPrice badges deliveryTypes status stock image images details notices delivery".split()
KNOWN = dict(
    main="HBDEF HDF73 HF778 HFB53 H077F H4665 H1AA9 HEDFB",
    soup="H72C3 HA6EE H8CD0 HE2E9 HAA47 H3254 H26C7 HFFF9",
    side="HBBCC H1939 H8EA5 H602F H9F0B H0FC6 HCCFE HB9C1",
)
BEST = [
    ("17011200", "할인특가 세트상품"),
    ("17011000", "풍성한 고기반찬"),
    ("17011100", "바다향가득 반찬"),
    ("17010200", "편리한 반찬세트"),
    ("17010300", "간편한 덮밥요리"),
    ("17011400", "우리아이영양반찬"),
]
ps = cat["products"]
ids = [p["id"] for p in ps]
secs = [s["id"] for s in cat["sections"]]
need(len(set(ids)) == len(ids), "double ids")
need(len(set(p["title"] for p in ps)) == len(ps), "double titles")
for s in cat["sections"]:
    need([*s] == ["id", "name", "title"], f"section keys {s}")
for k, v in KNOWN.items():
    need([p["id"] for p in ps if p["section"] == k] == v.split(), f"hashes {k}")
refs = {cat["shop"]["placeholder"]}
for p in ps:
    i = p["id"]
    need([*p] == [k for k in KEYS if k in p], f"{i} keys {[*p]}")
    need(re.fullmatch(r"[A-Za-z0-9_-]{1,32}", i), f"{i} id")
    need(p["section"] in secs, f"{i} section")
    need(1 <= len(p["title"]) <= 100 and len(p["description"]) <= 500, f"{i} lengths")
    need(p.get("alt") != p["title"], f"{i} alt is title")
    need(type(p["price"]) is int and p["price"] >= 0, f"{i} price")
    need("listPrice" not in p or p["listPrice"] > p["price"], f"{i} listPrice")
    need(set(p.get("badges", [])) <= {"launch", "event", "main", "best"} and p.get("badges") != [], f"{i} badges")
    need(
        "deliveryTypes" not in p
        or (
            p["deliveryTypes"]
            and set(p["deliveryTypes"]) <= {"dawn", "parcel"}
            and p["deliveryTypes"] != cat["shop"]["delivery"]["types"]
        ),
        f"{i} deliveryTypes",
    )
    need(p.get("status", "x") in ("x", "soldOut", "hidden"), f"{i} status")
    need("images" not in p or (1 <= len(p["images"]) <= 5 and p["images"] != [p["image"]]), f"{i} images")
    need(p.get("details") != [], f"{i} details")
    need(len(p.get("notices", [])) >= 5, f"{i} notices")
    for n in p["notices"]:
        need([*n] == ["label", "value"] and n["value"], f"{i} notice {n}")
    refs |= {p["image"], *p.get("images", []), *p.get("details", [])}
need([(c["id"], c["name"]) for c in cat["collections"]] == BEST, "collections")
for c in cat["collections"]:
    need(
        c["products"] and len(set(c["products"])) == len(c["products"]) and set(c["products"]) <= set(ids), f"collection {c['id']}"
    )
for r in refs:
    need(re.fullmatch(r"images/[a-z0-9-]+\.(jpg|png|webp)", r) and os.path.isfile(f"{root}/{r}"), f"ref {r}")
files = {f"images/{f}" for f in os.listdir(f"{root}/images")}
need(files == refs, f"unreferenced {sorted(files - refs)}")
total = sum(os.path.getsize(f"{root}/{f}") for f in files)
need(total <= 12_000_000, f"bytes {total}")
print(f"{len(ps)} products, {len(secs)} sections, {len(files)} pictures, {total} bytes, {len(faults)} faults")
for f in faults:
    print(" ", f)
sys.exit(3 if faults else 0)
