/// What the Cache-Control field of an answer says about keeping it (RFC 9111, section 5.2.2).
///
/// Where it contradicts itself, the more careful word counts: the shortest of several lifetimes, and a lifetime that is no
/// number is none. Directives of other kinds are passed over.
///
///     CacheControl([Array("public, max-age=60, max-age=5".utf8)]).maxAge  // 5
public struct CacheControl: Equatable, Sendable {
  /// `no-store`
  public private(set) var isNoStore = false
  /// `no-cache`, also when it names fields.
  public private(set) var isNoCache = false
  /// `private`, also when it names fields.
  public private(set) var isPrivate = false
  /// `public`
  public private(set) var isPublic = false
  /// `must-revalidate` or `proxy-revalidate`
  public private(set) var mustRevalidate = false
  /// `max-age` in seconds; 0 when it is no number.
  public private(set) var maxAge: Int64?
  /// `s-maxage` in seconds; 0 when it is no number.
  public private(set) var sharedMaxAge: Int64?

  /// What a number of seconds too large to hold is taken for (RFC 9111, section 1.2.2).
  public static let longest: Int64 = 2_147_483_648

  /// Reads the lines of a field, none of which need be there.
  public init(_ lines: [[UInt8]]) {
    for line in lines {
      let line = line.span
      line.forEachListElement { element in
        take(line.extracting(element))
        return true
      }
    }
  }

  /// Whether a shared cache may keep the answer at all.
  public var mayBeStored: Bool { !isNoStore && !isPrivate }

  private mutating func take(_ directive: Span<UInt8>) {
    var end = 0
    while end < directive.count, directive[end] != Octet.equals { end += 1 }
    let name = directive.extracting(0..<end)
    let value = directive.extracting(min(end + 1, directive.count)..<directive.count)
    if name.equalsIgnoringCase("no-store") {
      isNoStore = true
    } else if name.equalsIgnoringCase("no-cache") {
      isNoCache = true
    } else if name.equalsIgnoringCase("private") {
      isPrivate = true
    } else if name.equalsIgnoringCase("public") {
      isPublic = true
    } else if name.equalsIgnoringCase("must-revalidate") || name.equalsIgnoringCase("proxy-revalidate") {
      mustRevalidate = true
    } else if name.equalsIgnoringCase("max-age") {
      maxAge = min(maxAge ?? .max, Self.seconds(value))
    } else if name.equalsIgnoringCase("s-maxage") {
      sharedMaxAge = min(sharedMaxAge ?? .max, Self.seconds(value))
    }
  }

  /// A number of seconds, with or without quotes.
  private static func seconds(_ text: Span<UInt8>) -> Int64 {
    let isQuoted = text.count >= 2 && text[0] == Octet.quote && text[text.count - 1] == Octet.quote
    return deltaSeconds(isQuoted ? text.extracting(1..<text.count - 1) : text) ?? 0
  }

  /// The first count of seconds in a field that should hold one, such as Age, and of which caches in a row make a list, or
  /// several lines (RFC 9111, section 5.1).
  public static func firstDeltaSeconds(in lines: [[UInt8]]) -> Int64? {
    var seconds: Int64?
    for line in lines where seconds == nil {
      let line = line.span
      line.forEachListElement { element in
        seconds = deltaSeconds(line.extracting(element))
        return seconds == nil
      }
    }
    return seconds
  }

  /// Reads a count of seconds, held to ``longest``; nil for anything that is not all digits (RFC 9111, section 1.2.2).
  public static func deltaSeconds(_ text: Span<UInt8>) -> Int64? {
    guard text.count > 0 else { return nil }
    for index in 0..<text.count where !text[index].isDigit { return nil }
    guard let number = text.decimal(0..<text.count) else { return longest }
    return min(longest, Int64(number))
  }
}
