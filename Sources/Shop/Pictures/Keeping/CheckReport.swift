import JSON

/// What became of a check of every stored file.
public struct CheckReport: Sendable, Equatable {
  /// What was read.
  public var checked = PictureStatus.Amount()
  /// The digests of files whose bytes were others, which were dropped.
  public var damaged: [String] = []
  /// The digests of files that were not there, or could not be read, and were forgotten.
  public var lost: [String] = []

  /// Whether everything was as it should be.
  public var isSound: Bool { damaged.isEmpty && lost.isEmpty }

  /// Nothing checked.
  public init() {}

  /// The report as JSON.
  public var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("checked")
      json.write(checked)
      json.member("damaged", damaged)
      json.member("lost", lost)
    }
    return json.bytes
  }

  init?(_ value: JSONValue) {
    guard let checked = PictureStatus.Amount(value["checked"]), let damaged = value["damaged"]?.elements,
      let lost = value["lost"]?.elements
    else { return nil }
    self.checked = checked
    self.damaged = damaged.compactMap(\.text)
    self.lost = lost.compactMap(\.text)
  }
}

/// What a purge removed, or would remove.
public struct PurgeReport: Sendable, Equatable {
  /// The files.
  public var removed = PictureStatus.Amount()
  /// How many failures were forgotten.
  public var forgotten = 0

  /// Nothing removed.
  public init() {}

  /// The report as JSON.
  public var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("removed")
      json.write(removed)
      json.member("forgotten", Int64(forgotten))
    }
    return json.bytes
  }

  init?(_ value: JSONValue) {
    guard let removed = PictureStatus.Amount(value["removed"]), let forgotten = value["forgotten"]?.integer else {
      return nil
    }
    self.removed = removed
    self.forgotten = Int(clamping: forgotten)
  }
}

/// What is to be purged.
public enum PictureSelection: Sendable, Equatable {
  /// Every stored picture.
  case all
  /// The memory of those that failed, so that they are asked for again.
  case failed
  /// The picture of a reference.
  case reference(String)
}
