/// How sizes are made: everything that decides their bytes. Server and worker must agree on it.
public enum Pipeline {
  /// Stands in every picture's name, `a` to `z`. To be changed with anything below, with the resampling, and with what
  /// colours are converted to: a name means one sequence of bytes for ever.
  public static let letter = UInt8(ascii: "a")

  /// Of JPEG, as libjpeg counts it.
  public static let jpegQuality: Int32 = 80
  /// Of WebP, as libwebp counts it.
  public static let webpQuality: Int32 = 78
}
