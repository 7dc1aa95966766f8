#include "CCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include <jerror.h>

// Where an error of the library goes: back into the function of this file that called it.
struct escape {
  struct jpeg_error_mgr manager;
  jmp_buf place;
  ccodecs_result result;
};

static void escape_with(j_common_ptr info, ccodecs_result result) {
  struct escape *escape = (struct escape *)info->err;
  escape->result = result;
  longjmp(escape->place, 1);
}

static void on_error(j_common_ptr info) {
  switch (info->err->msg_code) {
  case JERR_INPUT_EMPTY:
  case JERR_INPUT_EOF: escape_with(info, CCODECS_TRUNCATED);
  // Memory is what is asked for here, and a backing store where the allowance does not suffice.
  case JERR_NO_BACKING_STORE:
  case JERR_OUT_OF_MEMORY:
  case JERR_WIDTH_OVERFLOW:
  case JERR_IMAGE_TOO_BIG: escape_with(info, CCODECS_OVER_BUDGET);
  case JERR_BAD_PRECISION:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_SOF_UNSUPPORTED: escape_with(info, CCODECS_UNSUPPORTED);
  default: escape_with(info, CCODECS_BROKEN);
  }
}

// The library goes on after damage and makes up what is missing. Here damage is an error; a word too many is not.
static void on_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  switch (info->err->msg_code) {
  case JWRN_JPEG_EOF:
  case JWRN_HIT_MARKER: escape_with(info, CCODECS_TRUNCATED);
  case JWRN_HUFF_BAD_CODE:
  case JWRN_ARITH_BAD_CODE:
  case JWRN_MUST_RESYNC: escape_with(info, CCODECS_BROKEN);
  default: info->err->num_warnings++;
  }
}

static void on_output(j_common_ptr info) { (void)info; }

static void prepare(struct escape *escape, struct jpeg_error_mgr **manager) {
  *manager = jpeg_std_error(&escape->manager);
  escape->manager.error_exit = on_error;
  escape->manager.emit_message = on_message;
  escape->manager.output_message = on_output;
  escape->result = CCODECS_BROKEN;
}

struct ccodecs_jpeg {
  struct jpeg_decompress_struct info;
  struct escape escape;
  struct jpeg_progress_mgr progress;
  int scans;
};

static void on_progress(j_common_ptr info) {
  ccodecs_jpeg *jpeg = info->client_data;
  if (jpeg->info.input_scan_number > jpeg->scans) escape_with(info, CCODECS_OVER_BUDGET);
}

ccodecs_jpeg *ccodecs_jpeg_open(
    const uint8_t *bytes, size_t count, ccodecs_jpeg_limits limits, ccodecs_jpeg_rows *rows, ccodecs_result *result) {
  ccodecs_jpeg *jpeg = calloc(1, sizeof *jpeg);
  if (!jpeg) {
    *result = CCODECS_OVER_BUDGET;
    return NULL;
  }
  prepare(&jpeg->escape, &jpeg->info.err);
  if (setjmp(jpeg->escape.place)) {
    *result = jpeg->escape.result;
    ccodecs_jpeg_close(jpeg);
    return NULL;
  }
  jpeg_create_decompress(&jpeg->info);
  jpeg->info.client_data = jpeg;
  jpeg->info.mem->max_memory_to_use = (long)limits.memory;
  jpeg->scans = limits.scans;
  jpeg->progress.progress_monitor = on_progress;
  jpeg->info.progress = &jpeg->progress;
  jpeg_mem_src(&jpeg->info, bytes, count);
  jpeg_read_header(&jpeg->info, TRUE);
  switch (jpeg->info.jpeg_color_space) {
  case JCS_GRAYSCALE:
    rows->space = CCODECS_JPEG_GRAY;
    jpeg->info.out_color_space = JCS_EXT_RGBA;
    break;
  case JCS_RGB:
  case JCS_YCbCr:
    rows->space = CCODECS_JPEG_RGB;
    jpeg->info.out_color_space = JCS_EXT_RGBA;
    break;
  case JCS_CMYK:
  case JCS_YCCK:
    rows->space = CCODECS_JPEG_CMYK;
    jpeg->info.out_color_space = JCS_CMYK;
    break;
  default: escape_with((j_common_ptr)&jpeg->info, CCODECS_UNSUPPORTED);
  }
  rows->is_inverted = jpeg->info.saw_Adobe_marker;
  jpeg->info.scale_num = 1;
  jpeg->info.scale_denom = limits.denominator;
  jpeg->info.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&jpeg->info);
  rows->width = jpeg->info.output_width;
  rows->height = jpeg->info.output_height;
  *result = CCODECS_OK;
  return jpeg;
}

ccodecs_result ccodecs_jpeg_next(ccodecs_jpeg *jpeg, uint8_t *row) {
  if (setjmp(jpeg->escape.place)) return jpeg->escape.result;
  JSAMPROW line = row;
  return jpeg_read_scanlines(&jpeg->info, &line, 1) == 1 ? CCODECS_OK : CCODECS_BROKEN;
}

ccodecs_result ccodecs_jpeg_finish(ccodecs_jpeg *jpeg) {
  if (setjmp(jpeg->escape.place)) return jpeg->escape.result;
  return jpeg_finish_decompress(&jpeg->info) ? CCODECS_OK : CCODECS_TRUNCATED;
}

void ccodecs_jpeg_close(ccodecs_jpeg *jpeg) {
  if (!setjmp(jpeg->escape.place)) jpeg_destroy_decompress(&jpeg->info);
  free(jpeg);
}

struct encoder {
  struct jpeg_compress_struct info;
  struct escape escape;
  uint8_t *bytes;
  unsigned long count;
};

ccodecs_result ccodecs_jpeg_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int32_t quality, uint8_t **encoded, size_t *count) {
  // On the heap, as a jump leaves locals that were changed since in doubt.
  struct encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return CCODECS_OVER_BUDGET;
  prepare(&encoder->escape, &encoder->info.err);
  if (setjmp(encoder->escape.place)) {
    ccodecs_result result = encoder->escape.result;
    jpeg_destroy_compress(&encoder->info);
    free(encoder->bytes);
    free(encoder);
    return result;
  }
  jpeg_create_compress(&encoder->info);
  jpeg_mem_dest(&encoder->info, &encoder->bytes, &encoder->count);
  encoder->info.image_width = width;
  encoder->info.image_height = height;
  encoder->info.input_components = 4;
  encoder->info.in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(&encoder->info);
  jpeg_set_quality(&encoder->info, quality, TRUE);
  encoder->info.optimize_coding = TRUE;
  jpeg_start_compress(&encoder->info, TRUE);
  while (encoder->info.next_scanline < height) {
    JSAMPROW row = (JSAMPROW)pixels + (size_t)encoder->info.next_scanline * width * 4;
    jpeg_write_scanlines(&encoder->info, &row, 1);
  }
  jpeg_finish_compress(&encoder->info);
  jpeg_destroy_compress(&encoder->info);
  *encoded = encoder->bytes;
  *count = encoder->count;
  free(encoder);
  return CCODECS_OK;
}

void ccodecs_free(void *bytes) { free(bytes); }
