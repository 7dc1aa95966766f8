#!/usr/bin/env python3
"""Pillow as the oracle for derived pictures.

    oracle.py make DIR      pictures of every kind, and beside each NAME.truth.png: what it shows, upright, in sRGB
    oracle.py compare DIR   for each NAME.derived.EXT: a line "NAME WIDTH HEIGHT DIFFERENCE", the mean over all
                            channels of how far it is from the truth resized and encoded by Pillow, of 255
"""
import io
import struct
import subprocess
import sys
import zlib
from pathlib import Path

from PIL import Image, ImageChops, ImageCms, ImageDraw, ImageOps

SRGB = ImageCms.createProfile("sRGB")


def scene(width, height):
    """A picture that has everything: gradients, edges, colours that differ in every corner."""
    across = Image.linear_gradient("L").rotate(90).resize((width, height))
    down = Image.linear_gradient("L").resize((width, height))
    round_ = Image.radial_gradient("L").resize((width, height))
    picture = Image.merge("RGB", (across, down, round_))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((width // 10, height // 10, width // 3, height // 3), fill=(220, 30, 40))
    draw.ellipse((width // 2, height // 3, width * 9 // 10, height * 8 // 10), fill=(250, 210, 60), outline=(0, 90, 30))
    for step in range(0, width, max(12, width // 24)):
        draw.line((step, height, width, height - step // 2), fill=(20, 60, 160), width=max(2, width // 200))
    return picture


def mask(width, height):
    """Opaque in the middle, transparent at the edges, with a soft border and a hard one."""
    alpha = ImageOps.invert(Image.radial_gradient("L").resize((width, height)))
    ImageDraw.Draw(alpha).rectangle((0, 0, width // 4, height // 4), fill=0)
    ImageDraw.Draw(alpha).rectangle((width // 2, height // 2, width * 3 // 4, height * 3 // 4), fill=255)
    return alpha


# Colour profiles, written by hand: three primaries and a gamma, or a table of inks.


def fixed(value):
    return struct.pack(">i", round(value * 65536))


def profile(space, connection, kind, tags):
    tags = [(b"desc", b"desc" + bytes(4) + struct.pack(">I", 5) + b"test\0" + bytes(78)),
            (b"cprt", b"text" + bytes(4) + b"none\0"),
            (b"wtpt", b"XYZ " + bytes(4) + fixed(0.9642) + fixed(1) + fixed(0.8249))] + tags
    table, body, offset = b"", b"", 128 + 4 + 12 * len(tags)
    for name, content in tags:
        padded = content + bytes(-len(content) % 4)
        table += name + struct.pack(">II", offset + len(body), len(content))
        body += padded
    head = struct.pack(">I4sI4s4s4s", offset + len(body), b"test", 0x02400000, kind, space, connection)
    head += struct.pack(">6H", 2024, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + fixed(0.9642) + fixed(1) + fixed(0.8249)
    return head + bytes(128 - len(head)) + struct.pack(">I", len(tags)) + table + body


def rgb_profile(red, green, blue, gamma):
    curve = b"curv" + bytes(4) + struct.pack(">IH", 1, round(gamma * 256))
    columns = zip((b"rXYZ", b"gXYZ", b"bXYZ"), (red, green, blue))
    tags = [(name, b"XYZ " + bytes(4) + b"".join(map(fixed, xyz))) for name, xyz in columns]
    return profile(b"RGB ", b"XYZ ", b"mntr", tags + [(name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")])


def gray_profile(gamma):
    curve = b"curv" + bytes(4) + struct.pack(">IH", 1, round(gamma * 256))
    return profile(b"GRAY", b"XYZ ", b"mntr", [(b"kTRC", curve)])


def cmyk_profile():
    """Inks of a press: each corner of the table is what those inks look like on paper, in Lab."""
    def lab(c, m, y, k):
        light = 95 * (1 - 0.85 * k) * (1 - 0.4 * c) * (1 - 0.5 * m) * (1 - 0.08 * y)
        return light, (-35 * c + 70 * m) * (1 - k), (-45 * c - 5 * m + 85 * y) * (1 - k)
    table = b""
    for node in range(16):
        inks = [node >> shift & 1 for shift in (3, 2, 1, 0)]
        light, a, b = lab(*inks)
        table += bytes((round(light * 2.55), round(max(-128, min(127, a))) + 128, round(max(-128, min(127, b))) + 128))
    line = bytes(range(256))
    identity = b"".join(fixed(v) for v in (1, 0, 0, 0, 1, 0, 0, 0, 1))
    lut = b"mft1" + bytes(4) + bytes((4, 3, 2, 0)) + identity + line * 4 + table + line * 3
    return profile(b"CMYK", b"Lab ", b"prtr", [(b"A2B0", lut)])


DISPLAY_P3 = rgb_profile((0.51512, 0.2412, -0.00105), (0.29198, 0.69225, 0.04189), (0.1571, 0.06657, 0.78407), 2.2)
ADOBE_RGB = rgb_profile((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457), 2.2)


def shown(picture, icc=None):
    """A picture as it is to look: upright, in sRGB."""
    icc = icc or picture.info.get("icc_profile")
    picture = ImageOps.exif_transpose(picture)
    alpha = None
    if picture.mode in ("P", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
    if picture.mode in ("RGBA", "LA"):
        alpha = picture.getchannel("A")
        picture = picture.convert("RGB" if picture.mode == "RGBA" else "L")
    if icc:
        picture = ImageCms.profileToProfile(
            picture, ImageCms.ImageCmsProfile(io.BytesIO(icc)), SRGB, renderingIntent=0, outputMode="RGB")
    picture = picture.convert("RGB")
    if alpha is not None:
        picture.putalpha(alpha)
    return picture


# PNGs of kinds that Pillow does not write.


def png(width, height, depth, kind, rows, interlaced=False, chunks=()):
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, int(interlaced))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + b"".join(chunk(*c) for c in chunks)
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def deep(picture):
    """16 bit a channel."""
    data = b"".join(struct.pack(">H", value * 257) for value in picture.tobytes())
    stride = picture.width * 6
    rows = b"".join(b"\0" + data[y * stride:(y + 1) * stride] for y in range(picture.height))
    return png(picture.width, picture.height, 16, 2, rows)


def interlaced(picture):
    """Adam7."""
    rows, channels = b"", len(picture.getbands())
    for x0, y0, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
        for y in range(y0, picture.height, dy):
            line = b"".join(bytes(picture.getpixel((x, y))) for x in range(x0, picture.width, dx))
            rows += b"\0" + line if line else b""
    return png(picture.width, picture.height, 8, 6 if channels == 4 else 2, rows, interlaced=True)


def exif(orientation):
    data = Image.Exif()
    data[0x0112] = orientation
    return data.tobytes()


def without_adobe_marker(data):
    at = data.index(b"\xff\xee")
    return data[:at] + data[at + 2 + struct.unpack(">H", data[at + 2:at + 4])[0]:]


def ycck(picture):
    """As Photoshop writes CMYK: inks as if they were light, in luma and chroma, and inverted."""
    c, m, y, k = picture.split()
    luma = Image.merge("RGB", (c, m, y)).convert("YCbCr").split()
    stored = Image.merge("CMYK", [ImageChops.invert(plane) for plane in luma] + [k])
    out = io.BytesIO()
    stored.save(out, "JPEG", quality=95)
    data = bytearray(out.getvalue())
    at = data.index(b"\xff\xee")
    data[at + 4 + 11] = 2
    return bytes(data)


def make(folder):
    def keep(name, data, truth=None):
        (folder / name).write_bytes(data)
        if truth is None:
            truth = shown(Image.open(io.BytesIO(data)))
        truth.save(folder / f"{name}.truth.png", compress_level=1)

    def save(name, picture, kind=None, truth=None, **options):
        out = io.BytesIO()
        picture.save(out, kind or {"jpg": "JPEG", "png": "PNG", "webp": "WEBP"}[name.rsplit(".", 1)[1]], **options)
        keep(name, out.getvalue(), truth)
        return out.getvalue()

    plain = scene(800, 600)
    for name, subsampling in (("444", 0), ("422", 1), ("420", 2)):
        save(f"baseline-{name}.jpg", plain, quality=90, subsampling=subsampling)
    save("large.jpg", scene(2400, 1800), quality=90)
    save("progressive.jpg", plain, quality=90, progressive=True)
    save("gray.jpg", plain.convert("L"), quality=90)
    save("gray-profile.jpg", plain.convert("L"), quality=90, icc_profile=gray_profile(1.4))
    data = save("rough.jpg", plain, quality=30)
    arithmetic = subprocess.run(["jpegtran", "-arithmetic"], input=data, capture_output=True, check=True).stdout
    keep("arithmetic.jpg", arithmetic, shown(Image.open(io.BytesIO(data))))
    for orientation in range(1, 9):
        save(f"orientation-{orientation}.jpg", scene(900, 600), quality=90, exif=exif(orientation))
    save("display-p3.jpg", plain, quality=90, icc_profile=DISPLAY_P3)
    save("adobe-rgb.jpg", plain, quality=90, icc_profile=ADOBE_RGB)
    save("no-profile-in-profile.jpg", plain, quality=90, icc_profile=b"none" * 40, truth=plain)
    save("profile-of-other-pixels.jpg", plain, quality=90, icc_profile=cmyk_profile(), truth=plain)

    ink = plain.convert("CMYK")
    black = Image.linear_gradient("L").resize(ink.size)
    ink = Image.merge("CMYK", ink.split()[:3] + (black,))
    inverted = io.BytesIO()
    save("cmyk-adobe.jpg", ink, quality=92, truth=ink.convert("RGB"))
    save("cmyk-adobe-profile.jpg", ink, quality=92, icc_profile=cmyk_profile())
    ImageChops.invert(ink).save(inverted, "JPEG", quality=92)
    keep("cmyk.jpg", without_adobe_marker(inverted.getvalue()), ink.convert("RGB"))
    inverted = io.BytesIO()
    ImageChops.invert(ink).save(inverted, "JPEG", quality=92, icc_profile=cmyk_profile())
    keep("cmyk-profile.jpg", without_adobe_marker(inverted.getvalue()), shown(ink, cmyk_profile()))
    keep("ycck.jpg", ycck(ink), ink.convert("RGB"))

    clear = plain.copy()
    clear.putalpha(mask(*plain.size))
    save("rgb.png", plain)
    save("alpha.png", clear)
    save("palette.png", plain.quantize(64))
    save("palette-transparent.png", plain.quantize(16), transparency=3)
    save("one-bit.png", plain.convert("1"))
    save("gray.png", plain.convert("L"))
    save("gray-alpha.png", Image.merge("LA", (plain.convert("L"), mask(*plain.size))))
    save("transparent-color.png", plain.quantize(8).convert("RGB"), transparency=plain.quantize(8).convert("RGB").getpixel((5, 5)))
    keep("sixteen-bit.png", deep(plain), plain)
    small = scene(403, 301)
    keep("interlaced.png", interlaced(small), small)
    see_through = small.copy()
    see_through.putalpha(mask(*small.size))
    keep("interlaced-alpha.png", interlaced(see_through), see_through)
    save("display-p3.png", plain, icc_profile=DISPLAY_P3)
    save("turned.png", scene(900, 600), exif=exif(6))

    save("lossy.webp", plain, quality=90)
    save("lossless.webp", plain, lossless=True)
    save("lossy-alpha.webp", clear, quality=90)
    save("lossless-alpha.webp", clear, lossless=True, exact=True)
    save("turned.webp", scene(900, 600), quality=90, exif=exif(8))
    save("display-p3.webp", plain, quality=90, icc_profile=DISPLAY_P3)

    save("one-pixel.jpg", Image.new("RGB", (1, 1), (200, 100, 50)), quality=95)
    save("one-pixel.png", Image.new("RGBA", (1, 1), (200, 100, 50, 128)))
    save("one-pixel.webp", Image.new("RGB", (1, 1), (200, 100, 50)), lossless=True)
    save("narrower.jpg", scene(200, 150), quality=90)
    save("exactly.jpg", scene(320, 240), quality=90)
    save("one-more.png", scene(321, 241))
    save("odd.jpg", scene(1601, 1067), quality=90)
    save("wide.jpg", scene(16383, 64), quality=90)
    save("tall.jpg", scene(640, 16383), quality=90)
    save("line.png", scene(16383, 1))


def compare(folder):
    for path in sorted(folder.glob("*.truth.png")):
        name = path.name[: -len(".truth.png")]
        for derived in sorted(folder.glob(f"{name}.derived.*")):
            ours = Image.open(derived)
            truth = Image.open(path)
            if ours.mode == "RGBA" and truth.mode != "RGBA":
                sys.exit(f"{name} has an alpha channel from nowhere")
            if truth.mode == "RGBA":
                truth = truth.convert("RGBa").resize(ours.size, Image.BICUBIC).convert("RGBA")
                white = Image.new("RGBA", ours.size, (255, 255, 255, 255))
                if ours.mode == "RGBA":
                    difference = ImageChops.difference(ours.getchannel("A"), truth.getchannel("A"))
                    print(f"{derived.name}(alpha)", *ours.size, f"{mean(difference):.3f}")
                    ours = Image.alpha_composite(white, ours)
                truth = Image.alpha_composite(white, truth)
            else:
                truth = truth.resize(ours.size, Image.BICUBIC)
            truth = written(truth.convert("RGB"), derived.suffix)
            difference = ImageChops.difference(ours.convert("RGB"), truth)
            print(derived.name, *ours.size, f"{mean(difference):.3f}")


def written(picture, suffix):
    """What is left of a picture after it was encoded as ours was: what encoding loses is no fault of ours."""
    if suffix == ".png":
        return picture
    out = io.BytesIO()
    if suffix == ".webp":
        picture.save(out, "WEBP", quality=78)
    else:
        picture.save(out, "JPEG", quality=80, subsampling=2)
    return Image.open(out).convert("RGB")


def mean(difference):
    bands = difference.split()
    total = sum(sum(value * count for value, count in enumerate(band.histogram())) for band in bands)
    return total / (len(bands) * difference.width * difference.height)


if __name__ == "__main__":
    {"make": make, "compare": compare}[sys.argv[1]](Path(sys.argv[2]))
