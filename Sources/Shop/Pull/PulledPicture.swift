import Images
import JSON

/// A picture as the manifest tells of it, and as `pictures.json` keeps it.
struct PulledPicture: Equatable, Sendable {
  /// One of its files.
  struct File: Equatable, Sendable {
    /// The last part of its URL, and its name below `pictures/`.
    let name: PictureName
    /// Its length; nil when the shop did not know it.
    var bytes: Int?
    /// The SHA-256 of its bytes in hexadecimal digits; nil when the shop did not know it.
    var digest: String?
  }

  let id: String
  let width: Int64?
  let height: Int64?
  let color: String?
  let placeholder: String?
  var files: [PictureSize: File]

  /// Reads what a manifest or `pictures.json` says; nil for anything else. Nothing but a picture's name becomes a file.
  init?(_ value: JSONValue) {
    guard let id = value["id"]?.text, let files = value["files"] else { return nil }
    self.id = id
    width = value["width"]?.integer
    height = value["height"]?.integer
    color = value["color"]?.text
    placeholder = value["placeholder"]?.text
    self.files = [:]
    for size in PictureSize.allCases {
      guard let file = files[size.rawValue] else { continue }
      guard let text = file["name"]?.text ?? file["url"]?.text,
        let last = text.utf8.split(separator: UInt8(ascii: "/")).last,
        let name = PictureName(Array(last)), name.size == size, name.id.description == id
      else { return nil }
      self.files[size] = File(
        name: name, bytes: file["bytes"]?.integer.map { Int(clamping: $0) }, digest: file["digest"]?.text)
    }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.key("width")
      json.write(orNull: width)
      json.key("height")
      json.write(orNull: height)
      json.key("color")
      json.write(orNull: color)
      json.key("placeholder")
      json.write(orNull: placeholder)
      json.key("files")
      json.object { json in
        for size in PictureSize.allCases {
          guard let file = files[size] else { continue }
          json.key(escaping: size.rawValue)
          json.object { json in
            json.member("name", file.name.description)
            json.key("bytes")
            json.write(orNull: file.bytes.map(Int64.init))
            json.key("digest")
            json.write(orNull: file.digest)
          }
        }
      }
    }
  }
}

/// All pictures of a pulled shop: what `pictures.json` holds.
struct PulledPictures: Equatable, Sendable {
  /// The version that this is the manifest of.
  var version: Int64
  /// The id of the picture that stands where another failed for good, and until another is there.
  var placeholder: String?
  var pictures: [String: PulledPicture] = [:]

  init(version: Int64) { self.version = version }

  /// Reads `pictures.json`; nil for anything else.
  init?(file: [UInt8]) {
    guard let value = try? JSONValue(parsing: file), let version = value["version"]?.integer,
      let list = value["pictures"]?.elements
    else { return nil }
    self.version = version
    placeholder = value["placeholderPicture"]?.text
    for element in list {
      guard let picture = PulledPicture(element) else { return nil }
      pictures[picture.id] = picture
    }
  }

  /// The file: the same bytes for the same pictures.
  var file: [UInt8] {
    var json = JSONWriter(.pretty, capacity: pictures.count * 768)
    json.object { json in
      json.member("version", version)
      json.key("placeholderPicture")
      json.write(orNull: placeholder)
      json.key("pictures")
      json.array { json in
        for id in pictures.keys.sorted() { pictures[id]?.write(to: &json) }
      }
    }
    json.finishFile()
    return json.bytes
  }
}

extension JSONValue {
  subscript(_ key: String) -> JSONValue? { if case .object(let members) = self { members[key] } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
}
