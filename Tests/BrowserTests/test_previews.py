"""The blurred previews: what the server encodes and the page decodes, beside the pictures themselves."""

import struct
import zlib

import pytest

#: Paints a preview, and the picture at the same size, and returns both as pixels; the preview as well on white, as it is shown.
COMPARE = """async ([placeholder, path]) => {
  const { paintThumbHash } = await import('/app/thumbhash.js');
  const preview = document.createElement('canvas');
  if (!paintThumbHash(preview, placeholder)) return null;
  const { width, height } = preview;
  const onWhite = new OffscreenCanvas(width, height);
  const ground = onWhite.getContext('2d');
  ground.fillStyle = '#fff';
  ground.fillRect(0, 0, width, height);
  ground.drawImage(preview, 0, 0);
  const image = new Image();
  image.src = path;
  await image.decode();
  // Half by half: one step to so few pixels would skip most of them.
  let shown = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  shown.getContext('2d').drawImage(image, 0, 0);
  while (shown.width > 2 * width) {
    const half = new OffscreenCanvas(Math.ceil(shown.width / 2), Math.ceil(shown.height / 2));
    half.getContext('2d').drawImage(shown, 0, 0, half.width, half.height);
    shown = half;
  }
  const small = new OffscreenCanvas(width, height);
  small.getContext('2d').drawImage(shown, 0, 0, width, height);
  const pixels = (canvas) => Array.from(canvas.getContext('2d').getImageData(0, 0, width, height).data);
  return {width, height, transparent: pixels(preview), preview: pixels(onWhite), picture: pixels(small)};
}"""


def colours(pixels):
    return [pixels[index:index + 3] for index in range(0, len(pixels), 4)]


def mean(pixels):
    found = colours(pixels)
    return [sum(colour[channel] for colour in found) / len(found) for channel in range(3)]


def blurred(pixels, width, height, across=6):
    """The mean colours of so many columns, and as many rows: about what a hash can hold."""
    found = [[] for _ in range(across * across)]
    for place, colour in enumerate(colours(pixels)):
        row, column = divmod(place, width)
        found[row * across // height * across + column * across // width].append(colour)
    return [[sum(colour[channel] for colour in cell) / len(cell) for channel in range(3)] for cell in found]


def distance(one, other):
    """The mean difference of two blurred pictures, in steps of 255."""
    return sum(abs(a - b) for first, second in zip(one, other) for a, b in zip(first, second)) / (len(one) * 3)


def test_previews(shop, visit):
    """Every picture's preview has its shape and its mean colour, and looks more like it than other pictures do."""
    page = visit().go(shop.url)

    def known():
        product = shop.json("/api/v1/products/HBDEF")["product"]
        summaries = [one for section in shop.json("/api/v1/catalog")["sections"] for one in section["products"]]
        images = {image["id"]: image for image in [one["image"] for one in summaries] + product["images"] + product["details"]}
        return images if all(image["placeholder"] for image in images.values()) else None

    images = shop.until(known)
    found = []
    for image in images.values():
        result = page.evaluate(COMPARE, [image["placeholder"], image["urls"]["thumb"].removeprefix(shop.url)])
        assert result, image["id"]
        ratio, shown = image["width"] / image["height"], result["width"] / result["height"]
        # A hash knows a side in sevenths.
        assert abs(ratio - shown) / ratio < 0.2, image["id"]
        apart = max(abs(a - b) for a, b in zip(mean(result["preview"]), mean(result["picture"])))
        assert apart < 8, f"{image['id']}: mean colours are {apart:.1f} apart"
        if min(result["transparent"][3::4]) == 255:
            colour = [int(image["color"][place:place + 2], 16) for place in (1, 3, 5)]
            assert max(abs(a - b) for a, b in zip(mean(result["picture"]), colour)) < 4, image["id"]
        found.append([blurred(result[kind], result["width"], result["height"]) for kind in ("preview", "picture")])
    own = [distance(preview, picture) for preview, picture in found]
    print(f"\n{len(found)} previews: {sum(own) / len(own):.1f} steps of 255 from their pictures, at worst {max(own):.1f}")
    # Five waves of each colour difference overshoot where a dish is red in the middle of a pale table.
    assert max(own) < 30 and sum(own) / len(own) < 16
    # The same dish from another side may be as near.
    ranks = [sum(distance(preview, other) < apart for _, other in found) for (preview, _), apart in zip(found, own)]
    print(f"of {len(found)} pictures, as many are nearer to a preview than its own: {sorted(ranks)}")
    assert sum(rank == 0 for rank in ranks) > len(ranks) * 0.8 and max(ranks) < len(ranks) * 0.2


def png(width, height, pixel):
    """A PNG with alpha; `pixel` gives four bytes for a place."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


@pytest.mark.parametrize("width, height", [(240, 160), (160, 240)])
def test_transparent(own_shop, visit, width, height):
    """The preview of a transparent picture is transparent where the picture is, and has its colour where it is not."""
    def disc(x, y):
        is_inside = (x - width / 2) ** 2 + (y - height / 2) ** 2 < 60 ** 2
        return (200, 40, 30, 255) if is_inside else (0, 0, 0, 0)

    def change(catalog):
        catalog["products"] = catalog["products"][:1]
        catalog["collections"] = []
        catalog["products"][0]["image"] = "disc.png"
        for key in ("images", "details"):
            catalog["products"][0].pop(key, None)

    shop = own_shop(change, before=lambda seed: (seed / "disc.png").write_bytes(png(width, height, disc)))
    page = visit().go(shop.url)
    image = shop.until(lambda: (image := shop.json("/api/v1/products/HBDEF")["product"]["image"])["placeholder"] and image)
    result = page.evaluate(COMPARE, [image["placeholder"], image["urls"]["thumb"].removeprefix(shop.url)])
    pixels, across = result["transparent"], result["width"]
    assert (result["width"] > result["height"]) == (width > height)
    corner, middle = pixels[:4], pixels[4 * (across * (result["height"] // 2) + across // 2):][:4]
    assert corner[3] < 60 and middle[3] > 200
    assert middle[0] > 150 and middle[1] < 90 and middle[2] < 90
