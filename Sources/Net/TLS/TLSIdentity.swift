/// The files that a server shows itself with: its certificate and those up to the authority, and the key. Both PEM.
public struct TLSIdentity: Hashable, Sendable {
  /// The server's certificate first, then those of the authorities in between.
  public let certificateFile: String
  /// The private key, without a passphrase.
  public let keyFile: String

  /// An identity in two files.
  public init(certificateFile: String, keyFile: String) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
  }
}

/// Why an identity cannot be used.
public enum TLSIdentityFault: Error, Equatable, Sendable {
  /// The file holds no certificate that can be read; the text is OpenSSL's own.
  case certificate(file: String, reason: String)
  /// The file holds no key that can be read.
  case key(file: String, reason: String)
  /// The key belongs to another certificate.
  case mismatch(TLSIdentity)
  /// OpenSSL has no context to give.
  case context(reason: String)
}

extension TLSIdentityFault: CustomStringConvertible {
  /// What is wrong where, and what to do.
  public var description: String {
    switch self {
    case .certificate(let file, let reason):
      "\(file) is no readable certificate chain (\(reason)); it must be PEM, the server's own certificate first"
    case .key(let file, let reason):
      "\(file) is no readable private key (\(reason)); it must be PEM, without a passphrase"
    case .mismatch(let identity):
      "the key in \(identity.keyFile) does not belong to the certificate in \(identity.certificateFile)"
    case .context(let reason): "TLS cannot be set up (\(reason))"
    }
  }
}

/// The keys that session tickets are sealed with (RFC 5077, RFC 8446): whoever has them can open the tickets, so they
/// live in memory only, and not for long.
public struct TLSTicketKeys: Sendable {
  let bytes: [UInt8]

  /// New random keys.
  public init() {
    bytes = TLSTicketKeys.random(count: 80)
  }
}
