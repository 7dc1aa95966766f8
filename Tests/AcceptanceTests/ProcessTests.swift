import Glibc
import Testing

@Suite("The process", .blocking)
struct ProcessTests {
  // MARK: The command line

  @Test("Help goes to standard output, and names what there is", arguments: [[], ["serve"], ["import"], ["origin"]])
  func help(_ command: [String]) throws {
    try Folder.withTemporary { folder in
      let result = try BanchanProcess.run(command + ["--help"], in: folder.path)
      #expect(result.end == .exited(0) && result.messages.isEmpty)
      let expected =
        command == ["serve"]
        ? ["--port", "--data", "--origin-base", "--surface"] : command.isEmpty ? ["serve", "import", "origin"] : ["--"]
      for word in expected { #expect(result.output.contains(word), "\(word)") }
    }
  }

  @Test("The version is one line")
  func version() throws {
    try Folder.withTemporary { folder in
      let result = try BanchanProcess.run(["--version"], in: folder.path)
      #expect(result.end == .exited(0) && result.output.contains(/^banchan \d+\.\d+\.\d+\S*\n$/), "\(result.output)")
    }
  }

  @Test(
    "What the command line does not know is a usage error that names it, and changes nothing",
    arguments: [
      (["fry"], "fry"), (["serve", "--prot", "80"], "--prot"), (["serve", "--port"], "--port"),
      (["serve", "--port", "+80"], "+80"), (["serve", "--port", "65536"], "65536"),
      (["serve", "--port", ""], "--port"),
      (["serve", "extra"], "extra"), (["serve", "--log", "loud"], "loud"), (["serve", "--grace", "-1"], "-1"),
      (["serve", "--origin-base", "ftp://x/"], "ftp://x/"), (["serve", "--public-url", "shop"], "shop"),
      (["serve", "--surface", "onban2022"], "onban2022"), (["serve", "--surface", "onban1999=/x"], "onban1999"),
      (["import", "a", "b"], "b"), (["origin"], "--dir"),
    ])
  func usage(_ arguments: [String], _ name: String) throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "seed/catalog.json")
      let result = try BanchanProcess.run(arguments, in: folder.path)
      #expect(result.end == .exited(2), "\(result.messages)")
      #expect(result.messages.contains(name) && result.output.isEmpty)
      #expect(try folder.files(in: ".").keys.sorted() == ["seed/catalog.json"])
    }
  }

  // MARK: What it cannot serve

  /// Runs a serve that must not start, and returns its one sentence.
  private func refusal(_ arguments: [String], in folder: Folder, sourceLocation: SourceLocation = #_sourceLocation)
    throws -> String
  {
    let process = try BanchanProcess(
      ["serve", "--origin-base", "http://127.0.0.1:1/"] + (arguments.contains("--port") ? [] : ["--port", "0"])
        + arguments, in: folder.path)
    defer { process.endForCertain() }
    #expect(try process.waitForEnd() == .exited(1), sourceLocation: sourceLocation)
    try process.waitForChildren()
    // That it filled an empty folder first may be said; what is wrong is one sentence.
    let lines = process.lines.filter { !$0.contains("filled the empty data folder") }
    #expect(lines.count == 1, "\(process.standardError)", sourceLocation: sourceLocation)
    #expect(lines.first?.hasPrefix("banchan: ") == true, sourceLocation: sourceLocation)
    return String(lines.first ?? "")
  }

  @Test("A data folder that cannot be written is named in one sentence")
  func unwritable() throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "seed/catalog.json")
      try folder.write("a file", to: "file")
      #expect(try refusal(["--data", "file"], in: folder).contains("file"))
      #expect(try refusal(["--data", "file/data"], in: folder).contains("file/data"))
      // Root may write anywhere but where the kernel itself says no.
      let locked = geteuid() == 0 ? "/sys" : folder["locked"]
      if geteuid() != 0 { mkdir(locked, 0o555) }
      #expect(try refusal(["--data", locked], in: folder).contains(locked))
    }
  }

  @Test("A second server on a data folder is refused, and the first goes on")
  func dataInUse() throws {
    try withShop { shop in
      let said = try refusal(["--data", "data", "--cache", "other"], in: shop.folder)
      #expect(said.contains("data"))
      #expect(try shop.get("/livez").status == 200)
    }
  }

  @Test("A port in use is named, whoever has it")
  func portInUse() throws {
    let origin = try ScriptedOrigin()
    defer { origin.stop() }
    try withShop { shop in
      for port in [origin.port, shop.port] {
        let said = try refusal(["--data", "other", "--port", "\(port)"], in: shop.folder)
        #expect(said.contains("\(port)"))
      }
      #expect(try shop.get("/livez").status == 200)
    }
  }

  @Test("A database of another application, and one of a newer version, are left alone")
  func otherDatabase() throws {
    // Where SQLite's file format has the application's number, and the schema's.
    for (offset, bytes) in [(68, Array("MINE".utf8)), (60, [0, 0, 0x27, 0x0F])] {
      try Folder.withTemporary { folder in
        try folder.write(SampleShop().json, to: "seed/catalog.json")
        #expect(try BanchanProcess.run(["import", "seed", "--data", "data"], in: folder.path).end == .exited(0))
        let isDatabase = { (bytes: [UInt8]) in bytes.starts(with: Array("SQLite format 3\0".utf8)) }
        let found = try #require(folder.files(in: "data").first { isDatabase($0.value) })
        var database = found.value
        database.replaceSubrange(offset..<(offset + 4), with: bytes)
        try folder.write(database, to: "data/\(found.key)")
        #expect(try refusal([], in: folder).contains(found.key))
        #expect(try folder.read("data/\(found.key)") == database)
      }
    }
  }

  @Test("An empty data folder without a seed is a sentence, too")
  func noSeed() throws {
    try Folder.withTemporary { folder in
      let said = try refusal(["--seed", "nowhere"], in: folder)
      #expect(said.contains("nowhere"))
    }
  }

  // MARK: Ending

  @Test("SIGTERM ends it in peace, also with idle connections", arguments: [SIGTERM, SIGINT])
  func ends(_ signal: Int32) throws {
    try withShop { shop in
      // One that never sent a byte, one between two requests, one in the middle of a head.
      let silent = try shop.connect()
      let idle = try shop.connect()
      try idle.request("GET", "/livez")
      #expect(try idle.readReply().status == 200)
      let started = try shop.connect()
      try started.send("GET /livez HT")
      shop.process.send(signal)
      #expect(try shop.process.waitForEnd() == .exited(0))
      for connection in [silent, idle] { #expect(try connection.isEndedByServer()) }
      #expect(throws: Failure.self) { try shop.connect() }
    }
  }

  @Test("What is in flight is finished before it ends")
  func drains() throws {
    try withShopAndOrigin(arguments: ["--grace", "60"]) { shop, origin in
      let path = try shop.picture(of: "HBDEF")
      origin.hold()
      let connection = try shop.connect()
      try connection.request("GET", path)
      try origin.waitForRequest("/images/HBDEF.jpg")
      shop.process.send(SIGTERM)
      // Nobody new is let in; then the picture comes.
      _ = Patience.until { (try? shop.connect()) == nil ? true : nil }
      origin.release()
      let reply = try connection.readReply()
      #expect(reply.status == 200 && reply.body == Picture.jpeg("HBDEF"))
      #expect(reply.list("Connection") == ["close"])
      #expect(try shop.process.waitForEnd() == .exited(0))
    }
  }

  @Test("A second SIGTERM ends it at once, whatever is in flight")
  func endsAtOnce() throws {
    try withShopAndOrigin(arguments: ["--grace", "3600"]) { shop, origin in
      let path = try shop.picture(of: "HBDEF")
      origin.hold()
      let connection = try shop.connect()
      try connection.request("GET", path)
      try origin.waitForRequest("/images/HBDEF.jpg")
      shop.process.send(SIGTERM)
      _ = Patience.until { (try? shop.connect()) == nil ? true : nil }
      shop.process.send(SIGTERM)
      // The origin never answered: within the patience of the test, it ended because it was told twice.
      _ = try shop.process.waitForEnd()
    }
  }

  @Test("The grace time is a hard end")
  func grace() throws {
    try withShopAndOrigin(arguments: ["--grace", "1"]) { shop, origin in
      let path = try shop.picture(of: "HBDEF")
      origin.hold()
      let connection = try shop.connect()
      try connection.request("GET", path)
      try origin.waitForRequest("/images/HBDEF.jpg")
      shop.process.send(SIGTERM)
      _ = try shop.process.waitForEnd()
    }
  }

  @Test("What was imported is there after a SIGKILL")
  func killed() throws {
    try withShop { shop in
      let before = try shop.get("/api/v1/catalog").body
      shop.process.send(SIGKILL)
      #expect(try shop.process.waitForEnd() == .signalled(SIGKILL))
      let process = try BanchanProcess(
        ["serve", "--port", "0", "--origin-base", "http://127.0.0.1:1/"], in: shop.folder.path)
      defer { process.endForCertain() }
      let connection = try RawConnection(port: try RunningShop.waitForPort(process))
      try connection.request("GET", "/api/v1/catalog")
      #expect(try connection.readReply().body == before)
    }
  }

  // MARK: Running short

  @Test("Out of descriptors it waits, and goes on when there are some again")
  func descriptors() throws {
    try withShop(descriptorLimit: 64) { shop in
      for _ in 0..<3 {
        var connections: [RawConnection] = []
        for _ in 0..<150 {
          let connection = try shop.connect()
          try connection.request("GET", "/onban/main")
          connections.append(connection)
        }
        // Some are answered, the others wait in the kernel's queue.
        #expect(try connections[0].readReply().status == 200)
        connections.removeAll()
        #expect(try shop.get("/onban/main").status == 200)
      }
      shop.process.send(SIGTERM)
      #expect(try shop.process.waitForEnd() == .exited(0))
    }
  }

  @Test("Clients that reset their connections leave nothing behind")
  func resets() throws {
    try withShop(arguments: ["--log", "off"]) { shop in
      let descriptors = { try Folder(path: "/proc/\(shop.process.identifier)").names(in: "fd").count }
      #expect(try shop.get("/livez").status == 200)
      let before = try descriptors()
      for round in 0..<10_000 {
        let connection = try shop.connect()
        if round % 3 > 0 {
          try connection.send(round % 3 == 1 ? "GET /on" : "GET /onban/main HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        connection.reset()
      }
      let after = try Patience.until { try descriptors() <= before ? true : nil }
      #expect(after == true)
      #expect(try shop.get("/livez").status == 200)
    }
  }

  @Test("Four thousand requests at once, whose answers nobody reads, take no memory, and the connection is ended")
  func slowReader() throws {
    try withShop(arguments: ["--log", "off"], limits: "sendStall=3000") { shop in
      #expect(try shop.get("/onban/main").status == 200)
      let resident = { try residentKilobytes(shop.process.identifier) }
      let before = try resident()
      let greedy = try shop.connect()
      let request = "GET /onban/main HTTP/1.1\r\nHost: shop.test\r\n\r\n"
      // What does not fit into the buffers of the two sockets is not taken.
      try? greedy.sendWithoutWaiting(Array(String(repeating: request, count: 4_000).utf8))
      for _ in 0..<20 {
        #expect(try shop.get("/onban/main").status == 200)
        #expect(try resident() < before + 4_096)
        poll(nil, 0, 50)
      }
      let descriptors = { try Folder(path: "/proc/\(shop.process.identifier)").names(in: "fd").count }
      let during = try descriptors()
      #expect(try Patience.until { try descriptors() < during ? true : nil } == true)
    }
  }

  // MARK: Logging

  @Test("A request is a line in the log, with its method, target and status", arguments: ["text", "json"])
  func log(_ format: String) throws {
    try withShop(arguments: ["--log", format]) { shop in
      #expect(try shop.get("/nowhere?q=%0A%1b").status == 404)
      let line = try shop.process.waitForLine(containing: "/nowhere")
      #expect(line.contains("GET") && line.contains("404"))
      #expect(!line.utf8.contains { $0 < 0x20 })
      if format == "json" { #expect(!(try StrictJSON(Array(line.utf8))).keys.isEmpty) }
    }
  }

  @Test("With the log off, requests are not logged")
  func logOff() throws {
    try withShop(arguments: ["--log", "off"]) { shop in
      #expect(try shop.get("/nowhere").status == 404)
      shop.process.send(SIGTERM)
      #expect(try shop.process.waitForEnd() == .exited(0))
      try shop.process.waitForChildren()
      #expect(!shop.process.standardError.contains("/nowhere"))
    }
  }

  @Test("A health check says that a server serves, and with 1 and a sentence that none does")
  func healthcheck() throws {
    try withShop { shop in
      let good = try BanchanProcess.run(["healthcheck", "--port", "\(shop.port)"], in: shop.folder.path)
      #expect(good.end == .exited(0) && good.output.contains("\"status\":"), "\(good)")
      let wild = try BanchanProcess.run(
        ["healthcheck", "--host", "0.0.0.0", "--port", "\(shop.port)"], in: shop.folder.path)
      #expect(wild.end == .exited(0), "\(wild)")
      shop.process.send(SIGTERM)
      _ = try shop.process.waitForEnd()
      let bad = try BanchanProcess.run(["healthcheck", "--port", "\(shop.port)"], in: shop.folder.path)
      #expect(bad.end == .exited(1) && bad.messages.contains("no server answers"), "\(bad)")
    }
  }
}
