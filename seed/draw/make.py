#!/usr/bin/env python3
"""Paints the demo shop's pictures into seed/images. Without names: all of them."""

import argparse
import sys
import time
from pathlib import Path

from PIL import Image

from kitchen import details, picture, plan
from kitchen.views import placeholder

HERE = Path(__file__).resolve().parent
SHOTS = {"placeholder": placeholder, **plan.SHOTS}
ALL = [*SHOTS, *details.LONG]


def quality(name):
    """JPEG and WebP quality: the list's pictures best, the seed stays below 12 MB."""
    return 67 if name.endswith("-1") or name == "placeholder" else 62 if name in details.LONG else 57


def paint(name):
    """The finished picture."""
    if name in details.LONG:
        return details.LONG[name]()
    return SHOTS[name]().render(transparent=name in plan.PNG)


def save(im, name, folder):
    """Writes a picture in the format that the plan gives it."""
    path = folder / plan.file_name(name)
    if name in plan.PNG:
        if plan.PNG[name] == "palette":
            im = im.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        im.save(path, optimize=True)
    elif name in plan.WEBP:
        im.save(path, quality=quality(name), method=6)
    elif name in plan.TURNED:
        exif = Image.Exif()
        exif[0x0112] = 6
        im.transpose(Image.Transpose.ROTATE_90).save(path, quality=quality(name), optimize=True, exif=exif)
    else:
        im.save(path, quality=quality(name), optimize=True)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="for instance galbi-1")
    parser.add_argument("--out", type=Path, default=HERE.parent / "images", help="folder (default: %(default)s)")
    parser.add_argument("--draft", action="store_true", help="half size, quickly, as PNG")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    args = parser.parse_args()
    if args.list:
        print("\n".join(ALL))
        return
    unknown = [n for n in args.names if n not in ALL]
    if unknown:
        parser.error(f"no such picture: {', '.join(unknown)}")
    args.out.mkdir(parents=True, exist_ok=True)
    picture.DRAFT = args.draft
    for name in args.names or ALL:
        begun = time.time()
        im = paint(name)
        if args.draft:
            path = args.out / f"{name}.png"
            im.save(path)
        else:
            path = save(im, name, args.out)
        print(f"{path.name}: {path.stat().st_size:,} bytes, {time.time() - begun:.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
