import Testing

@testable import HTTP

@Suite("traceparent")
struct TraceParentTests {
  private static let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  private func read(_ text: String) -> TraceParent? { TraceParent(Array(text.utf8).span) }

  @Test("tells trace, parent and whether it is sampled")
  func parts() throws {
    let read = try #require(self.read(Self.good))
    #expect(read.trace == (0x4bf9_2f35_77b3_4da6, 0xa3ce_929d_0e0e_4736))
    #expect(read.parent == 0x00f0_67aa_0ba9_02b7 && read.isSampled)
    #expect(self.read(String(Self.good.dropLast(2)) + "fe")?.isSampled == false)
  }

  @Test("of a later version may be longer, and is read as this one")
  func laterVersion() {
    let later = "cc" + Self.good.dropFirst(2)
    #expect(read(later) == read(Self.good) && read(later + "-more") == read(Self.good))
    #expect(read(later + "more") == nil)
  }

  @Test(
    "that breaks a rule is ignored",
    arguments: [
      "", "00", "ff" + good.dropFirst(2), good + "-00", good + "0", String(good.dropLast()), good.uppercased(),
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", good.replacing("-", with: "_"),
      good.replacing("4bf9", with: "4bg9"), " " + good, "+0" + good.dropFirst(2), good.replacing("01", with: "0x"),
    ])
  func broken(_ text: String) {
    #expect(read(text) == nil)
  }

  @Test("told twice is told by nobody")
  func twice() throws {
    let once = "GET / HTTP/1.1\r\nHost: a\r\nTraceparent: \(Self.good)\r\n"
    #expect(try RequestHead(parsing: Array("\(once)\r\n".utf8))?.traceParent != nil)
    #expect(try RequestHead(parsing: Array("\(once)traceparent: \(Self.good)\r\n\r\n".utf8))?.traceParent == nil)
  }
}
