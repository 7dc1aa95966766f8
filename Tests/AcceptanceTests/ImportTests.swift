import Testing

@Suite("Importing", .blocking)
struct ImportTests {
  /// A seed file with something wrong, and what the messages have to name.
  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: [UInt8]
    var names: [String]

    init(_ what: String, _ shop: SampleShop, names: String...) {
      testDescription = what
      file = Array(shop.json.utf8)
      self.names = names
    }

    init(_ what: String, file: [UInt8], names: String...) {
      testDescription = what
      self.file = file
      self.names = names
    }
  }

  /// The sample shop after a change.
  private static func shop(_ change: (inout SampleShop) -> Void) -> SampleShop {
    var shop = SampleShop()
    change(&shop)
    return shop
  }

  private static let sample = SampleShop()
  private static let file = Array(SampleShop().json.utf8)

  private static let faults = [
    Fault("an unknown key", sample.setting("colour", of: 1, to: quoted("red")), names: "/products/1", "colour"),
    Fault("an unknown key of a section", shop { $0.sections[0]["colour"] = "1" }, names: "/sections/0", "colour"),
    Fault("a duplicate id", sample.setting("id", of: 2, to: quoted("HBDEF")), names: "/products/2/id", "HBDEF"),
    Fault(
      "a duplicate section", shop { $0.sections[1]["id"] = quoted("main") }, names: "/sections/1/id", "main"),
    Fault(
      "an id that cannot be one", sample.setting("id", of: 0, to: quoted("H BDEF")), names: "/products/0/id", "H BDEF"),
    Fault(
      "an unknown product in a collection", shop { $0.collections[0]["products"] = #"["HBDEF", "HNONE"]"# },
      names: "/collections/0/products/1", "HNONE"),
    Fault("a negative price", sample.setting("price", of: 0, to: "-1"), names: "/products/0/price", "-1"),
    Fault("a price with a fraction", sample.setting("price", of: 0, to: "99.5"), names: "/products/0/price", "99.5"),
    Fault("a price in words", sample.setting("price", of: 0, to: quoted("990원")), names: "/products/0/price", "990원"),
    Fault("no price", sample.setting("price", of: 5, to: nil), names: "/products/5", "price"),
    Fault(
      "a list price not above the price", sample.setting("listPrice", of: 0, to: "12640"),
      names: "/products/0/listPrice", "12640"),
    Fault(
      "an unknown section", sample.setting("section", of: 3, to: quoted("dessert")), names: "/products/3/section",
      "dessert"),
    Fault(
      "six pictures in a gallery",
      sample.setting("images", of: 0, to: #"["1.jpg","2.jpg","3.jpg","4.jpg","5.jpg","6.jpg"]"#),
      names: "/products/0/images", "6"),
    Fault(
      "a reference with another scheme", sample.setting("image", of: 0, to: quoted("ftp://host/a.jpg")),
      names: "/products/0/image", "ftp://host/a.jpg"),
    Fault(
      "a reference into the file system", sample.setting("image", of: 0, to: quoted("file:///etc/passwd")),
      names: "/products/0/image", "file:///etc/passwd"),
    Fault("an unknown badge", sample.setting("badges", of: 0, to: #"["sale"]"#), names: "/products/0/badges/0", "sale"),
    Fault(
      "an unknown delivery type", sample.setting("deliveryTypes", of: 0, to: #"["drone"]"#),
      names: "/products/0/deliveryTypes/0", "drone"),
    Fault("no delivery type", sample.setting("deliveryTypes", of: 0, to: "[]"), names: "/products/0/deliveryTypes"),
    Fault("an empty title", sample.setting("title", of: 0, to: quoted("")), names: "/products/0/title"),
    Fault(
      "a title that is too long", sample.setting("title", of: 0, to: quoted(String(repeating: "반", count: 101))),
      names: "/products/0/title", "101"),
    Fault("a list for a product", shop { $0.shop["name"] = "[]" }, names: "/shop/name"),
    Fault("invalid UTF-8", file: file.prefix(400) + [0xFF] + file.dropFirst(400), names: "UTF-8"),
    Fault("a truncated file", file: file.dropLast(30), names: "catalog.json"),
    Fault("an empty file", file: [], names: "catalog.json"),
    Fault("no JSON at all", file: Array("id,title,price\n".utf8), names: "catalog.json"),
    Fault("a list at the top", file: Array("[]".utf8), names: "catalog.json"),
  ]

  @Test("A seed file with a fault is refused whole, and the shop stays as it was", arguments: faults)
  func refused(_ fault: Fault) throws {
    try Folder.withTemporary { folder in
      try folder.write(Self.file, to: "good/catalog.json")
      try folder.write(fault.file, to: "bad/catalog.json")
      let good = try BanchanProcess.run(["import", "good/catalog.json", "--data", "data"], in: folder.path)
      #expect(good.end == .exited(0), "\(good.messages)")
      let before = try folder.files(in: "data")
      let bad = try BanchanProcess.run(["import", "bad/catalog.json", "--data", "data"], in: folder.path)
      #expect(bad.end == .exited(3), "\(bad.messages)")
      let said = bad.output + bad.messages
      for name in fault.names { #expect(said.contains(name), "“\(name)” is not in: \(said)") }
      #expect(!said.contains("Swift") && !said.contains("Error("), "Not a sentence: \(said)")
      #expect(try folder.files(in: "data") == before)
    }
  }

  @Test("Every fault is told at once")
  func allAtOnce() throws {
    try Folder.withTemporary { folder in
      let shop = Self.shop {
        $0.products[0]["price"] = "-5"
        $0.products[1]["section"] = quoted("dessert")
        $0.products[2]["extra"] = "1"
        $0.collections[0]["products"] = #"["HNONE"]"#
      }
      try folder.write(shop.json, to: "catalog.json")
      let result = try BanchanProcess.run(["import", "catalog.json", "--data", "data"], in: folder.path)
      #expect(result.end == .exited(3))
      let said = result.output + result.messages
      for pointer in ["/products/0/price", "/products/1/section", "/products/2", "/collections/0/products/0"] {
        #expect(said.contains(pointer), "\(pointer) is not in: \(said)")
      }
    }
  }

  @Test("A faulty seed does not make a shop: serve says what is wrong, and does not start")
  func serveWithFaultySeed() throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().setting("price", of: 0, to: "-1").json, to: "seed/catalog.json")
      let result = try BanchanProcess.run(["serve", "--port", "0"], in: folder.path)
      #expect(result.end == .exited(3) && result.messages.contains("/products/0/price"), "\(result.messages)")
    }
  }

  @Test("A folder is imported by its catalog.json, and a second import replaces and hides")
  func twice() throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "seed/catalog.json")
      #expect(try BanchanProcess.run(["import", "seed", "--data", "data"], in: folder.path).end == .exited(0))
      var changed = SampleShop().setting("price", of: SampleShop.Place.discounted, to: "10000")
      changed.products.remove(at: 1)
      changed.products.swapAt(0, 1)
      try folder.write(changed.json, to: "seed/catalog.json")
      #expect(try BanchanProcess.run(["import", "seed", "--data", "data"], in: folder.path).end == .exited(0))
      let process = try BanchanProcess(
        ["serve", "--port", "0", "--origin-base", "http://127.0.0.1:1/"], in: folder.path)
      defer { process.endForCertain() }
      let connection = try RawConnection(port: try RunningShop.waitForPort(process))
      try connection.request("GET", "/api/v1/sections/main")
      let products = try connection.readReply().json["section"]["products"].items
      #expect(try products.map { try $0["id"].text } == ["HF778", "HBDEF", "HFB53"])
      #expect(try products[1]["price"]["amount"].integer == 10000)
      try connection.request("GET", "/api/v1/products/HDF73")
      #expect(try connection.readReply().status == 404)
    }
  }

  @Test("A file that is not there, and an import without a file, are told apart")
  func missing() throws {
    try Folder.withTemporary { folder in
      let missing = try BanchanProcess.run(["import", "none.json", "--data", "data"], in: folder.path)
      #expect(missing.end == .exited(1) && missing.messages.contains("none.json"))
      let usage = try BanchanProcess.run(["import"], in: folder.path)
      #expect(usage.end == .exited(2) && !usage.messages.isEmpty)
    }
  }
}
