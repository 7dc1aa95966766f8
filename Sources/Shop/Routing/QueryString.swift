import HTTP

/// The parameters of a query, as forms write them.
package enum QueryString {
  /// The names and values, decoded, in order; nil when an escape is broken.
  package static func parameters(_ query: [UInt8]) -> [(name: String, value: String)]? {
    var parameters: [(name: String, value: String)] = []
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decodeForm(Array(parts[0]).span),
        let value = PercentEncoding.decodeForm(Array(parts.dropFirst().joined()).span)
      else { return nil }
      parameters.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
    }
    return parameters
  }

  /// Refuses a query with a parameter that is not known, and says which are.
  static func check(_ query: [UInt8]?, known: [String]) throws(Problem) {
    guard let query else { return }
    guard let parameters = parameters(query) else {
      throw Problem(
        .invalidParameter,
        detail: Bilingual(
          korean: "쿼리에 잘못된 %-인코딩이 있습니다.", english: "The query has a broken percent escape."))
    }
    guard let unknown = parameters.first(where: { !known.contains($0.name) }) else { return }
    let name = unknown.name.prefix(60)
    let list = known.joined(separator: ", ")
    throw Problem(
      .unknownParameter,
      detail: known.isEmpty
        ? Bilingual(
          korean: "'\(name)'은(는) 알 수 없는 매개변수입니다. 이 주소는 매개변수를 받지 않습니다.",
          english: "'\(name)' is not known here: this address takes no parameters.")
        : Bilingual(
          korean: "'\(name)'은(는) 알 수 없는 매개변수입니다. 쓸 수 있는 것: \(list).",
          english: "'\(name)' is not known here. Known parameters: \(list)."))
  }
}
