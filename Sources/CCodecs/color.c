#include "CCodecs.h"

#include <lcms2.h>

static void on_error(cmsContext context, cmsUInt32Number code, const char *text) { (void)context, (void)code, (void)text; }

static cmsUInt32Number format_of(ccodecs_color color) {
  switch (color) {
  case CCODECS_COLOR_GRAY: return COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(3) | BYTES_SH(1);
  case CCODECS_COLOR_RGB: return TYPE_RGBA_8;
  case CCODECS_COLOR_CMYK: return TYPE_CMYK_8;
  case CCODECS_COLOR_CMYK_INVERTED: return TYPE_CMYK_8_REV;
  }
  return 0;
}

static cmsColorSpaceSignature space_of(ccodecs_color color) {
  return color == CCODECS_COLOR_GRAY ? cmsSigGrayData : color == CCODECS_COLOR_RGB ? cmsSigRgbData : cmsSigCmykData;
}

ccodecs_result ccodecs_color_convert(
    const uint8_t *bytes, size_t bytes_count, ccodecs_color color, uint8_t *pixels, size_t count) {
  if (bytes_count > UINT32_MAX || count > UINT32_MAX) return CCODECS_UNSUPPORTED;
  ccodecs_result result = CCODECS_UNSUPPORTED;
  cmsContext context = cmsCreateContext(NULL, NULL);
  if (!context) return CCODECS_OVER_BUDGET;
  cmsSetLogErrorHandlerTHR(context, on_error);
  cmsHPROFILE profile = cmsOpenProfileFromMemTHR(context, bytes, (cmsUInt32Number)bytes_count);
  cmsHPROFILE srgb = cmsCreate_sRGBProfileTHR(context);
  if (profile && srgb && cmsGetColorSpace(profile) == space_of(color)) {
    cmsHTRANSFORM transform = cmsCreateTransformTHR(
        context, profile, format_of(color), srgb, TYPE_RGBA_8, INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE);
    if (transform) {
      cmsDoTransform(transform, pixels, pixels, (cmsUInt32Number)count);
      cmsDeleteTransform(transform);
      result = CCODECS_OK;
    }
  }
  if (srgb) cmsCloseProfile(srgb);
  if (profile) cmsCloseProfile(profile);
  cmsDeleteContext(context);
  return result;
}
