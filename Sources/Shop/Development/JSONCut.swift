/// Takes pieces out of JSON text, and leaves every other byte as it is. The text is the shop's own, so it is well-formed.
struct JSONCut {
  /// Members of these names are left out.
  var missing: [[UInt8]] = []
  /// The values of members of these names become null.
  var null: [[UInt8]] = []
  /// Whether the outermost lists become empty.
  var emptiesLists = false

  /// The text without them.
  func applied(to json: [UInt8]) -> [UInt8] {
    var reader = Reader(cut: self, json: json)
    reader.copyValue(listDepth: 0)
    return reader.output
  }

  private struct Reader {
    let cut: JSONCut
    let json: [UInt8]
    var place = 0
    var output: [UInt8] = []

    init(cut: JSONCut, json: [UInt8]) {
      self.cut = cut
      self.json = json
      output.reserveCapacity(json.count)
    }

    private var byte: UInt8? { place < json.count ? json[place] : nil }

    mutating func copyValue(listDepth: Int) {
      copySpace()
      switch byte {
      case UInt8(ascii: "{"): copyObject(listDepth: listDepth)
      case UInt8(ascii: "["): copyList(listDepth: listDepth)
      default: output += scalar()
      }
      copySpace()
    }

    private mutating func copySpace() {
      while let byte, byte == 0x20 || (0x09...0x0D).contains(byte) {
        output.append(byte)
        place += 1
      }
    }

    private mutating func copyObject(listDepth: Int) {
      output.append(UInt8(ascii: "{"))
      place += 1
      var isFirst = true
      while let byte, byte != UInt8(ascii: "}") {
        if byte == UInt8(ascii: ",") || byte == 0x20 || (0x09...0x0D).contains(byte) {
          place += 1
          continue
        }
        let key = scalar()
        let name = Array(key.dropFirst().dropLast())
        let isMissing = cut.missing.contains(name)
        let isNull = cut.null.contains(name)
        let length = output.count
        if !isFirst { output.append(UInt8(ascii: ",")) }
        output += key
        while let byte = self.byte, byte != UInt8(ascii: ":") { skip(byte) }
        place = min(place + 1, json.count)
        output.append(UInt8(ascii: ":"))
        let value = output.count
        copyValue(listDepth: listDepth)
        if isMissing {
          output.removeSubrange(length...)
        } else {
          if isNull { output.replaceSubrange(value..., with: "null".utf8) }
          isFirst = false
        }
      }
      place = min(place + 1, json.count)
      output.append(UInt8(ascii: "}"))
    }

    private mutating func copyList(listDepth: Int) {
      output.append(UInt8(ascii: "["))
      place += 1
      let start = output.count
      var isFirst = true
      while let byte, byte != UInt8(ascii: "]") {
        if byte == UInt8(ascii: ",") {
          place += 1
          continue
        }
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
        copyValue(listDepth: listDepth + 1)
      }
      if cut.emptiesLists, listDepth == 0 { output.removeSubrange(start...) }
      place = min(place + 1, json.count)
      output.append(UInt8(ascii: "]"))
    }

    private mutating func skip(_ byte: UInt8) { place += 1 }

    /// A string, a number, or a word; at least one byte, so that text that is no JSON ends as well.
    private mutating func scalar() -> ArraySlice<UInt8> {
      let start = place
      if byte == UInt8(ascii: "\"") {
        place += 1
        while let byte, byte != UInt8(ascii: "\"") { place += byte == UInt8(ascii: "\\") ? 2 : 1 }
        place = min(place + 1, json.count)
      } else {
        place = min(place + 1, json.count)
        while let byte, !",]}: \n\r\t".utf8.contains(byte) { place += 1 }
      }
      return json[start..<place]
    }
  }
}
