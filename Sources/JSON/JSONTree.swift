/// Reads a `JSONValue` out of a decoder's containers.
///
/// A decoder tells a value's kind only by refusing all others, and each refusal costs an error; so each level asks for the
/// likeliest kind first, and asks its own container instead of having a decoder made for every value.
struct JSONTree: Decodable {
  let value: JSONValue

  init(from decoder: any Decoder) throws {
    if let members = try unlessOfOtherKind({ try decoder.container(keyedBy: AnyKey.self) }) {
      value = try Self.object(members)
    } else if var elements = try unlessOfOtherKind({ try decoder.unkeyedContainer() }) {
      value = try Self.array(&elements)
    } else {
      value = try Self.scalar(decoder.singleValueContainer())
    }
  }

  private static func object(_ container: KeyedDecodingContainer<AnyKey>) throws -> JSONValue {
    let keys = container.allKeys
    var members: [String: JSONValue] = [:]
    members.reserveCapacity(keys.count)
    for key in keys {
      var path: [any CodingKey] { container.codingPath + [key] }
      let value: JSONValue
      if let text = try text({ try container.decode(String.self, forKey: key) }, at: path) {
        value = .string(text)
      } else if let integer = try? container.decode(Int64.self, forKey: key) {
        value = .integer(integer)
      } else if var inner = try unlessOfOtherKind({ try container.nestedUnkeyedContainer(forKey: key) }) {
        value = try array(&inner)
      } else if let inner = try unlessOfOtherKind({ try container.nestedContainer(keyedBy: AnyKey.self, forKey: key) })
      {
        value = try object(inner)
      } else if try container.decodeNil(forKey: key) {
        value = .null
      } else if let flag = try? container.decode(Bool.self, forKey: key) {
        value = .bool(flag)
      } else {
        value = .number(try number({ try container.decode(Double.self, forKey: key) }, at: path))
      }
      members[key.stringValue] = value
    }
    return .object(members)
  }

  private static func array(_ container: inout any UnkeyedDecodingContainer) throws -> JSONValue {
    var elements: [JSONValue] = []
    elements.reserveCapacity(container.count ?? 0)
    while !container.isAtEnd {
      // The container moves on only when a read succeeds.
      let path: () -> [any CodingKey] = { [container] in container.codingPath + [IndexKey(container.currentIndex)] }
      if let text = try text({ try container.decode(String.self) }, at: path()) {
        elements.append(.string(text))
      } else if let inner = try unlessOfOtherKind({ try container.nestedContainer(keyedBy: AnyKey.self) }) {
        elements.append(try object(inner))
      } else if let integer = try? container.decode(Int64.self) {
        elements.append(.integer(integer))
      } else if var inner = try unlessOfOtherKind({ try container.nestedUnkeyedContainer() }) {
        elements.append(try array(&inner))
      } else if try container.decodeNil() {
        elements.append(.null)
      } else if let flag = try? container.decode(Bool.self) {
        elements.append(.bool(flag))
      } else {
        elements.append(.number(try number({ try container.decode(Double.self) }, at: path())))
      }
    }
    return .array(elements)
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
    if let text = try text({ try container.decode(String.self) }, at: []) { return .string(text) }
    if container.decodeNil() { return .null }
    if let integer = try? container.decode(Int64.self) { return .integer(integer) }
    if let flag = try? container.decode(Bool.self) { return .bool(flag) }
    return .number(try number({ try container.decode(Double.self) }, at: []))
  }

  /// A string, or nil when the value is something else.
  private static func text(
    _ read: () throws -> String, at path: @autoclosure () -> [any CodingKey]
  ) throws -> String? {
    do {
      return try read()
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      return nil
    } catch {
      throw JSONValueFault(.string, at: path())
    }
  }

  /// A number, when the value can be nothing else.
  private static func number(
    _ read: () throws -> Double, at path: @autoclosure () -> [any CodingKey]
  ) throws -> Double {
    do {
      return try read()
    } catch {
      throw JSONValueFault(.number, at: path())
    }
  }
}

/// What `read` gives, or nil when it is refused because the value is of another kind.
private func unlessOfOtherKind<Result>(_ read: () throws -> Result) throws -> Result? {
  do {
    return try read()
  } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
    return nil
  }
}

/// Any key of an object.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// A place in an array.
private struct IndexKey: CodingKey {
  let index: Int
  var stringValue: String { String(index) }
  var intValue: Int? { index }

  init(_ index: Int) { self.index = index }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { index = intValue }
}
