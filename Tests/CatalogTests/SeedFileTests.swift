import Catalog
import JSON
import Testing

@Suite("Seed files")
struct SeedFileTests {
  private func faults(in bytes: [UInt8]) -> [JSONFault] {
    do {
      _ = try SeedFile.read(bytes)
      return []
    } catch {
      guard case .faults(let faults, _) = error else { return [] }
      return faults
    }
  }

  @Test("A file in canonical form comes out as the same bytes")
  func canonical() throws {
    #expect(SeedWriter.write(try SeedFile.read(SampleSeed.bytes)) == SampleSeed.bytes)
  }

  @Test(
    "What is said needlessly is left out, and text is made NFC",
    arguments: [
      (#""price": 9900,"#, #""price":9900,"listPrice":null,"badges":[],"status":"onSale","stock":null,"details":[],"#),
      (#""price": 9900,"#, #""notices":[],"delivery":null,"alt":"제육볶음","price":9900,"#),
      (#""price": 9900,"#, #""deliveryTypes":["parcel","dawn"],"images":["images/jeyuk.jpg"],"price":9900,"#),
      (#""price": 9900,"#, #""price":9900,"delivery":{"fee":"2,500원 (40,000원 이상 구매 시 무료)","info":"서울 새벽배송"},"#),
      ("미역국", "\u{1106}\u{1175}\u{110B}\u{1167}\u{11A8}\u{1100}\u{116E}\u{11A8}"),
      ("  ", ""),
    ])
  func normalises(canonical: String, given: String) throws {
    let read = try SeedFile.read(SampleSeed.replacing(canonical, with: given))
    #expect(SeedWriter.write(read) == SampleSeed.bytes)
  }

  @Test("References keep their bytes, composed and decomposed told apart")
  func references() throws {
    let decomposed = "images/\u{1100}\u{1161}.jpg"
    let catalog = try SampleSeed.catalog(replacing: "images/jeyuk.jpg", with: decomposed)
    #expect(catalog.products[1].image.bytes == Array(decomposed.utf8))
    #expect(try catalog.products[1].image != PictureReference("images/\u{AC00}.jpg"))
  }

  @Test(
    "Each fault is told with its place, its value and its rule",
    arguments: [
      (#""title": "제육볶음""#, #""title": "제육볶음", "colour": "red""#, "/products/1/colour", "\"red\"", "unknown-key"),
      (#""title": "제육볶음","#, "", "/products/1/title", nil, "missing-key"),
      (#""id": "HDF73""#, #""id": "HBDEF""#, "/products/1/id", "\"HBDEF\"", "duplicate-id"),
      (#""id": "soup""#, #""id": "main""#, "/sections/1/id", "\"main\"", "duplicate-id"),
      (#""id": "HDF73""#, #""id": "H DF7""#, "/products/1/id", "\"H DF7\"", "invalid-id"),
      (#""id": "HDF73""#, #""id": """#, "/products/1/id", "\"\"", "invalid-id"),
      (#""id": "HDF73""#, "\"id\": \"\u{212A}1\"", "/products/1/id", "\"\u{212A}1\"", "invalid-id"),
      (#""section": "soup""#, #""section": "side""#, "/products/2/section", "\"side\"", "unknown-section"),
      (#""price": 9900"#, #""price": -1"#, "/products/1/price", "-1", "out-of-range"),
      (#""price": 9900"#, #""price": 1000000001"#, "/products/1/price", "1000000001", "out-of-range"),
      (#""price": 9900"#, #""price": 99999999999999999999"#, "/products/1/price", "1e+20", "out-of-range"),
      (#""price": 9900"#, #""price": 9900.5"#, "/products/1/price", "9900.5", "wrong-type"),
      (#""price": 9900"#, #""price": "9900""#, "/products/1/price", "\"9900\"", "wrong-type"),
      (#""listPrice": 15800"#, #""listPrice": 12640"#, "/products/0/listPrice", "12640", "list-price"),
      (#""listPrice": 15800"#, #""listPrice": 100"#, "/products/0/listPrice", "100", "list-price"),
      (#""stock": 0"#, #""stock": -1"#, "/products/0/stock", "-1", "out-of-range"),
      (#""status": "soldOut""#, #""status": "gone""#, "/products/0/status", "\"gone\"", "unknown-word"),
      (#""event","#, #""evnt","#, "/products/0/badges/0", "\"evnt\"", "unknown-word"),
      (#""event","#, #""best","#, "/products/0/badges/1", "\"best\"", "repeated"),
      ("\"dawn\",\n        \"parcel\"", "", "/shop/delivery/types", "[]", "wrong-count"),
      (#""status": "soldOut""#, #""status": null"#, "/products/0/status", "null", "wrong-type"),
      (#""price": 9900,"#, #""price": 9900, "images": [],"#, "/products/1/images", "[]", "wrong-count"),
      (
        #""price": 9900,"#, #""price": 9900, "images": ["a","b","c","d","e","f"],"#, "/products/1/images",
        "[… 6 values]", "wrong-count"
      ),
      (#""price": 9900,"#, #""price": 9900, "deliveryTypes": [],"#, "/products/1/deliveryTypes", "[]", "wrong-count"),
      ("images/jeyuk.jpg", "ftp://host/a.jpg", "/products/1/image", "\"ftp://host/a.jpg\"", "picture-reference"),
      ("\"제육볶음\"", "\"\"", "/products/1/title", "\"\"", "text-length"),
      ("\"제육볶음\"", "\"제육\\n볶음\"", "/products/1/title", "\"제육\\n볶음\"", "control-character"),
      ("\"제육볶음\"", "\"제육\\u0085볶음\"", "/products/1/title", "\"제육\u{85}볶음\"", "control-character"),
      ("\"제육볶음\"", "7", "/products/1/title", "7", "wrong-type"),
      ("        \"H72C3\"", "        \"HFFFF\"", "/collections/0/products/0", "\"HFFFF\"", "unknown-product"),
      ("        \"H72C3\"", "        \"HBDEF\"", "/collections/0/products/1", "\"HBDEF\"", "repeated"),
      (#""freeFrom": 40000"#, #""freeFrom": -40000"#, "/shop/delivery/freeFrom", "-40000", "out-of-range"),
      (#""value": "냉장 5일""#, #""text": "냉장 5일""#, "/products/0/notices/1/text", "\"냉장 5일\"", "unknown-key"),
    ] as [(String, String, String, String?, String)])
  func fault(old: String, new: String, pointer: String, value: String?, code: String) throws {
    let bytes = SampleSeed.replacing(old, with: new)
    #expect(bytes != SampleSeed.bytes)
    let found = faults(in: bytes)
    let fault = try #require(found.first { $0.pointer.description == pointer && $0.rule.code == code })
    #expect(fault.value == value)
    #expect(fault.rule.english.hasSuffix(".") && fault.rule.korean.hasSuffix("."))
  }

  @Test("A text's length is counted in characters after NFC")
  func textLength() throws {
    let syllable = "\u{1106}\u{1175}\u{11A8}"  // 믹
    _ = try SampleSeed.catalog(replacing: "제육볶음", with: String(repeating: syllable, count: 100))
    #expect(faults(in: SampleSeed.replacing("제육볶음", with: String(repeating: syllable, count: 101))).count == 1)
  }

  @Test("All faults are told at once, in the order of the file")
  func everyFault() {
    let bytes = Array(
      """
      {"shop": {"name": "", "delivery": {"types": ["air"], "info": 1, "fee": "x"}},
       "sections": [{"id": "main", "name": "m"}],
       "products": [{"id": "A", "section": "none", "title": "t", "description": "d", "price": "1", "image": "/x"},
                    {"id": "A", "section": "main", "title": "t", "description": "d", "price": 5, "listPrice": 5,
                     "image": "a/../b"}, 7],
       "extra": true}
      """.utf8)
    #expect(
      faults(in: bytes).map { "\($0.pointer) \($0.rule.code)" } == [
        "/extra unknown-key", "/shop/name text-length", "/shop/placeholder missing-key",
        "/shop/delivery/types/0 unknown-word", "/shop/delivery/info wrong-type", "/shop/delivery/freeFrom missing-key",
        "/sections/0/title missing-key", "/products/0/section unknown-section", "/products/0/price wrong-type",
        "/products/0/image picture-reference", "/products/1/id duplicate-id", "/products/1/listPrice list-price",
        "/products/1/image picture-reference", "/products/2 wrong-type", "/collections missing-key",
      ])
  }

  @Test("A file that is not JSON says where it goes wrong")
  func syntax() {
    let truncated = #expect(throws: SeedFileError.self) { try SeedFile.read(Array(SampleSeed.bytes.dropLast(9))) }
    let lines = truncated?.lines(file: "shop.json") ?? []
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("shop.json: Line ") == true)
    #expect(lines.first?.contains("the text ends before what opens at line") == true)
    let place = TextPlace(line: 1, column: 3)
    #expect(throws: SeedFileError.syntax(JSONSyntaxError(.notUTF8, at: place))) {
      try SeedFile.read([0x5B, 0x22, 0xFF, 0x22, 0x5D])
    }
    let nothing = #expect(throws: SeedFileError.self) { try SeedFile.read([]) }
    #expect(nothing?.description == "The text is empty.")
  }

  /// What people do to a file in an editor, and the line and column that they are shown.
  @Test(
    "A slip in a file is shown where it is",
    arguments: [
      ("\"id\"", "\"id", 0), ("\"id\"", "id", 0), (": ", " ", 0), ("}\n", "},\n", 1), ("\n", "\n// new\n", 1),
    ] as [(String, String, Int)])
  func slip(right: String, wrong: String, skipped: Int) throws {
    let bytes = SampleSeed.bytes
    let offset = try #require(
      bytes.indices.filter { bytes[$0...].starts(with: right.utf8) }.dropFirst(skipped).first)
    let broken = Array(bytes[..<offset]) + Array(wrong.utf8) + Array(bytes[(offset + right.utf8.count)...])
    let error = #expect(throws: SeedFileError.self) { try SeedFile.read(broken) }
    guard case .syntax(let syntax)? = error else {
      Issue.record("\(String(describing: error)) is no syntax error")
      return
    }
    let before = String(decoding: broken[..<offset], as: UTF8.self)
    let line = before.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    #expect((line...line + 1).contains(syntax.place.line), "\(syntax)")
  }

  @Test("A document of another shape is one fault", arguments: ["[]", "1", "null", "\"x\""])
  func otherShape(text: String) {
    #expect(faults(in: Array(text.utf8)).map(\.rule.code) == ["wrong-type"])
  }

  @Test("More than a hundred thousand products are refused")
  func tooMany() {
    let product = #"{"id":1}"#
    let text = #"{"shop":{},"sections":[],"products":["# + String(repeating: product + ",", count: 100_000) + product
    let error = #expect(throws: SeedFileError.self) { try SeedFile.read(Array((text + "],\"collections\":[]}").utf8)) }
    guard case .faults(let faults, let total) = error else { return }
    #expect(faults.contains { $0.pointer.description == "/products" && $0.rule.code == "wrong-count" })
    #expect(faults.count == JSONFaults.limit && total > 100_000)
    #expect(error?.lines(file: nil).last?.hasSuffix("more faults.") == true)
  }
}
