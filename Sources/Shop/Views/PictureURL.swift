import Catalog
import Images
import JSON

extension JSONWriter {
  /// Writes the absolute URL of a picture, with a gap for the base.
  mutating func write(_ picture: Picture, id: PictureID, size: PictureSize) {
    writePlain { bytes in
      bytes.append(RenderedPiece.gap)
      bytes.append(contentsOf: "/images/".utf8)
      bytes.append(contentsOf: picture.name(id, size: size))
    }
  }

  /// Writes the absolute URL of a picture, with a gap for the base.
  mutating func write(_ picture: Picture, size: PictureSize) {
    write(picture, id: picture.id, size: size)
  }
}

extension Picture {
  /// The id in the picture's names.
  var id: PictureID { PictureID(reference: reference.bytes) }

  /// The last path component of a current name, in the size given: lists show JPEG, and the original in its own format.
  fileprivate func name(_ id: PictureID, size: PictureSize) -> [UInt8] {
    let version = PictureVersion(revision: UInt32(clamping: state.revision))
    let format = size == .original ? originalFormat : .jpeg
    // Only a derived size in a format that is not derived has no name.
    return PictureName(id: id, version: version, size: size, format: format)?.bytes ?? []
  }

  private var originalFormat: PictureFormat {
    let known = state.facts.flatMap { PictureFormat(nameExtension: $0.format.rawValue.utf8) }
    return known ?? PictureFormat(guessedFrom: reference.bytes)
  }
}
