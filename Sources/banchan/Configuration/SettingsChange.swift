/// What a new reading of the settings changes for a server that runs.
struct SettingsChange {
  /// What is in force from now on: the new values where they may change, the old ones where that takes a restart.
  let settings: Settings
  /// What changed and is in force.
  private let applied: [String]
  /// What changed and waits for a restart.
  private let waiting: [String]

  init(from running: Settings, to read: Settings) {
    var applied: [String] = []
    var waiting: [String] = []
    var entries: [Settings.Entry] = []
    for (old, new) in zip(running.entries, read.entries) {
      entries.append(old.setting.isReloadable ? new : old)
      guard old.value != new.value else { continue }
      if old.setting.isReloadable {
        applied.append("\(new.setting.name) is \(new.text) (was \(old.text))")
      } else {
        waiting.append("\(new.setting.name) \(new.text) (is \(old.text))")
      }
    }
    self.applied = applied
    self.waiting = waiting
    settings = Settings(entries: entries, file: read.file)
  }

  /// One line for the operator.
  var sentence: String {
    guard !applied.isEmpty || !waiting.isEmpty else { return "configuration read again: nothing has changed" }
    var parts = applied
    if !waiting.isEmpty { parts.append("a restart puts into force: \(waiting.joined(separator: ", "))") }
    return "configuration read again: \(parts.joined(separator: "; "))"
  }
}

extension Settings.Entry {
  /// The value as it would be written, or in words what having none means.
  var text: String {
    guard let value, value != .texts([]) else { return "(\(setting.standard.words))" }
    return setting.kind.text(of: value)
  }
}
