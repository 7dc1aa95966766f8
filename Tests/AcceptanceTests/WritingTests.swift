import Testing

@Suite("Commands beside a server", .blocking)
struct WritingTests {
  private func run(_ arguments: String..., in folder: Folder) throws -> (
    end: BanchanProcess.End, output: String, messages: String
  ) {
    try BanchanProcess.run(arguments + ["--data", "data"], in: folder.path)
  }

  @Test("An import while the server runs goes through it, and shows at once")
  func importThroughServer() throws {
    try withShop { shop in
      let before = try shop.get("/api/v1/products/HBDEF")
      let changed = SampleShop().setting("title", of: 0, to: quoted("새 이름"))
      try shop.folder.write(changed.json, to: "new/catalog.json")
      let result = try run("import", "new", in: shop.folder)
      #expect(result.end == .exited(0), "\(result.messages)")
      #expect(result.output.contains("1 changed"))
      let after = try shop.get("/api/v1/products/HBDEF")
      #expect(after.text.contains("새 이름"))
      #expect(after["ETag"] != before["ETag"])
      #expect(try shop.get("/onban/main").text.contains("새 이름"))
    }
  }

  @Test("A dry run says what would change, and changes nothing", arguments: [true, false])
  func dryRun(isRunning: Bool) throws {
    try withShop { shop in
      if !isRunning {
        shop.process.send(15)
        #expect(try shop.process.waitForEnd() == .exited(0))
      }
      let before = try shop.folder.read("data/banchan.db")
      var changed = SampleShop().setting("price", of: 0, to: "100")
      changed.collections = []
      changed.products.removeLast()
      try shop.folder.write(changed.json, to: "new.json")
      let result = try run("import", "new.json", "--dry-run", in: shop.folder)
      #expect(result.end == .exited(0), "\(result.messages)")
      #expect(result.output.contains("1 changed") && result.output.contains("1 hidden"), "\(result.output)")
      #expect(result.output.contains("nothing was changed"))
      #expect(try shop.folder.read("data/banchan.db") == before)
    }
  }

  @Test("A dry run on a folder without a shop makes none")
  func dryRunOnNothing() throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "catalog.json")
      let result = try run("import", "catalog.json", "--dry-run", in: folder)
      #expect(result.end == .exited(0), "\(result.messages)")
      #expect(result.output.contains("\(SampleShop().products.count) created"))
      #expect(try folder.names(in: ".").sorted() == ["catalog.json"])
    }
  }

  @Test("What a file lacks is hidden, comes back with a later file, and is deleted only by --prune")
  func missing() throws {
    try withShop { shop in
      var smaller = SampleShop()
      smaller.collections = []
      smaller.products.removeFirst()
      try shop.folder.write(smaller.json, to: "smaller.json")
      try shop.folder.write(SampleShop().json, to: "whole.json")
      let created = try shop.get("/api/v1/products/HBDEF").text.firstMatch(of: /"createdAt":"([^"]*)"/)?.1
      #expect(try run("import", "smaller.json", in: shop.folder).output.contains("1 hidden"))
      #expect(try shop.get("/api/v1/products/HBDEF").status == 404)
      #expect(try run("export", in: shop.folder).output.contains("\"HBDEF\""))
      #expect(try run("import", "whole.json", in: shop.folder).end == .exited(0))
      let again = try shop.get("/api/v1/products/HBDEF").text.firstMatch(of: /"createdAt":"([^"]*)"/)?.1
      #expect(created != nil && created == again)
      #expect(try run("import", "smaller.json", "--prune", in: shop.folder).output.contains("1 deleted"))
      let exported = try run("export", in: shop.folder).output
      #expect(!exported.contains("\"HBDEF\""))
    }
  }

  @Test("Export, import and export give the same bytes, to a file as on standard output")
  func roundTrip() throws {
    try withShop { shop in
      let first = try run("export", in: shop.folder)
      #expect(first.end == .exited(0) && first.messages.isEmpty)
      try shop.folder.write(first.output, to: "exported.json")
      #expect(try run("import", "exported.json", in: shop.folder).output.contains("nothing to do"))
      #expect(try run("export", "again.json", in: shop.folder).output.isEmpty)
      #expect(try shop.folder.read("again.json") == Array(first.output.utf8))
    }
  }

  @Test("get answers as the server does, beside it and without it")
  func get() throws {
    try withShop { shop in
      for path in ["/api/v1/catalog", "/onban/detail/HBDEF", "/categories", "/api/v1/sections/main/"] {
        let served = try shop.get(path, "Host: localhost")
        let result = try run("get", path, in: shop.folder)
        #expect(result.end == .exited(0) && result.output == served.text, "\(path)")
      }
      let missing = try run("get", "/반찬", "--include", in: shop.folder)
      #expect(missing.end == .exited(1))
      #expect(missing.output.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
      #expect(missing.output.contains("\"code\":\"not-found\""))
      #expect(try run("get", "nowhere", in: shop.folder).end == .exited(2))
    }
  }
}
