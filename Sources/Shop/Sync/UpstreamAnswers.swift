import Catalog
import JSON

/// Reads an upstream's answers as far as their shape goes: what surrounds the products.
struct UpstreamAnswers {
  let surface: CompatibleSurface

  /// What a section says of itself.
  struct Category {
    /// As it stands in the path of its list; not checked yet.
    let path: JSONValue
    let name: String?
    let title: String?
  }

  /// A collection; nothing in it is checked yet.
  struct Collection {
    let id: JSONValue
    let name: JSONValue
    let items: [JSONValue]
  }

  // MARK: Paths

  /// The path below the mount of a list.
  func listPath(_ section: SectionID) -> String {
    path(section.text) { answer in
      switch answer {
      case .items, .category: true
      default: false
      }
    } ?? section.text
  }

  /// The path of a detail.
  func detailPath(_ id: ProductID) -> String {
    path(id.text) { answer in
      guard case .detail = answer else { return false }
      return true
    } ?? id.text
  }

  /// The path of the list of sections, on a surface that has one.
  var categoriesPath: String? {
    path("") { answer in
      guard case .categories = answer else { return false }
      return true
    }
  }

  /// The path of the collections, on a surface that has them.
  var bestPath: String? {
    path("") { answer in
      guard case .best = answer else { return false }
      return true
    }
  }

  /// The first pattern that answers so, without the slash in front and with its parameter filled in.
  private func path(_ parameter: String, _ answers: (CompatibleSurface.Answer) -> Bool) -> String? {
    surface.paths.first { answers($0.answer) }.map { path in
      path.pattern.split(separator: "/").map { $0.hasPrefix("{") ? parameter : String($0) }.joined(separator: "/")
    }
  }

  // MARK: Answers

  /// The entries of a section's list, and what the section says of itself where it does.
  func list(_ answer: JSONValue) throws(UpstreamFault) -> (entries: [JSONValue], category: Category?) {
    var value = try Self.opened(answer)
    var category: Category?
    if case .object(let members) = value, let list = members["banchan"] {
      category = Self.category(members)
      value = list
    }
    guard case .array(let entries) = value else { throw .shape("\(value.summary) stands where a list should") }
    // A list of something else is no list of ours, while one odd entry is only that.
    guard entries.isEmpty || entries.contains(where: isItem) else {
      throw .shape("none of its \(entries.count) entries is a product")
    }
    return (entries, category)
  }

  /// The list of sections.
  func categories(_ answer: JSONValue) throws(UpstreamFault) -> [Category] {
    guard case .array(let values) = try Self.opened(answer) else { throw .shape("there is no list of sections") }
    let categories = values.compactMap { value -> Category? in
      guard case .object(let members) = value, members["path"] != nil else { return nil }
      return Self.category(members)
    }
    guard !categories.isEmpty else { throw .shape("none of its \(values.count) entries is a section") }
    return categories
  }

  /// The collections.
  func collections(_ answer: JSONValue) throws(UpstreamFault) -> [Collection] {
    guard case .array(let values) = try Self.opened(answer) else { throw .shape("there is no list of collections") }
    let collections = values.compactMap { value -> Collection? in
      guard case .object(let members) = value, case .array(let items)? = members["items"] else { return nil }
      return Collection(id: members["category_id"] ?? .null, name: members["name"] ?? .null, items: items)
    }
    guard values.isEmpty || !collections.isEmpty else {
      throw .shape("none of its \(values.count) entries is a collection")
    }
    return collections
  }

  /// What an envelope holds; a bare answer is its own. An envelope may carry a status of its own.
  static func opened(_ answer: JSONValue) throws(UpstreamFault) -> JSONValue {
    guard case .object(let members) = answer else { return answer }
    let body = members["body"]
    switch members["statusCode"] {
    case nil: return body ?? answer
    case .integer(200), .string("200"):
      guard let body else { throw .shape("its envelope is empty") }
      return body
    case .integer(let number): throw .status(Int(clamping: number), retryAfter: nil)
    case .some(let status): throw .shape("its statusCode is \(status.summary)")
    }
  }

  private static func category(_ members: JSONObject) -> Category {
    func text(_ key: String) -> String? {
      guard case .string(let text)? = members[key] else { return nil }
      return text
    }
    return Category(path: members["path"] ?? .null, name: text("name"), title: text("description"))
  }

  private func isItem(_ entry: JSONValue) -> Bool {
    guard case .object(let members) = entry else { return false }
    return UpstreamParts(members, by: surface.item)[.id] != nil
  }
}
