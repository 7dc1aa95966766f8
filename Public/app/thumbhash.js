// Draws the blurred preview that a ThumbHash stands for: some twenty bytes that hold the lowest frequencies of a picture,
// as brightness (L) and two colour differences (P: yellow against blue, Q: red against green), each a constant and a few
// cosine waves of four bits.

/** Reads bits from the lowest of a byte sequence up. */
function bits(bytes, start, count) {
  let value = 0;
  for (let index = 0; index < count; index += 1) {
    const place = start + index;
    value |= ((bytes[place >> 3] >> (place & 7)) & 1) << index;
  }
  return value;
}

/** The waves that a channel of so many columns and rows has: the triangle of lower frequencies, without the constant. */
function waves(columns, rows) {
  const found = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = row === 0 ? 1 : 0; column * rows < columns * (rows - row); column += 1) found.push([column, row]);
  }
  return found;
}

/**
 * Paints the preview onto a canvas, which gets a size of its own.
 * Returns what else the hash says of the picture: whether it is transparent somewhere. Null when the bytes are not a ThumbHash.
 */
export function paintThumbHash(canvas, base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (bytes.length < 5) return null;
  const hasAlpha = bits(bytes, 23, 1) === 1;
  const isWide = bits(bytes, 39, 1) === 1;
  const short = bits(bytes, 24, 3);
  const long = hasAlpha ? 5 : 7;
  const [columns, rows] = isWide ? [long, short] : [short, long];
  const alpha = hasAlpha ? bits(bytes, 40, 4) / 15 : 1;

  let place = hasAlpha ? 48 : 40;
  const channel = (constant, scale, across, down) => ({
    constant,
    parts: waves(across, down).map(([column, row]) => {
      const strength = (bits(bytes, place, 4) / 7.5 - 1) * scale;
      place += 4;
      return { column, row, strength };
    }),
  });
  const brightness = channel(bits(bytes, 0, 6) / 63, bits(bytes, 18, 5) / 31, Math.max(3, columns), Math.max(3, rows));
  const yellow = channel(bits(bytes, 6, 6) / 31.5 - 1, (bits(bytes, 27, 6) / 63) * 1.25, 3, 3);
  const red = channel(bits(bytes, 12, 6) / 31.5 - 1, (bits(bytes, 33, 6) / 63) * 1.25, 3, 3);
  const cover = hasAlpha ? channel(alpha, bits(bytes, 44, 4) / 15, 5, 5) : { constant: 1, parts: [] };
  if (place > bytes.length * 8) return null;

  const ratio = columns / rows;
  canvas.width = Math.round(ratio > 1 ? 32 : 32 * ratio);
  canvas.height = Math.round(ratio > 1 ? 32 / ratio : 32);
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  const cosines = (length) => (index) =>
    Array.from({ length: 7 }, (_, wave) => Math.cos((Math.PI / length) * (index + 0.5) * wave));
  const across = Array.from({ length: canvas.width }, (_, x) => cosines(canvas.width)(x));
  const down = Array.from({ length: canvas.height }, (_, y) => cosines(canvas.height)(y));
  const at = (channel, x, y) => channel.parts.reduce(
    (sum, part) => sum + 2 * part.strength * across[x][part.column] * down[y][part.row], channel.constant);

  for (let y = 0; y < canvas.height; y += 1) {
    for (let x = 0; x < canvas.width; x += 1) {
      const l = at(brightness, x, y);
      const p = at(yellow, x, y);
      const q = at(red, x, y);
      const blue = l - (2 / 3) * p;
      const redValue = (3 * l - blue + q) / 2;
      image.data.set([redValue, redValue - q, blue, at(cover, x, y)].map((part) => part * 255), (y * canvas.width + x) * 4);
    }
  }
  context.putImageData(image, 0, 0);
  return { hasAlpha };
}
