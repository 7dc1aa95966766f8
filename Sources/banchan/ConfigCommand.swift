import JSON

/// `banchan config`: every setting, its value, and where that comes from.
enum ConfigCommand: Command {
  static let name = "config"
  static let summary = "Prints each setting, its value, and where that comes from; checks them all."
  static let operand: String? = nil
  static let settings = Setting.table
  static let flags = [Flag(name: "json", value: "", help: "print JSON; a value is written as banchan.json takes it")]

  static func run(_ flags: Flags) throws(CommandFailure) {
    let settings = flags.settings
    // What serve would refuse is refused here too, before anything is printed.
    _ = try ServeCommand.Plan(settings)
    try Output.write(flags.has("json") ? json(settings) : Array(text(settings).utf8))
  }

  private static func text(_ settings: Settings) -> String {
    let rows = settings.entries.map { entry in
      (entry.setting.name, entry.text, entry.source == .standard ? "default" : entry.place)
    }
    let widths = (rows.map { $0.0.count }.max() ?? 0, min(40, rows.map { $0.1.count }.max() ?? 0))
    return rows.map { name, value, place in
      "\(padded(name, to: widths.0))  \(padded(value, to: widths.1))  \(place)\n"
    }.joined()
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func json(_ settings: Settings) -> [UInt8] {
    var writer = JSONWriter(.pretty)
    writer.object { json in
      json.key("file")
      if let file = settings.file { json.write(file) } else { json.writeNull() }
      json.key("settings")
      json.array { json in
        for entry in settings.entries {
          json.object { json in write(entry, to: &json) }
        }
      }
    }
    writer.finishFile()
    return writer.bytes
  }

  private static func write(_ entry: Settings.Entry, to json: inout JSONWriter) {
    let source =
      switch entry.source {
      case .flag: "flag"
      case .variable: "variable"
      case .file: "file"
      case .standard: "default"
      }
    json.member("name", entry.setting.name)
    json.key("value")
    switch entry.value {
    case .text(let text): json.write(text)
    case .texts(let texts): json.array { json in for text in texts { json.write(text) } }
    case .toggle(let isOn): json.write(isOn)
    case .number(let number):
      if case .number = entry.setting.kind {
        json.write(number)
      } else {
        json.write(entry.setting.kind.text(of: .number(number)))
      }
    case nil: json.writeNull()
    }
    json.member("source", source)
    json.member("variable", entry.setting.variable)
  }
}
