import DeriveWire

/// What is known of a picture once a worker has looked at it.
public struct PictureMeasure: Hashable, Sendable {
  /// Pixels across and down, upright.
  public let width, height: Int
  /// The colour that stands for it, `0xRRGGBB`.
  public let color: UInt32
  /// A ThumbHash.
  public let thumbHash: [UInt8]
}

/// What a worker made of a picture.
struct DerivedPictures: Sendable {
  /// The encoded targets, in the order in which they were asked for.
  let bodies: [[UInt8]]
  /// What was found out, when that was asked for.
  let measure: PictureMeasure?
}

/// Why nothing was derived.
enum DerivingFailure: Error, Equatable, Sendable {
  /// The picture is refused, now and whenever else.
  case refused(DeriveRefusal)
  /// Its worker came to grief over it; what happened.
  case lost(String)
  /// Too many pictures wait.
  case busy
  /// There is no worker; why not.
  case unavailable(String)
}
