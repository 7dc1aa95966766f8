import Glibc
import Net
import OriginScripts
import Server
import Testing

@Suite("Certificates")
struct CertificateTests {
  private let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test("are replaced when their files change, and standing connections do not notice")
  func replacing() async throws {
    let folder = try TemporaryFolder()
    let identities = { (_: String) in [try localIdentity(in: folder.path)] }
    try await withSecureServer(identities: identities) { port, keeper, reports in
      let standing = try SecureWire(port)
      let before = standing.serialNumber
      unlink("\(folder.path)/certificate.pem")
      _ = try localIdentity(in: folder.path)
      keeper.watch()
      #expect(await eventually { reports.all == ["certificates reloaded"] })
      let renewed = try SecureWire(port)
      #expect(renewed.serialNumber != before)
      standing.send(hello)
      #expect(standing.read(until: "hello, world").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("stay as they are when a file is bad, and one line says which and why")
  func badFile() async throws {
    let folder = try TemporaryFolder()
    let identities = { (_: String) in [try localIdentity(in: folder.path)] }
    try await withSecureServer(identities: identities) { port, keeper, reports in
      let before = try SecureWire(port).serialNumber
      try folder.write("certificate.pem", Array("-----BEGIN CERTIFICATE-----\n".utf8))
      keeper.reload()
      #expect(reports.all.count == 1)
      #expect(reports.all.last?.contains("\(folder.path)/certificate.pem is no readable certificate chain") == true)
      unlink("\(folder.path)/certificate.pem")
      unlink("\(folder.path)/key.pem")
      keeper.reload()
      #expect(reports.all.count == 2)
      let elsewhere = try TemporaryFolder()
      let other = try localIdentity(in: elsewhere.path)
      _ = try localIdentity(in: folder.path)
      rename(other.keyFile, "\(folder.path)/key.pem")
      keeper.reload()
      #expect(reports.all.last?.contains("does not belong to the certificate") == true)
      let unchanged = try SecureWire(port)
      #expect(unchanged.serialNumber == before)
      _ = try localIdentity(in: folder.path)
      keeper.reload()
      #expect(reports.all.last == "certificates reloaded")
      let renewed = try SecureWire(port)
      #expect(renewed.serialNumber != before)
    }
  }

  @Test("of our own making are used again while they hold, under an authority that stays")
  func selfSigned() throws {
    let folder = try TemporaryFolder()
    let first = try LocalCertificates(in: folder.path, names: ["a.test"], addresses: [])
    #expect(first.isNewAuthority)
    let files = try folder.files().map { try bytes("\(folder.path)/\($0)") }
    let second = try LocalCertificates(in: folder.path, names: ["a.test"], addresses: [])
    #expect(!second.isNewAuthority)
    #expect(try folder.files().map { try bytes("\(folder.path)/\($0)") } == files)

    let authority = try bytes(first.authorityFile)
    let certificate = try bytes(first.identity.certificateFile)
    let address = try #require(IPAddress("192.0.2.7"))
    #expect(try !LocalCertificates(in: folder.path, names: ["a.test"], addresses: [address]).isNewAuthority)
    #expect(try bytes(first.authorityFile) == authority)
    #expect(try bytes(first.identity.certificateFile) != certificate)
    for key in ["key.pem", "authority-key.pem"] {
      var status = stat()
      #expect(stat("\(folder.path)/\(key)", &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
    }
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[..<count])
  }
}
