/// What a body is, told from its first bytes and never from what the origin says about it.
public enum BodyKind: Hashable, Sendable {
  /// A picture that may be stored and served.
  case picture(PictureFormat)
  /// Something that is no picture, with the word that a log line and a problem's detail use for it.
  case other(String)

  /// How many bytes the decision needs at most; a shorter body is decided on all it has.
  public static let prefixLength = 1024

  /// Looks at the first ``prefixLength`` bytes (or all there are) of a body.
  ///
  /// Signatures follow the WHATWG MIME Sniffing standard, section 6.1; AVIF and HEIC follow the brands of the `ftyp` box
  /// (ISO/IEC 14496-12, section 4.3; AVIF 1.1, section 6; ISO/IEC 23008-12, annex B). SVG is recognised so that it can be refused or allowed
  /// knowingly: it is a document that runs scripts.
  public init(prefix: [UInt8]) {
    if let format = Self.signature(of: prefix) ?? Self.fileTypeBox(of: prefix) {
      self = .picture(format)
    } else if prefix.isEmpty {
      self = .other("nothing")
    } else {
      self = Self.text(prefix)
    }
  }

  private static func signature(of bytes: [UInt8]) -> PictureFormat? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .gif }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBPVP8".utf8) { return .webp }
    return nil
  }

  /// Reads the major and the compatible brands of a leading `ftyp` box, as far as they lie in the prefix.
  private static func fileTypeBox(of bytes: [UInt8]) -> PictureFormat? {
    guard bytes.count >= 16, bytes[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    let end = min(size, bytes.count)
    guard size >= 16, size % 4 == 0 else { return nil }
    // The word between the major brand and the compatible ones is a version number.
    let brands = [8..<12] + stride(from: 16, to: end - 3, by: 4).map { $0..<($0 + 4) }
    var isHEIC = false
    for brand in brands {
      switch Array(bytes[brand]) {
      case Array("avif".utf8), Array("avis".utf8): return .avif
      case Array("heic".utf8), Array("heix".utf8), Array("heim".utf8), Array("heis".utf8), Array("hevc".utf8),
        Array("hevx".utf8):
        isHEIC = true
      default: break
      }
    }
    return isHEIC ? .heic : nil
  }

  /// Tells the usual mistakes apart (an error page, an error object, a text), so that a log line says what came.
  private static func text(_ bytes: [UInt8]) -> BodyKind {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
    guard let first = rest.first else { return .other("blank text") }
    if first == UInt8(ascii: "<") {
      let lower = rest.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      if lower.starts(with: "<!doctype html".utf8) || lower.starts(with: "<html".utf8) { return .other("HTML") }
      if contains(lower, "<svg") { return .picture(.svg) }
      return .other(contains(lower, "<html") ? "HTML" : "XML")
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .other("JSON") }
    let isPrintable = rest.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    // A full prefix may end in the middle of a character, which is three bytes short at most.
    let missing = bytes.count < prefixLength ? 0 : 3
    let isText = (0...missing).contains { String(validating: rest.dropLast($0), as: UTF8.self) != nil }
    return .other(isPrintable && isText ? "text" : "an unknown format")
  }

  private static func contains(_ bytes: [UInt8], _ word: String) -> Bool {
    let word = Array(word.utf8)
    return bytes.count >= word.count
      && (0...(bytes.count - word.count)).contains { bytes[$0...].starts(with: word) }
  }
}
