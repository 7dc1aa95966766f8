@_spi(_Unicode) import Swift

/// Unicode Normalization Form C (UAX #15), the one form in which the shop keeps text.
///
/// A Korean keyboard on a Mac writes file names as single jamo, one on a phone writes whole syllables: both mean the same
/// word. Text is made NFC where it enters (JSON, CSV, query, file name) and compared as bytes from then on. URLs and picture
/// references are never normalised.
extension String {
  /// The same text in NFC. Text that is NFC already comes back as it is, after one cheap pass.
  public var nfc: String {
    if isPlainlyNFC { return self }
    var normalised = String.UnicodeScalarView()
    normalised.append(contentsOf: _nfc)
    return String(normalised)
  }

  /// The same text in NFD, taken apart as far as it goes: how a Mac's file names are written.
  public var nfd: String {
    var decomposed = String.UnicodeScalarView()
    decomposed.append(contentsOf: _nfd)
    return String(decomposed)
  }

  /// Whether the text is in NFC, scalar by scalar. (`==` cannot tell: Swift calls composed and decomposed text equal.)
  public var isNFC: Bool {
    isPlainlyNFC || unicodeScalars.elementsEqual(_nfc)
  }

  /// True when every scalar is one that neither combines with a neighbour nor is replaced: false says nothing.
  private var isPlainlyNFC: Bool {
    unicodeScalars.allSatisfy(\.isInertInNFC)
  }
}

extension Unicode.Scalar {
  /// Whether the scalar stays itself in NFC whatever stands around it, for the blocks that Korean shop text is made of.
  ///
  /// Each range holds only scalars with combining class 0 and NFC_Quick_Check = Yes (DerivedNormalizationProps.txt); a
  /// scalar outside them merely takes the slow way.
  var isInertInNFC: Bool {
    switch value {
    case 0..<0x300,  // Latin, and all of ASCII
      0xAC00...0xD7A3,  // Hangul syllables
      0x2010...0x205E, 0x2100...0x2125, 0x2190...0x21FF,  // punctuation, ℃, arrows
      0x2460...0x24FF, 0x25A0...0x27BF,  // circled numbers, signs
      0x3000...0x3029, 0x3030...0x3098, 0x309B...0x30FF, 0x3130...0x33FF,  // CJK punctuation, kana, letters, units
      0x4E00...0x9FFF,  // CJK ideographs
      0xFF01...0xFFEE,  // full-width forms
      0x1F300...0x1FAFF:  // pictographs
      true
    default:
      false
    }
  }
}
