/// What is to go wrong with an answer, for whoever builds a client and wants to see it happen.
///
/// Written as `key=value` words between spaces, `;`, `,` or `&`, in a `Banchan-Fault` field, a `banchan-fault` cookie, or
/// behind a path in a `--fault` flag:
///
///     latency=300ms            late by so much; 200ms..2s: by anything between; lognormal:300ms:0.6: by a median and a spread
///     status=503               an error instead of the answer; 503:30: with Retry-After
///     redirect=/elsewhere      a redirect instead of the answer
///     silence                  the request is taken, and no answer comes
///     empty                    the outermost lists have nothing in them
///     missing=price null=price the members of that name are left out, or null
///     truncate=0.5             the body ends after that part of its length
///     drop                     the connection is closed without an answer
///     drip=2000                the body comes at so many bytes a second
///     picture=broken           a picture whose bytes no decoder takes; picture=html: a page in its place, under its type;
///                              picture=stale: one that the origin did not confirm
///     type=text/plain          the body is called something else
///     unasked=304              an answer to a condition that nobody set; 206: to a range that nobody named
///     rate=0.3                 all of it only so often
///     seed=42                  what is left to chance is drawn from here, so that a run can be repeated
public struct FaultPlan: Equatable, Sendable {
  /// How late an answer comes.
  enum Latency: Equatable, Sendable {
    /// Milliseconds.
    case fixed(Double)
    case uniform(ClosedRange<Double>)
    /// The median in milliseconds, and the standard deviation of the logarithm.
    case logNormal(median: Double, sigma: Double)
  }

  enum PictureFault: String, CaseIterable, Sendable { case broken, html, stale }

  /// An answer to what was not asked.
  enum Unasked: UInt16, Sendable {
    case part = 206
    case notModified = 304
  }

  var latency: Latency?
  var status: UInt16?
  /// Seconds, beside a status.
  var retryAfter: Int?
  /// Where to.
  var redirect: [UInt8]?
  var isSilent = false
  var unasked: Unasked?
  var mediaType: [UInt8]?
  var isEmpty = false
  var missing: [[UInt8]] = []
  var null: [[UInt8]] = []
  /// The part of the body that comes.
  var truncation: Double?
  var drops = false
  /// Bytes a second.
  var drip: Int?
  var picture: PictureFault?
  var rate = 1.0
  var seed: UInt64?
  /// As it was written.
  let text: String

  /// Whether an answer is another one, and not only a late or a slow one.
  var changesAnswers: Bool {
    var late = FaultPlan(empty: text, rate: rate, seed: seed)
    late.latency = latency
    late.drip = drip
    return self != late
  }

  /// Why a text is no plan.
  public struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    /// A sentence that says which word, and what is taken.
    public let description: String
  }

  /// A second too long would look like a server that hangs, which is another fault: a minute is the most.
  private static let longestLatency = 60_000.0

  /// Reads a plan.
  public init(_ text: some StringProtocol) throws(Fault) {
    self.text = String(text)
    for word in text.split(whereSeparator: { " ;,&".contains($0) }) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try read(String(parts[0]), parts.count > 1 ? String(parts[1]) : nil, word: String(word))
    }
    guard self != FaultPlan(empty: self.text, rate: rate, seed: seed) else {
      throw Fault(description: "'\(text.prefix(80))' names no fault, such as latency=300ms or status=503")
    }
  }

  private init(empty text: String, rate: Double, seed: UInt64?) {
    self.text = text
    self.rate = rate
    self.seed = seed
  }

  private mutating func read(_ key: String, _ value: String?, word: String) throws(Fault) {
    func wanted(_ rule: String) -> Fault { Fault(description: "'\(word.prefix(80))': \(key) takes \(rule)") }
    switch key {
    case "latency":
      guard let latency = value.flatMap(Self.latency) else {
        throw wanted("a time such as 300ms or 2s, a range such as 200ms..2s, or lognormal:300ms:0.6; a minute at most")
      }
      self.latency = latency
    case "status":
      let parts = (value ?? "").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let status = parts.first.flatMap({ UInt16($0) }), (400...599).contains(status) else {
        throw wanted("an error's status, 400 to 599")
      }
      self.status = status
      guard parts.count > 1 else { break }
      guard let seconds = Int(parts[1]), (0...86_400).contains(seconds) else {
        throw wanted("an error's status, and behind a colon the seconds of its Retry-After, 0 to 86400")
      }
      retryAfter = seconds
    case "redirect":
      guard let value, Self.isVisible(value, upTo: 1_024) else { throw wanted("where to, a URL or a path") }
      redirect = Array(value.utf8)
    case "type":
      guard let value, Self.isVisible(value, upTo: 128), value.contains("/") else {
        throw wanted("a media type, such as text/plain")
      }
      mediaType = Array(value.utf8)
    case "unasked":
      guard let answer = value.flatMap({ UInt16($0) }).flatMap(Unasked.init(rawValue:)) else {
        throw wanted("304 or 206")
      }
      unasked = answer
    case "empty", "drop", "silence":
      guard value == nil || value == "" else { throw wanted("no value") }
      switch key {
      case "empty": isEmpty = true
      case "drop": drops = true
      default: isSilent = true
      }
    case "missing", "null":
      guard let value, (1...64).contains(value.utf8.count), value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x22 }) else {
        throw wanted("the name of a member, such as price")
      }
      if key == "null" { null.append(Array(value.utf8)) } else { missing.append(Array(value.utf8)) }
    case "truncate":
      guard let part = Self.fraction(value ?? "0.5"), part < 1 else { throw wanted("a part of the body, 0 to 0.99") }
      truncation = part
    case "drip":
      guard let value = value.flatMap({ Int($0) }), (1...10_000_000).contains(value) else {
        throw wanted("bytes a second, 1 to 10000000")
      }
      drip = value
    case "picture":
      guard let fault = value.flatMap({ PictureFault(rawValue: $0) }) else {
        throw wanted(PictureFault.allCases.map(\.rawValue).joined(separator: " or "))
      }
      picture = fault
    case "rate":
      guard let value = value.flatMap(Self.fraction) else { throw wanted("how often, from 0 to 1") }
      rate = value
    case "seed":
      guard let value = value.flatMap({ UInt64($0) }) else { throw wanted("a whole number") }
      seed = value
    default:
      throw Fault(
        description:
          "'\(word.prefix(80))' is no fault; there are latency, status, redirect, silence, empty, missing, null, "
          + "truncate, drop, drip, picture, type, unasked, rate and seed")
    }
  }

  /// Whether a text is of visible ASCII characters, one at least.
  private static func isVisible(_ text: String, upTo limit: Int) -> Bool {
    (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private static func fraction(_ text: String) -> Double? {
    // A Double's own reading knows infinities, exponents and hexadecimal digits, which nobody means here.
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let value = Double(text) else {
      return nil
    }
    return (0...1).contains(value) ? value : nil
  }

  private static func latency(_ text: String) -> Latency? {
    let words = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    if words.count == 3, words[0] == "lognormal" {
      guard let median = milliseconds(words[1]), let sigma = fraction(words[2]) else { return nil }
      return .logNormal(median: median, sigma: sigma)
    }
    guard let dots = text.firstRange(of: "..") else { return milliseconds(text).map { .fixed($0) } }
    guard let low = milliseconds(String(text[..<dots.lowerBound])),
      let high = milliseconds(String(text[dots.upperBound...])), low <= high
    else { return nil }
    return .uniform(low...high)
  }

  private static func milliseconds(_ text: String) -> Double? {
    let (digits, unit): (Substring, Double) =
      text.hasSuffix("ms") ? (text.dropLast(2), 1) : text.hasSuffix("s") ? (text.dropLast(), 1_000) : (text[...], 1)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      let number = Double(String(digits))
    else { return nil }
    let time = number * unit
    return time <= longestLatency ? time : nil
  }
}

/// A plan for every request below a path.
public struct FaultRule: Equatable, Sendable {
  /// The path: itself, and everything below it.
  let path: [UInt8]
  let plan: FaultPlan

  /// Reads a path with a plan behind it, as `--fault` takes them: `/api/v1/products latency=300ms rate=0.5`.
  public init(_ text: String) throws(FaultPlan.Fault) {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix("/") else {
      throw FaultPlan.Fault(description: "'\(text.prefix(80))' is not a path with faults behind it")
    }
    var path = Array(parts[0].utf8)
    while path.last == UInt8(ascii: "/") { path.removeLast() }
    self.path = path
    plan = try FaultPlan(parts[1])
  }

  func covers(_ path: [UInt8]) -> Bool {
    path.starts(with: self.path) && (path.count == self.path.count || path[self.path.count] == UInt8(ascii: "/"))
  }
}
