import Net
import Server

/// The HTTPS side of `serve`: its sockets, its certificates, and what to say of them.
struct SecureListener {
  let port: Server.SecurePort
  let keeper: CertificateKeeper
  let address: SocketAddress
  /// Lines on how to trust a certificate of our own making.
  let advice: [String]

  init(_ plan: ServeCommand.Plan.TLS, data: String, loops: Int, logWriter: LogWriter) throws(CommandFailure) {
    let sockets = try Running.listen(on: plan.address, count: loops, flagPrefix: "tls-")
    address = sockets[0].address
    let identities: [TLSIdentity]
    switch plan.certificates {
    case .files(let files):
      identities = files
      advice = []
    case .selfSigned:
      let local = try Self.localCertificates(in: "\(data)/tls")
      identities = [local.identity]
      advice = Self.advice(local.authorityFile, address)
    }
    do throws(TLSIdentityFault) {
      keeper = try CertificateKeeper(identities) { logWriter.write($0) }
    } catch {
      throw .failed("\(error)")
    }
    port = Server.SecurePort(sockets: sockets, context: keeper.context)
  }

  private static func localCertificates(in folder: String) throws(CommandFailure) -> LocalCertificates {
    do throws(LocalCertificateFault) {
      return try LocalCertificates(in: folder, names: Machine.names, addresses: Machine.addresses)
    } catch {
      throw .failed("\(error)")
    }
  }

  private static func advice(_ authority: String, _ address: SocketAddress) -> [String] {
    [
      "clients trust this server once they trust \(authority), which stays the same (keep its key to yourself):",
      "  curl --cacert \(authority) https://localhost:\(address.port)/api/v1/catalog",
      "  iPhone: send the file to it (AirDrop, mail), install it under Settings > General > VPN & Device Management, "
        + "and switch it on under Settings > General > About > Certificate Trust Settings",
      "  Android: copy the file to it, then Settings > Security > Encryption & credentials > Install a certificate > "
        + "CA certificate; an app must also trust user certificates in its network security configuration",
    ]
  }
}
