#ifndef BANCHAN_CCODECS_H
#define BANCHAN_CCODECS_H

// The picture libraries, as far as Swift cannot call them itself: they report errors by longjmp, take callbacks in structs
// and are configured by macros. Every jump ends inside these functions.
//
// Pixels are four bytes each, in rows without gaps. What is handed out by pointer belongs to the decoder, except for
// encoded bytes, which the caller gives back with ccodecs_free().

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What a call came to.
typedef enum : int32_t {
  CCODECS_OK = 0,
  /// The bytes break the format's rules.
  CCODECS_BROKEN = 1,
  /// The bytes end too early.
  CCODECS_TRUNCATED = 2,
  /// The format allows it, and it is not read here.
  CCODECS_UNSUPPORTED = 3,
  /// It would take more memory, or more work, than was allowed.
  CCODECS_OVER_BUDGET = 4,
} ccodecs_result;

void ccodecs_free(void *_Nullable bytes);

// MARK: JPEG

typedef struct ccodecs_jpeg ccodecs_jpeg;

/// What rows of a JPEG are made of.
typedef enum : int32_t {
  CCODECS_JPEG_GRAY = 1,
  CCODECS_JPEG_RGB = 3,
  CCODECS_JPEG_CMYK = 4,
} ccodecs_jpeg_space;

typedef struct {
  /// Of the rows that will come: the picture's size divided by the denominator, rounded up.
  uint32_t width, height;
  ccodecs_jpeg_space space;
  /// Whether CMYK is stored inverted, as Adobe's programs do.
  int32_t is_inverted;
} ccodecs_jpeg_rows;

typedef struct {
  /// 1, 2, 4 or 8: the picture is made smaller while it is decoded.
  uint32_t denominator;
  /// Bytes that the coefficients of a picture in several scans may take.
  size_t memory;
  /// Scans of one picture at most.
  int32_t scans;
} ccodecs_jpeg_limits;

/// Opens a JPEG that stays where it is until closed; null when it cannot be decoded, with the reason in `result`.
ccodecs_jpeg *_Nullable ccodecs_jpeg_open(
    const uint8_t *bytes, size_t count, ccodecs_jpeg_limits limits, ccodecs_jpeg_rows *rows, ccodecs_result *result);
/// Reads the next row, 4 × width bytes: R G B 255 (gray: three times the same), or C M Y K as stored.
ccodecs_result ccodecs_jpeg_next(ccodecs_jpeg *jpeg, uint8_t *row);
/// After the last row: whether the file goes on to its proper end.
ccodecs_result ccodecs_jpeg_finish(ccodecs_jpeg *jpeg);
void ccodecs_jpeg_close(ccodecs_jpeg *jpeg);

/// Encodes R G B x pixels, 4:2:0.
ccodecs_result ccodecs_jpeg_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int32_t quality, uint8_t *_Nullable *_Nonnull encoded, size_t *count);

// MARK: PNG

typedef struct ccodecs_png ccodecs_png;

typedef struct {
  uint32_t width, height;
  /// How often all rows are read, each time into what the last time left in them: 1, or 7 when interlaced.
  int32_t passes;
  /// Whether it is gray, which is what a gray colour profile is for.
  int32_t is_gray;
} ccodecs_png_rows;

/// Opens a PNG that stays where it is until closed. `chunk_limit`: bytes that one unpacked chunk may take.
ccodecs_png *_Nullable ccodecs_png_open(
    const uint8_t *bytes, size_t count, size_t chunk_limit, ccodecs_png_rows *rows, ccodecs_result *result);
/// The embedded colour profile, unpacked; null when there is none.
const uint8_t *_Nullable ccodecs_png_profile(ccodecs_png *png, size_t *count);
/// Reads the next row, 4 × width bytes: R G B A, not multiplied.
ccodecs_result ccodecs_png_next(ccodecs_png *png, uint8_t *row);
/// After the last row of the last pass: whether the file goes on to its proper end.
ccodecs_result ccodecs_png_finish(ccodecs_png *png);
void ccodecs_png_close(ccodecs_png *png);

/// Encodes R G B A pixels, not multiplied.
ccodecs_result ccodecs_png_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t *_Nullable *_Nonnull encoded, size_t *count);

// MARK: WebP

/// Decodes a still picture into 4 × width × height bytes: R G B A, not multiplied.
ccodecs_result ccodecs_webp_decode(
    const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels);
/// Encodes R G B A pixels, not multiplied; without the last byte where there is no alpha.
ccodecs_result ccodecs_webp_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int32_t has_alpha, int32_t quality,
    uint8_t *_Nullable *_Nonnull encoded, size_t *count);

// MARK: Colour

/// What the four bytes of a pixel mean before they are converted.
typedef enum : int32_t {
  /// Gray, and three bytes to pass over.
  CCODECS_COLOR_GRAY,
  /// R G B, and one byte to keep.
  CCODECS_COLOR_RGB,
  /// Ink: 255 is all of it.
  CCODECS_COLOR_CMYK,
  /// Ink: 0 is all of it.
  CCODECS_COLOR_CMYK_INVERTED,
} ccodecs_color;

/// Converts pixels to sRGB in their place. The fourth byte is kept. Unsupported when the profile is none for such pixels.
ccodecs_result ccodecs_color_convert(
    const uint8_t *profile, size_t profile_count, ccodecs_color color, uint8_t *pixels, size_t count);

#pragma clang assume_nonnull end

#endif
