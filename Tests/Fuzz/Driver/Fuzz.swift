import CLibFuzzer
import FuzzTargets

/// `fuzz TARGET [libFuzzer's options] [folders or files]`: gives one target's check to libFuzzer.
///
/// A broken invariant ends the process as a crash would, so that libFuzzer keeps the input.
@main
enum Fuzz {
  /// The target that the command line names. libFuzzer calls back without a context, so it has to be global.
  private static let target = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.named)

  static func main() {
    guard target != nil else {
      print("usage: fuzz TARGET [libFuzzer's options] [folders or files]\ntargets:")
      for target in FuzzTarget.all { print("  \(target.name)") }
      return
    }
    // Without the target's name, which libFuzzer would take for a folder.
    var count = CommandLine.argc - 1
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
    _ = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
      do throws(Violation) {
        try Fuzz.target?.check(Array(UnsafeBufferPointer(start: data, count: size)))
      } catch {
        fatalError("\(error)")
      }
      return 0
    }
  }
}
