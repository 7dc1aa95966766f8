import Glibc
import HTTP
import Net
import OriginScripts
import Testing

@testable import Server

@Suite("The log")
struct LogTests {
  /// A pipe that a test reads from and a log writes to.
  private final class Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }

    deinit { for end in [reading, writing] { close(end) } }

    /// What is there.
    func read() -> String {
      var state = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      var all: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while poll(&state, 1, 0) == 1 {
        let count = Glibc.read(reading, &chunk, chunk.count)
        guard count > 0 else { break }
        all += chunk[..<count]
      }
      return String(decoding: all, as: UTF8.self)
    }
  }

  private func line(_ number: Int) -> [UInt8] { Array("line \(number)\n".utf8) }

  @Test("What finds no room is dropped, counted, and told of when there is room again")
  func bounded() async throws {
    let pipe = try Pipe()
    // Nobody reads yet, and the pipe is full: the log's thread waits in the middle of a write.
    let filling = [UInt8](repeating: UInt8(ascii: "."), count: 4_096)
    try #require(fcntl(pipe.writing, F_SETFL, O_NONBLOCK) == 0)
    while Glibc.write(pipe.writing, filling, filling.count) > 0 {}
    let log = LogWriter(descriptor: pipe.writing, limit: 1_000)
    for number in 0..<1_000 { log.write(line(number), count: 1) }
    #expect(log.droppedLines > 700 && log.droppedLines < 1_000)
    let dropped = log.droppedLines
    var said = ""
    while !said.contains("line 0\n") { said += pipe.read() }
    log.write("it goes on")
    await log.flush()
    said += pipe.read()
    // The log's thread may make room, and lose it again, while the lines come.
    let told = said.matches(of: /lines dropped: ([0-9]+)/).compactMap { UInt64($0.1) }
    #expect(told.reduce(0, +) == dropped && said.hasSuffix("banchan: it goes on\n"))
    #expect(said.occurrences(of: "line ") == 1_000 - Int(dropped))
  }

  @Test("A log that cannot be written to holds nobody up")
  func broken() async throws {
    let log = LogWriter(descriptor: -1)
    for number in 0..<100 { log.write(line(number), count: 1) }
    await log.flush()
    #expect(log.droppedLines == 100)
  }

  @Test("What matters too little has no line", arguments: LogLevel.allCases)
  func levels(_ least: LogLevel) async throws {
    let pipe = try Pipe()
    let log = LogWriter(LogSettings(level: least), descriptor: pipe.writing)
    for level in LogLevel.allCases { log.write("it is \(level.rawValue)", level) }
    await log.flush()
    let expected = LogLevel.allCases.filter { $0 >= least }.map { "banchan: it is \($0.rawValue)\n" }
    #expect(pipe.read() == expected.joined())
  }

  @Test("A message that quotes others is one line without control characters, and Korean stays Korean")
  func messages() async throws {
    for format in [LogFormat.text, .json] {
      let pipe = try Pipe()
      let log = LogWriter(LogSettings(format: format), descriptor: pipe.writing)
      log.write("김치 \"a\\b\"\r\nfaked line\u{1b}[2J\u{85}\u{7f}")
      await log.flush()
      let said = pipe.read()
      #expect(said.utf8.filter { $0 < 0x20 } == [0x0a] && said.hasSuffix("\n"))
      #expect(!said.unicodeScalars.contains { (0x7f..<0xa0).contains($0.value) })
      #expect(said.contains(format == .json ? #"김치 \"a\\b\"\u000d\u000afaked"# : #"김치 "a\b"\x0d\x0afaked"#))
    }
  }

  @Test("Whatever bytes a client sends, a line has none that mean anything", arguments: [LogFormat.text, .json])
  func bytes(_ format: LogFormat) {
    var line: [UInt8] = []
    line.append(logged: Array(UInt8.min...UInt8.max).span, upTo: 256, as: format)
    #expect(line.allSatisfy { (0x20..<0x7f).contains($0) })
    let text = String(decoding: line, as: UTF8.self)
    #expect(text.hasPrefix(format == .json ? #"\u0000\u0001"# : #"\x00\x01"#))
    #expect(text.contains(format == .json ? ##"!\"#"## : ##"!\x22#"##))
    #expect(text.contains(format == .json ? #"[\\]"# : #"[\x5c]"#))
    line = []
    line.append(logged: Array("abcdef".utf8).span, upTo: 3, as: format)
    #expect(line == Array("abc...".utf8))
  }

  // MARK: Requests

  @Test("A request matters as much as its answer, and a probe hardly", arguments: LogLevel.allCases)
  func requestLevels(_ least: LogLevel) {
    let log = RequestLog(writer: LogWriter(LogSettings(level: least), descriptor: -1))
    func takes(_ status: Status, isProbe: Bool = false) -> Bool {
      var response = Response(status)
      response.isProbe = isProbe
      return log.takes(PreparedResponse(response), status)
    }
    for failed in [Status.internalServerError, .serviceUnavailable] {
      #expect(takes(failed) && takes(failed, isProbe: true))
    }
    for usual in [Status.ok, .notModified, .notFound] { #expect(takes(usual) == (least <= .info)) }
    #expect(takes(.ok, isProbe: true) == (least == .debug))
  }

  @Test("Settings count from the next request on")
  func change() {
    let writer = LogWriter(LogSettings(format: .off), descriptor: -1)
    let log = RequestLog(writer: writer)
    let answer = PreparedResponse(Response(.ok))
    #expect(!log.takes(answer, .ok))
    writer.settings.format = .json
    #expect(log.takes(answer, .ok))
    writer.settings.level = .error
    #expect(!log.takes(answer, .ok))
  }

  private func name(_ fields: String...) throws -> String {
    var bytes: [UInt8] = []
    let lines = (["GET / HTTP/1.1", "Host: a"] + fields).map { "\($0)\r\n" }.joined()
    RequestNumber(0xabc).append(to: &bytes, for: try RequestHead(parsing: Array("\(lines)\r\n".utf8)))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("A request is called what its client calls it, if that is a name")
  func names() throws {
    #expect(try name() == "0000000000000abc")
    for good in ["a", "8f14e45f-ceea-467f-a1d7-1f2b3c4d5e6f", "Root=1-67891233:ab/c+d@e_f.g"] {
      #expect(try name("X-Request-Id: \(good)") == good)
    }
    for bad in ["", "a b", "a\"b", "a\\b", "a,b", "a;b", "é", String(repeating: "a", count: 65), "<a>"] {
      #expect(try name("X-Request-ID: \(bad)") == "0000000000000abc", "\(bad)")
    }
  }

  @Test("No two requests have the same number")
  func numbers() {
    var series = RequestNumbers()
    var seen: Set<String> = []
    for _ in 0..<10_000 {
      var bytes: [UInt8] = []
      series.next().append(to: &bytes, for: nil)
      #expect(bytes.count == 16)
      seen.insert(String(decoding: bytes, as: UTF8.self))
    }
    #expect(seen.count == 10_000)
  }

  @Test(
    "Of what a trusted proxy says of its client, what it added itself counts",
    arguments: [
      ("X-Forwarded-For: 203.0.113.7", "203.0.113.7"), ("X-Forwarded-For: 1.2.3.4, 203.0.113.7 ", "203.0.113.7"),
      ("X-Forwarded-For: 203.0.113.7:4711", "203.0.113.7"), ("X-Forwarded-For: 2001:db8::7", "2001:db8::7"),
      ("X-Forwarded-For: [2001:db8::7]:4711", "2001:db8::7"), ("Forwarded: for=203.0.113.7;proto=https", "203.0.113.7"),
      ("Forwarded: for=1.2.3.4, proto=https ; For=\"[2001:db8::7]:1\"", "2001:db8::7"),
      ("X-Forwarded-For: unknown", nil), ("X-Forwarded-For: ", nil), ("X-Forwarded-For: 1.2.3.4,", nil),
      ("Forwarded: for=_hidden", nil), ("Forwarded: proto=https", nil), ("Forwarded: for=\"", nil),
      ("Forwarded: for=[", nil), ("Forwarded: for=", nil), ("X-Forwarded-For: :", nil), ("Accept: */*", nil),
      ("X-Forwarded-For: 1.2.3.4\nX-Forwarded-For: 203.0.113.7", "203.0.113.7"),
    ] as [(String, String?)])
  func clients(_ fields: String, _ expected: String?) throws {
    let lines = fields.split(separator: "\n").map { "\($0)\r\n" }.joined()
    let head = try #require(try RequestHead(parsing: Array("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n".utf8)))
    #expect(ForwardedClient.address(head)?.description == expected)
  }
}
