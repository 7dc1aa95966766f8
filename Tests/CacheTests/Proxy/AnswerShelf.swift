import Client
@testable import HTTP
import Net

@testable import Images

/// The answers that are stored: bodies, validators and freshness in the product's own cache, on the disk, as those of
/// pictures; status and fields, of which the product keeps none, in memory beside it.
///
/// `@unchecked Sendable`: used on the proxy's one loop only.
final class AnswerShelf: @unchecked Sendable {
  /// One of the answers of a URL.
  struct Stored {
    let key: SourceKey
    let status: Int
    var fields: Fields
    /// The request's fields that the answer depends on, and what they were.
    let selecting: [String: [UInt8]?]

    func suits(_ request: Fields) -> Bool { selecting.allSatisfy { request.joined($0.key) == $0.value } }
  }

  private let store: PictureStore
  private var answers: [[UInt8]: [Stored]] = [:]
  private var count = 0

  /// Answers that are kept of one URL.
  private static let variants = 16
  /// No body is empty in the product's cache.
  private static let mark: UInt8 = 0

  init(folder: String) throws {
    store = try PictureStore(path: folder, threads: BlockingThreads(limit: 4)) { line in print(line) }
  }

  /// The stored answer for a request, with what the product's cache says of it.
  func find(_ target: [UInt8], _ request: Fields) async -> (stored: Stored, record: SourceRecord, body: [UInt8])? {
    guard let stored = answers[target]?.first(where: { $0.suits(request) }),
      let found = await store.find(stored.key)
    else { return nil }
    let body: [UInt8]
    switch found.body {
    case .bytes(let bytes): body = bytes
    case .source(let source): body = await source.bytes(0..<source.count)
    case .empty, .stream: return nil
    }
    return (stored, found.record, Array(body.dropFirst()))
  }

  /// Stores an answer in place of the one for the same request.
  func put(_ target: [UInt8], _ request: Fields, _ answer: OriginAnswer, at url: OriginURL, policy: FreshnessPolicy)
    async
  {
    count += 1
    let key = SourceKey(reference: target + [0] + Array("\(count)".utf8))
    let writer = PictureWriter(for: key, store: store, isStored: true)
    await writer.append([Self.mark] + answer.body)
    let head = answer.head
    let validators = Validators(entityTag: head[.etag], lastModified: head[.lastModified])
    _ = await writer.finish { digest, count in
      SourceRecord(
        key: key, url: url, digest: digest, format: .jpeg, bytes: count, dimensions: nil,
        entityTag: validators.entityTag, lastModified: validators.lastModified,
        cacheControl: head.joined(.cacheControl), fetchedAt: answer.exchange.receivedAt,
        checkedAt: answer.exchange.receivedAt, lastStatus: head.status,
        freshness: Freshness(head, in: answer.exchange, policy: policy))
    }
    let names = Set(answer.fields.elements(of: "vary"))
    let selecting = Dictionary(uniqueKeysWithValues: names.map { ($0, request.joined($0)) })
    let stored = Stored(key: key, status: head.status, fields: answer.fields.endToEnd, selecting: selecting)
    let others = answers[target, default: []].filter { !$0.suits(request) }
    answers[target] = [stored] + others.prefix(Self.variants - 1)
  }

  /// Takes in what a 304 says; nil when it spoke of another answer.
  func confirm(
    _ target: [UInt8], _ stored: Stored, _ record: SourceRecord, _ answer: OriginAnswer, policy: FreshnessPolicy
  ) async -> (stored: Stored, record: SourceRecord)? {
    guard let record = record.confirmed(by: answer.head, in: answer.exchange, policy: policy) else { return nil }
    await store.note(record)
    var stored = stored
    stored.fields = stored.fields.updated(by: answer.fields)
    if let index = answers[target]?.firstIndex(where: { $0.key == stored.key }) { answers[target]?[index] = stored }
    return (stored, record)
  }

  /// Forgets all answers of a URL.
  func forget(_ target: [UInt8]) { answers[target] = nil }
}
