import Catalog
import HTTP
import JSON
import Net

/// A command's side of a running server's control socket.
public struct ControlClient: Sendable {
  /// Why a running server did not do what it was asked.
  public enum Fault: Error, Sendable, CustomStringConvertible {
    /// The socket cannot be spoken to.
    case connection(NetError)
    /// The answer is not one of ours.
    case unintelligible
    /// The server refused, in its own words.
    case refused(String)

    /// One sentence for the person at the terminal.
    public var description: String {
      switch self {
      case .connection(let error):
        "the server that has the data folder cannot be spoken to (\(error)); stop it, or try again once it answers"
      case .unintelligible:
        "the server that has the data folder does not understand this command; is it another version?"
      case .refused(let detail): "the server that has the data folder refused: \(detail)"
      }
    }
  }

  let path: String

  /// A client of the server that has a data folder.
  public init(dataFolder: String) {
    path = "\(dataFolder)/\(ControlResponder.socketName)"
  }

  /// Has the server import a seed file that was checked already.
  public func importSeed(
    _ seed: [UInt8], missing: MissingProducts, isDryRun: Bool, on loop: EventLoop
  ) async throws(Fault) -> ImportReport {
    let target = "/import?missing=\(missing == .delete ? "delete" : "hide")&dry-run=\(isDryRun)"
    guard let report = ImportReport(json: try await post(target, seed, on: loop)) else { throw .unintelligible }
    return report
  }

  /// Has the server back itself up.
  ///
  /// - Parameters:
  ///   - shelf: the folder of backups, by its full path: the server may stand in another folder.
  ///   - count: how many backups are kept there.
  public func backUp(to shelf: String, keeping count: Int, on loop: EventLoop) async throws(Fault) -> BackupReport {
    let answer = try await post("/backup?keep=\(count)", Array(shelf.utf8), on: loop)
    guard let report = BackupReport(json: answer) else { throw .unintelligible }
    return report
  }

  /// Has the server go back to a backup, given by its full path.
  public func restore(_ backup: String, verifies: Bool, on loop: EventLoop) async throws(Fault) -> Restoration.Outcome {
    let answer = try await post("/restore?verify=\(verifies)", Array(backup.utf8), on: loop)
    guard let outcome = Restoration.Outcome(json: answer) else { throw .unintelligible }
    return outcome
  }

  /// A large import takes its time, in milliseconds; a server that is gone closes the socket.
  static let patience: Int64 = 120_000

  /// Posts, and gives the body of a 200.
  func post(_ target: String, _ body: [UInt8], on loop: EventLoop) async throws(Fault) -> [UInt8] {
    let (status, answer): (Int, [UInt8]) = try await exchange(target, body, on: loop)
    guard status == 200 else { throw Self.refusal(answer) }
    return answer
  }

  static func refusal(_ problem: [UInt8]) -> Fault {
    guard let detail = (try? JSONValue(parsing: problem))?["detail"]?.text else { return .unintelligible }
    return .refused(detail)
  }

  private func exchange(
    _ target: String, _ body: [UInt8], on loop: EventLoop
  ) async throws(Fault) -> (Int, [UInt8]) {
    do throws(NetError) {
      let stream = try ByteStream.connect(toPath: path, on: loop)
      defer { stream.close() }
      stream.deadline = loop.deadline(in: Self.patience)
      let head = """
        POST \(target) HTTP/1.1\r\nHost: control\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n
        """
      try await stream.write(head: Array(head.utf8), body: body)
      var answer: [UInt8] = []
      while true {
        let bytes = try await stream.read(upTo: 1 << 16)
        guard !bytes.isEmpty else { break }
        answer += bytes
      }
      var parser = ResponseParser(answersHEAD: false)
      guard let (head, length) = try? parser.parse(answer) else { return (0, []) }
      return (head.status, Array(answer[length...]))
    } catch {
      throw .connection(error)
    }
  }
}
