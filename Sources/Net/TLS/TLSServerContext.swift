import COpenSSL
import Synchronization

/// What a server's TLS connections have in common. Its certificates can be replaced while it is in use: connections made
/// afterwards see the new ones, those that stand keep theirs.
public final class TLSServerContext: Sendable {
  private let current: Mutex<TLSCertificateSet>

  /// Serves with `certificates`.
  public init(_ certificates: TLSCertificateSet) {
    current = Mutex(certificates)
  }

  /// Serves with other certificates from now on.
  public func replace(with certificates: TLSCertificateSet) {
    current.withLock { $0 = certificates }
  }

  /// A session for a connection that was accepted.
  func makeSession(descriptor: Int32) throws(NetError) -> TLSSession {
    try current.withLock { $0 }.makeSession(descriptor: descriptor)
  }
}
