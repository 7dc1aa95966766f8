import CacheStormPictures
import Glibc
import HTTP
import Net
import OriginScripts
import SQLite
import Testing

@testable import Images

/// What a process that is killed in the middle of storing leaves behind.
@Suite struct CrashTests {
  /// Room for some thirty of the pictures that are stored, so that every store evicts.
  private static let limit = 4_000_000

  private static let kills: Int = {
    guard let text = getenv("BANCHAN_KILLS"), let kills = Int(String(cString: text)) else { return 200 }
    return kills
  }()

  /// The program that is killed, which stands beside the tests.
  private static var program: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    var places = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
    if readlink("/proc/self/exe", &buffer, Int(PATH_MAX)) > 0 {
      places.append(String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    let programs = places.map { place in (place.lastIndex(of: "/").map { String(place[...$0]) } ?? "") + "cache-storm" }
    return programs.first { access($0, X_OK) == 0 }
  }

  @Test("Killed at any moment, the cache serves whole, right pictures and no others, and its index knows every file")
  func kills() async throws {
    let program = try #require(Self.program)
    let folder = try TemporaryFolder()
    let cache = "\(folder.path)/cache"
    var found = 0
    for round in 0..<Self.kills {
      let child = try ChildProcess([program, cache, "\(Self.limit)", "\(round)"], in: folder)
      let begun = child.line(startingWith: "storming")
      usleep(UInt32.random(in: 0..<40_000))
      child.stop()
      try #require(begun != nil, "\(child.output)")
      // Between two kills the pinned pictures may be more than the cap has room for, which is worth its line and no more.
      let lines = child.output.split(separator: "\n")
      #expect(
        lines.first == "storming" && lines.dropFirst().allSatisfy { $0.contains("--cache-size") }, "\(child.output)")
      found += try await check(cache)
    }
    #expect(found > Self.kills)
  }

  @Test("Under a storm of stores the cache never takes more than its cap, whenever one looks")
  func cap() throws {
    let program = try #require(Self.program)
    let folder = try TemporaryFolder()
    let cache = "\(folder.path)/cache"
    let child = try ChildProcess([program, cache, "\(Self.limit)", "1"], in: folder)
    defer { child.stop() }
    try #require(child.line(startingWith: "storming") != nil, "\(child.output)")
    var largest = 0
    var looks = 0
    // It has to be full first, or this shows nothing; how long that takes is the machine's business.
    for _ in 0..<10_000 where looks < 100 {
      usleep(UInt32.random(in: 0..<5_000))
      // Nothing moves while the files are added up.
      child.pause()
      let bytes = try Self.diskBytes(below: cache)
      child.resume()
      largest = max(largest, bytes)
      if bytes > Self.limit / 2 { looks += 1 }
    }
    #expect(looks == 100)
    #expect(largest <= Self.limit)
  }

  /// What all files below a folder take of the disk; temporary ones, the index and its journal included.
  private static func diskBytes(below path: String) throws -> Int {
    try FileCalls.names(in: path).reduce(0) { sum, name in
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0 else { return sum }
      if status.st_mode & S_IFMT == S_IFDIR { return sum + (try diskBytes(below: "\(path)/\(name)")) }
      return sum + max(DiskBudget.diskBytes(Int(status.st_size)), Int(status.st_blocks) * 512)
    }
  }

  /// Looks at the folder as it was left, and at what the next run makes of it; how many pictures that serves.
  private func check(_ cache: String) async throws -> Int {
    let files = try Self.files(in: cache)
    do {
      let index = try CacheIndex(path: "\(cache)/index.db") { Issue.record("\($0)") }
      var unknown = Set(files.keys)
      for prefix in UInt8.min...UInt8.max { unknown.subtract(try index.bodies(prefix).map(\.digest.hex)) }
      #expect(unknown.isEmpty, "files that no row knows")
      let bodies = files.values.reduce(0) { $0 + DiskBudget.diskBytes($1) }
      #expect(bodies <= Self.limit)
    }
    let store = try PictureStore(
      path: cache, limits: CacheDisk.Limits(bytes: Self.limit, minimumFree: 0), threads: BlockingThreads(limit: 1),
      log: { Issue.record("\($0)") })
    #expect(try FileCalls.names(in: "\(cache)/tmp").isEmpty)
    var found = 0
    for number in UInt8(0)..<128 {
      guard let picture = await store.find(SourceKey(number: Int(number))) else { continue }
      found += 1
      let bytes = await picture.body.all
      #expect(StormPicture(bytes)?.number == number)
      #expect(picture.record.digest == Digest.of(bytes))
    }
    #expect(store.trouble == nil)
    return found
  }

  /// The bodies in the folder, by name, with their lengths.
  private static func files(in cache: String) throws -> [String: Int] {
    var files: [String: Int] = [:]
    for part in try FileCalls.names(in: "\(cache)/objects") {
      for name in try FileCalls.names(in: "\(cache)/objects/\(part)") {
        var status = stat()
        #expect(stat("\(cache)/objects/\(part)/\(name)", &status) == 0)
        files[name] = Int(status.st_size)
      }
    }
    return files
  }
}

extension CacheIndex {
  func bodies(_ prefix: UInt8) throws -> [StoredBody] {
    try changing { connection throws(SQLiteError) in try connection.bodies.all(prefix) }
  }
}
