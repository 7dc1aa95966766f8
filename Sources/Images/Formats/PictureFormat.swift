/// The kinds of picture that are stored and served, with what HTTP and file names call them.
public enum PictureFormat: String, CaseIterable, Sendable {
  case jpeg, png, webp, gif, avif, heic, svg

  /// The media type that the answer states.
  public var mediaType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .webp: "image/webp"
    case .gif: "image/gif"
    case .avif: "image/avif"
    case .heic: "image/heic"
    case .svg: "image/svg+xml"
    }
  }

  /// The extension that stands in a picture's name, without its dot.
  public var nameExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// Whether sizes are derived into this format.
  public var isDerived: Bool { self == .jpeg || self == .webp || self == .png }

  /// Reads the extension of a picture's name, which has one spelling per format; nil for anything else.
  public init?(nameExtension: some Collection<UInt8>) {
    guard let format = Self.allCases.first(where: { $0.nameExtension.utf8.elementsEqual(nameExtension) }) else {
      return nil
    }
    self = format
  }

  /// What the file extension of a reference suggests, in any case and with `jpeg`, `heif` and the like; `jpeg` when it
  /// suggests nothing. This is the extension of an original's name until the bytes have been seen.
  public init(guessedFrom reference: [UInt8]) {
    let path = reference.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let component = path.suffix(from: path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)
    let dot = component.lastIndex(of: UInt8(ascii: "."))
    let word = dot.map { component[($0 + 1)...].map { $0 | 0x20 } } ?? []
    switch word {
    case Array("png".utf8): self = .png
    case Array("webp".utf8): self = .webp
    case Array("gif".utf8): self = .gif
    case Array("avif".utf8): self = .avif
    case Array("heic".utf8), Array("heif".utf8): self = .heic
    case Array("svg".utf8): self = .svg
    default: self = .jpeg
    }
  }
}
