/// What names the copy that is at hand when an origin is asked whether it still holds (RFC 9110, section 13.1): its entity
/// tag and its date, as the origin wrote them.
public struct Validators: Equatable, Sendable {
  /// For If-None-Match, quotes included.
  public let entityTag: [UInt8]?
  /// For If-Modified-Since.
  public let lastModified: [UInt8]?

  /// Nothing is at hand.
  public static let none = Validators(entityTag: nil, lastModified: nil)

  /// Longer ones are not sent back: a request of ten kilobytes is one that many origins refuse.
  public static let longest = 1_024

  /// Takes what an origin wrote; what is too long, or could not stand in a field, is left out.
  public init(entityTag: [UInt8]?, lastModified: [UInt8]?) {
    self.entityTag = Self.usable(entityTag)
    self.lastModified = Self.usable(lastModified)
  }

  /// Whether there is nothing to ask with.
  public var isEmpty: Bool { entityTag == nil && lastModified == nil }

  /// The lines of a request.
  var fields: [UInt8] {
    var bytes: [UInt8] = []
    if let entityTag { bytes += Array("If-None-Match: ".utf8) + entityTag + [0x0D, 0x0A] }
    if let lastModified { bytes += Array("If-Modified-Since: ".utf8) + lastModified + [0x0D, 0x0A] }
    return bytes
  }

  private static func usable(_ bytes: [UInt8]?) -> [UInt8]? {
    guard let bytes, !bytes.isEmpty, bytes.count <= longest, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return nil
    }
    return bytes
  }
}
