import HTTP

extension FuzzTarget {
  /// Conditional fields: the input is field lines of a request, and also one entity tag.
  static let preconditions = FuzzTarget("preconditions") { bytes throws(Violation) in
    try checkTag(bytes)
    guard let get = request("GET", bytes), let head = request("HEAD", bytes) else { return }
    let tag = EntityTag(strong: Array("v1".utf8))
    let modified = HTTPDate(seconds: 1_700_000_000)
    let now: Int64 = 1_900_000_000
    let names: [FieldName] = [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince]
    for (entityTag, lastModified) in [(tag, modified), (tag, nil), (nil, modified), (nil, nil)] {
      let outcome = Precondition(get, entityTag: entityTag, lastModified: lastModified, now: now)
      try expectEqual(
        outcome, Precondition(head, entityTag: entityTag, lastModified: lastModified, now: now),
        "A condition is the same for GET and HEAD")
      switch outcome {
      case .holds: break
      case .notModified: try expect(get.has(.ifNoneMatch) || get.has(.ifModifiedSince), "304 is asked for")
      case .fails: try expect(get.has(.ifMatch) || get.has(.ifUnmodifiedSince), "412 is asked for")
      }
      if !names.contains(where: get.has) { try expectEqual(outcome, .holds, "Nothing asked, nothing failed") }
      if get.has(.ifMatch), get.has(.ifNoneMatch) {
        let undated = Precondition(get, entityTag: entityTag, lastModified: nil, now: now)
        try expectEqual(outcome, undated, "Tags go before dates")
      }
      try checkRange(get, head, entityTag: entityTag, lastModified: lastModified, now: now)
    }
  }

  private static func checkRange(
    _ get: RequestHead, _ head: RequestHead, entityTag: EntityTag?, lastModified: HTTPDate?, now: Int64
  ) throws(Violation) {
    for length in [0, 10] {
      let whole = Precondition.range(head, length: length, entityTag: entityTag, lastModified: lastModified, now: now)
      try expectEqual(whole, .whole, "HEAD has no parts")
      let range = Precondition.range(get, length: length, entityTag: entityTag, lastModified: lastModified, now: now)
      guard range != .whole else { continue }
      try expectEqual(get.values(of: .range).count, 1, "A part is asked for once")
      if case .part(let part) = range { try expect((0..<length).contains(part.upperBound - 1), "A part lies within") }
      guard let condition = get[.ifRange] else { continue }
      let isTag = entityTag.map { $0.bytes == condition } ?? false
      let isDate = HTTPDate(condition.span, now: now).map { $0 == lastModified } ?? false
      try expect(isTag || isDate, "A part of something else is never sent")
    }
  }

  private static func checkTag(_ bytes: [UInt8]) throws(Violation) {
    guard let tag = EntityTag(bytes.span) else { return }
    try expectEqual(tag.bytes, bytes, "An entity tag is written as it was read")
    try expect(tag.isListed(in: bytes.span, weakly: true), "A tag is in a list of itself")
    try expectEqual(tag.isListed(in: bytes.span, weakly: false), !tag.isWeak, "Only strong tags match strongly")
    let longer = Array("\"_\", ".utf8) + bytes + Array(", W/\"_\"".utf8)
    try expect(tag.isListed(in: longer.span, weakly: true), "A tag is in a longer list")
    let other = EntityTag(strong: tag.opaque + [33])
    try expect(!other.isListed(in: bytes.span, weakly: true), "Another tag is not in the list")
  }

  private static func request(_ method: String, _ fields: [UInt8]) -> RequestHead? {
    let text = Array("\(method) / HTTP/1.1\r\nHost: a\r\n".utf8) + fields + [13, 10, 13, 10]
    return (try? RequestHead(parsing: text)) ?? nil
  }
}
