import Images

extension FuzzTarget {
  /// Pictures' names; the input is one, and also a reference to make one from.
  static let pictureNames = FuzzTarget("picture-names") { bytes throws(Violation) in
    if let name = PictureName(bytes) {
      try expectEqual(name.bytes, bytes, "A name has one spelling")
      try expect(name.version.revision > 0, "A revision is positive")
      try expect(name.size == .original || name.format.isDerived, "A size is made only in some formats")
    }
    let id = PictureID(reference: bytes)
    try expectEqual(id.digits.count, PictureID.digitCount, "An id has twelve digits")
    try expectEqual(PictureID(digits: id.digits), id, "An id is read as it was written")
    let digest = Digest.of(bytes)
    try expectEqual(Digest(hex: digest.hex.utf8), digest, "A digest is read as it was written")
    try expectEqual(Digest(bytes: digest.bytes), digest, "A digest is its bytes")
    let version = PictureVersion(revision: bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    let guess = PictureFormat(guessedFrom: bytes)
    for size in PictureSize.allCases {
      for format in [guess, .jpeg, .svg] {
        guard let name = PictureName(id: id, version: version, size: size, format: format) else {
          try expect(size != .original && !format.isDerived, "Every original has a name")
          continue
        }
        try expectEqual(PictureName(name.bytes), name, "A name is read as it was written")
        try expect(Octets.isVisible(name.bytes) && !name.bytes.contains(47), "A name is one plain path component")
      }
    }
  }
}
