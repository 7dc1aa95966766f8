import Client
import JSON

/// Why an upstream's answer could not be taken.
enum UpstreamFault: Error, Equatable {
  /// Nothing, or not all, could be fetched.
  case fetch(FetchError)
  /// A status other than 200, of the answer or in its envelope. Seconds that it asks to be left alone, where it does.
  case status(Int, retryAfter: Int?)
  /// A content coding that nobody asked for.
  case coded
  /// The body is not JSON.
  case syntax(JSONSyntaxError)
  /// The body is JSON of another shape; the text says what was expected.
  case shape(String)
  /// It was not asked any more: too much had failed before.
  case gone

  /// Whether the same question may well be answered a moment later.
  var isPassing: Bool {
    switch self {
    case .fetch(let error):
      switch error {
      case .unreachable, .timedOut, .tooSlow, .head, .chunks, .closedEarly, .surplus, .unresolvable, .exhausted: true
      case .addressRefused, .tls, .tooLarge, .tooManyRedirects, .redirectLoop, .redirectDowngrade, .redirectURL: false
      }
    case .status(let status, _): status >= 500 || status == 429 || status == 408
    // What breaks off in the middle looks like this, too.
    case .syntax: true
    case .coded, .shape, .gone: false
    }
  }

  /// Whether nobody answered at all.
  var isSilence: Bool {
    switch self {
    case .fetch(let error):
      switch error {
      case .unreachable, .unresolvable, .timedOut, .addressRefused, .tls: true
      default: false
      }
    default: false
    }
  }
}

extension UpstreamFault: CustomStringConvertible {
  /// One clause for a line about an item.
  var description: String { words.plainLine }

  private var words: String {
    switch self {
    case .fetch(let error): error.description
    case .status(let status, _): "the answer has status \(status)"
    case .coded: "the answer comes in a content coding that was not asked for"
    case .syntax(let error): "the answer is not JSON: \(error)"
    case .shape(let expected): "the answer is JSON, but \(expected)"
    case .gone: "not asked for: the upstream had stopped answering"
    }
  }
}
