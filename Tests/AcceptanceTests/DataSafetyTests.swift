import Glibc
import Testing

@Suite("The shop's data, whatever happens", .blocking)
struct DataSafetyTests {
  private func run(
    _ arguments: String..., in folder: Folder
  ) throws -> (end: BanchanProcess.End, output: String, messages: String) {
    try BanchanProcess.run(arguments + ["--data", "data"], in: folder.path)
  }

  /// The lines that a command printed; it must have worked.
  private func output(_ arguments: String..., in folder: Folder) throws -> String {
    let result = try BanchanProcess.run(arguments + ["--data", "data"], in: folder.path)
    guard result.end == .exited(0) else { throw Failure("\(arguments): \(result.messages)") }
    return result.output
  }

  private func path(in line: String) -> String { String(line.prefix { $0 != ":" }) }

  @Test("A backup made while a server runs can be restored into it, and shows at once")
  func runningServer() throws {
    try withShop { shop in
      let before = try shop.get("/api/v1/products/HBDEF")
      let backup = path(in: try output("backup", in: shop.folder))
      try shop.folder.write(SampleShop().setting("title", of: 0, to: quoted("새 이름")).json, to: "new.json")
      _ = try output("import", "new.json", in: shop.folder)
      #expect(try shop.get("/api/v1/products/HBDEF").text.contains("새 이름"))
      let answer = try output("restore", backup, "--verify", in: shop.folder)
      #expect(answer.contains("verified") && answer.contains("before-restore-"))
      let after = try shop.get("/api/v1/products/HBDEF")
      #expect(!after.text.contains("새 이름"))
      #expect(after["ETag"] != before["ETag"], "the version moved on")
      try shop.restart()
      #expect(try shop.get("/api/v1/products/HBDEF").text == after.text)
    }
  }

  @Test(
    "A dry run tries a backup out and changes nothing; one that is damaged, or none at all, ends with 1 and a sentence")
  func refusals() throws {
    try withShop { shop in
      let backup = path(in: try output("backup", "shelf", in: shop.folder))
      #expect(try output("restore", backup, "--dry-run", in: shop.folder).contains("is whole"))
      #expect(try output("backup", "shelf", "--list", in: shop.folder).contains(backup))
      let name = backup.split(separator: "/").last.map(String.init) ?? ""
      var bytes = try shop.folder.read("shelf/\(name)/banchan.db")
      bytes[bytes.count / 2] ^= 0x10
      try shop.folder.write(bytes, to: "shelf/\(name)/banchan.db")
      for arguments in [[backup], [backup, "--dry-run"], ["nowhere"], ["data"]] {
        let result = try BanchanProcess.run(["restore"] + arguments + ["--data", "data"], in: shop.folder.path)
        #expect(result.end == .exited(1) && result.messages.contains(arguments[0]), "\(result)")
      }
    }
  }

  @Test("The doctor finds nothing wrong beside a server, and says what to do about a file that is no database")
  func doctor() throws {
    try withShop { shop in
      _ = try output("backup", in: shop.folder)
      let words = try output("doctor", in: shop.folder)
      #expect(words.contains("database: whole") && !words.contains("FAILURE"))
      shop.process.send(SIGTERM)
      _ = try shop.process.waitForEnd()
      try shop.folder.write("no database", to: "data/banchan.db")
      let result = try run("doctor", in: shop.folder)
      #expect(result.end == .exited(1) && result.output.contains("FAILURE") && result.output.contains("restore"))
    }
  }

  @Test(
    "What the doctor advises for a database that is none can be done: a restore, which keeps the file that was there")
  func lostDatabase() throws {
    try Folder.withTemporary { folder in
      try folder.write(SampleShop().json, to: "shop.json")
      _ = try output("import", "shop.json", in: folder)
      let before = try output("export", in: folder)
      let backup = path(in: try output("backup", in: folder))
      try folder.write("no database", to: "data/banchan.db")
      #expect(try run("import", "shop.json", in: folder).end == .exited(1))
      let words = try output("restore", backup, "--verify", in: folder)
      #expect(words.contains("verified") && words.contains("data/banchan.db.unusable"), "\(words)")
      #expect(try output("export", in: folder) == before)
      #expect(try folder.read("data/banchan.db.unusable") == Array("no database".utf8))
      #expect(try output("doctor", in: folder).contains("banchan.db.unusable"))
    }
  }

  /// How often something is killed in all tests of one kind.
  private static let kills: Int = {
    guard let text = getenv("BANCHAN_KILLS"), let kills = Int(String(cString: text)) else { return 200 }
    return kills
  }()

  /// Two catalogs that differ in every product, so that what is exported is the one or the other, never a mixture; the
  /// exports of both, and a backup of `a`, which is in the shop.
  private func prepare(_ folder: Folder) throws -> (exports: [String: String], backup: String) {
    var other = SampleShop()
    for index in other.products.indices { other.products[index]["price"] = "\(100 + index)" }
    try folder.write(SampleShop().json, to: "a.json")
    try folder.write(other.json, to: "b.json")
    var exports: [String: String] = [:]
    for name in ["b", "a"] {
      _ = try output("import", "\(name).json", in: folder)
      exports[name] = try output("export", in: folder)
    }
    return (exports, path(in: try output("backup", in: folder)))
  }

  @Test(
    "Killed at any moment of a write, a backup or a restore, the shop has all that it was told it has",
    arguments: 1...4)
  func killed(_ shop: Int) throws {
    try Folder.withTemporary { folder in
      let (exports, backup) = try prepare(folder)
      var current = "a"
      var generator = SystemRandomNumberGenerator()
      for round in 0..<Self.kills / 4 {
        let next = current == "a" ? "b" : "a"
        let command: [String] =
          switch round % 3 {
          case 0: ["import", "\(next).json"]
          case 1: ["restore", backup]
          default: ["backup", "--keep", "3"]
          }
        let process = try BanchanProcess(command + ["--data", "data"], in: folder.path)
        usleep(UInt32.random(in: 0..<60_000, using: &generator))
        process.send(SIGKILL)
        let end = try process.waitForEnd()
        try process.waitForChildren()
        let isAcknowledged = end == .exited(0)
        let target = round % 3 == 0 ? next : round % 3 == 1 ? "a" : current

        let found = try output("export", in: folder)
        if isAcknowledged {
          #expect(found == exports[target], "round \(round): acknowledged, and lost")
        } else {
          #expect(found == exports[current] || found == exports[target], "round \(round): neither the old nor the new")
        }
        current = found == exports["a"] ? "a" : "b"
      }
      // Every backup that can be seen is a whole one, and nothing is left lying about for long.
      _ = try output("backup", "--keep", "10", in: folder)
      let names = try folder.names(in: "data/backups")
      #expect(!names.contains { $0.hasSuffix(".partial") }, "\(names)")
      for name in names { _ = try output("restore", "data/backups/\(name)", "--dry-run", in: folder) }
    }
  }

  @Test(
    "A server that is killed while it writes, backs up or restores for a command loses nothing that the command was told"
  )
  func killedServer() throws {
    try withShop { shop in
      let folder = shop.folder
      let (exports, backup) = try prepare(folder)
      var current = "a"
      for round in 0..<max(3, Self.kills / 10) {
        let next = current == "a" ? "b" : "a"
        let (arguments, target): ([String], String) =
          switch round % 3 {
          case 0: (["import", "\(next).json"], next)
          case 1: (["restore", backup], "a")
          default: (["backup", "--keep", "3"], current)
          }
        let command = try BanchanProcess(arguments + ["--data", "data"], in: folder.path)
        defer { command.endForCertain() }
        usleep(UInt32.random(in: 0..<60_000))
        shop.process.send(SIGKILL)
        _ = try shop.process.waitForEnd()
        let isAcknowledged = try command.waitForEnd() == .exited(0)
        let found = try output("export", in: folder)
        if isAcknowledged {
          #expect(found == exports[target], "round \(round): acknowledged, and lost")
        } else {
          #expect(found == exports[current] || found == exports[target], "round \(round): neither the old nor the new")
        }
        current = found == exports["a"] ? "a" : "b"
        try shop.startAgain()
        #expect(try shop.get("/readyz").status == 200)
      }
      for name in try folder.names(in: "data/backups") where !name.hasPrefix(".") {
        _ = try output("restore", "data/backups/\(name)", "--dry-run", in: folder)
      }
    }
  }
}
