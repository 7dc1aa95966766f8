/// A picture's last path component, `{id}-{revision}{letter}-{size}.{format}`, such as `7k3v9t0q2m4x-1a-thumb.jpg`.
///
/// Phone apps key their caches by this component alone, for ever, so identity, version, size and format all stand in it
/// (images.md, section 1). Made only by checked initialisers: a name that exists is well-formed, but says nothing on
/// whether the catalog knows its id, or whether its version is the current one.
public struct PictureName: Hashable, Sendable {
  /// Which picture.
  public let id: PictureID
  /// Which bytes of it.
  public let version: PictureVersion
  /// How wide.
  public let size: PictureSize
  /// What the name's extension promises. For `original` this is a guess until the picture has been fetched once.
  public let format: PictureFormat

  /// A name for a list; nil when the size is not made in that format (a derived size is `jpg`, `webp` or `png`).
  public init?(id: PictureID, version: PictureVersion, size: PictureSize, format: PictureFormat) {
    guard size == .original || format.isDerived else { return nil }
    self.id = id
    self.version = version
    self.size = size
    self.format = format
  }

  /// Reads a last path component, strictly: there is exactly one way to write a name, and all else is nil.
  public init?(_ component: [UInt8]) {
    guard let dot = component.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let parts = component[..<dot].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3,
      let id = PictureID(digits: parts[0]),
      let version = PictureVersion(parts[1]),
      let size = PictureSize(name: parts[2]),
      let format = PictureFormat(nameExtension: component[(dot + 1)...])
    else { return nil }
    self.init(id: id, version: version, size: size, format: format)
  }

  /// The component as it stands in a URL. ASCII, nothing to escape.
  public var bytes: [UInt8] {
    var bytes = id.digits
    bytes.append(UInt8(ascii: "-"))
    bytes.append(contentsOf: String(version.revision).utf8)
    bytes.append(version.pipeline)
    bytes.append(UInt8(ascii: "-"))
    bytes.append(contentsOf: size.rawValue.utf8)
    bytes.append(UInt8(ascii: "."))
    bytes.append(contentsOf: format.nameExtension.utf8)
    return bytes
  }
}

extension PictureName: CustomStringConvertible {
  /// The component as text.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
