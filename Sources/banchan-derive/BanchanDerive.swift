import CLinux
import Derive
import Glibc

/// `banchan-derive --memory BYTES`: the picture worker. The server starts it, with a socket as its standard input, and
/// ends it; there is nothing in it for a person.
@main
enum BanchanDerive {
  private static let usage = "banchan-derive is started by `banchan serve`, which derives picture sizes with it."

  nonisolated static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, arguments.first == "--memory", let bytes = arguments.last.flatMap({ Int($0) }),
      1_048_576...68_719_476_736 ~= bytes
    else { end(usage, 2) }
    switch DeriveWorker(cage: Cage(pictureBytes: bytes)).run() {
    case .finished: exit(0)
    // Nothing can be said from inside the cage.
    case .nonsense: exit(1)
    case .notCaged(let code):
      end("banchan-derive: cannot lock itself in: \(String(cString: strerror(code))); no picture is decoded without", 1)
    }
  }

  private static func end(_ words: String, _ code: Int32) -> Never {
    let line = Array("\(words)\n".utf8)
    clinux_write(2, line, line.count)
    exit(code)
  }
}
