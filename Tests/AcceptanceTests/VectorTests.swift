import Testing

/// The raw requests of Tests/HTTPVectors, with the answers that the RFCs allow. Its runner needs Python.
@Suite("The HTTP vectors", .blocking)
struct VectorTests {
  /// The timeout probes must be over within their own two seconds more than this.
  private let probeSeconds = 2
  private let limits = "headTime=2000 bodyStall=2000 idleTime=2000 sendStall=2000 lingerTime=500"

  @Test("pass, every one, as plain text")
  func plain() throws {
    try withShop(arguments: ["--surface", "woowa2018=/", "--log", "off"], limits: limits) { shop in
      try expectAllPassed(["127.0.0.1", "\(shop.port)", "--probes", "\(probeSeconds)", "-v"], in: shop.folder)
    }
  }

  @Test("pass, every one, over TLS")
  func encrypted() throws {
    let arguments = ["--surface", "woowa2018=/", "--log", "off", "--tls-self-signed", "--tls-port", "0"]
    try withShop(arguments: arguments, limits: limits) { shop in
      let port = try shop.securePort()
      try expectAllPassed(["127.0.0.1", "\(port)", "--tls", "--probes", "\(probeSeconds)", "-v"], in: shop.folder)
    }
  }

  private func expectAllPassed(_ arguments: [String], in folder: Folder) throws {
    let runner = "\(checkout())/Tests/HTTPVectors/run.py"
    let (end, output, messages) = try BanchanProcess.run([runner] + arguments, in: folder.path, program: "python3")
    #expect(end == .exited(0), "\(output)\(messages)")
    #expect(output.contains(" 0 failed, 0 skipped"), "\(output)\(messages)")
  }
}
