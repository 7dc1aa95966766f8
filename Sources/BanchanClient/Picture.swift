#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A picture in every size, and what can be shown before it has come.
public struct Picture: Codable, Hashable, Sendable, Identifiable {
  /// The same for the same picture wherever it stands.
  public let id: String
  /// The picture in words.
  public let alt: String
  /// Of the original, in pixels; nil until it is known.
  public let width: Int?
  /// Of the original, in pixels; nil until it is known.
  public let height: Int?
  /// `#rrggbb`; nil until it is known.
  public let color: String?
  /// A ThumbHash in base64; nil until it is known.
  public let placeholder: String?
  /// Where each size is.
  public let urls: URLs

  /// Each name stands for one sequence of bytes: what was fetched once under it need never be asked for again.
  public struct URLs: Codable, Hashable, Sendable {
    /// 320 pixels wide.
    public let thumb: URL
    /// 640 pixels wide.
    public let medium: URL
    /// 1280 pixels wide.
    public let large: URL
    /// As the origin has it.
    public let original: URL
  }

  /// The sizes.
  public enum Size: String, CaseIterable, Codable, Sendable {
    case thumb, medium, large, original
  }

  /// Where a size is.
  public func url(_ size: Size) -> URL {
    switch size {
    case .thumb: urls.thumb
    case .medium: urls.medium
    case .large: urls.large
    case .original: urls.original
    }
  }
}
