import Glibc

/// The value of every setting, and where each comes from: a flag goes before a variable, a variable before banchan.json,
/// banchan.json before what counts when nobody says anything.
struct Settings: Sendable {
  /// Where a value comes from.
  enum Source: Equatable, Sendable {
    case flag, variable
    case file(String)
    case standard
  }

  struct Entry: Sendable {
    let setting: Setting
    /// Nil when it is not set and has no value then.
    let value: Setting.Value?
    let source: Source

    /// Where it was set, as one would look for it.
    var place: String {
      switch source {
      case .flag: "--\(setting.name)"
      case .variable: setting.variable
      case .file(let path): "\"\(setting.name)\" in \(path)"
      case .standard: "default"
      }
    }
  }

  /// Every setting, in the order of the table.
  let entries: [Entry]
  /// The file that was read, if there was one.
  let file: String?

  /// - Parameters:
  ///   - flags: what the call says, by name.
  ///   - environment: the variables that begin with `BANCHAN_`.
  init(flags: [String: [String]], environment: [String: String], file: SettingsFile?) throws(CommandFailure) {
    try Self.checkNames(of: environment)
    var entries: [Entry] = []
    var faults: [String] = []
    for setting in Setting.table {
      let (texts, source) = Self.written(setting, flags, environment, file)
      let folder = if case .file = source { file?.folder } else { String?.none }
      let value = texts.flatMap { setting.kind.value(of: $0, in: folder) }
      let entry = Entry(setting: setting, value: value, source: source)
      if let texts, value == nil {
        let shown = texts.map { "'\($0)'" }.joined(separator: ", ")
        faults.append("\(entry.place) takes \(setting.kind.rule), not \(shown)\(Self.hint(texts, source))")
      }
      entries.append(entry)
    }
    guard faults.isEmpty else { throw .usage(faults.joined(separator: "\nbanchan: ")) }
    self.entries = entries
    self.file = file?.path
  }

  /// Settings that were checked.
  init(entries: [Entry], file: String?) {
    self.entries = entries
    self.file = file
  }

  private static func written(
    _ setting: Setting, _ flags: [String: [String]], _ environment: [String: String], _ file: SettingsFile?
  ) -> ([String]?, Source) {
    if let texts = flags[setting.name] { return (texts, .flag) }
    if let text = environment[setting.variable] {
      return (setting.kind.isList ? text.split(separator: ",").map(String.init) : [text], .variable)
    }
    if let file, let texts = file.texts[setting.name] { return (texts, .file(file.path)) }
    return (setting.standard.text.map { [$0] } ?? (setting.kind.isList ? [] : nil), .standard)
  }

  /// A variable that looks like a misspelt setting is a mistake; others with the prefix are somebody else's.
  private static func checkNames(of environment: [String: String]) throws(CommandFailure) {
    let known = Setting.table.map(\.variable) + [configVariable]
    for name in environment.keys.sorted() where !known.contains(name) {
      let names = known.map { String($0.dropFirst(Setting.prefix.count)) }
      let written = String(name.dropFirst(Setting.prefix.count))
      guard let near = Suggestion.nearest(to: written, among: names) else { continue }
      throw .usage("the variable \(name) sets nothing; did you mean \(Setting.prefix)\(near)?")
    }
  }

  private static func hint(_ texts: [String], _ source: Source) -> String {
    guard source == .variable, texts.contains(where: { $0.hasPrefix("tcp://") }) else { return "" }
    return "; Kubernetes sets it for a service called banchan: give the pod enableServiceLinks: false"
  }

  static let configVariable = "BANCHAN_CONFIG"

  /// The variables of this process that may concern Banchan.
  static var environment: [String: String] {
    var found: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      next += 1
      let text = String(cString: entry)
      guard text.hasPrefix(Setting.prefix), let equals = text.firstIndex(of: "=") else { continue }
      found[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    return found
  }

  // MARK: Asking

  /// Where a setting's value comes from.
  func entry(_ name: String) -> Entry {
    guard let entry = entries.first(where: { $0.setting.name == name }) else {
      preconditionFailure("the table has no setting \(name)")
    }
    return entry
  }

  /// The text of a setting, if it has one.
  subscript(name: String) -> String? {
    if case .text(let text) = entry(name).value { text } else { nil }
  }

  /// The text of a setting that always has one.
  func text(_ name: String) -> String { self[name] ?? "" }

  /// The texts of a setting that takes several.
  func all(_ name: String) -> [String] {
    if case .texts(let texts) = entry(name).value { texts } else { [] }
  }

  /// A number, the bytes of a size, or the milliseconds of a time, if set.
  func number(_ name: String) -> Int64? {
    if case .number(let number) = entry(name).value { number } else { nil }
  }

  func isOn(_ name: String) -> Bool { entry(name).value == .toggle(true) }

  func isSet(_ name: String) -> Bool { entry(name).source != .standard }

  /// One of some words.
  func word<Word: RawRepresentable & CaseIterable>(_ name: String, default standard: Word) -> Word
  where Word.RawValue == String {
    self[name].flatMap { Word(rawValue: $0) } ?? standard
  }

  /// Why a value does not do although it is of the right kind; `rule` says what it takes.
  func refusal(of name: String, takes rule: String, not text: String, because reason: String? = nil) -> CommandFailure {
    .usage("\(entry(name).place) takes \(rule), not '\(text)'\(reason.map { ": \($0)" } ?? "")")
  }
}
