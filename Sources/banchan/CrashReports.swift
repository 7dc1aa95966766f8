import Glibc

/// Has a crash leave a backtrace with names on standard error, also where no debugger and no core file is at hand.
///
/// The Swift runtime starts a program for that, `swift-backtrace-static`, when the variable SWIFT_BACKTRACE asks for it at the
/// moment the runtime is loaded, which is before the first line of this program. So the program starts itself again with the
/// variable set, once, in the same process.
enum CrashReports {
  private static let variable = "SWIFT_BACKTRACE"

  /// A log is no terminal: no colours, no questions. The other threads wait for work in the same few places.
  private static let options =
    "enable=yes,color=no,interactive=no,threads=crashed,registers=none,images=mentioned,timeout=20s"

  /// Starts the program again, if that is what it takes; else comes back.
  ///
  /// Whoever has set the variable keeps what it says: `SWIFT_BACKTRACE=enable=no` leaves crashes to a debugger.
  static func arrange() {
    guard getenv(variable) == nil, let backtracer = Installation.backtracer, let program = Installation.executable,
      // The runtime takes a comma for the end of the path.
      !backtracer.contains(",")
    else { return }
    setenv(variable, "\(options),swift-backtrace=\(backtracer)", 1)
    execv(program, CommandLine.unsafeArgv)
    // It goes on without.
    unsetenv(variable)
  }
}
