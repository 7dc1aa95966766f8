#include "CCodecs.h"

#include <stdlib.h>

#include <webp/decode.h>
#include <webp/encode.h>

ccodecs_result ccodecs_webp_decode(
    const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, uint8_t *pixels) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return CCODECS_UNSUPPORTED;
  VP8StatusCode status = WebPGetFeatures(bytes, count, &config.input);
  if (status == VP8_STATUS_OK) {
    // The caller has sized its buffer by what it read itself.
    if (config.input.width != (int)width || config.input.height != (int)height) return CCODECS_BROKEN;
    if (config.input.has_animation) return CCODECS_UNSUPPORTED;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = pixels;
    config.output.u.RGBA.stride = (int)width * 4;
    config.output.u.RGBA.size = (size_t)width * height * 4;
    status = WebPDecode(bytes, count, &config);
    WebPFreeDecBuffer(&config.output);
  }
  switch (status) {
  case VP8_STATUS_OK: return CCODECS_OK;
  case VP8_STATUS_NOT_ENOUGH_DATA:
  case VP8_STATUS_SUSPENDED: return CCODECS_TRUNCATED;
  case VP8_STATUS_OUT_OF_MEMORY: return CCODECS_OVER_BUDGET;
  case VP8_STATUS_UNSUPPORTED_FEATURE: return CCODECS_UNSUPPORTED;
  default: return CCODECS_BROKEN;
  }
}

ccodecs_result ccodecs_webp_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int32_t has_alpha, int32_t quality, uint8_t **encoded,
    size_t *count) {
  WebPConfig config;
  WebPPicture picture;
  if (!WebPConfigPreset(&config, WEBP_PRESET_PHOTO, (float)quality) || !WebPPictureInit(&picture)) {
    return CCODECS_UNSUPPORTED;
  }
  picture.width = (int)width;
  picture.height = (int)height;
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  int stride = (int)width * 4;
  int is_encoded =
      (has_alpha ? WebPPictureImportRGBA(&picture, pixels, stride) : WebPPictureImportRGBX(&picture, pixels, stride)) &&
      WebPEncode(&config, &picture);
  WebPPictureFree(&picture);
  if (!is_encoded) {
    WebPMemoryWriterClear(&writer);
    return CCODECS_OVER_BUDGET;
  }
  *encoded = writer.mem;
  *count = writer.size;
  return CCODECS_OK;
}
