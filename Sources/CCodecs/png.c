#include "CCodecs.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct ccodecs_png {
  png_structp reader;
  png_infop info;
  const uint8_t *bytes;
  size_t count, position;
  ccodecs_result result;
};

static void on_error(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

static void on_read(png_structp png, png_bytep bytes, size_t count) {
  ccodecs_png *reader = png_get_io_ptr(png);
  if (count > reader->count - reader->position) {
    reader->result = CCODECS_TRUNCATED;
    png_longjmp(png, 1);
  }
  memcpy(bytes, reader->bytes + reader->position, count);
  reader->position += count;
}

ccodecs_png *ccodecs_png_open(
    const uint8_t *bytes, size_t count, size_t chunk_limit, ccodecs_png_rows *rows, ccodecs_result *result) {
  *result = CCODECS_OVER_BUDGET;
  ccodecs_png *png = calloc(1, sizeof *png);
  if (!png) return NULL;
  png->bytes = bytes;
  png->count = count;
  png->result = CCODECS_BROKEN;
  png->reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
  png->info = png->reader ? png_create_info_struct(png->reader) : NULL;
  if (!png->info) {
    ccodecs_png_close(png);
    return NULL;
  }
  if (setjmp(png_jmpbuf(png->reader))) {
    *result = png->result;
    ccodecs_png_close(png);
    return NULL;
  }
  png_set_read_fn(png->reader, png, on_read);
  png_set_chunk_malloc_max(png->reader, chunk_limit);
  png_set_chunk_cache_max(png->reader, 64);
  // Of the chunks that may be left out, a profile is all that is wanted.
  png_set_keep_unknown_chunks(png->reader, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  png_read_info(png->reader, png->info);
  int type = png_get_color_type(png->reader, png->info);
  rows->is_gray = !(type & PNG_COLOR_MASK_COLOR);
  png_set_expand(png->reader);
  png_set_scale_16(png->reader);
  png_set_gray_to_rgb(png->reader);
  png_set_add_alpha(png->reader, 0xFF, PNG_FILLER_AFTER);
  rows->passes = png_set_interlace_handling(png->reader);
  png_read_update_info(png->reader, png->info);
  rows->width = png_get_image_width(png->reader, png->info);
  rows->height = png_get_image_height(png->reader, png->info);
  if (png_get_rowbytes(png->reader, png->info) != (size_t)rows->width * 4) png_longjmp(png->reader, 1);
  *result = CCODECS_OK;
  return png;
}

const uint8_t *ccodecs_png_profile(ccodecs_png *png, size_t *count) {
  if (setjmp(png_jmpbuf(png->reader))) return NULL;
  png_charp name;
  int compression;
  png_bytep profile;
  png_uint_32 length;
  if (!png_get_iCCP(png->reader, png->info, &name, &compression, &profile, &length)) return NULL;
  *count = length;
  return profile;
}

ccodecs_result ccodecs_png_next(ccodecs_png *png, uint8_t *row) {
  if (setjmp(png_jmpbuf(png->reader))) return png->result;
  png_read_row(png->reader, row, NULL);
  return CCODECS_OK;
}

ccodecs_result ccodecs_png_finish(ccodecs_png *png) {
  if (setjmp(png_jmpbuf(png->reader))) return png->result;
  png_read_end(png->reader, NULL);
  return CCODECS_OK;
}

void ccodecs_png_close(ccodecs_png *png) {
  if (png->reader) png_destroy_read_struct(&png->reader, &png->info, NULL);
  free(png);
}

// MARK: Encoding

struct output {
  uint8_t *bytes;
  size_t count, capacity;
};

static void on_write(png_structp png, png_bytep bytes, size_t count) {
  struct output *output = png_get_io_ptr(png);
  if (count > output->capacity - output->count) {
    size_t capacity = (output->count + count) * 2;
    uint8_t *grown = realloc(output->bytes, capacity);
    if (!grown) png_error(png, "no memory");
    output->bytes = grown;
    output->capacity = capacity;
  }
  memcpy(output->bytes + output->count, bytes, count);
  output->count += count;
}

static void on_flush(png_structp png) { (void)png; }

ccodecs_result ccodecs_png_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t **encoded, size_t *count) {
  struct output *output = calloc(1, sizeof *output);
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!output || !info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    if (output) free(output->bytes);
    free(output);
    return CCODECS_OVER_BUDGET;
  }
  png_set_write_fn(png, output, on_write, on_flush);
  png_set_IHDR(
      png, info, width, height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
      PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (uint32_t y = 0; y < height; y++) png_write_row(png, pixels + (size_t)y * width * 4);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  *encoded = output->bytes;
  *count = output->count;
  free(output);
  return CCODECS_OK;
}
