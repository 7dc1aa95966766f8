@testable import HTTP

/// The fields of a message as they came, in their order.
struct Fields: Sendable {
  struct Line: Sendable {
    let name: [UInt8]
    let value: [UInt8]

    /// The name in lower case.
    var key: String { String(decoding: name.map(\.lowercased), as: UTF8.self) }
  }

  private(set) var lines: [Line] = []

  init() {}

  init(_ head: RequestHead) {
    lines = head.storage.fields.map { field in
      Line(name: head.withBytes(field.name) { $0.array }, value: head.withBytes(field.value) { $0.array })
    }
  }

  init(_ head: ResponseHead) {
    let bytes = head.fields.bytes
    lines = head.fields.ranges.map { Line(name: Array(bytes[$0.name]), value: Array(bytes[$0.value])) }
  }

  /// The values of a field, given in lower case.
  func values(of key: String) -> [[UInt8]] { lines.filter { $0.key == key }.map(\.value) }

  /// All lines of a field as one (RFC 9110, section 5.3); nil when it is missing.
  func joined(_ key: String) -> [UInt8]? {
    let values = values(of: key)
    return values.isEmpty ? nil : Array(values.joined(separator: Array(", ".utf8)))
  }

  func has(_ key: String) -> Bool { lines.contains { $0.key == key } }

  mutating func remove(_ keys: Set<String>) { lines.removeAll { keys.contains($0.key) } }

  mutating func add(_ name: String, _ value: [UInt8]) { lines.append(Line(name: Array(name.utf8), value: value)) }

  /// The elements of a field that is a list, in lower case.
  func elements(of key: String) -> [String] {
    values(of: key).flatMap { value in
      var elements: [String] = []
      value.span.forEachListElement { range in
        elements.append(String(decoding: value[range].map(\.lowercased), as: UTF8.self))
        return true
      }
      return elements
    }
  }

  /// What is for this hop alone, and for proxies (RFC 9110, section 7.6.1; RFC 9111, section 3.1).
  private static let hopByHop: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
    "proxy-authentication-info", "proxy-authorization",
  ]

  /// Those that go on to the other side, and may be stored. How long the body is, whoever sends it says himself.
  var endToEnd: Fields {
    var fields = self
    fields.remove(Self.hopByHop.union(elements(of: "connection")).union(["content-length"]))
    return fields
  }

  /// These, brought up to date by those of a 304 (RFC 9111, section 3.2).
  func updated(by others: Fields) -> Fields {
    var fields = self
    let news = others.endToEnd
    fields.remove(Set(news.lines.map(\.key)))
    fields.lines += news.lines
    return fields
  }

  /// Appends the lines as they stand in a message.
  func append(to bytes: inout [UInt8]) {
    for line in lines { bytes += line.name + [0x3A, 0x20] + line.value + [0x0D, 0x0A] }
  }
}
