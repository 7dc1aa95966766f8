import Catalog
import JSON

extension FuzzTarget {
  /// Seed files; the input is one, and also what stands in the places of a right one's texts and references.
  static let seedFiles = FuzzTarget("seed-files") { bytes throws(Violation) in
    try checkFile(bytes)
    if let text = String(validating: bytes, as: UTF8.self) { try checkFile(file(saying: text)) }
  }

  private static func checkFile(_ bytes: [UInt8]) throws(Violation) {
    let catalog: SeedCatalog
    switch read(bytes) {
    case .success(let read): catalog = read
    case .failure(let error): return try checkFaults(error, in: bytes)
    }
    let written = SeedWriter.write(catalog)
    switch read(written) {
    case .success(let again):
      try expectEqual(again, catalog, "A catalog is read as it was written")
      try expect(SeedWriter.write(again) == written, "A catalog has one spelling")
    case .failure(let error):
      throw Violation(description: "A written catalog is refused: \(error)")
    }
  }

  private static func read(_ bytes: [UInt8]) -> Result<SeedCatalog, SeedFileError> {
    Result { () throws(SeedFileError) in try SeedFile.read(bytes) }
  }

  private static func checkFaults(_ error: SeedFileError, in bytes: [UInt8]) throws(Violation) {
    try expect(!error.lines(file: "seed.json").isEmpty, "A file that is refused is told why")
    guard case .faults(let faults, let total) = error else { return }
    try expect(!faults.isEmpty && total >= faults.count, "A file is not refused without a fault")
    guard let document = try? JSONValue(parsing: bytes) else {
      throw Violation(description: "What is not JSON is refused as that")
    }
    for fault in faults {
      let isThere = document[pointer: fault.pointer] != nil
      let isParentThere = document[pointer: JSONPointer(tokens: fault.pointer.tokens.dropLast())] != nil
      try expect(isParentThere, "A fault is somewhere in the file: \(fault)")
      try expectEqual(isThere, fault.rule.code != JSONRule.missingKey.code, "A fault is where it says: \(fault)")
      try expectEqual(JSONPointer(fault.pointer.description), fault.pointer, "A pointer is read as it was written")
    }
  }

  /// A file that is right, as far as the text is.
  private static func file(saying text: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("shop")
      json.object { json in
        json.member("name", text)
        json.member("placeholder", text)
        json.key("delivery")
        json.object { json in
          json.member("types", ["dawn"])
          json.member("info", text)
          json.member("fee", text)
          json.key("freeFrom")
          json.writeNull()
        }
      }
      json.key("sections")
      json.array { json in
        json.object { json in
          json.member("id", "a")
          json.member("name", text)
          json.member("title", text)
        }
      }
      json.key("products")
      json.array { json in writeProduct(saying: text, to: &json) }
      json.key("collections")
      json.array { json in
        json.object { json in
          json.member("id", text)
          json.member("name", text)
          json.member("products", ["p"])
        }
      }
    }
    return json.bytes
  }

  private static func writeProduct(saying text: String, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", "p")
      json.member("section", "a")
      json.member("title", text)
      json.member("description", text)
      json.member("alt", text + ".")
      json.member("price", Int64(text.utf8.count))
      json.member("image", text)
      json.member("details", ["x/" + text])
      json.key("notices")
      json.array { json in
        json.object { json in
          json.member("label", text)
          json.member("value", text)
        }
      }
    }
  }
}
