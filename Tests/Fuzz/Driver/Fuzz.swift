import CLibFuzzer
import FuzzTargets

/// `fuzz --target=NAME [libFuzzer's options] [folders or files]`: gives one target's check to libFuzzer.
///
/// A broken invariant ends the process as a crash would, so that libFuzzer keeps the input.
@main
enum Fuzz {
  /// The target that the command line names. libFuzzer calls back without a context, so it has to be global.
  private static let target = CommandLine.arguments.lazy.compactMap { argument in
    argument.hasPrefix("--target=") ? FuzzTarget.named(String(argument.dropFirst(9))) : nil
  }.first

  static func main() {
    guard target != nil else {
      print("usage: fuzz --target=NAME [libFuzzer's options] [folders or files]\ntargets:")
      for target in FuzzTarget.all { print("  \(target.name)") }
      return
    }
    // libFuzzer passes over options with two hyphens, and hands them on when it starts itself again, as it does to merge
    // and to make inputs smaller.
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
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
