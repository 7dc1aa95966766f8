import HTTP
import Testing

@testable import Images

/// An answer's fields, and how long it holds by them.
struct FreshnessRow: Sendable, CustomTestStringConvertible {
  let name: String
  let fields: [String]
  /// Seconds until the origin is asked again.
  let left: Int64
  /// The age that is stated at once.
  var age: Int64 = 0

  var testDescription: String { name }

  static let hour: Int64 = 3_600
  static let day: Int64 = 86_400
  static let month: Int64 = 30 * 86_400
  /// Sun, 06 Nov 1994 08:49:37 GMT, at which each row's answer comes.
  static let now: Int64 = 784_111_777

  static let rows: [FreshnessRow] = [
    FreshnessRow(name: "nothing", fields: [], left: day),
    FreshnessRow(name: "a lifetime between the bounds", fields: ["Cache-Control: max-age=7200"], left: 7_200),
    FreshnessRow(name: "a short one", fields: ["Cache-Control: max-age=60"], left: hour),
    FreshnessRow(name: "none at all", fields: ["Cache-Control: no-cache"], left: hour),
    FreshnessRow(name: "a year", fields: ["Cache-Control: max-age=31536000"], left: month),
    FreshnessRow(name: "more than fits", fields: ["Cache-Control: max-age=99999999999999999999"], left: month),
    FreshnessRow(name: "shared before private", fields: ["Cache-Control: max-age=9999, s-maxage=7200"], left: 7_200),
    FreshnessRow(
      name: "two lines", fields: ["Cache-Control: max-age=9000", "Cache-Control: max-age=8000"], left: 8_000),
    FreshnessRow(name: "no-cache with a lifetime", fields: ["Cache-Control: no-cache, max-age=9999"], left: hour),
    FreshnessRow(
      name: "must-revalidate says when, not how long", fields: ["Cache-Control: must-revalidate"], left: day),
    FreshnessRow(name: "Age counts", fields: ["Cache-Control: max-age=9000", "Age: 1000"], left: 8_000, age: 1_000),
    FreshnessRow(
      name: "Age beyond the lifetime", fields: ["Cache-Control: max-age=90", "Age: 1000"], left: hour, age: 1_000),
    FreshnessRow(name: "Age that is no number", fields: ["Cache-Control: max-age=9000", "Age: soon"], left: 9_000),
    FreshnessRow(
      name: "a list of Ages", fields: ["Cache-Control: max-age=9000", "Age: 1000, 0"], left: 8_000, age: 1_000),
    FreshnessRow(
      name: "Ages in a list that are none", fields: ["Cache-Control: max-age=9000", "Age: -1, 1.5"], left: 9_000),
    FreshnessRow(
      name: "two Ages", fields: ["Cache-Control: max-age=9000", "Age: x", "Age: 10", "Age: 20"], left: 8_990, age: 10),
    FreshnessRow(
      name: "an Age without end", fields: ["Age: 99999999999999999999"], left: hour, age: now),
    FreshnessRow(
      name: "Date a minute ago", fields: ["Date: Sun, 06 Nov 1994 08:48:37 GMT", "Cache-Control: max-age=9000"],
      left: 8_940, age: 60),
    FreshnessRow(
      name: "Date ahead of us", fields: ["Date: Sun, 06 Nov 1994 08:50:37 GMT", "Cache-Control: max-age=9000"],
      left: 9_000),
    FreshnessRow(
      name: "Date in 1970", fields: ["Date: Thu, 01 Jan 1970 00:00:00 GMT", "Cache-Control: max-age=9000"], left: 9_000),
    FreshnessRow(
      name: "Date in 2099", fields: ["Date: Thu, 01 Jan 2099 00:00:00 GMT", "Cache-Control: max-age=9000"], left: 9_000),
    FreshnessRow(name: "Date that is none", fields: ["Date: today", "Cache-Control: max-age=9000"], left: 9_000),
    FreshnessRow(
      name: "Expires in two hours",
      fields: ["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Expires: Sun, 06 Nov 1994 10:49:37 GMT"], left: 7_200),
    FreshnessRow(name: "Expires without a Date", fields: ["Expires: Sun, 06 Nov 1994 10:49:37 GMT"], left: 7_200),
    FreshnessRow(name: "Expires in 1970", fields: ["Expires: Thu, 01 Jan 1970 00:00:00 GMT"], left: hour),
    FreshnessRow(name: "Expires in 2099", fields: ["Expires: Thu, 01 Jan 2099 00:00:00 GMT"], left: month),
    FreshnessRow(name: "Expires 0", fields: ["Expires: 0"], left: hour),
    FreshnessRow(name: "Expires -1", fields: ["Expires: -1"], left: hour),
    FreshnessRow(
      name: "both clocks in 1970",
      fields: ["Date: Thu, 01 Jan 1970 00:00:00 GMT", "Expires: Thu, 01 Jan 1970 02:00:00 GMT"], left: 7_200),
    FreshnessRow(
      name: "max-age before Expires",
      fields: ["Expires: Thu, 01 Jan 1970 00:00:00 GMT", "Cache-Control: max-age=7200"], left: 7_200),
    FreshnessRow(
      name: "two Expires, the first to come counts",
      fields: ["Expires: Sun, 06 Nov 1994 11:49:37 GMT", "Expires: Sun, 06 Nov 1994 10:49:37 GMT"], left: 7_200),
    FreshnessRow(name: "Vary: * is as good as any, since every request is the same", fields: ["Vary: *"], left: day),
    FreshnessRow(
      name: "old words of other times", fields: ["Pragma: no-cache", "Cache-Control: max-age=7200"], left: 7_200),
  ]
}

@Suite struct FreshnessTests {
  private func head(_ fields: [String], status: Int = 200) throws -> ResponseHead {
    let lines = ["HTTP/1.1 \(status) X", "Content-Length: 0"] + fields
    var parser = ResponseParser(answersHEAD: false)
    let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    return try #require(try parser.parse(bytes)).head
  }

  private let exchange = Freshness.Exchange(requestedAt: FreshnessRow.now, receivedAt: FreshnessRow.now)

  @Test("An answer holds as long as it says, within an hour and thirty days", arguments: FreshnessRow.rows)
  func rows(_ row: FreshnessRow) throws {
    let freshness = Freshness(try head(row.fields), in: exchange, policy: FreshnessPolicy())
    #expect(freshness.freshUntil == FreshnessRow.now + row.left)
    #expect(freshness.generatedAt == FreshnessRow.now - row.age)
    #expect(freshness.isFresh(at: FreshnessRow.now + row.left - 1))
    #expect(!freshness.isFresh(at: FreshnessRow.now + row.left))
  }

  @Test("The time that the answer took counts as age")
  func delay() throws {
    let slow = Freshness.Exchange(requestedAt: FreshnessRow.now - 7, receivedAt: FreshnessRow.now)
    let freshness = Freshness(try head(["Age: 3", "Cache-Control: max-age=9000"]), in: slow, policy: FreshnessPolicy())
    #expect(freshness.generatedAt == FreshnessRow.now - 10)
    #expect(freshness.freshUntil == FreshnessRow.now + 8_990)
    // A clock that was set back meanwhile.
    let back = Freshness.Exchange(requestedAt: FreshnessRow.now + 500, receivedAt: FreshnessRow.now)
    let setBack = Freshness(try head([]), in: back, policy: FreshnessPolicy())
    #expect(setBack.generatedAt == FreshnessRow.now)
  }

  @Test("Moments out of a damaged index are held to those that there are")
  func damaged() {
    let freshness = Freshness(generatedAt: .min, freshUntil: .max)
    #expect(freshness.generatedAt == 0)
    #expect(!freshness.isFresh(at: freshness.freshUntil))
  }

  @Test("A 304 brings the stored answer's words up to date, and leaves those that it does not repeat")
  func confirming() throws {
    let record = SourceRecord(
      key: SourceKey(reference: [1]), url: try .init(Array("http://a.example/".utf8)), digest: Digest.of([1]),
      format: .jpeg, bytes: 9, dimensions: nil, entityTag: Array("\"a\"".utf8), lastModified: Array("then".utf8),
      cacheControl: Array("max-age=7200".utf8), fetchedAt: 5, checkedAt: 5, lastStatus: 200)
    let policy = FreshnessPolicy()
    let plain = try #require(record.confirmed(by: try head([], status: 304), in: exchange, policy: policy))
    #expect(plain.entityTag == Array("\"a\"".utf8))
    #expect(plain.lastModified == Array("then".utf8))
    #expect(plain.freshness.freshUntil == FreshnessRow.now + 7_200)
    #expect(plain.checkedAt == FreshnessRow.now)
    #expect(plain.fetchedAt == 5)
    #expect(plain.lastStatus == 304)
    let fields = ["ETag: W/\"b\"", "Last-Modified: now", "Cache-Control: max-age=9000"]
    let renewed = try #require(record.confirmed(by: try head(fields, status: 304), in: exchange, policy: policy))
    #expect(renewed.entityTag == Array("W/\"b\"".utf8))
    #expect(renewed.lastModified == Array("now".utf8))
    #expect(renewed.cacheControl == Array("max-age=9000".utf8))
    #expect(renewed.freshness.freshUntil == FreshnessRow.now + 9_000)
    // A strong tag of other bytes: the origin speaks of something else.
    let (other, same) = (try head(["ETag: \"b\""], status: 304), try head(["ETag: \"a\""], status: 304))
    #expect(record.confirmed(by: other, in: exchange, policy: policy) == nil)
    #expect(record.confirmed(by: same, in: exchange, policy: policy) != nil)
  }
}
