/// One HTTP answer, as it came.
struct Reply {
  struct Field {
    var name: String
    var value: String
  }

  var status: Int
  var reason: String
  var fields: [Field]
  var body: [UInt8] = []

  /// Reads a head that ends with its empty line, and refuses what no client should have to bear.
  init(head: [UInt8]) throws {
    // Split on bytes: to Swift, CR LF is one Character.
    var lines: [String] = []
    var start = 0
    while let end = head[start...].firstIndex(of: 0x0A) {
      guard end > start, head[end - 1] == 0x0D else { throw Failure("A line of the head ends without CR") }
      lines.append(String(decoding: head[start..<(end - 1)], as: UTF8.self))
      start = end + 1
    }
    let parts = lines[0].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "HTTP/1.1", parts[1].utf8.count == 3, let status = Int(parts[1]) else {
      throw Failure("Not a status line: \(lines[0])")
    }
    self.status = status
    reason = String(parts[2])
    fields = try lines.dropFirst().dropLast().map { line in
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { throw Failure("Not a field: \(line)") }
      let name = String(line[..<colon])
      guard !name.contains(" ") else { throw Failure("A blank in a field's name: \(line)") }
      let value = line[line.index(after: colon)...]
      return Field(name: name, value: String(value.drop(while: \.isWhitespace)))
    }
    for once in ["Content-Length", "Content-Type", "ETag", "Date", "Location", "Cache-Control"] {
      guard values(of: once).count <= 1 else { throw Failure("\(once) twice in one answer: \(fields)") }
    }
  }

  /// The value of a field that stands once; nil when it does not stand.
  subscript(_ name: String) -> String? {
    let all = values(of: name)
    return all.isEmpty ? nil : all.joined(separator: ", ")
  }

  func values(of name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The members of a field that is a list, in lower case.
  func list(_ name: String) -> Set<String> {
    Set((self[name] ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace }.lowercased() })
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  var json: StrictJSON { get throws { try StrictJSON(body) } }
}
