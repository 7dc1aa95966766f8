/// One thing that an operator sets once and for all commands: by a flag, a `BANCHAN_…` variable, a key of banchan.json, or
/// not at all. All three are called the same.
///
/// What belongs to one call only, such as `--dry-run`, is a `Flag` of its command.
struct Setting: Sendable {
  /// As a flag and as a key: `origin-base`.
  let name: String
  let kind: Kind
  let standard: Standard
  /// One sentence without a full stop, for `--help`.
  let help: String
  /// Whether SIGHUP puts a new value into force; else it takes a restart.
  let isReloadable: Bool

  init(_ name: String, _ kind: Kind, _ standard: Standard, _ help: String, isReloadable: Bool = false) {
    self.name = name
    self.kind = kind
    self.standard = standard
    self.help = help
    self.isReloadable = isReloadable
  }

  /// What counts when nobody sets anything.
  enum Standard: ExpressibleByStringLiteral, Sendable {
    /// A value, as it would be written.
    case value(String)
    /// A value that depends on the machine, and in words what it is.
    case derived(String, @Sendable () -> String)
    /// No value, and in words what that means.
    case absent(String)

    init(stringLiteral value: String) { self = .value(value) }

    static let off = Standard.value("false")

    /// The text that stands for the value, if there is one.
    var text: String? {
      switch self {
      case .value(let text): text
      case .derived(_, let derive): derive()
      case .absent: nil
      }
    }

    /// For `--help`.
    var words: String {
      switch self {
      case .value(let text): text
      case .derived(let words, _), .absent(let words): words
      }
    }
  }

  /// The name of the variable.
  var variable: String {
    Self.prefix
      + String(decoding: name.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
      .uppercased()
  }

  static let prefix = "BANCHAN_"

  /// The settings of these names, in this order.
  static func named(_ names: String...) -> [Setting] {
    names.map { name in
      guard let setting = table.first(where: { $0.name == name }) else {
        preconditionFailure("the table has no setting \(name)")
      }
      return setting
    }
  }
}

extension Flag {
  /// The flag of a setting.
  init(_ setting: Setting) {
    let words = setting.standard.words
    let isToggle = if case .toggle = setting.kind { true } else { false }
    self.init(
      name: setting.name, value: setting.kind.placeholder,
      help: setting.help + (setting.kind.isList ? "; repeatable" : "") + (isToggle ? "" : " (\(words))"),
      isRepeatable: setting.kind.isList)
  }
}
