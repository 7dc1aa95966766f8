import FoundationEssentials
import Synchronization

@testable import BanchanClient

/// A shop that answers by a script, and remembers what it was asked.
final class ScriptedTransport: Transport {
  struct Away: Error {}

  private struct State {
    var answers: [String: TransportAnswer] = [:]
    var asked: [(path: String, tag: String?)] = []
    var isAway = false
  }

  private let state = Mutex(State())

  /// What is answered at a path, to whoever does not have it already.
  subscript(_ path: String) -> TransportAnswer? {
    get { state.withLock { $0.answers[path] } }
    set { state.withLock { $0.answers[path] = newValue } }
  }

  var isAway: Bool {
    get { state.withLock { $0.isAway } }
    set { state.withLock { $0.isAway = newValue } }
  }

  /// Every request, in order.
  var asked: [(path: String, tag: String?)] { state.withLock { $0.asked } }

  func get(_ url: URL, fields: [String: String]) async throws -> TransportAnswer {
    try state.withLock { state in
      let tag = fields["If-None-Match"]
      state.asked.append((url.path, tag))
      guard !state.isAway else { throw Away() }
      guard let answer = state.answers[url.path] else {
        return TransportAnswer(
          status: 404, entityTag: nil, body: Data(#"{"code":"not-found","detail":"nothing here"}"#.utf8))
      }
      let isUnchanged = tag != nil && tag == answer.entityTag
      return isUnchanged ? TransportAnswer(status: 304, entityTag: tag, body: Data()) : answer
    }
  }
}

/// The examples of the API's own document.
enum Example {
  static func answer(to operation: String, tag: String = "\"1\"") throws -> TransportAnswer {
    // This file is at Tests/BanchanClientTests in the checkout.
    let checkout = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let file = try Data(contentsOf: URL(filePath: "\(checkout)/Public/openapi.json"))
    let document = try JSONDecoder().decode(Document.self, from: file)
    for item in document.paths.values where item.get?.operationId == operation {
      let example = item.get?.responses["200"]?.content?["application/json"]?.example
      return TransportAnswer(status: 200, entityTag: tag, body: try JSONEncoder().encode(example))
    }
    throw ScriptedTransport.Away()
  }

  private struct Document: Decodable {
    let paths: [String: Item]
    struct Item: Decodable { let get: Operation? }
    struct Operation: Decodable {
      let operationId: String
      let responses: [String: Response]
    }
    struct Response: Decodable { let content: [String: Content]? }
    struct Content: Decodable { let example: Anything? }
  }

  /// Any JSON, to be written again as it was read.
  private indirect enum Anything: Codable {
    case null
    case bool(Bool)
    case number(Int64)
    case text(String)
    case list([Anything])
    case members([String: Anything])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let flag = try? value.decode(Bool.self) {
        self = .bool(flag)
      } else if let number = try? value.decode(Int64.self) {
        self = .number(number)
      } else if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let list = try? value.decode([Anything].self) {
        self = .list(list)
      } else {
        self = .members(try value.decode([String: Anything].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .null: try value.encodeNil()
      case .bool(let flag): try value.encode(flag)
      case .number(let number): try value.encode(number)
      case .text(let text): try value.encode(text)
      case .list(let list): try value.encode(list)
      case .members(let members): try value.encode(members)
      }
    }
  }
}
