import Glibc
import Net
import Synchronization

/// Keeps a TLS context's certificates those of its files, while it is in use.
///
/// It looks at the files once a second, on a thread of its own, and when it is told to. Files that cannot be used change
/// nothing: the certificates stay, and one line says why. The keys of session tickets are renewed daily, so that a key
/// that leaks opens the tickets of one day at most.
public final class CertificateKeeper: Sendable {
  /// What connections are made with.
  public let context: TLSServerContext

  private struct State {
    var stamps: [FileStamp?]
    var ticketKeys: TLSTicketKeys
    var keysMadeAt: Int
  }

  private let identities: [TLSIdentity]
  private let state: Mutex<State>
  private let report: @Sendable (String) -> Void
  private let thread = BlockingThreads(limit: 1)

  private static let keyLifeSeconds = 24 * 3_600

  /// Reads the files for the first time; they must be usable. `report` takes lines for the operator.
  public init(_ identities: [TLSIdentity], report: @escaping @Sendable (String) -> Void) throws(TLSIdentityFault) {
    let stamps = Self.stamps(of: identities)
    let keys = TLSTicketKeys()
    context = TLSServerContext(try TLSCertificateSet(identities, ticketKeys: keys))
    state = Mutex(State(stamps: stamps, ticketKeys: keys, keysMadeAt: time(nil)))
    self.identities = identities
    self.report = report
  }

  /// Looks at the files once a second from now on, for as long as the process lives.
  public func watch() {
    thread.submit { [self] in
      while true {
        sleep(1)
        reload(isForced: false)
      }
    }
  }

  /// Reads the files again, whether or not they changed; blocks.
  public func reload() { reload(isForced: true) }

  private func reload(isForced: Bool) {
    let outcome: String? = state.withLock { state in
      // Taken before reading: what is written meanwhile is found the next time.
      let stamps = Self.stamps(of: identities)
      let haveChanged = stamps != state.stamps
      let now = time(nil)
      let keysAreOld = now - state.keysMadeAt >= Self.keyLifeSeconds
      guard isForced || haveChanged || keysAreOld else { return nil }
      state.stamps = stamps
      if keysAreOld {
        state.ticketKeys = TLSTicketKeys()
        state.keysMadeAt = now
      }
      do throws(TLSIdentityFault) {
        context.replace(with: try TLSCertificateSet(identities, ticketKeys: state.ticketKeys))
        return isForced || haveChanged ? "certificates reloaded" : nil
      } catch {
        return "the certificates stay as they are: \(error)"
      }
    }
    if let outcome { report(outcome) }
  }

  private static func stamps(of identities: [TLSIdentity]) -> [FileStamp?] {
    identities.flatMap { [FileStamp($0.certificateFile), FileStamp($0.keyFile)] }
  }
}

/// What tells one state of a file from another without reading it.
private struct FileStamp: Equatable {
  let device: UInt
  let node: UInt
  let size: Int
  let seconds: Int
  let nanoseconds: Int

  /// Nil when there is no such file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    node = status.st_ino
    size = status.st_size
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
