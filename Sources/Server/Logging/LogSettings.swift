/// How log lines look.
public enum LogFormat: String, Sendable, CaseIterable {
  /// No line for requests; what an operator should know is said as text.
  case off
  case text
  /// An object on each line.
  case json
}

/// How much a line matters to whoever runs the server.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
  /// What happens all the time and says nothing: a probe that was answered.
  case debug
  /// What happened.
  case info
  /// What somebody should look at.
  case warning
  /// What failed: a request that was answered with 500 or above.
  case error

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }

  /// From what matters least to what matters most.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}

/// What of clients' addresses stands in the log.
public enum LoggedAddresses: String, Sendable, CaseIterable {
  case full
  /// The network alone: three bytes of an IPv4 address, six of an IPv6 one.
  case short
  case off
}

/// What is logged, and how. It may change while the server runs.
public struct LogSettings: Equatable, Sendable {
  /// How lines look, and whether requests have any.
  public var format: LogFormat
  /// What matters less than this has no line.
  public var level: LogLevel
  /// What of clients' addresses is told.
  public var addresses: LoggedAddresses

  /// Settings.
  public init(format: LogFormat = .text, level: LogLevel = .info, addresses: LoggedAddresses = .full) {
    self.format = format
    self.level = level
    self.addresses = addresses
  }
}
