import Client
import HTTP
import Net

/// `banchan healthcheck`: asks a running server whether it is ready, for containers and supervisors that have no curl.
enum HealthcheckCommand: Command {
  static let name = "healthcheck"
  static let summary = "Asks the running server's /readyz; exits with 0 while it serves, degraded or not."
  static let operand: String? = nil
  static let settings = Setting.named("host", "port")
  static let flags: [Flag] = []

  /// A probe that waits longer than its supervisor does tells nothing.
  private static let patience: Int64 = 4_000

  static func run(_ flags: Flags) throws(CommandFailure) {
    let settings = flags.settings
    let address = try Flags.address(
      settings.text("host"), port: Int(clamping: settings.number("port") ?? 0), place: settings.entry("host").place)
    let loop = try Running.makeLoops(1)[0]
    let answer: Result<(status: Int, body: [UInt8]), Fault> = Waiting.wait(on: loop) {
      do throws(Fault) {
        return .success(try await ask("http://\(address.connectable)/readyz", on: loop))
      } catch {
        return .failure(error)
      }
    }
    switch answer {
    case .success(let (status, body)) where status == 200: print(String(decoding: body, as: UTF8.self))
    case .success(let (status, body)):
      throw .failed("the server at \(address) answers \(status): \(String(decoding: body.prefix(500), as: UTF8.self))")
    case .failure(let fault): throw .failed("no server answers at \(address) (\(fault.reason)): is it running?")
    }
  }

  private struct Fault: Error {
    let reason: String
  }

  private static func ask(_ text: String, on loop: EventLoop) async throws(Fault) -> (status: Int, body: [UInt8]) {
    do {
      let url = try OriginURL(Array(text.utf8))
      var configuration = HTTPClient.Configuration(
        rules: AddressRules(allowing: [url.origin]), tls: try TLSClientContext(authorities: nil))
      configuration.accept = "application/json"
      configuration.limits.totalMilliseconds = patience
      let response = try await HTTPClient(configuration).get(url, on: loop)
      var body: [UInt8] = []
      while let piece = try await response.next() { body += piece }
      return (response.head.status, body)
    } catch {
      throw Fault(reason: "\(error)")
    }
  }
}
