import Images
import Text

/// The form of a journal's file.
enum JournalFile {
  private static let mark = "banchan-sync 1"
  private static let newline = UInt8(ascii: "\n")

  static func header(upstream: [UInt8], now: Int64) -> [UInt8] {
    Array("\(mark) \(now) ".utf8) + upstream + [newline]
  }

  static func record(target: String, body: [UInt8]) -> [UInt8] {
    let content = Array(target.utf8) + body
    return Array("\(target.utf8.count) \(body.count) \(digest(of: content))\n".utf8) + content + [newline]
  }

  /// The bodies of all whole records, and where the last of them ends; nothing and 0 when this is no journal to go on with.
  static func read(_ bytes: [UInt8], upstream: [UInt8], now: Int64) -> (bodies: [String: [UInt8]], end: Int) {
    var rest = bytes[...]
    let mark = Array("\(mark) ".utf8)
    guard let line = takeLine(&rest), line.starts(with: mark) else { return ([:], 0) }
    let words = line.dropFirst(mark.count).split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard words.count == 2, let start = try? Decimal.parse(words[0], as: Int64.self),
      words[1].elementsEqual(upstream), start <= now, now - start < SyncJournal.lifetime
    else { return ([:], 0) }
    var bodies: [String: [UInt8]] = [:]
    var end = rest.startIndex
    while let (target, body) = takeRecord(&rest) {
      bodies[target] = body
      end = rest.startIndex
    }
    return (bodies, end)
  }

  private static func takeRecord(_ rest: inout ArraySlice<UInt8>) -> (String, [UInt8])? {
    guard let line = takeLine(&rest) else { return nil }
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, let target = try? Decimal.parse(words[0], as: Int.self),
      let body = try? Decimal.parse(words[1], as: Int.self),
      target < rest.count, body < rest.count - target
    else { return nil }
    let content = rest.prefix(target + body)
    rest = rest.dropFirst(target + body)
    guard rest.popFirst() == newline, digest(of: Array(content)).utf8.elementsEqual(words[2]) else { return nil }
    return (String(decoding: content.prefix(target), as: UTF8.self), Array(content.dropFirst(target)))
  }

  /// A line without its end; nil when its end is not there.
  private static func takeLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: newline) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }

  /// Enough of a SHA-256 to tell a torn record: nobody forges one's own journal.
  private static func digest(of content: [UInt8]) -> String { String(Digest.of(content).hex.prefix(16)) }
}
