import DeriveWire

/// What a picture's first bytes say of it, read without decoding and without allocating for its pixels.
struct PictureHead {
  /// Pixels as they are stored, before they are turned upright.
  let width, height: Int
  /// How it is turned upright.
  var orientation = Orientation.upright
  /// Whether some of its pixels may be transparent.
  var hasAlpha = false
  /// Whether it moves.
  var isAnimated = false
  /// The embedded colour profile as the file has it, in parts; empty when there is none, or when its codec reads it.
  var profile: [SourceBytes] = []
  /// Whether it can be made smaller while it is decoded.
  var scalesWhileDecoding = false
  /// Bytes that its decoder needs at the picture's full size, besides a few rows.
  var decoderBytes = 0

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size when it stands upright.
  var uprightSize: (width: Int, height: Int) {
    orientation.isSideways ? (height, width) : (width, height)
  }
}
