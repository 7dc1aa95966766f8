import Testing

/// The strict models of schema.md and wire-contracts.md: exactly these keys, in this order, of these types. Each
/// records an issue where an answer differs, at the line that asked.
enum Model {
  enum Kind: Sendable {
    case text, integer, bool, texts
    indirect case nullable(Kind)
    indirect case list(Check)
    indirect case object(Check)
  }

  typealias Check = @Sendable (StrictJSON, String, SourceLocation) -> Void

  /// An object with exactly these members, in this order.
  static func members(_ members: [(String, Kind)]) -> Check {
    { value, place, location in
      let keys = members.map(\.0)
      #expect(value.keys == keys, "the keys at \(place)", sourceLocation: location)
      for (key, kind) in members {
        guard let member = try? value[key] else { continue }
        check(member, kind, "\(place)/\(key)", location)
      }
    }
  }

  static func check(_ value: StrictJSON, _ kind: Kind, _ place: String, _ location: SourceLocation) {
    switch (kind, value) {
    case (.text, .string), (.bool, .bool), (.nullable, .null): break
    case (.integer, .number(let digits)):
      #expect(Int(digits) != nil, "\(place) is not an integer: \(digits)", sourceLocation: location)
    case (.texts, .array(let items)):
      for item in items { check(item, .text, "\(place)/*", location) }
    case (.nullable(let kind), _): check(value, kind, place, location)
    case (.list(let each), .array(let items)):
      for (index, item) in items.enumerated() { each(item, "\(place)/\(index)", location) }
    case (.object(let each), .object): each(value, place, location)
    default: Issue.record("\(place) is of another type: \(value)", sourceLocation: location)
    }
  }

  // MARK: The native API

  static let won = members([("amount", .integer), ("currency", .text), ("text", .text)])
  static let word = members([("id", .text), ("text", .text)])
  static let notice = members([("label", .text), ("value", .text)])

  static let image = members([
    ("id", .text), ("alt", .text), ("width", .nullable(.integer)), ("height", .nullable(.integer)),
    ("color", .nullable(.text)), ("placeholder", .nullable(.text)),
    ("urls", .object(members([("thumb", .text), ("medium", .text), ("large", .text), ("original", .text)]))),
  ])

  private static let summaryMembers: [(String, Kind)] = [
    ("id", .text), ("section", .text), ("title", .text), ("description", .text), ("price", .object(won)),
    ("listPrice", .nullable(.object(won))), ("discountPercent", .nullable(.integer)), ("badges", .list(word)),
    ("deliveryTypes", .list(word)), ("status", .text), ("stock", .nullable(.integer)), ("image", .object(image)),
    ("href", .text),
  ]
  static let summary = members(summaryMembers)

  static let detail = members(
    summaryMembers + [
      ("images", .list(image)), ("details", .list(image)), ("notices", .list(notice)), ("points", .integer),
      ("delivery", .object(members([("info", .text), ("fee", .text), ("freeFrom", .nullable(.integer))]))),
      ("createdAt", .text), ("updatedAt", .text),
    ])

  private static let sectionMembers: [(String, Kind)] = [
    ("id", .text), ("name", .text), ("title", .text), ("productCount", .integer), ("href", .text),
  ]
  static let section = members(sectionMembers)
  static let sectionWithProducts = members(sectionMembers + [("products", .list(summary))])

  static let catalog = members([
    ("version", .integer), ("shop", .object(members([("name", .text)]))), ("sections", .list(sectionWithProducts)),
    ("collections", .list(members([("id", .text), ("name", .text), ("products", .list(summary))]))),
  ])

  // MARK: Problems

  static let problem = members([
    ("type", .text), ("title", .text), ("status", .integer), ("detail", .text), ("code", .text), ("instance", .text),
  ])
}

/// An error must be a problem+json of its status and code.
func expectProblem(
  _ reply: Reply, _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(reply.status == status, "\(reply.text)", sourceLocation: sourceLocation)
  #expect(reply["Content-Type"] == "application/problem+json", sourceLocation: sourceLocation)
  guard let problem = try? reply.json else {
    Issue.record("The problem is not JSON: \(reply.text)", sourceLocation: sourceLocation)
    return
  }
  Model.problem(problem, "", sourceLocation)
  #expect((try? problem["status"].integer) == status, sourceLocation: sourceLocation)
  #expect((try? problem["code"].text) == code, sourceLocation: sourceLocation)
  #expect((try? problem["type"].text) == "/problems/\(code)", sourceLocation: sourceLocation)
}
