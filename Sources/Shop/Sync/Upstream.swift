import CLinux
import Client
import HTTP
import JSON
import Net

/// The other end of a sync: asked one question after the other, over one connection, with patience for what passes.
///
/// Belongs to one task on `loop`. What the journal holds is not asked for again.
final class Upstream {
  /// The mount that everything is asked for below.
  let base: OriginURL
  /// How many requests went out.
  private(set) var requests = 0
  /// How many answers an earlier sync had left in the journal.
  var recalled: Int { recalledPaths.count }
  /// Whether it is not asked any more.
  private(set) var isGone = false

  private let client: HTTPClient
  private let loop: EventLoop
  private let journal: SyncJournal
  private var recalledPaths: Set<String> = []
  /// The same, failure after failure, without an answer in between.
  private var silences = 0
  private var passingFailures = 0

  /// Milliseconds before the second and the third attempt.
  private static let pauses: [Int64] = [250, 1_000]
  /// The longest pause that an upstream may ask for, in seconds.
  private static let longestWish = 5
  /// After so many questions in a row to which nobody answered, there is nobody.
  private static let silencesUntilGone = 4
  /// After so many questions in a row that failed in a way that passes, it does not.
  private static let failuresUntilGone = 20

  init(_ base: OriginURL, client: HTTPClient, loop: EventLoop, journal: SyncJournal) {
    self.base = base
    self.client = client
    self.loop = loop
    self.journal = journal
  }

  /// What `read` makes of the answer at a path below the mount. An answer that it refuses is not noted.
  func ask<Value>(
    _ path: String, _ read: (JSONValue) throws(UpstreamFault) -> Value
  ) async throws(UpstreamFault) -> Value {
    if let body = journal.body(of: path), let value = try? read(try Self.parsed(body)) {
      if journal.wasFound(path) { recalledPaths.insert(path) }
      return value
    }
    guard !isGone else { throw .gone }
    var attempt = 0
    while true {
      do throws(UpstreamFault) {
        let body = try await fetch(path)
        let value = try read(try Self.parsed(body))
        journal.note(body, of: path)
        silences = 0
        passingFailures = 0
        return value
      } catch {
        // Where nobody answered the question before, nobody waits three times for this one.
        guard error.isPassing, silences == 0, attempt < Self.pauses.count else {
          note(error)
          throw error
        }
        await loop.sleep(milliseconds: Self.pause(after: error, attempt: attempt))
        attempt += 1
      }
    }
  }

  private func note(_ fault: UpstreamFault) {
    silences = fault.isSilence ? silences + 1 : 0
    passingFailures = fault.isPassing ? passingFailures + 1 : 0
    isGone = silences >= Self.silencesUntilGone || passingFailures >= Self.failuresUntilGone
  }

  private static func pause(after fault: UpstreamFault, attempt: Int) -> Int64 {
    guard case .status(_, let wish?) = fault else { return pauses[attempt] }
    return max(pauses[attempt], Int64(min(wish, longestWish)) * 1_000)
  }

  private func fetch(_ path: String) async throws(UpstreamFault) -> [UInt8] {
    let url: OriginURL
    do throws(URLFault) {
      url = try OriginURL.resolving(reference: Array(path.utf8), in: base)
    } catch {
      throw .shape("its paths make no URL: \(error)")
    }
    requests += 1
    let response: FetchedResponse
    do throws(FetchError) { response = try await client.get(url, on: loop) } catch { throw .fetch(error) }
    let head = response.head
    guard head.status == 200 else {
      await response.discard()
      throw .status(head.status, retryAfter: head.retryAfter(now: clinux_wall_seconds()))
    }
    if let coding = head[.contentEncoding], !coding.span.equalsIgnoringCase("identity") {
      response.close()
      throw .coded
    }
    do throws(FetchError) {
      var body: [UInt8] = []
      while let bytes = try await response.next() { body += bytes }
      return body
    } catch {
      throw .fetch(error)
    }
  }

  private static func parsed(_ body: [UInt8]) throws(UpstreamFault) -> JSONValue {
    // Some servers put a byte order mark in front, which RFC 8259 lets a reader pass over.
    let body = body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
    do throws(JSONSyntaxError) {
      return try JSONValue(parsing: body)
    } catch {
      throw .syntax(error)
    }
  }
}
