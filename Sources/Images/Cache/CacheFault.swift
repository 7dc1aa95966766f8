/// Why a folder cannot be this server's picture cache. Each is for the operator to settle before the server starts.
public enum CacheFault: Error, Equatable, Sendable {
  /// A newer version of this program laid the folder out.
  case newerLayout(path: String, found: Int, known: Int)
  /// The folder holds files, and no picture cache.
  case foreign(path: String)
  /// Another process uses the folder.
  case inUse(path: String)
}

extension CacheFault: CustomStringConvertible {
  /// One sentence: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .newerLayout(let path, let found, let known):
      "\(path) is a picture cache of layout \(found), and this program knows \(known): start the newer program, "
        + "choose another --cache, or delete the folder (its pictures are fetched again)"
    case .foreign(let path):
      "\(path) holds files that are no picture cache: choose an empty or new folder as --cache"
    case .inUse(let path):
      "\(path) is in use by another banchan: stop that one, or choose another --cache"
    }
  }
}

/// Why pictures are served without being stored. Never an error to a client.
public enum CacheTrouble: Error, Hashable, Sendable {
  /// No room, or no quota left on the disk.
  case full
  /// The cache may take no more, and dearer bodies take it all.
  case crowded
  /// The bodies of an index that was lost are being removed; what they take is not known.
  case clearing
  /// Less would be left on the disk than the operator wants to be.
  case nearlyFull
  /// The folder or its file system may not be written.
  case readOnly
  /// Anything else, with the call that failed and the system's words.
  case other(String)
}

extension CacheTrouble: CustomStringConvertible {
  /// One clause for a log line and for `/readyz`.
  public var description: String {
    switch self {
    case .full: "the disk is full"
    case .crowded: "--cache-size is too small for what products show"
    case .clearing: "files that no index knows are being removed"
    case .nearlyFull: "less than --min-free would be left on the disk"
    case .readOnly: "the folder cannot be written"
    case .other(let reason): reason
    }
  }
}
