import CLinux
import Derive
import DeriveWire
import Glibc

/// A picture worker for tests, in the same cage as the real one: it derives pictures, and does what the first word of
/// anything else tells it.
@main
enum BadWorker {
  nonisolated static func main() {
    let memory = CommandLine.arguments.last.flatMap { Int($0) } ?? 0
    let deriver = Deriver(budget: Budget(bytes: memory))
    let worker = DeriveWorker(cage: Cage(pictureBytes: memory)) { (bytes, job) throws(DeriveRefusal) in
      misbehave(bytes)
      return try deriver.derive(bytes, targets: job.targets, wantsLook: job.wantsLook)
    }
    exit(worker.run() == .finished ? 0 : 1)
  }

  /// Words stand behind the four bytes that make the server take the file for a JPEG.
  private static func misbehave(_ bytes: SourceBytes) {
    let text = bytes.text
    func says(_ word: String) -> Bool { text.hasPrefix(word) }
    if says("crash") { fatalError("as told") }
    if says("exit") { _exit(0) }
    if says("hang") { while true { _ = clinux_cpu_microseconds() } }
    if says("memory") { eatMemory() }
    if says("nonsense") { send([0xFF, 1, 2, 3]) }
    if says("long") { send([UInt8](repeating: 0x44, count: 4_000)) }
    if says("another's answer") { send(DeriveAnswer.refused(number: 0, .broken).message) }
    if says("nothing made") {
      let derivation = Derivation(
        width: 9, height: 9, hasAlpha: false, look: PictureLook(color: 1, thumbHash: [1, 2, 3, 4, 5]),
        byteCounts: [1_000_000], cpuMicroseconds: 1)
      derivation.map { send(DeriveAnswer.derived(number: 1, $0).message) }
    }
    if says("file") { _ = clinux_open("/etc/passwd", O_RDONLY, 0) }
    if says("socket") { _ = clinux_socket_tcp(AF_INET) }
    if says("process") { _ = fork() }
    if says("executable") { _ = mmap(nil, 4_096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) }
    // Signal 0 ends nobody: where there is no cage, the one that is asked would be the tests.
    if says("signal") { kill(getppid(), 0) }
  }

  private static func eatMemory() {
    var pieces: [UnsafeMutableRawPointer] = []
    while let piece = malloc(1 << 20) {
      memset(piece, 1, 1 << 20)
      pieces.append(piece)
    }
    // The address space is used up; what a decoder would do now is end.
    abort()
  }

  private static func send(_ message: [UInt8]) {
    clinux_message_send(0, message, message.count, nil, 0)
    // The answer proper would come too late to count.
    while true { _ = clinux_cpu_microseconds() }
  }
}
