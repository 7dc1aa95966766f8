import Testing

@testable import banchan

@Suite("Settings")
struct SettingsTests {
  private func settings(
    flags: [String: [String]] = [:], environment: [String: String] = [:], file: String? = nil,
    at path: String = "b.json"
  ) throws -> Settings {
    try Settings(
      flags: flags, environment: environment, file: try file.map { try SettingsFile(path, Array($0.utf8)) })
  }

  /// The sentence with which something is refused.
  private func refusal(_ body: () throws -> Settings) -> String {
    do {
      _ = try body()
      return "nothing was refused"
    } catch {
      return (error as? CommandFailure)?.message ?? "\(error)"
    }
  }

  @Test("A flag goes before a variable, a variable before the file, the file before the default")
  func layers() throws {
    let file = #"{"port": 4, "host": "::1", "cache": "c"}"#
    let all = try settings(
      flags: ["port": ["2"]], environment: ["BANCHAN_PORT": "3", "BANCHAN_HOST": "::"], file: file)
    #expect(all.number("port") == 2 && all.entry("port").source == .flag)
    #expect(all["host"] == "::" && all.entry("host").source == .variable)
    #expect(all["cache"] == "c" && all.entry("cache").source == .file("b.json"))
    #expect(all["data"] == "data" && all.entry("data").source == .standard)
  }

  @Test("`off` in a file is no path that begins in its folder")
  func off() throws {
    #expect(try settings(file: #"{"public": "off"}"#, at: "etc/b.json")["public"] == "off")
    #expect(try settings(file: #"{"public": "pages"}"#, at: "etc/b.json")["public"] == "etc/pages")
  }

  @Test("Every command names settings that there are")
  func commands() {
    // A name that is not in the table would end the process here, and not at an operator's.
    for command in Banchan.commands { #expect(Set(command.allFlags.map(\.name)).count == command.allFlags.count) }
  }

  @Test("Every default is a value that its setting takes, and no name stands in the table twice")
  func table() throws {
    let all = try settings()
    #expect(Set(Setting.table.map(\.name)).count == Setting.table.count)
    for entry in all.entries where entry.setting.standard.text != nil { #expect(entry.value != nil, "\(entry.place)") }
    for setting in Setting.table {
      #expect(setting.name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") })
      #expect(!setting.help.hasSuffix(".") && setting.name != Flags.config.name)
    }
  }

  @Test("What nobody knows is refused, with the name that was meant")
  func unknown() {
    #expect(refusal { try settings(file: #"{"cahce": "x"}"#) }.contains("\"cahce\"; did you mean cache?"))
    #expect(refusal { try settings(environment: ["BANCHAN_TRHEADS": "2"]) }.contains("did you mean BANCHAN_THREADS?"))
    #expect(!refusal { try settings(file: #"{"colour": 1}"#) }.contains("did you mean"))
  }

  @Test("Variables with the prefix that are no misspelt settings are left alone")
  func others() throws {
    _ = try settings(environment: ["BANCHAN_SERVICE_HOST": "10.0.0.1", "BANCHAN_PORT_8080_TCP_ADDR": "10.0.0.1"])
  }

  @Test("What Kubernetes puts in the way of the port is explained")
  func kubernetes() {
    let sentence = refusal { try settings(environment: ["BANCHAN_PORT": "tcp://10.0.0.1:8080"]) }
    #expect(sentence.contains("BANCHAN_PORT takes a number") && sentence.contains("enableServiceLinks: false"))
  }

  @Test(
    "A value of another kind is refused, and the sentence names its place",
    arguments: [
      #"{"port": "8a"}"#, #"{"port": 65536}"#, #"{"port": -1}"#, #"{"port": true}"#, #"{"port": [1]}"#,
      #"{"port": null}"#, #"{"port": 1.5}"#, #"{"port": {}}"#, #"{"port": 99999999999999999999}"#,
    ])
  func wrongKind(_ file: String) {
    let sentence = refusal { try settings(file: file) }
    #expect(sentence.contains("port") && sentence.contains("b.json") && sentence.contains("a number from 0 to 65535"))
  }

  @Test("Every fault is told at once")
  func everyFault() {
    let sentence = refusal { try settings(flags: ["port": ["x"]], environment: ["BANCHAN_LOG": "loud"]) }
    #expect(sentence.contains("--port") && sentence.contains("BANCHAN_LOG takes one of off, text, json, not 'loud'"))
  }

  @Test("A file that is no object of settings is refused", arguments: ["", "[]", "8080", "{", "{\"port\": 1,"])
  func notAnObject(_ file: String) {
    #expect(refusal { try settings(file: file) }.hasPrefix("banchan: b.json"))
  }

  @Test("Several values are an array in the file, and stand between commas in a variable")
  func lists() throws {
    let file = try settings(file: #"{"cors-origin": ["https://a.example", "https://b.example"]}"#)
    let variable = try settings(environment: ["BANCHAN_CORS_ORIGIN": "https://a.example,https://b.example"])
    #expect(file.all("cors-origin") == ["https://a.example", "https://b.example"])
    #expect(variable.all("cors-origin") == file.all("cors-origin"))
    #expect(try settings(file: #"{"cors-origin": "https://a.example"}"#).all("cors-origin") == ["https://a.example"])
  }

  @Test("Relative paths in a file begin in its folder")
  func paths() throws {
    let file = #"{"data": "shop", "cache": "/var/cache/banchan", "tls-cert": ["a.pem", "/b.pem"]}"#
    let all = try settings(file: file, at: "/etc/banchan/b.json")
    #expect(all["data"] == "/etc/banchan/shop" && all["cache"] == "/var/cache/banchan" && all["seed"] == "seed")
    #expect(all.all("tls-cert") == ["/etc/banchan/a.pem", "/b.pem"])
    #expect(try settings(file: file, at: "b.json")["data"] == "shop")
    #expect(try settings(file: file, at: "/b.json")["data"] == "/shop")
  }

  @Test("A flag that stands alone can be said and unsaid everywhere")
  func toggles() throws {
    #expect(try settings(flags: ["tls-redirect": [""]]).isOn("tls-redirect"))
    #expect(try settings(environment: ["BANCHAN_TLS_REDIRECT": "true"]).isOn("tls-redirect"))
    let unsaid = try settings(flags: ["tls-redirect": ["false"]], file: #"{"tls-redirect": true}"#)
    #expect(!unsaid.isOn("tls-redirect"))
    #expect(refusal { try settings(environment: ["BANCHAN_TLS_REDIRECT": "yes"]) }.contains("true or false"))
  }
}

@Suite("Quantities with units")
struct QuantityTests {
  @Test(
    "Sizes",
    arguments: [
      ("0", 0), ("512", 512), ("1kB", 1_000), ("1KB", 1_000), ("1KiB", 1_024), ("512MB", 512_000_000),
      ("512mb", 512_000_000), ("512 MB", 512_000_000), ("1GiB", 1_073_741_824), ("2TiB", 2_199_023_255_552),
    ] as [(String, Int64)])
  func sizes(_ text: String, _ bytes: Int64) { #expect(ByteSize.bytes(text) == bytes) }

  @Test(
    "What is no size",
    arguments: [
      "", "MB", "-1", "+1", "1.5GB", "1 000", "1MBs", "9223372036854775807KiB", "99999999999999999999", "٣MB", "1M",
    ])
  func noSize(_ text: String) { #expect(ByteSize.bytes(text) == nil) }

  @Test(
    "Times",
    arguments: [
      ("0", 0), ("10", 10_000), ("250ms", 250), ("10s", 10_000), ("5m", 300_000), ("1h", 3_600_000),
      ("7d", 604_800_000),
    ]
      as [(String, Int64)])
  func times(_ text: String, _ milliseconds: Int64) { #expect(TimeSpan.milliseconds(text) == milliseconds) }

  @Test("What is no time", arguments: ["", "s", "-1s", "1.5s", "1 min", "10S", "106751991168d"])
  func noTime(_ text: String) { #expect(TimeSpan.milliseconds(text) == nil) }

  @Test(
    "What is written of a quantity is read as the same",
    arguments: [0, 1, 999, 1_000, 1_024, 1_500, 60_000, 86_400_000, 1 << 40])
  func roundTrip(_ number: Int64) {
    #expect(ByteSize.bytes(ByteSize.text(number)) == number)
    #expect(TimeSpan.milliseconds(TimeSpan.text(number)) == number)
  }
}

@Suite("Suggestions")
struct SuggestionTests {
  @Test(
    "A slip of the fingers is understood",
    arguments: [
      ("prot", "port"), ("cahce", "cache"), ("origin-bas", "origin-base"), ("thread", "threads"), ("hots", "host"),
    ])
  func slips(_ written: String, _ meant: String) {
    #expect(Suggestion.nearest(to: written, among: Setting.table.map(\.name)) == meant)
  }

  @Test("What resembles nothing is left alone", arguments: ["", "colour", "x", String(repeating: "a", count: 100_000)])
  func strangers(_ written: String) {
    #expect(Suggestion.nearest(to: written, among: Setting.table.map(\.name)) == nil)
  }
}
