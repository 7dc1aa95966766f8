@testable import Client
import CLinux
@testable import HTTP
import Net

@testable import Images

/// What a client is answered, before conditions and ranges are applied.
struct ProxyAnswer: Sendable {
  var status: Int
  var fields: Fields
  var body: [UInt8]
  /// Whether it came from the cache, so that conditions and ranges are the proxy's to apply.
  var isStored = false
}

/// A caching reverse proxy for everything, as RFC 9111 has it.
///
/// `@unchecked Sendable`: used on the proxy's one loop only.
final class SharedCache: @unchecked Sendable {
  private let origin: OriginSide
  private let shelf: AnswerShelf
  private let loop: EventLoop

  init(origin: OriginSide, shelf: AnswerShelf, loop: EventLoop) {
    self.origin = origin
    self.shelf = shelf
    self.loop = loop
  }

  func respond(_ head: RequestHead, body: [UInt8]) async -> ProxyAnswer {
    let target = head.withTarget { $0.array }
    let request = Fields(head).endToEnd
    guard head.method == .get || head.method == .head else { return await pass(head.methodName, target, request, body) }
    guard let found = await shelf.find(target, request) else { return await fetch(head, target, request) }
    let now = clinux_wall_seconds()
    if found.record.freshness.isFresh(at: now) { return answer(found, now: now) }
    if CachingRules.mayBeGivenMeanwhile(found.record, now: now) {
      Task(executorPreference: loop) { _ = await self.revalidate(found, target, request) }
      return answer(found, now: now)
    }
    return await revalidate(found, target, request)
  }

  private typealias Found = (stored: AnswerShelf.Stored, record: SourceRecord, body: [UInt8])

  private func answer(_ found: Found, now: Int64) -> ProxyAnswer {
    var fields = found.stored.fields
    fields.remove(["age"])
    fields.add("Age", Array("\(max(0, now - found.record.freshness.generatedAt))".utf8))
    return ProxyAnswer(status: found.stored.status, fields: fields, body: found.body, isStored: true)
  }

  private func fetch(_ head: RequestHead, _ target: [UInt8], _ request: Fields) async -> ProxyAnswer {
    do throws(FetchError) {
      // A HEAD that is not stored is answered by a GET, which can be.
      let answer = try await origin.ask(Array("GET".utf8), target, request, [])
      await keep(target, request, answer)
      return ProxyAnswer(status: answer.head.status, fields: answer.fields.endToEnd, body: answer.body)
    } catch {
      return failure(error)
    }
  }

  private func keep(_ target: [UInt8], _ request: Fields, _ answer: OriginAnswer) async {
    guard CachingRules.mayStore(request, answer.head.status, answer.fields) else { return }
    await shelf.put(target, request, answer, at: origin.url, policy: policy(answer.head.status, answer.fields, answer))
  }

  private func policy(_ status: Int, _ fields: Fields, _ answer: OriginAnswer) -> FreshnessPolicy {
    CachingRules.policy(status, fields, now: answer.exchange.receivedAt)
  }

  /// Asks whether a stale answer still holds. The client's own conditions are applied to what comes of that.
  private func revalidate(_ found: Found, _ target: [UInt8], _ request: Fields) async -> ProxyAnswer {
    var question = request
    question.remove(["if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range"])
    let validators = found.record.validators
    if let tag = validators.entityTag { question.add("If-None-Match", tag) }
    if let date = validators.lastModified { question.add("If-Modified-Since", date) }
    let answer: OriginAnswer
    do throws(FetchError) {
      answer = try await origin.ask(Array("GET".utf8), target, question, [])
    } catch {
      guard CachingRules.maySurvive(found.record) else { return failure(error) }
      return self.answer(found, now: clinux_wall_seconds())
    }
    guard answer.head.status == 304 else {
      await keep(target, request, answer)
      return ProxyAnswer(
        status: answer.head.status, fields: answer.fields.endToEnd, body: answer.body,
        isStored: answer.head.status == 200)
    }
    let fields = found.stored.fields.updated(by: answer.fields)
    let policy = policy(found.stored.status, fields, answer)
    guard let confirmed = await shelf.confirm(target, found.stored, found.record, answer, policy: policy) else {
      shelf.forget(target)
      return await pass(Array("GET".utf8), target, request, [])
    }
    return self.answer((confirmed.stored, confirmed.record, found.body), now: clinux_wall_seconds())
  }

  /// A request of another method; when it succeeds, what is stored of its URL no longer holds (section 4.4).
  private func pass(_ method: [UInt8], _ target: [UInt8], _ request: Fields, _ body: [UInt8]) async -> ProxyAnswer {
    do throws(FetchError) {
      let answer = try await origin.ask(method, target, request, body)
      if (200..<400).contains(answer.head.status), ![Array("OPTIONS".utf8), Array("TRACE".utf8)].contains(method) {
        shelf.forget(target)
        for name in ["location", "content-location"] {
          guard let value = answer.fields.joined(name), let base = try? origin.url.resolving(target),
            let url = try? base.resolving(value), url.origin == origin.url.origin
          else { continue }
          shelf.forget(url.target)
        }
      }
      return ProxyAnswer(status: answer.head.status, fields: answer.fields.endToEnd, body: answer.body)
    } catch {
      return failure(error)
    }
  }

  private func failure(_ error: FetchError) -> ProxyAnswer {
    var fields = Fields()
    fields.add("Content-Type", Array("text/plain".utf8))
    var isSlow = false
    if case .timedOut = error { isSlow = true }
    return ProxyAnswer(status: isSlow ? 504 : 502, fields: fields, body: Array("\(error)\n".utf8))
  }
}
