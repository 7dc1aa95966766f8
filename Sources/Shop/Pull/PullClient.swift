import Client
import HTTP
import JSON
import Net

/// Asks a shop for what is pulled. Runs on its loop.
struct PullClient: Sendable {
  /// An answer with its body.
  struct Answer {
    let head: ResponseHead
    let body: [UInt8]

    /// The entity tag as it was written.
    var tag: String? { head[.etag].map { String(decoding: $0, as: UTF8.self) } }
  }

  let base: OriginURL
  let loop: EventLoop
  private let client: HTTPClient

  init(_ base: OriginURL, tls: TLSClientContext, userAgent: String, on loop: EventLoop) {
    self.base = base
    self.loop = loop
    var configuration = HTTPClient.Configuration(rules: AddressRules(allowing: [base.origin]), tls: tls)
    configuration.accept = "*/*"
    configuration.userAgent = userAgent
    // A shop that must fetch a picture first takes its time, and a whole catalog is larger than a picture.
    configuration.limits.firstByteMilliseconds = 30_000
    configuration.limits.totalMilliseconds = 120_000
    configuration.limits.bodyBytes = 256 << 20
    client = HTTPClient(configuration)
  }

  /// The answer at a path of the shop, if it is 200 with its body, and if `wants` says so after a look at its head; nil when
  /// the copy with this tag still holds.
  func get(
    _ path: String, unless tag: String? = nil, wants: (ResponseHead) -> Bool = { _ in true }
  ) async throws(PullFault) -> Answer? {
    let url: OriginURL
    do throws(URLFault) { url = try OriginURL.resolving(reference: Array(path.utf8), in: base) } catch {
      throw .answer("\(path) makes no URL: \(error)")
    }
    let response = try await begin(url, tag)
    if response.head.status == 304, tag != nil { return nil }
    guard response.head.status == 200 else {
      let status = response.head.status
      await response.discard()
      throw .status(status)
    }
    guard wants(response.head) else {
      let head = response.head
      await response.discard()
      return Answer(head: head, body: [])
    }
    do throws(FetchError) {
      var body: [UInt8] = []
      while let bytes = try await response.next() { body += bytes }
      return Answer(head: response.head, body: body)
    } catch {
      throw .fetch(error)
    }
  }

  private func begin(_ url: OriginURL, _ tag: String?) async throws(PullFault) -> FetchedResponse {
    do throws(FetchError) {
      return try await client.get(
        url, unless: Validators(entityTag: tag.map { Array($0.utf8) }, lastModified: nil), on: loop)
    } catch {
      throw .fetch(error)
    }
  }
}
