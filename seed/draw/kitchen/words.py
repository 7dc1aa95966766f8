"""Korean text in pictures. The only font used is Nanum (Debian package fonts-nanum, SIL Open Font License 1.1)."""

from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

FOLDER = Path("/usr/share/fonts/truetype/nanum")


@lru_cache(maxsize=64)
def font(size, bold=True):
    path = FOLDER / ("NanumSquareRoundB.ttf" if bold else "NanumSquareRoundR.ttf")
    if not path.exists():
        raise SystemExit(f"{path} is missing: install the Debian package fonts-nanum")
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


def centred(draw, x, y, text, size, fill, bold=True):
    draw.text((x, y), text, font=font(size, bold), fill=fill, anchor="mm")


def wrap(text, size, width, bold=False):
    """Breaks text at spaces so that no line is wider than `width`."""
    f, lines, line = font(size, bold), [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and f.getlength(longer) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return lines + [line]
