import FoundationEssentials
import Glibc
import Testing

/// What an answer that was given before costs the C library's allocator: nothing.
///
/// Only an optimised build has that property, so the server here is the release binary, as it is shipped, with a
/// counting allocator put before it. `make test` builds both and names the folder they are in; without it the suite is
/// skipped.
@Suite("Memory on the hot path", .blocking, .enabled(if: releaseFolder != nil, "make test builds the release binary"))
struct AllocationTests {
  /// Enough for an allocation that happens now and then to show.
  private let requests = 500

  @Test(
    "A request whose answer was given before allocates nothing, whether or not it is logged and counted",
    arguments: [["--log", "off"], ["--log", "text", "--ops-port", "0"], ["--log", "json", "--ops-port", "0"]])
  func nothing(_ watching: [String]) throws {
    try Folder.withTemporary { folder in
      let server = try CountedServer(in: folder, watching)
      defer { server.process.endForCertain() }
      let connection = try RawConnection(port: server.port)

      let list = "/onban/main"
      try connection.request("GET", list)
      let listReply = try connection.readReply()
      let tag = try #require(listReply["ETag"])
      let picture = try #require(listReply.text.firstMatch(of: /\/images\/[^"]+/)).output
      let browser = [
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "Accept: text/html,application/json;q=0.9,*/*;q=0.8", "Accept-Language: ko-KR,ko;q=0.8,en;q=0.5",
        "Accept-Encoding: gzip, deflate, br, zstd", "Origin: http://localhost:3000", "Connection: keep-alive",
        "Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: cors", "Sec-Fetch-Site: cross-site", "Priority: u=4",
      ]
      let kinds: [(what: String, method: String, target: String, fields: [String], status: Int)] = [
        ("a list", "GET", list, [], 200),
        ("a list in gzip", "GET", list, ["Accept-Encoding: gzip"], 200),
        ("a list for a browser", "GET", list, browser, 200),
        ("a list that the client has", "GET", list, ["If-None-Match: \(tag)"], 304),
        ("the head of a list", "HEAD", list, [], 200),
        ("a picture", "GET", String(picture), [], 200),
        ("a picture for a browser", "GET", String(picture), browser, 200),
        ("a part of a picture", "GET", String(picture), ["Range: bytes=100-199"], 206),
        ("the head of a picture", "HEAD", String(picture), [], 200),
      ]
      for kind in kinds {
        let ask = {
          try connection.request(kind.method, kind.target, kind.fields)
          return try connection.readReply(to: kind.method).status
        }
        // The first answers are made; and a picture that was just fetched is news that the catalog takes in later.
        for _ in 0..<20 { #expect(try ask() == kind.status, "\(kind.what)") }
        // What the server does beside may fall into a round, but not into every one.
        var fewest = Int.max
        for _ in 0..<5 where fewest > 0 {
          let before = try server.allocations()
          for _ in 0..<requests { _ = try ask() }
          fewest = min(fewest, try server.allocations() - before)
        }
        #expect(fewest == 0, "\(kind.what): \(fewest) allocations in \(requests) requests")
      }
    }
  }

  @Test("A connection that was answered and waits takes at most 2 KB")
  func idle() throws {
    try Folder.withTemporary { folder in
      let server = try CountedServer(in: folder)
      defer { server.process.endForCertain() }
      // Within the descriptors that a shell gives, and enough for what else goes on to be small beside it.
      var connections: [RawConnection] = []
      func connect(_ count: Int) throws {
        for _ in 0..<count {
          let connection = try RawConnection(port: server.port)
          try connection.request("GET", "/onban/main")
          _ = try connection.readReply()
          connections.append(connection)
        }
      }
      try connect(100)
      let before = try server.residentBytes()
      try connect(400)
      let each = (try server.residentBytes() - before) / 400
      #expect(each <= 2_048)
    }
  }

  @Test("The counter counts: a request that nobody made before allocates")
  func counter() throws {
    try Folder.withTemporary { folder in
      let server = try CountedServer(in: folder)
      defer { server.process.endForCertain() }
      let connection = try RawConnection(port: server.port)
      let before = try server.allocations()
      for number in 0..<requests {
        try connection.request("GET", "/onban/main?unlike=\(number)")
        _ = try connection.readReply()
      }
      #expect(try server.allocations() - before >= requests)
    }
  }
}

/// Where the release binary and the counter are, if `make test` said so.
let releaseFolder = ProcessInfo.processInfo.environment["BANCHAN_RELEASE_FOLDER"]

/// The release binary on the checkout's own seed, counting.
private struct CountedServer {
  let process: BanchanProcess
  let port: UInt16
  private let folder: Folder

  init(in folder: Folder, _ arguments: [String] = ["--log", "off"]) throws {
    guard let releaseFolder else { throw Failure("BANCHAN_RELEASE_FOLDER is not set") }
    self.folder = folder
    try folder.write([UInt8](repeating: 0, count: 8), to: "count")
    process = try BanchanProcess(
      [
        "serve", "--port", "0", "--threads", "1", "--data", "data", "--cache", "cache",
        "--warm", "off", "--seed", checkout() + "/seed",
      ] + arguments,
      in: folder.path,
      environment: ["LD_PRELOAD=\(releaseFolder)/libMallocCounter.so", "MALLOC_COUNT_FILE=\(folder["count"])"],
      program: "\(releaseFolder)/banchan")
    port = try RunningShop.waitForPort(process)
  }

  /// The memory that the server has now.
  func residentBytes() throws -> Int {
    guard let file = FileManager.default.contents(atPath: "/proc/\(process.identifier)/statm"),
      let pages = String(decoding: file, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw Failure("Cannot read the server's memory") }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  /// How often the server has asked for memory so far.
  func allocations() throws -> Int {
    let bytes = try folder.read("count")
    return bytes.withUnsafeBytes { Int($0.loadUnaligned(as: UInt64.self)) }
  }
}
