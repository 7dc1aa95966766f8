extension Setting {
  /// What values a setting takes, and how they are written.
  enum Kind: Sendable {
    /// Any text; the word stands for it in `--help`.
    case text(String)
    /// A file or folder.
    case path(String)
    /// A file or folder, or `off` for none.
    case pathOrOff(String)
    /// Several texts: a flag given again, an array in the file, commas in the variable.
    case texts(String)
    /// Several files or folders.
    case paths(String)
    /// One of a few words.
    case word([String])
    case number(ClosedRange<Int64>)
    /// Bytes: `512MB`, `1GiB`.
    case size(ClosedRange<Int64>)
    /// Milliseconds: `10s`, `5m`. A bare number counts seconds.
    case duration(ClosedRange<Int64>)
    /// True or false; a flag that stands alone means true.
    case toggle

    var isList: Bool {
      switch self {
      case .texts, .paths: true
      default: false
      }
    }

    /// What `--help` shows behind the flag.
    var placeholder: String {
      switch self {
      case .text(let word), .path(let word), .texts(let word), .paths(let word): word
      case .pathOrOff(let word): "\(word)|off"
      case .word(let words): words.joined(separator: "|")
      case .number: "N"
      case .size: "SIZE"
      case .duration: "TIME"
      case .toggle: ""
      }
    }

    /// What it takes, as the rest of a sentence that begins with “takes”.
    var rule: String {
      switch self {
      case .text, .texts: "a text"
      case .path, .paths: "a path"
      case .pathOrOff: "a path, or off"
      case .word(let words): "one of \(words.joined(separator: ", "))"
      case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
      case .size(let range):
        "a size such as 512MB or 1GiB, from \(ByteSize.text(range.lowerBound)) to \(ByteSize.text(range.upperBound))"
      case .duration(let range):
        "a time such as 10s or 5m, from \(TimeSpan.text(range.lowerBound)) to \(TimeSpan.text(range.upperBound))"
      case .toggle: "true or false"
      }
    }

    /// The value that is written so, or nil when it breaks the rule. Relative paths begin in `folder`.
    func value(of texts: [String], in folder: String? = nil) -> Value? {
      let text = texts.last ?? ""
      switch self {
      case .text: return text.isEmpty ? nil : .text(text)
      case .path: return text.isEmpty ? nil : .text(Self.path(text, in: folder))
      case .pathOrOff: return text.isEmpty ? nil : .text(text == "off" ? text : Self.path(text, in: folder))
      case .texts: return .texts(texts)
      case .paths: return .texts(texts.map { Self.path($0, in: folder) })
      case .word(let words): return words.contains(text) ? .text(text) : nil
      case .number(let range): return Digits.number(text).flatMap { range.contains($0) ? .number($0) : nil }
      case .size(let range): return ByteSize.bytes(text).flatMap { range.contains($0) ? .number($0) : nil }
      case .duration(let range): return TimeSpan.milliseconds(text).flatMap { range.contains($0) ? .number($0) : nil }
      case .toggle: return ["", "true"].contains(text) ? .toggle(true) : text == "false" ? .toggle(false) : nil
      }
    }

    private static func path(_ text: String, in folder: String?) -> String {
      // What can be switched off says so in a file, too; a folder of that name is ./off.
      guard let folder, !text.hasPrefix("/"), text != "off" else { return text }
      return "\(folder)/\(text)"
    }

    /// A value as it would be written in a flag.
    func text(of value: Value) -> String {
      switch (value, self) {
      case (.number(let number), .size): ByteSize.text(number)
      case (.number(let number), .duration): TimeSpan.text(number)
      case (.number(let number), _): String(number)
      case (.text(let text), _): text
      case (.texts(let texts), _): texts.joined(separator: ",")
      case (.toggle(let isOn), _): isOn ? "true" : "false"
      }
    }
  }

  /// A value that its setting takes.
  enum Value: Equatable, Sendable {
    case text(String)
    case texts([String])
    case number(Int64)
    case toggle(Bool)
  }
}
