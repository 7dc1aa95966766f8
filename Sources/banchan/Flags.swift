import Net

/// The flags and operands of one call, checked against what the command takes, and the settings that they and other places
/// make.
struct Flags {
  /// The flag that names banchan.json; every command with settings has it.
  static let config = Flag(name: "config", value: "FILE", help: "the settings file (banchan.json, if it is there)")

  private var values: [String: [String]] = [:]
  private(set) var operands: [String] = []
  /// What is set, by these flags or elsewhere.
  let settings: Settings
  /// Those of the flags that are settings.
  private let settingFlags: [String: [String]]

  /// Reads `--name value` and `--name=value`; `--` ends the flags.
  init(_ arguments: [String], for command: any Command.Type) throws(CommandFailure) {
    var values: [String: [String]] = [:]
    var operands: [String] = []
    let known = command.allFlags
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--"), argument != "--" else {
        if argument == "--" {
          operands += rest
          break
        }
        guard !argument.hasPrefix("-") else {
          throw .usage("there is no flag '\(argument)'; flags begin with two dashes")
        }
        operands.append(argument)
        continue
      }
      let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts.first ?? "")
      guard let flag = known.first(where: { $0.name == name }) else {
        let guess = Suggestion.words(for: name, among: known.map(\.name), prefix: "--")
        throw .usage(
          "`banchan \(command.name)` has no flag --\(name)\(guess.isEmpty ? "; " : "\(guess) ")"
            + "`banchan \(command.name) --help` lists them")
      }
      if flag.value.isEmpty {
        let isSetting = command.settings.contains { $0.name == name }
        guard parts.count == 1 || isSetting else { throw .usage("--\(name) takes no value") }
        values[name] = [parts.count == 1 ? "" : String(parts[1])]
        continue
      }
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
        throw .usage("--\(name) needs a value: --\(name) \(flag.value)")
      }
      guard flag.isRepeatable || values[name] == nil else { throw .usage("--\(name) may be given once") }
      values[name, default: []].append(value)
    }
    self.values = values
    self.operands = operands
    settingFlags = values.filter { entry in command.settings.contains { $0.name == entry.key } }
    settings = try Self.readSettings(settingFlags, file: values["config"]?.last)
    if let extra = operands.dropFirst(command.operandLimit).first {
      throw .usage("'\(extra)' is one word too many; `banchan \(command.name) --help` tells what it takes")
    }
  }

  private static func readSettings(
    _ flags: [String: [String]], file: String?
  ) throws(CommandFailure) -> Settings {
    let environment = Settings.environment
    let file = try SettingsFile.read(named: file ?? environment[Settings.configVariable])
    return try Settings(flags: flags, environment: environment, file: file)
  }

  /// What is set by these flags, the variables, and banchan.json as it is now.
  func readSettingsAgain() throws(CommandFailure) -> Settings {
    try Self.readSettings(settingFlags, file: values["config"]?.last)
  }

  /// Whether a flag was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of a flag.
  subscript(name: String) -> String? { values[name]?.last }

  /// All values of a repeatable flag.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// A whole number within a range.
  func number(_ name: String, in range: ClosedRange<Int>, default standard: Int) throws(CommandFailure) -> Int {
    guard let text = self[name] else { return standard }
    let isDecimal = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isDecimal, let value = Int(text), range.contains(value) else {
      throw .usage("--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
    }
    return value
  }

  /// One of some words.
  func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, default standard: Word
  ) throws(CommandFailure) -> Word where Word.RawValue == String {
    guard let text = self[name] else { return standard }
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("--\(name) takes one of \(words), not '\(text)'")
    }
    return word
  }

  /// An address to listen on, from a host as it is written; `place` is where.
  static func address(_ host: String, port: Int, place: String = "--host") throws(CommandFailure) -> SocketAddress {
    guard let address = IPAddress(host == "localhost" ? "127.0.0.1" : host) else {
      throw .usage("\(place) takes an IP address such as 127.0.0.1, 0.0.0.0 or ::, not '\(host)'")
    }
    return SocketAddress(address, port: UInt16(clamping: port))
  }
}
