/// The members of one object in a document, asked for by key.
public struct ObjectReader {
  /// The place of the object.
  public let pointer: JSONPointer
  private let members: JSONObject
  private let faults: JSONFaults

  init(_ members: JSONObject, at pointer: JSONPointer, keys: [String], faults: JSONFaults) {
    self.pointer = pointer
    self.members = members
    self.faults = faults
    let unknown = members.filter { !keys.contains($0.key) }
    guard !unknown.isEmpty else { return }
    let rule = JSONRule.unknownKey(known: keys)
    for (key, value) in unknown { JSONField(value, key: key, in: pointer, faults: faults).report(rule) }
  }

  /// The member, or nil and a fault when there is none.
  public func required(_ key: String) -> JSONField? {
    let field = optional(key)
    if field == nil { faults.add(JSONFault(pointer: pointer.appending(key), value: nil, rule: .missingKey)) }
    return field
  }

  /// The member, or nil when there is none. `null` is a value like any other.
  public func optional(_ key: String) -> JSONField? {
    members[key].map { JSONField($0, key: key, in: pointer, faults: faults) }
  }

  /// The member, or nil when there is none or it is `null`.
  public func nullable(_ key: String) -> JSONField? {
    optional(key).flatMap { $0.value == .null ? nil : $0 }
  }
}
