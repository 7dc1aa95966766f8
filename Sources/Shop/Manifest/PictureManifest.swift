import Catalog
import Images
import JSON

/// A page of the manifest as JSON: what an app needs to have the shop's pictures without the shop.
struct PictureManifest: Sendable {
  let listing: PictureListing
  /// What the page was asked since; nil for everything.
  let since: Int64?
  /// The version to ask since the next time: the one of the walk's first page.
  let version: Int64
  let items: ArraySlice<PictureListing.Item>
  /// Where the next page begins.
  let next: ManifestCursor?
  /// The originals that are stored, by their references.
  let stored: [[UInt8]: PictureLibrary.StoredOriginal]

  func json(base: PublicBase) -> [UInt8] {
    var json = JSONWriter(capacity: items.count * 1_024 + 512)
    json.object { json in
      json.member("version", version)
      json.key("since")
      json.write(orNull: listing.isWhole(since) ? nil : since)
      json.member("placeholderPicture", listing.placeholder.description)
      json.key("pictures")
      json.array { json in
        for item in items {
          if let picture = item.picture { write(picture, item.id, to: &json) }
        }
      }
      json.key("removed")
      json.array { json in
        for item in items where item.picture == nil { json.write(item.id.description) }
      }
      json.key("nextCursor")
      json.write(orNull: next?.text)
      json.key("next")
      json.write(orNull: next?.path)
    }
    let piece = RenderedPiece(json.bytes)
    var answer: [UInt8] = []
    answer.reserveCapacity(piece.count(with: base))
    piece.append(to: &answer, base: base)
    return answer
  }

  private func write(_ picture: Picture, _ id: PictureID, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id.description)
      json.members(of: picture.state.facts)
      json.key("files")
      json.object { json in
        json.key("thumb")
        write(picture, id, .thumb, to: &json)
        json.key("medium")
        write(picture, id, .medium, to: &json)
        json.key("large")
        write(picture, id, .large, to: &json)
        json.key("original")
        write(picture, id, .original, to: &json)
      }
    }
  }

  private func write(_ picture: Picture, _ id: PictureID, _ size: PictureSize, to json: inout JSONWriter) {
    let digest = size == .original ? picture.state.facts.flatMap { Digest(bytes: $0.digest) } : nil
    let original = stored[picture.reference.bytes]
    json.object { json in
      json.key("url")
      json.write(picture, id: id, size: size)
      json.key("bytes")
      json.write(orNull: digest != nil && original?.digest == digest ? original.map { Int64($0.bytes) } : nil)
      json.key("digest")
      json.write(orNull: digest?.hex)
    }
  }
}
