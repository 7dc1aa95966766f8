import Glibc

/// One subcommand: its words, and what it does.
protocol Command {
  static var name: String { get }
  static var summary: String { get }
  /// How the operand is called in the usage line, if it takes one.
  static var operand: String? { get }
  /// How many operands it takes at most.
  static var operandLimit: Int { get }
  /// The settings that it takes as flags. Wherever they are set, they count for every command.
  static var settings: [Setting] { get }
  /// What belongs to one call.
  static var flags: [Flag] { get }
  static func run(_ flags: Flags) throws(CommandFailure)
}

extension Command {
  static var operandLimit: Int { operand == nil ? 0 : 1 }
  static var settings: [Setting] { [] }
  static var flags: [Flag] { [] }

  static var allFlags: [Flag] {
    settings.map { Flag($0) } + flags + (settings.isEmpty ? [] : [Flags.config])
  }
}

/// A flag as `--help` shows it.
struct Flag {
  let name: String
  /// What its value is called; empty for a flag that stands alone.
  let value: String
  let help: String
  var isRepeatable = false
}

/// Why a command ends without success, in a sentence that says what to do, and with which exit code.
enum CommandFailure: Error {
  case failed(String)
  case usage(String)
  case invalid([String])

  var exitCode: Int32 {
    switch self {
    case .failed: 1
    case .usage: 2
    case .invalid: 3
    }
  }

  var message: String {
    switch self {
    case .failed(let sentence), .usage(let sentence): "banchan: \(sentence)"
    case .invalid(let faults): faults.joined(separator: "\n")
    }
  }

  /// The same in one line, for the log.
  var sentence: String {
    switch self {
    case .failed(let sentence), .usage(let sentence): sentence.split(separator: "\n").joined(separator: "; ")
    case .invalid(let faults): faults.joined(separator: "; ")
    }
  }
}

/// What is said to the person at the terminal, on standard error.
enum Messages {
  static func write(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    bytes.withUnsafeBytes { buffer in
      _ = Glibc.write(2, buffer.baseAddress, buffer.count)
    }
  }
}
