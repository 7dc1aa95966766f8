import Catalog
import Client
import Images
import JSON

/// A picture's address in an upstream's answer. A whole URL is taken byte for byte: object stores tell `+` from `%20`, and
/// composed from decomposed Hangul.
struct UpstreamPicture {
  enum Outcome: Equatable {
    case absolute(PictureReference)
    /// It was none by itself, and is one below the upstream.
    case resolved(PictureReference)
    case empty
    case unusable(reason: String)
  }

  let outcome: Outcome
  /// Whether blanks stood around it.
  let hadBlanks: Bool

  init(_ text: String, base: OriginURL) {
    let trimmed = Self.trimmed(Array(text.utf8)[...])
    hadBlanks = trimmed.count != text.utf8.count
    guard !trimmed.isEmpty else {
      outcome = .empty
      return
    }
    do throws(JSONRule) {
      outcome = try Self.outcome(String(decoding: trimmed, as: UTF8.self), base: base)
    } catch {
      outcome = .unusable(reason: error.english)
    }
  }

  private static func outcome(_ text: String, base: OriginURL) throws(JSONRule) -> Outcome {
    let bytes = Array(text.utf8)
    if isRelative(bytes), let url = try? base.resolving(bytes) {
      return .resolved(original(try PictureReference(url.description)))
    }
    return .absolute(original(try PictureReference(text)))
  }

  /// Whether there is no scheme in front (RFC 3986, section 4.2).
  private static func isRelative(_ bytes: [UInt8]) -> Bool {
    let first = bytes.prefix { !"/?#".utf8.contains($0) }
    return !first.contains(UInt8(ascii: ":"))
  }

  /// The original of a picture that another Banchan offers in several sizes: its lists show the small one, its details the
  /// middle one, and all of them are one picture, of which a mirror wants the best. Any other reference stays as it is.
  ///
  /// The original's own extension is not known here; under another one it answers all the same, as an outdated name.
  private static func original(_ reference: PictureReference) -> PictureReference {
    guard let slash = reference.bytes.lastIndex(of: UInt8(ascii: "/")) else { return reference }
    let folder = reference.bytes[...slash]
    guard folder.suffix(8).elementsEqual("/images/".utf8),
      let name = PictureName(Array(reference.bytes[(slash + 1)...])),
      name.size != .original,
      let original = PictureName(id: name.id, version: name.version, size: .original, format: name.format)
    else { return reference }
    return (try? PictureReference(String(decoding: folder + original.bytes, as: UTF8.self))) ?? reference
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var bytes = bytes
    while let first = bytes.first, isBlank(first) { bytes = bytes.dropFirst() }
    while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
    return bytes
  }
}
