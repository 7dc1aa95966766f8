import Client
import FoundationEssentials
import Testing

@testable import Shop

@Suite("The journal of a sync")
struct SyncJournalTests {
  private static let now: Int64 = 1_709_285_400

  private func open(
    _ folder: String, url: String = UpstreamSample.url, now: Int64 = Self.now
  ) throws -> SyncJournal {
    try openJournal(of: try OriginURL(Array(url.utf8)), in: "\(folder)/data/sync", now: now)
  }

  /// Opens a journal, notes two answers, and lets it go as a killed process does.
  private func leave(in folder: String) throws -> String {
    let journal = try open(folder)
    journal.note(Array("[1]".utf8), of: "main")
    journal.note(Array("{\"hash\":\n\"한\"}".utf8), of: "detail/HBDEF")
    return journal.path
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try #require(FileManager.default.contents(atPath: path)))
  }

  private func write(_ bytes: [UInt8], to path: String) {
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
  }

  @Test("What was noted is found by the next sync, byte for byte")
  func resumes() throws {
    try withTemporaryFolder { folder in
      _ = try leave(in: folder)
      let journal = try open(folder)
      #expect(journal.foundCount == 2)
      #expect(journal.body(of: "main") == Array("[1]".utf8) && journal.wasFound("main"))
      #expect(journal.body(of: "detail/HBDEF") == Array("{\"hash\":\n\"한\"}".utf8))
      #expect(journal.body(of: "soup") == nil)
    }
  }

  @Test("A record that is torn at any byte is left out, what stands before it is not, and the next one follows it")
  func torn() throws {
    try withTemporaryFolder { folder in
      let path = try leave(in: folder)
      let whole = try bytes(path)
      let mark = Array("detail/HBDEF".utf8)
      let second = try #require(whole.indices.first { whole[$0...].starts(with: mark) })
      let line = try #require(whole[..<(second - 1)].lastIndex(of: UInt8(ascii: "\n"))) + 1
      for length in line..<whole.count {
        write(Array(whole[..<length]), to: path)
        do {
          let journal = try open(folder)
          #expect(journal.foundCount == 1 && journal.body(of: "main") != nil, "cut after \(length) bytes")
          journal.note(Array("{}".utf8), of: "soup")
        }
        #expect(try open(folder).foundCount == 2, "cut after \(length) bytes")
      }
    }
  }

  @Test("A byte that was changed ends what is believed")
  func damaged() throws {
    try withTemporaryFolder { folder in
      let path = try leave(in: folder)
      let whole = try bytes(path)
      for index in whole.indices {
        var damaged = whole
        damaged[index] ^= 0x01
        write(damaged, to: path)
        let journal = try open(folder)
        for target in ["main", "detail/HBDEF"] {
          guard let body = journal.body(of: target) else { continue }
          #expect(body == Array((target == "main" ? "[1]" : "{\"hash\":\n\"한\"}").utf8), "byte \(index)")
        }
      }
    }
  }

  @Test(
    "What is not a journal, or says it is longer than it is, is begun anew",
    arguments: [
      "", "\n", "banchan-sync 1 1709285400 http://upstream.test/onban",
      "banchan-sync 2 1709285400 http://upstream.test/onban\n",
      "banchan-sync 1 1709285400 http://upstream.test/onban\n99999999999999999999 1 a\n",
      "banchan-sync 1 1709285400 http://upstream.test/onban\n9223372036854775807 9223372036854775807 a\nmain",
      "banchan-sync 1 1709285401 http://upstream.test/onban\n", "\u{0}\u{1}",
    ])
  func nonsense(_ text: String) throws {
    try withTemporaryFolder { folder in
      let path = try leave(in: folder)
      write(Array(text.utf8), to: path)
      do { #expect(try open(folder).foundCount == 0) }
      _ = try leave(in: folder)
      #expect(try open(folder).foundCount == 2)
    }
  }

  @Test("A journal of yesterday is begun anew")
  func old() throws {
    try withTemporaryFolder { folder in
      _ = try leave(in: folder)
      do { #expect(try open(folder, now: Self.now + 86_399).foundCount == 2) }
      do { #expect(try open(folder, now: Self.now + 86_400).foundCount == 0) }
    }
  }

  @Test("Each upstream has its own, and nobody else while a sync runs")
  func separate() throws {
    try withTemporaryFolder { folder in
      let journal = try open(folder)
      #expect(throws: SyncJournalError.inUse(path: journal.path)) {
        try SyncJournal(for: try OriginURL(Array(UpstreamSample.url.utf8)), in: "\(folder)/data/sync", now: Self.now)
      }
      let other = try open(folder, url: "http://upstream.test/woowa")
      #expect(other.path != journal.path)
    }
  }

  @Test("A sync that ended well leaves nothing")
  func finish() throws {
    try withTemporaryFolder { folder in
      let journal = try open(folder)
      journal.note([], of: "main")
      journal.finish()
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/data").isEmpty)
    }
  }

  @Test("A folder that cannot be made is told")
  func noFolder() throws {
    try withTemporaryFolder { folder in
      write([], to: "\(folder)/data")
      #expect(throws: SyncJournalError.self) { try open(folder) }
    }
  }
}
