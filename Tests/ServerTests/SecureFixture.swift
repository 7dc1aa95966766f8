import HTTP
import Net
import OriginScripts
import Server
import Synchronization

/// A TLS server on loops of its own, with a certificate for localhost, which `body` talks to.
func withSecureServer(
  _ responder: any Responder = Echo(), limits: ServerLimits = ServerLimits(), loops count: Int = 1,
  identities: (_ folder: String) throws -> [TLSIdentity] = { [try localIdentity(in: $0)] },
  _ body: (_ port: UInt16, _ keeper: CertificateKeeper, _ reports: Reports) async throws -> Void
) async throws {
  let folder = try TemporaryFolder()
  let loopback = SocketAddress(IPAddress(v4: 127, 0, 0, 1), port: 0)
  let loops = try (0..<count).map { try EventLoop(name: "test-\($0)") }
  for loop in loops { loop.start() }
  let reports = Reports()
  let keeper = try CertificateKeeper(try identities(folder.path)) { reports.add($0) }
  let sockets = try ListeningSocket.listen(on: loopback, count: count)
  var options = Server.Options()
  options.limits = limits
  let server = Server(
    on: try ListeningSocket.listen(on: loopback, count: count),
    secure: Server.SecurePort(sockets: sockets, context: keeper.context), loops: loops, responder: responder,
    options: options, logWriter: LogWriter())
  try await server.start()
  try await body(sockets[0].address.port, keeper, reports)
  await server.stop(grace: 1_000)
  for loop in loops { loop.stop() }
}

/// A certificate for localhost and some names.
func localIdentity(in folder: String, names: [String] = []) throws -> TLSIdentity {
  try LocalCertificates(in: folder, names: names, addresses: []).identity
}

/// What was reported to the operator.
final class Reports: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}
