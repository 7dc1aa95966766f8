import Net

/// The flags and operands of one call, checked against what the command takes.
struct Flags {
  private var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  /// Reads `--name value` and `--name=value`; `--` ends the flags.
  init(_ arguments: [String], for command: any Command.Type) throws(CommandFailure) {
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
      guard let flag = command.flags.first(where: { $0.name == name }) else {
        throw .usage("`banchan \(command.name)` has no flag --\(name); `banchan \(command.name) --help` lists them")
      }
      if flag.value.isEmpty {
        guard parts.count == 1 else { throw .usage("--\(name) takes no value") }
        values[name] = [""]
        continue
      }
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
        throw .usage("--\(name) needs a value: --\(name) \(flag.value)")
      }
      guard flag.isRepeatable || values[name] == nil else { throw .usage("--\(name) may be given once") }
      values[name, default: []].append(value)
    }
    if let extra = operands.dropFirst(command.operand == nil ? 0 : 1).first {
      throw .usage("'\(extra)' is one word too many; `banchan \(command.name) --help` tells what it takes")
    }
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

  /// An address to listen on, from `--host` and `--port`.
  func address(port standard: Int) throws(CommandFailure) -> SocketAddress {
    let host = self["host"] ?? "127.0.0.1"
    guard let address = IPAddress(host == "localhost" ? "127.0.0.1" : host) else {
      throw .usage("--host takes an IP address such as 127.0.0.1, 0.0.0.0 or ::, not '\(host)'")
    }
    return SocketAddress(address, port: UInt16(try number("port", in: 0...65_535, default: standard)))
  }
}
