import Client

/// Why a pull cannot begin, or does not go on.
public enum PullError: Error, Sendable, CustomStringConvertible {
  /// The folder cannot be read or written.
  case folder(path: String, reason: String)
  /// Another pull is at work in the folder.
  case inUse(path: String)
  /// The folder was pulled from another shop.
  case otherShop(path: String, shop: String)
  /// Nobody answers, or not with what a shop answers; what is in the folder stays as it is.
  case shop(String)

  /// One sentence: what is wrong, and what to do.
  public var description: String {
    switch self {
    case .folder(let path, let reason): "\(path) cannot be used: \(reason)"
    case .inUse(let path): "another pull is at work in \(path); let it end"
    case .otherShop(let path, let shop): "\(path) was pulled from \(shop); choose another folder for this shop"
    case .shop(let reason): "\(reason); what was pulled before stays, and the next pull goes on from there"
    }
  }
}

/// Why one thing could not be pulled.
enum PullFault: Error, Sendable, CustomStringConvertible {
  /// There was no answer, or no whole one.
  case fetch(FetchError)
  /// The shop answered with this status.
  case status(Int)
  /// The answer is not what it should be.
  case answer(String)
  /// It cannot be written.
  case folder(PullError)

  var description: String {
    switch self {
    case .fetch(let error): "\(error)"
    case .status(let status): "the shop answered with status \(status)"
    case .answer(let reason): reason
    case .folder(let error): "\(error)"
    }
  }
}

extension PullFault {
  /// Whether nobody answered.
  var isSilence: Bool {
    switch self {
    case .fetch(.unreachable), .fetch(.timedOut), .fetch(.unresolvable): true
    default: false
    }
  }
}
