/// What the bytes of a picture were when its origin gave them.
public enum OriginalFormat: String, CaseIterable, Sendable {
  /// JPEG. The word is its file extension everywhere in the shop.
  case jpg
  /// PNG.
  case png
  /// WebP.
  case webp
  /// GIF.
  case gif
  /// AVIF.
  case avif
  /// HEIC.
  case heic
  /// SVG.
  case svg

  /// The format that a file extension promises, in any case, with `jpeg` for `jpg`.
  public init?(fileExtension: some StringProtocol) {
    let word = fileExtension.lowercased()
    self.init(rawValue: word == "jpeg" ? "jpg" : word)
  }
}

/// What is known of a picture since it was fetched.
public struct PictureFacts: Hashable, Sendable {
  /// SHA-256 of the origin's bytes, 32 bytes.
  public var digest: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }
  /// The digest, without an array of its own for each of many thousand pictures.
  private let words: SIMD4<UInt64>
  /// What the bytes are.
  public let format: OriginalFormat
  /// Pixels across, once measured.
  public let width: Int?
  /// Pixels down, once measured.
  public let height: Int?
  /// The colour that stands for it, `0xRRGGBB`, once derived.
  public let color: UInt32?
  /// A ThumbHash to show meanwhile, at most 64 bytes, once derived.
  public let placeholder: [UInt8]?

  /// Facts as they were found; nil when the digest is not one, a length is not positive or past 65,535, the colour has
  /// more than 24 bits, or the placeholder is too long.
  public init?(
    digest: [UInt8], format: OriginalFormat, width: Int? = nil, height: Int? = nil, color: UInt32? = nil,
    placeholder: [UInt8]? = nil
  ) {
    let lengths = 1...65_535
    guard digest.count == 32, width.map(lengths.contains) ?? true, height.map(lengths.contains) ?? true,
      color ?? 0 <= 0xFF_FFFF, placeholder?.count ?? 0 <= 64
    else { return nil }
    words = digest.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    self.format = format
    self.width = width
    self.height = height
    self.color = color
    self.placeholder = placeholder
  }
}

extension PictureFacts {
  /// The same, with what was found out about the same bytes before.
  fileprivate func keeping(what known: PictureFacts?) -> PictureFacts {
    guard let known, known.digest == digest else { return self }
    return PictureFacts(
      digest: digest, format: format, width: width ?? known.width, height: height ?? known.height,
      color: color ?? known.color, placeholder: placeholder ?? known.placeholder) ?? self
  }
}

/// What the catalog says about a picture.
public struct PictureState: Hashable, Sendable {
  /// Goes up by one when the origin's bytes turn out different; 1 before the first fetch and after it.
  public let revision: Int64
  /// What the last fetch found, once there was one.
  public let facts: PictureFacts?
  /// Why there is no picture and will be none, in one clause for the operator; nil while one may be had.
  public let failure: String?

  /// Whether there is no picture and will be none: the placeholder stands in its place.
  public var failedForGood: Bool { failure != nil }

  /// A picture that nobody has fetched yet.
  public static let unknown = PictureState(revision: 1, facts: nil)

  init(revision: Int64, facts: PictureFacts?, failure: String? = nil) {
    self.revision = revision
    self.facts = facts
    self.failure = failure
  }

  /// The state after something was heard of the picture.
  func after(_ event: PictureNews.Event) -> PictureState {
    switch event {
    case .failedForGood(let reason):
      // The first reason stays: another one for the same state would be a version without a difference.
      PictureState(revision: revision, facts: facts, failure: failure ?? reason)
    case .failureForgotten:
      PictureState(revision: revision, facts: facts)
    case .stored(let new):
      PictureState(
        revision: facts.map { $0.digest == new.digest } ?? true ? revision : revision + 1,
        facts: new.keeping(what: facts))
    }
  }
}

/// A picture that the catalog refers to. As long as nothing changes it is the same object, in every snapshot and product.
public final class Picture: Sendable {
  /// Where it comes from.
  public let reference: PictureReference
  /// What is known of it.
  public let state: PictureState

  init(_ reference: PictureReference, state: PictureState = .unknown) {
    self.reference = reference
    self.state = state
  }
}
