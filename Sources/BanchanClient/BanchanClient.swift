#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A shop, for an app that also works without it.
///
/// Each question is asked with the entity tag of the last answer, so that what has not changed is not sent again. When the
/// shop cannot be reached, or fails, the last answer is given, and says so.
///
/// ```swift
/// let shop = BanchanClient(URL(string: "http://127.0.0.1:8080")!, transport: URLSessionTransport(), folder: cachePath)
/// let catalog = try await shop.catalog()
/// show(catalog.value, isOffline: catalog.source == .kept)
/// await shop.keepPictures([.thumb], of: catalog.value.products.map(\.image))
/// ```
public struct BanchanClient: Sendable {
  private let base: URL
  private let transport: any Transport
  private let folder: AnswerFolder

  /// A shop at its address; `folder` is where answers and pictures are kept, and belongs to this client alone.
  public init(_ base: URL, transport: any Transport, folder: String) {
    self.base = base
    self.transport = transport
    self.folder = AnswerFolder(path: folder)
  }

  /// An answer, and where it came from.
  public struct Answer<Value: Sendable>: Sendable {
    /// What was asked for.
    public let value: Value
    /// Where it came from.
    public let source: Source
  }

  /// Where an answer came from.
  public enum Source: Sendable, Hashable {
    /// The shop sent it now.
    case shop
    /// It was here, and the shop says that it is still so.
    case unchanged
    /// It was here, and nobody could be asked.
    case kept
  }

  // MARK: Answers

  /// Everything that lists show.
  public func catalog() async throws(BanchanError) -> Answer<Catalog> {
    try await answer("/api/v1/catalog")
  }

  /// One product in full.
  /// - Throws: `problem` with the code `not-found` when there is none of this id.
  public func product(_ id: String) async throws(BanchanError) -> Answer<Product> {
    struct Envelope: Decodable, Sendable { let product: Product }
    let found: Answer<Envelope> = try await answer("/api/v1/products/\(Self.escaped(id))")
    return Answer(value: found.value.product, source: found.source)
  }

  private func answer<Value: Decodable & Sendable>(_ path: String) async throws(BanchanError) -> Answer<Value> {
    let kept = folder.answer(to: path)
    let answer: TransportAnswer
    do {
      answer = try await transport.get(url(path), fields: kept.map { ["If-None-Match": $0.entityTag] } ?? [:])
    } catch {
      guard let kept else { throw .unreachable("\(error)") }
      return Answer(value: try Self.decode(kept.body), source: .kept)
    }
    switch (answer.status, kept) {
    case (200, _):
      let value: Value = try Self.decode(answer.body)
      // A full disk costs the next start, not this answer.
      if let tag = answer.entityTag { try? folder.keep(answer.body, entityTag: tag, for: path) }
      return Answer(value: value, source: .shop)
    case (304, let kept?): return Answer(value: try Self.decode(kept.body), source: .unchanged)
    case (500..., let kept?): return Answer(value: try Self.decode(kept.body), source: .kept)
    default: throw .problem(status: answer.status, try? Self.decode(answer.body))
    }
  }

  // MARK: Pictures

  /// A picture's bytes: from the folder, else from the shop, and then in the folder.
  public func picture(_ picture: Picture, _ size: Picture.Size) async throws(BanchanError) -> Data {
    let url = picture.url(size)
    if let kept = folder.picture(url) { return kept }
    let answer: TransportAnswer
    do {
      answer = try await transport.get(url, fields: [:])
    } catch {
      throw .unreachable("\(error)")
    }
    // Whatever else comes is no picture, and must not be kept as one.
    guard answer.status == 200 else { throw .problem(status: answer.status, try? Self.decode(answer.body)) }
    try? folder.keepPicture(answer.body, for: url)
    return answer.body
  }

  /// Fetches what is missing, one after the other, and goes on past what fails.
  /// - Returns: how many are still missing.
  @discardableResult
  public func keepPictures(_ sizes: [Picture.Size], of pictures: [Picture]) async -> Int {
    var missing = 0
    for picture in pictures {
      for size in sizes where !folder.hasPicture(picture.url(size)) {
        do {
          _ = try await self.picture(picture, size)
        } catch {
          missing += 1
        }
      }
    }
    return missing
  }

  /// Removes every picture but these from the folder: a changed one has another name, and its old file stays otherwise.
  public func removePictures(except pictures: [Picture]) {
    let wanted = Set(
      pictures.flatMap { picture in Picture.Size.allCases.map { AnswerFolder.pictureName(picture.url($0)) } })
    for name in folder.pictureNames where !wanted.contains(name) { folder.removePicture(named: name) }
  }

  // MARK: Parts

  private func url(_ path: String) -> URL {
    let text = base.absoluteString
    return URL(string: (text.hasSuffix("/") ? String(text.dropLast()) : text) + path) ?? base
  }

  private static func escaped(_ id: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return id.utf8.map { byte -> String in
      let character = Character(UnicodeScalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
      return isPlain ? String(character) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
  }

  private static func decode<Value: Decodable>(_ body: Data) throws(BanchanError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: body)
    } catch {
      throw .malformed("\(error)")
    }
  }
}

/// Why there is no answer.
public enum BanchanError: Error, Sendable, CustomStringConvertible {
  /// The shop cannot be reached, and nothing was kept.
  case unreachable(String)
  /// The shop says what is wrong; nil when it does not say it as a problem.
  case problem(status: Int, Problem?)
  /// What came is not what this client knows.
  case malformed(String)

  /// What the shop says is wrong (RFC 9457).
  public struct Problem: Decodable, Sendable, Hashable {
    /// Never changes: what to decide by.
    public let code: String
    /// For people.
    public let detail: String
  }

  /// In words.
  public var description: String {
    switch self {
    case .unreachable(let reason): "the shop cannot be reached: \(reason)"
    case .problem(let status, let problem): "the shop answers \(status): \(problem?.detail ?? "no reason")"
    case .malformed(let reason): "the shop's answer is not understood: \(reason)"
    }
  }
}
