import HTTP
import Net
import Server

/// Makes answers go wrong as plans say: the request's own, else that of a rule for its path.
struct FaultInjector: Sendable {
  private let rules: [FaultRule]
  private let spared: SparedPaths
  /// Whether browsers are kept from storing what was made wrong.
  private let guardsBrowsers: Bool
  private let dice = FaultDice()

  /// Faults for the clients of a shop, whose browsers must forget them when they are turned off.
  /// - Parameter spared: what a browser's cookie does nothing to.
  init(rules: [FaultRule], spared: SparedPaths) {
    self.rules = rules
    self.spared = spared
    guardsBrowsers = true
  }

  /// Faults of an origin, whose answers are as storable as they were.
  init(rules: [FaultRule]) {
    self.rules = rules
    spared = SparedPaths(pages: [])
    guardsBrowsers = false
  }

  /// The plan for a request, if there is one.
  func plan(for head: RequestHead) throws(Problem) -> FaultPlan? {
    if let text = head.values(of: .banchanFault).first ?? cookie(head) {
      do throws(FaultPlan.Fault) {
        return try FaultPlan(String(decoding: text, as: UTF8.self))
      } catch {
        throw Problem(
          .invalidRequest,
          detail: Bilingual(
            korean: "Banchan-Fault를 읽을 수 없습니다. \(error)", english: "Banchan-Fault cannot be read: \(error)."))
      }
    }
    return rules.first { $0.covers(head.path) }?.plan
  }

  /// Answers a request through its plan; `answer` is what would be said without one.
  func respond(
    to request: Request, by plan: FaultPlan, _ answer: () async -> Response
  ) async -> Response {
    let drawn = dice.draw(for: plan)
    guard drawn.strikes else { return await answer() }
    let loop = EventLoop.current
    if drawn.latency > 0 { await loop?.sleep(milliseconds: drawn.latency) }
    var response: Response
    if plan.drops || plan.isSilent {
      if plan.isSilent { await loop?.sleep(milliseconds: Self.longestSilence) }
      response = Response(.ok)
      response.isAbandoned = true
    } else if let status = plan.status.flatMap({ Status(code: $0) }) {
      response = Self.error(status, to: request.head)
      if let seconds = plan.retryAfter {
        response.remove(.retryAfter)
        response.add(.retryAfter, "\(seconds)")
      }
    } else if let location = plan.redirect, let found = Status(code: 302) {
      response = Response(found)
      response.add(.location, bytes: location)
    } else {
      response = await answer()
      await spoil(&response, by: plan, of: request.head, on: loop)
    }
    if guardsBrowsers, plan.changesAnswers {
      // A broken picture that a browser keeps for a year would outlive its fault.
      response.remove(.cacheControl)
      response.add(.cacheControl, "no-store")
    }
    // What was done, for whoever wonders.
    let done = plan.latency == nil ? plan.text : "\(plan.text) (\(drawn.latency) ms)"
    response.add(.banchanFault, done)
    response.remark = done
    return response
  }

  /// Milliseconds. Nobody waits for an answer that long.
  private static let longestSilence: Int64 = 600_000

  private func spoil(_ response: inout Response, by plan: FaultPlan, of head: RequestHead, on loop: EventLoop?) async {
    if response.contentType.starts(with: "application/json".utf8) { await cut(&response, by: plan) }
    if response.contentType.starts(with: "image/".utf8), let fault = plan.picture {
      switch fault {
      case .stale:
        response.cacheStatus = .stale(detail: "fault")
      case .broken:
        await replaceBody(of: &response) { bytes in
          // The kind can still be told from the first bytes; what follows is nothing that a decoder knows.
          bytes.prefix(64) + [UInt8](repeating: 0xA5, count: max(0, bytes.count - 64))
        }
      case .html:
        await replaceBody(of: &response) { _ in Array("<!doctype html><title>Sorry</title><p>Come back later.".utf8) }
      }
    }
    if let type = plan.mediaType {
      response.remove(.contentType)
      response.add(.contentType, bytes: type)
    }
    if let unasked = plan.unasked, response.status == .ok { await answer(unasked, with: &response) }
    guard plan.truncation != nil || plan.drip != nil, head.method == .get,
      let bytes = await Self.bytes(of: response.body), !bytes.isEmpty
    else { return }
    // The whole of it is sent: a client that resumes, or has it already, would not see the fault.
    response.acceptsRanges = false
    response.entityTag = nil
    response.lastModified = nil
    if let part = plan.truncation {
      response.body = .source(TruncatedBody(bytes, part: part))
    } else if let rate = plan.drip, let loop {
      response.body = .source(DrippingBody(bytes, rate: rate, on: loop))
    }
  }

  /// Turns an answer into one to a condition or a range.
  private func answer(_ unasked: FaultPlan.Unasked, with response: inout Response) async {
    switch unasked {
    case .notModified:
      response.status = .notModified
      response.body = .empty
    case .part:
      guard let bytes = await Self.bytes(of: response.body), bytes.count > 1 else { return }
      response.status = .partialContent
      response.body = .bytes(Array(bytes.prefix(bytes.count / 2)))
      response.add(.contentRange, "bytes 0-\(bytes.count / 2 - 1)/\(bytes.count)")
    }
    response.acceptsRanges = false
  }

  private func cut(_ response: inout Response, by plan: FaultPlan) async {
    let cut = JSONCut(missing: plan.missing, null: plan.null, emptiesLists: plan.isEmpty)
    guard !cut.missing.isEmpty || !cut.null.isEmpty || cut.emptiesLists else { return }
    await replaceBody(of: &response) { cut.applied(to: $0) }
  }

  /// Puts other bytes in the body's place; what named the old ones goes with them.
  private func replaceBody(of response: inout Response, _ change: ([UInt8]) -> [UInt8]) async {
    guard var bytes = await Self.bytes(of: response.body) else { return }
    if response.fields.contains(where: { $0.name == .contentEncoding }) {
      guard let expanded = Gzip.expand(bytes) else { return }
      bytes = expanded
      response.remove(.contentEncoding)
    }
    response.body = .bytes(change(bytes))
    response.entityTag = nil
    response.lastModified = nil
  }

  private static func bytes(of body: Response.Body) async -> [UInt8]? {
    switch body {
    case .empty, .stream: nil
    case .bytes(let bytes): bytes
    case .source(let source): await source.bytes(0..<source.count)
    }
  }

  /// Which code stands for a status that several have: the one that could be said anywhere.
  private static let general: [ProblemCode] = [
    .invalidRequest, .notFound, .unsupportedMediaType, .validationFailed, .originError, .overloaded,
  ]

  private static func error(_ status: Status, to head: RequestHead) -> Response {
    let code =
      (general + ProblemCode.allCases).first { $0.status == status }
      ?? (status.code < 500 ? .invalidRequest : .internal)
    var problem = Problem(
      code, detail: Bilingual(korean: "요청하신 장애입니다.", english: "This is a fault that was asked for."))
    problem.status = status
    var response = problem.response(to: head)
    response.remove(.cacheControl)
    response.add(.cacheControl, "no-store")
    return response
  }

  /// The value of the cookie `banchan-fault`, with which a page has faults in everything that it loads.
  private func cookie(_ head: RequestHead) -> [UInt8]? {
    guard !spared.contains(head.path) else { return nil }
    for line in head.values(of: .cookie) {
      for pair in line.split(separator: UInt8(ascii: ";")) {
        let pair = pair.drop { $0 == 0x20 }
        guard pair.starts(with: "banchan-fault=".utf8) else { continue }
        return PercentEncoding.decode(Array(pair.dropFirst("banchan-fault=".utf8.count)).span)
      }
    }
    return nil
  }
}

extension Response {
  fileprivate var contentType: [UInt8] { fields.first { $0.name == .contentType }?.value ?? [] }
}
