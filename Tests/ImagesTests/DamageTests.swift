import Glibc
import HTTP
import Net
import OriginScripts
import Testing

@testable import Images

/// What becomes of the cache when its disk, or somebody with a shell, gets in its way: fetched again or served through,
/// never wrong bytes and never an error.
@Suite struct DamageTests {
  private static let bytes = jpeg(5_000)
  private static var object: String { "objects/\(Digest.of(bytes).hex.prefix(2))/\(Digest.of(bytes).hex)" }

  /// Stores one picture, spoils the cache, and asks again: in the same run, or in the next.
  private func spoiled(
    isRestarted: Bool, requests: Int, _ spoil: (Fixture) throws -> Void
  ) async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, Self.bytes) }
      func ask(_ library: PictureLibrary) async throws {
        let picture = try await library.picture("a.jpg").get()
        #expect(await picture.bytes == Self.bytes)
      }
      // What is in memory is right whatever becomes of the disk: here, the disk is asked each time.
      try await fixture.withLibrary(origin.base, { $0.memorySize = 0 }) { library in
        try await ask(library)
        if !isRestarted {
          try spoil(fixture)
          for _ in 0..<2 { try await ask(library) }
          #expect(library.degradation == nil)
        }
      }
      if isRestarted {
        try spoil(fixture)
        try await fixture.withLibrary(origin.base) { library in
          for _ in 0..<2 { try await ask(library) }
          #expect(library.degradation == nil)
        }
      }
      #expect(origin.targets.count == requests)
    }
  }

  @Test("A body that is gone or cut short is fetched again", arguments: [false, true])
  func bodies(_ isRestarted: Bool) async throws {
    try await spoiled(isRestarted: isRestarted, requests: 2) { unlink("\($0.cache)/\(Self.object)") }
    try await spoiled(isRestarted: isRestarted, requests: 2) { truncate("\($0.cache)/\(Self.object)", 100) }
    try await spoiled(isRestarted: isRestarted, requests: 2) {
      unlink("\($0.cache)/\(Self.object)")
      mkdir("\($0.cache)/\(Self.object)", 0o755)
      rmdir("\($0.cache)/\(Self.object)")
    }
  }

  @Test("A body with a flipped bit is never served, but fetched again", arguments: [false, true])
  func flipped(_ isRestarted: Bool) async throws {
    try await spoiled(isRestarted: isRestarted, requests: 2) { fixture in
      var bytes = Self.bytes
      bytes[2_000] ^= 1
      try fixture.folder.write("cache/\(Self.object)", bytes)
    }
  }

  @Test("A large body that somebody writes to is not served, also when it was found right in this run")
  func touchedLarge() async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, Self.large) }
      let hex = Digest.of(Self.large).hex
      try await fixture.withLibrary(origin.base) { library in
        for _ in 0..<3 { #expect(await library.picture("a.jpg").success?.bytes == Self.large) }
        let file = open("\(fixture.cache)/objects/\(hex.prefix(2))/\(hex)", O_WRONLY | O_CLOEXEC)
        var byte = ~Self.large[2_000_000]
        #expect(pwrite(file, &byte, 1, 2_000_000) == 1)
        close(file)
        #expect(await library.picture("a.jpg").success?.bytes == Self.large)
      }
      #expect(origin.targets.count == 2)
    }
  }

  @Test("A large body with a flipped bit is not served by the next run")
  func flippedLarge() async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, Self.large) }
      var bytes = Self.large
      bytes[2_000_000] ^= 1
      let hex = Digest.of(Self.large).hex
      try await fixture.withLibrary(origin.base) { _ = await $0.picture("a.jpg") }
      try fixture.folder.write("cache/objects/\(hex.prefix(2))/\(hex)", bytes)
      try await fixture.withLibrary(origin.base) { library in
        #expect(await library.picture("a.jpg").success?.bytes == Self.large)
      }
      #expect(origin.targets.count == 2)
    }
  }

  @Test("Half a folder that is deleted costs the pictures that stood there, and nothing else")
  func halfDeleted() async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, jpeg(3_000, seed: UInt64($0.target.utf8.count))) }
      let names = (1...40).map { String(repeating: "x", count: $0) + ".jpg" }
      try await fixture.withLibrary(origin.base, { $0.memorySize = 0 }) { library in
        for name in names { #expect(await library.picture(name).success != nil) }
        let parts = try FileCalls.names(in: "\(fixture.cache)/objects").sorted()
        for part in parts.prefix(parts.count / 2) {
          for file in try FileCalls.names(in: "\(fixture.cache)/objects/\(part)") {
            unlink("\(fixture.cache)/objects/\(part)/\(file)")
          }
          rmdir("\(fixture.cache)/objects/\(part)")
        }
        for name in names {
          #expect(await library.picture(name).success?.bytes == jpeg(3_000, seed: UInt64(name.utf8.count + 1)))
        }
        #expect(library.degradation == nil)
      }
      #expect(origin.targets.count > names.count && origin.targets.count < 2 * names.count)
    }
  }

  @Test("Files of others are left alone, and files that no index knows are removed")
  func foreignFiles() async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, Self.bytes) }
      try await fixture.withLibrary(origin.base) { _ = await $0.picture("a.jpg") }
      let part = "cache/objects/\(Digest.of(Self.bytes).hex.prefix(2))"
      let orphan = "\(part)/\(Digest.of(Self.bytes).hex.prefix(2))\(String(repeating: "0", count: 62))"
      try fixture.folder.write("\(part)/notes.txt", [1])
      try fixture.folder.write(orphan, [1])
      try await fixture.withLibrary(origin.base) { library in
        #expect(await library.picture("a.jpg").success?.cacheStatus == .hit)
        for _ in 0..<1_000 where fixture.folder.files().contains(orphan) { usleep(5_000) }
      }
      #expect(!fixture.folder.files().contains(orphan))
      #expect(fixture.folder.files().contains("\(part)/notes.txt"))
    }
  }

  @Test("When the index is lost, what it knew is removed from the disk before anything is stored")
  func leftovers() async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, jpeg(3_000, seed: UInt64($0.target.utf8.count))) }
      try await fixture.withLibrary(origin.base) { library in
        for count in 1...20 { _ = await library.picture(String(repeating: "x", count: count)) }
      }
      unlink("\(fixture.cache)/index.db")
      try await fixture.withLibrary(origin.base) { library in
        #expect(await library.picture("x").success?.cacheStatus != .hit)
        #expect(await library.picture("x").success?.cacheStatus == .hit)
        #expect(
          fixture.folder.files().filter { $0.hasPrefix("cache/objects/") || $0.hasPrefix("cache/tmp/") }.count == 1)
      }
    }
  }

  @Test("A folder that can be used only after the start is used then")
  func later() async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, Self.bytes) }
      try fixture.folder.write("cache", [])
      try await fixture.withLibrary(origin.base) { library in
        #expect(await library.picture("a.jpg").success != nil)
        #expect(library.degradation != nil)
        unlink(fixture.cache)
        #expect(await library.picture("a.jpg").success != nil)
        #expect(await library.picture("a.jpg").success?.cacheStatus == .hit)
        #expect(library.degradation == nil)
        #expect(fixture.lines.count == 2)
      }
    }
  }

  @Test("A body that a link stands in for is not followed")
  func links() async throws {
    try await spoiled(isRestarted: false, requests: 2) { fixture in
      try fixture.folder.write("secret", [UInt8](repeating: 7, count: Self.bytes.count))
      unlink("\(fixture.cache)/\(Self.object)")
      symlink("\(fixture.folder.path)/secret", "\(fixture.cache)/\(Self.object)")
    }
  }

  @Test("An index that is lost, empty, damaged or another program's is made anew, and pictures are fetched again")
  func index() async throws {
    try await spoiled(isRestarted: true, requests: 2) { unlink("\($0.cache)/index.db") }
    try await spoiled(isRestarted: true, requests: 2) { truncate("\($0.cache)/index.db", 0) }
    try await spoiled(isRestarted: true, requests: 2) { truncate("\($0.cache)/index.db", 5_000) }
    try await spoiled(isRestarted: true, requests: 2) {
      try $0.folder.write("cache/index.db", [UInt8](repeating: 0x55, count: 8_192))
    }
  }

  @Test("A cache that is deleted while the server runs is begun again")
  func deleted() async throws {
    try await spoiled(isRestarted: false, requests: 2) { fixture in
      // Moved away, which is the same to a server that has it open.
      #expect(rename(fixture.cache, "\(fixture.cache)-deleted") == 0)
    }
  }

  @Test("Where bodies cannot be written, pictures are served through; the log says so once, and once that it is over")
  func unwritable() async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, $0.target == "/large.jpg" ? Self.large : Self.bytes) }
      try await fixture.withLibrary(origin.base) { library in
        // A file in the place of the folder: nothing can be made below it, not even by root.
        let temporary = "\(fixture.cache)/tmp"
        rmdir(temporary)
        try fixture.folder.write("cache/tmp", [])
        for _ in 0..<2 {
          let picture = try await library.picture("a.jpg").get()
          #expect(picture.cacheStatus == .miss(originStatus: 200, isStored: false, isCollapsed: false))
          #expect(await picture.bytes == Self.bytes)
        }
        let large = try await library.picture("large.jpg").get()
        #expect(await large.bytes == Self.large)
        #expect(library.degradation != nil)
        #expect(fixture.lines.count == 1)
        unlink(temporary)
        mkdir(temporary, 0o755)
        _ = try await library.picture("a.jpg").get()
        #expect(await library.picture("a.jpg").success?.cacheStatus == .hit)
        #expect(library.degradation == nil)
        #expect(fixture.lines.count == 2)
      }
      #expect(origin.targets.count == 4)
    }
  }

  private static let large = jpeg(2_500_000)

  @Test("A folder that cannot be opened at the start is no reason not to serve")
  func unopenable() async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, Self.bytes) }
      try fixture.folder.write("cache", [])
      try await fixture.withLibrary(origin.base) { library in
        #expect(library.degradation != nil)
        #expect(fixture.lines.count == 1)
        for _ in 0..<2 { #expect(await library.picture("a.jpg").success?.digest == Digest.of(Self.bytes)) }
      }
      #expect(origin.targets.count == 2)
      #expect(fixture.lines.count == 1)
    }
  }

  @Test("On a disk that fills up, small and large pictures are served through", .enabled(if: SmallDisk.canMount))
  func full() async throws {
    try await withFixture { fixture in
      let origin = try ScriptedOrigin { $0.answer(200, $0.target == "/large.jpg" ? Self.large : Self.bytes) }
      mkdir(fixture.cache, 0o755)
      let disk = try SmallDisk(at: fixture.cache, bytes: 1_000_000)
      try await fixture.withLibrary(origin.base, { $0.minimumFree = 0 }) { library in
        let large = try await library.picture("large.jpg").get()
        #expect(large.cacheStatus == .miss(originStatus: 200, isStored: false, isCollapsed: false))
        #expect(await large.bytes == Self.large)
        #expect(library.degradation == "the disk is full")
        #expect(fixture.lines.count == 1)
        // What fits is stored again.
        _ = try await library.picture("a.jpg").get()
        #expect(await library.picture("a.jpg").success?.cacheStatus == .hit)
      }
      withExtendedLifetime(disk) {}
    }
  }
}

/// A file system of a few bytes, where the system lets tests mount one.
final class SmallDisk {
  private let path: String

  init(at path: String, bytes: Int) throws {
    self.path = path
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else { throw ScriptFault(call: "mount") }
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  static let canMount: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? SmallDisk(at: folder.path, bytes: 65_536)) != nil
  }()
}
