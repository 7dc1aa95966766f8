import Text

/// Text of somebody else's making, fitted to the shop's rules where a seed file would refuse it.
///
///     FittedText("갈비\n찜", for: .title).text  // "갈비 찜"
public struct FittedText: Equatable, Sendable {
  /// What a text is for; each place has a length of its own.
  public enum Place: Sendable {
    case title, productDescription, alt, delivery, sectionName, sectionTitle, collectionName

    /// The most characters, counted as the shop counts them: Unicode scalars after NFC.
    public var limit: Int {
      switch self {
      case .title: Product.titleLength.upperBound
      case .productDescription: Product.descriptionLength.upperBound
      case .alt: Product.altLength.upperBound
      case .delivery: DeliveryTerms.length.upperBound
      case .sectionName: Section.nameLength.upperBound
      case .sectionTitle: Section.titleLength.upperBound
      case .collectionName: ProductCollection.nameLength.upperBound
      }
    }
  }

  /// NFC, without control characters, and no longer than its place allows. It may be empty, also where a rule wants more.
  public let text: String
  /// Whether something was cut off at the end.
  public let isCut: Bool
  /// Whether there were control characters.
  public let hadControls: Bool

  /// Fits a text: line breaks and tabs become a space, other control characters go, and what is too long ends after the
  /// last whole character (as a reader sees it) that still fits.
  public init(_ text: String, for place: Place) {
    let (clean, hadControls) = Self.withoutControls(text)
    let normal = clean.nfc
    let end = Self.end(of: normal, limit: place.limit)
    self.text = String(normal[..<end])
    self.hadControls = hadControls
    isCut = end != normal.endIndex
  }

  private static func withoutControls(_ text: String) -> (String, Bool) {
    guard text.unicodeScalars.contains(where: ShopText.isControl) else { return (text, false) }
    var scalars = String.UnicodeScalarView()
    var wasControl = false
    for scalar in text.unicodeScalars {
      guard ShopText.isControl(scalar) else {
        scalars.append(scalar)
        wasControl = false
        continue
      }
      // Whatever stood between two words still does; CR LF is one break.
      if scalar.properties.isWhitespace, !wasControl { scalars.append(" ") }
      wasControl = scalar.properties.isWhitespace
    }
    return (String(scalars), true)
  }

  private static func end(of text: String, limit: Int) -> String.Index {
    var count = 0
    for index in text.indices {
      count += text[index].unicodeScalars.count
      if count > limit { return index }
    }
    return text.endIndex
  }
}
