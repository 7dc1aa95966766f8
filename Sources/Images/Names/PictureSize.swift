/// The sizes a picture is offered in. A closed set, so that a client cannot make us derive sizes without end.
public enum PictureSize: String, CaseIterable, Sendable {
  case thumb, medium, large, original

  /// The width in pixels that the size is derived to at most (pictures are never enlarged); nil for the original.
  public var width: Int? {
    switch self {
    case .thumb: 320
    case .medium: 640
    case .large: 1280
    case .original: nil
    }
  }

  /// Reads a size's name; nil for every other word.
  public init?(name: some Collection<UInt8>) {
    guard let size = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name) }) else { return nil }
    self = size
  }
}
