import Glibc
import Testing

@Suite("Mirroring an upstream", .blocking)
struct SyncTests {
  private typealias Result = (end: BanchanProcess.End, output: String, messages: String)

  private func sync(
    _ url: String, _ arguments: String..., in folder: Folder, pictures: String = "off"
  ) throws -> Result {
    try BanchanProcess.run(Self.arguments(url, pictures) + arguments, in: folder.path)
  }

  // A busy machine must not look like a slow upstream.
  private static func arguments(_ url: String, _ pictures: String) -> [String] {
    ["sync", url, "--data", "mirror", "--cache", "mirror-cache", "--pictures", pictures, "--timeout", "60"]
  }

  private func export(_ folder: Folder) throws -> StrictJSON {
    let result = try BanchanProcess.run(["export", "--data", "mirror"], in: folder.path)
    #expect(result.end == .exited(0), "\(result.messages)")
    return try StrictJSON(Array(result.output.utf8))
  }

  private func product(_ id: String, in folder: Folder) throws -> StrictJSON {
    let products = try export(folder)["products"].items
    guard let product = try products.first(where: { try $0["id"].text == id }) else {
      throw Failure("There is no \(id)")
    }
    return product
  }

  // MARK: Another Banchan

  /// An answer of the mirror, with only what must be equal left of the pictures' addresses: their size.
  private func answer(_ path: String, in folder: Folder) throws -> StrictJSON {
    let result = try BanchanProcess.run(["get", path, "--data", "mirror"], in: folder.path)
    guard result.end == .exited(0) else { throw Failure("\(path): \(result.messages)") }
    return try StrictJSON(Array(result.output.utf8)).withoutAddresses
  }

  @Test(
    "A mirror of another Banchan answers like it, on the surface that it was mirrored by",
    arguments: [
      ("onban2022", "/onban"), ("baminchan2020", "/develop/baminchan"), ("woowa2018", "/woowa"), ("team2020", ""),
    ])
  func anotherBanchan(surface: String, mount: String) throws {
    try withShop { upstream in
      let folder = upstream.folder
      let result = try sync("http://127.0.0.1:\(upstream.port)\(mount)/", in: folder)
      #expect(result.end == .exited(0), "\(result.messages)")
      #expect(result.messages.contains("speaks \(surface)"))
      #expect(result.output.contains("oddities: 0"), "\(result.messages)")
      let lists =
        mount.isEmpty
        ? ["/categories"] + ["main", "soup", "side", "kimchi"].map { "/categories/\($0)" }
        : ["\(mount)/main", "\(mount)/soup", "\(mount)/side"]
      let detail = mount.isEmpty ? "/banchan" : "\(mount)/detail"
      let details = ["HBDEF", "HDF73", "HF778", "HFB53", "H72C3", "HBBCC"].map { "\(detail)/\($0)" }
      let best = ["/onban", "/develop/baminchan"].contains(mount) ? ["\(mount)/best"] : []
      for path in lists + details + best {
        #expect(try answer(path, in: folder) == upstream.json(path).withoutAddresses, "\(path)")
      }
      // The hidden one was not to be seen, and is not here.
      #expect(try export(folder)["products"].items.contains { try $0["id"].text == "H077F" } == false)
    }
  }

  @Test("An upstream that has not changed makes no write and no new version")
  func unchanged() throws {
    try withShop { upstream in
      let url = "http://127.0.0.1:\(upstream.port)/onban"
      #expect(try sync(url, in: upstream.folder).end == .exited(0))
      let before = try upstream.folder.files(in: "mirror")
      let result = try sync(url, in: upstream.folder)
      #expect(result.end == .exited(0), "\(result.messages)")
      #expect(result.output.contains("0 created, 0 changed, 6 unchanged, 0 hidden; nothing to do"), "\(result.output)")
      #expect(result.output.contains("stays at version 1"))
      #expect(try upstream.folder.files(in: "mirror").filter { $0.key != "lock" } == before.filter { $0.key != "lock" })
    }
  }

  @Test("What the upstream no longer lists is hidden, and deleted only by --prune")
  func missing() throws {
    let upstream = try FlakyUpstream()
    defer { upstream.origin.stop() }
    try Folder.withTemporary { folder in
      #expect(try sync(upstream.url, in: folder).end == .exited(0))
      upstream["side"] = #"{"statusCode":200,"body":[]}"#
      let dry = try sync(upstream.url, "--dry-run", in: folder)
      #expect(dry.end == .exited(0) && dry.output.contains("1 hidden; nothing was changed"), "\(dry.output)")
      #expect(try product("HBBCC", in: folder).has("status") == false)
      #expect(try sync(upstream.url, in: folder).output.contains("1 hidden"))
      #expect(try product("HBBCC", in: folder)["status"].text == "hidden")
      #expect(try sync(upstream.url, "--prune", in: folder).output.contains("1 deleted"))
      #expect(try export(folder)["products"].items.count == 6)
    }
  }

  // MARK: Oddities

  @Test("Real data is survived, and each oddity told once with what was done")
  func oddities() throws {
    let upstream = try FlakyUpstream()
    defer { upstream.origin.stop() }
    try Folder.withTemporary { folder in
      let result = try sync(upstream.url, in: folder)
      #expect(result.end == .exited(0), "\(result.messages)")
      let lines = result.messages.split(separator: "\n").filter { !$0.hasPrefix("banchan: ") }.map(String.init)
      let told = lines.filter { !$0.contains("the detail shows") }
      #expect(told.sorted() == FlakyUpstream.oddities.sorted())
      #expect(lines.count { $0.hasPrefix("HBDEF: the detail shows") } == 1)
      #expect(result.output.contains("7 created"))
      #expect(
        try product("HFB53", in: folder)["image"].text == upstream.origin.base + FlakyUpstream.oddPicture.dropFirst())
      #expect(try product("H72C3", in: folder)["images"].items.count == 5)
      #expect(try product("HBBCC", in: folder)["title"].text.count == 100)
      #expect(try export(folder)["collections"].items.map { try $0["id"].text } == ["17011200", "17011000"])
    }
  }

  @Test("Items that fail are named, and cost nothing that was there")
  func failures() throws {
    let upstream = try FlakyUpstream()
    defer { upstream.origin.stop() }
    try Folder.withTemporary { folder in
      #expect(try sync(upstream.url, in: folder).end == .exited(0))
      let before = try export(folder)
      upstream["soup"] = "<html>"
      upstream["detail/HBDEF"] = nil
      upstream["detail/HDF73"] = #"{"hash":"HDF73","data":[]}"#
      upstream.origin["/onban/detail/HBBCC"] = .status(500)
      upstream["detail/HFB53"] = #"{"hash":"HFB53","data":{"top_image":"#
      let result = try sync(upstream.url, in: folder)
      #expect(result.end == .exited(3))
      #expect(result.messages.contains("section soup: the answer is not JSON"), "\(result.messages)")
      #expect(result.messages.contains("detail of HBDEF: the answer has status 404"), "\(result.messages)")
      for hash in ["HDF73", "HBBCC", "HFB53"] { #expect(result.messages.contains("detail of \(hash)"), "\(hash)") }
      #expect(result.output.contains("7 unchanged, 0 hidden"), "\(result.output)")
      #expect(try export(folder) == before)
      // It went to its end, so the next one asks for everything again.
      #expect(try folder.names(in: "mirror").contains("sync") == false)
    }
  }

  // MARK: Interruptions

  @Test("A sync that was killed takes up at the item where it stopped, and asks nothing twice")
  func killed() throws {
    let upstream = try FlakyUpstream()
    defer { upstream.origin.stop() }
    try Folder.withTemporary { folder in
      upstream.origin["/onban/detail/HFB53"] = .silence
      let process = try BanchanProcess(Self.arguments(upstream.url, "off"), in: folder.path)
      defer { process.endForCertain() }
      try upstream.origin.waitForRequest("/onban/detail/HFB53")
      process.send(SIGKILL)
      #expect(try process.waitForEnd() == .signalled(SIGKILL))
      #expect(try folder.names(in: "mirror") == ["sync"])

      upstream.setDetail("HFB53", prices: #"["6,000원"]"#, image: FlakyUpstream.oddPicture)
      let result = try sync(upstream.url, in: folder)
      #expect(result.end == .exited(0), "\(result.messages)")
      #expect(result.messages.contains("an earlier sync that did not end has left 7 answers"), "\(result.messages)")
      #expect(result.output.contains("7 created"))
      for path in upstream.paths { #expect(upstream.count(path) == (path == "detail/HFB53" ? 2 : 1), "\(path)") }
      // What was heard before the kill is told all the same.
      for line in FlakyUpstream.oddities { #expect(result.messages.contains(line), "\(line)") }
      #expect(try folder.names(in: "mirror").contains("sync") == false)
    }
  }

  @Test("An upstream that dies half-way leaves what was there, and is gone on with when it is back")
  func dies() throws {
    let upstream = try FlakyUpstream()
    defer { upstream.origin.stop() }
    try Folder.withTemporary { folder in
      #expect(try sync(upstream.url, in: folder).end == .exited(0))
      let before = try export(folder)
      upstream.origin["/onban/detail/HF778"] = .silence
      let process = try BanchanProcess(Self.arguments(upstream.url, "off"), in: folder.path)
      defer { process.endForCertain() }
      try upstream.origin.waitForRequest("/onban/detail/HF778", count: 2)
      upstream.origin.stop()
      #expect(try process.waitForEnd() == .exited(3), "\(process.standardError)")
      // What it printed last is collected by then, too.
      try process.waitForChildren()
      #expect(process.standardOutput.contains("7 unchanged, 0 hidden"), "\(process.standardOutput)")
      #expect(process.standardError.contains("the upstream stopped answering"), "\(process.standardError)")
      #expect(try export(folder) == before)

      try upstream.origin.start()
      upstream.setDetail("HF778", prices: #"["28,900원"]"#, image: "HDF73")
      let result = try sync(upstream.url, in: folder)
      #expect(result.end == .exited(0), "\(result.messages)")
      #expect(result.messages.contains("has left 6 answers"), "\(result.messages)")
      #expect(upstream.count("main") == 2 && upstream.count("detail/HDF73") == 2)
    }
  }

  @Test("Nobody there, nothing known and no URL are told apart, and change nothing")
  func cannotBegin() throws {
    let upstream = try FlakyUpstream()
    defer { upstream.origin.stop() }
    try Folder.withTemporary { folder in
      #expect(try sync(upstream.url, in: folder).end == .exited(0))
      let before = try folder.read("mirror/banchan.db")
      let unknown = try sync(upstream.origin.base, in: folder)
      #expect(unknown.end == .exited(1) && unknown.messages.contains("speaks no surface that is known"))
      let wrong = try sync(upstream.url, "--surface", "team2020", in: folder)
      #expect(wrong.end == .exited(1) && wrong.messages.contains("nothing was changed"), "\(wrong.messages)")
      upstream.origin.stop()
      let gone = try sync(upstream.url, in: folder)
      #expect(gone.end == .exited(1) && gone.messages.contains("cannot be reached"), "\(gone.messages)")
      #expect(try BanchanProcess.run(["sync"], in: folder.path).end == .exited(2))
      #expect(try BanchanProcess.run(["sync", "onban"], in: folder.path).end == .exited(2))
      #expect(try folder.read("mirror/banchan.db") == before)
      #expect(try folder.names(in: "mirror").contains("sync") == false)
    }
  }

  @Test("A dry run on a folder without a shop makes none, and a second one asks again")
  func dryRunOnNothing() throws {
    let upstream = try FlakyUpstream()
    defer { upstream.origin.stop() }
    try Folder.withTemporary { folder in
      for round in 1...2 {
        let result = try sync(upstream.url, "--dry-run", in: folder)
        #expect(result.end == .exited(0), "\(result.messages)")
        #expect(result.output.contains("would be 7 created"), "\(result.output)")
        #expect(try folder.names(in: ".").isEmpty)
        #expect(upstream.count("main") == round)
      }
    }
  }

  // MARK: Pictures, and a server beside

  @Test("The pictures come after the catalog, past those that are dead, and are not fetched twice")
  func pictures() throws {
    let upstream = try FlakyUpstream()
    defer { upstream.origin.stop() }
    try Folder.withTemporary { folder in
      let first = try sync(upstream.url, in: folder, pictures: "on")
      #expect(first.end == .exited(0), "\(first.messages)")
      #expect(first.output.contains("pictures: 12 fetched, 0 stored before, 1 failed"), "\(first.output)")
      #expect(first.messages.contains("picture \(upstream.origin.base)data/gone.jpg: "), "\(first.messages)")
      let second = try sync(upstream.url, in: folder, pictures: "on")
      #expect(second.output.contains("pictures: 0 fetched, 12 stored before, 1 failed"), "\(second.output)")
      #expect(second.output.contains("nothing to do"))
      #expect(upstream.origin.count("/data/HBDEF.jpg") == 1 && upstream.origin.count("/data/dead.jpg") == 0)

      // The upstream vanishes, and the mirror serves all of it.
      upstream.origin.stop()
      let server = try BanchanProcess(
        [
          "serve", "--port", "0", "--data", "mirror", "--cache", "mirror-cache", "--origin-base", "http://127.0.0.1:1/",
        ],
        in: folder.path)
      defer { server.endForCertain() }
      let connection = try RawConnection(port: try RunningShop.waitForPort(server))
      try connection.request("GET", "/api/v1/products/HFB53", [])
      let url = try connection.readReply().json["product"]["image"]["urls"]["original"].text
      guard let path = url.firstMatch(of: /\/images\/.*$/) else { throw Failure("No picture in \(url)") }
      try connection.request("GET", String(path.0), [])
      let picture = try connection.readReply()
      #expect(picture.status == 200 && picture.body == Picture.jpeg("odd"))
    }
  }

  @Test("A mirror of another Banchan has the originals of its pictures, whatever size its lists show")
  func picturesOfAnotherBanchan() throws {
    try withShopAndOrigin { upstream, origin in
      let url = "http://127.0.0.1:\(upstream.port)/onban"
      let result = try sync(url, in: upstream.folder, pictures: "on")
      #expect(result.messages.contains("speaks onban2022"), "\(result.messages)")
      // The sample's origin has each product's first picture only; the upstream says so of the others.
      #expect(result.output.contains("pictures: 6 fetched, 0 stored before, 4 failed"), "\(result.output)")
      #expect(!result.output.contains("not to be stored"), "\(result.output)")
      #expect(origin.count("/images/HBDEF.jpg") == 1)
      #expect(try product("HBDEF", in: upstream.folder)["image"].text.hasSuffix("-original.jpg"))
    }
  }

  @Test("A sync into a shop that is being served goes through its server, and leaves the pictures to it")
  func throughServer() throws {
    let upstream = try FlakyUpstream()
    defer { upstream.origin.stop() }
    try withShop { shop in
      let result = try BanchanProcess.run(
        ["sync", upstream.url, "--data", "data", "--timeout", "60"], in: shop.folder.path)
      #expect(result.end == .exited(0), "\(result.messages)")
      #expect(result.messages.contains("a server has this shop"))
      #expect(try shop.json("/onban/side")["body"].items.map { try $0["detail_hash"].text } == ["HBBCC"])
      #expect(try shop.json("/api/v1/catalog")["shop"]["name"].text == "맛나 반찬")
      let again = try BanchanProcess.run(
        ["sync", upstream.url, "--data", "data", "--timeout", "60"], in: shop.folder.path)
      #expect(again.output.contains("nothing to do"), "\(again.output) \(again.messages)")
    }
  }

  @Test("Two syncs of one upstream do not run at once")
  func twoAtOnce() throws {
    let upstream = try FlakyUpstream()
    defer { upstream.origin.stop() }
    try Folder.withTemporary { folder in
      upstream.origin["/onban/detail/HFB53"] = .silence
      let process = try BanchanProcess(Self.arguments(upstream.url, "off"), in: folder.path)
      defer { process.endForCertain() }
      try upstream.origin.waitForRequest("/onban/detail/HFB53")
      let second = try sync(upstream.url, in: folder)
      #expect(second.end == .exited(1) && second.messages.contains("is under way"), "\(second.messages)")
    }
  }
}

extension StrictJSON {
  /// The same with every picture's address cut down to its size and format.
  fileprivate var withoutAddresses: StrictJSON {
    switch self {
    case .string(let text):
      guard let match = text.firstMatch(of: /^http:\/\/[^\/]+\/images\/[^\/]+-([a-z]+\.[a-z]+)$/) else { return self }
      return .string(String(match.1))
    case .array(let items): return .array(items.map(\.withoutAddresses))
    case .object(let members):
      return .object(members.map { Member(key: $0.key, value: $0.value.withoutAddresses) })
    default: return self
    }
  }
}
