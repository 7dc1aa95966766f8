import CLinux
import FoundationEssentials
import Glibc
import Testing

@Suite(
  "A cache on a disk that fails", .blocking,
  .enabled(if: clinux_cage_is_whole != 0, "a sanitizer must be loaded before anything else"))
struct FaultyDiskTests {
  private enum Call: Int { case write, read }

  /// A shop whose cache folder is on a disk that a test makes fail.
  private func withFaultyDisk(_ body: (RunningShop, ScriptedOrigin, (Call, Int32) throws -> Void) throws -> Void) throws
  {
    let origin = try ScriptedOrigin()
    defer { origin.stop() }
    for id in ["HBDEF", "HDF73", "H72C3"] { origin["/images/\(id).jpg"] = .picture(Picture.jpeg(id)) }
    try Folder.withTemporary { orders in
      try orders.write([UInt8](repeating: 0, count: 8), to: "orders")
      let file = open(orders["orders"], O_WRONLY | O_CLOEXEC)
      defer { close(file) }
      let environment = [
        "LD_PRELOAD=\(try FaultyDiskTests.library())", "FAULTY_DISK=/cache/", "FAULTY_DISK_ORDERS=\(orders["orders"])",
      ]
      try withShop(pictures: .origin(origin), arguments: ["--log", "off"], environment: environment) { shop in
        try body(shop, origin) { call, code in
          var number = UInt32(bitPattern: code)
          guard pwrite(file, &number, 4, off_t(call.rawValue * 4)) == 4 else { throw Failure(lastError()) }
        }
      }
    }
  }

  /// The library that fails, beside the binary.
  private static func library() throws -> String {
    let binary = try BanchanProcess.binary()
    let folder = binary.lastIndex(of: "/").map { String(binary[..<$0]) } ?? "."
    return "\(folder)/libFaultyDisk.so"
  }

  private func reasons(_ shop: RunningShop) throws -> String { try shop.get("/readyz").text }

  @Test(
    "Where writing fails, pictures are served through, whole; the log and /readyz say so once, and all is well afterwards",
    arguments: [EIO, EDQUOT, ENOSPC, EROFS])
  func writing(_ code: Int32) throws {
    try withFaultyDisk { shop, origin, order in
      let path = try shop.picture(of: "HBDEF")
      #expect(try !reasons(shop).contains("stored"))
      let before = try reasons(shop)
      try order(.write, code)
      for _ in 0..<3 {
        let reply = try shop.get(path)
        #expect(reply.status == 200 && reply.body == Picture.jpeg("HBDEF"))
      }
      #expect(origin.count("/images/HBDEF.jpg") == 3)
      #expect(try reasons(shop) != before && reasons(shop).contains("degraded"))
      let lines = shop.process.standardError.split(separator: "\n").filter { $0.contains("not stored") }
      #expect(lines.count == 1, "\(lines)")
      try order(.write, 0)
      for _ in 0..<2 { #expect(try shop.get(path).body == Picture.jpeg("HBDEF")) }
      #expect(origin.count("/images/HBDEF.jpg") == 4)
      #expect(try reasons(shop) == before)
      _ = try shop.process.waitForLine(containing: "stored in")
    }
  }

  @Test("What cannot be read for a while is fetched again and not lost")
  func reading() throws {
    try withFaultyDisk { shop, origin, order in
      let path = try shop.picture(of: "HBDEF")
      #expect(try shop.get(path).status == 200)
      // Not in memory yet: the first answer is not from the disk.
      try order(.read, EIO)
      #expect(try shop.get(path).body == Picture.jpeg("HBDEF"))
      #expect(origin.count("/images/HBDEF.jpg") == 2)
      origin.stop()
      try order(.read, 0)
      let reply = try shop.get(path)
      #expect(reply.status == 200 && reply.body == Picture.jpeg("HBDEF"))
    }
  }
}
