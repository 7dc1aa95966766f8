import Server
import Shop
import Synchronization

/// The settings of a running server: read again on SIGHUP, as far as they may change while it runs.
final class LiveSettings: Sendable {
  private let flags: Flags
  private let running: Mutex<Settings>
  private let logWriter: LogWriter
  private let service: ShopService

  init(_ flags: Flags, logWriter: LogWriter, service: ShopService) {
    self.flags = flags
    running = Mutex(flags.settings)
    self.logWriter = logWriter
    self.service = service
  }

  /// Milliseconds for what is under way when the server is stopped.
  var grace: Int64 { running.withLock { $0.number("grace") ?? 0 } }

  /// Reads flags, variables and banchan.json again, and says in one line what that changes. What is wrong changes nothing.
  func reload() {
    do throws(CommandFailure) {
      let read = try flags.readSettingsAgain()
      // What serve would refuse at its start is refused here too.
      let plan = try ServeCommand.Plan(read)
      let change = SettingsChange(from: running.withLock { $0 }, to: read)
      running.withLock { $0 = change.settings }
      logWriter.settings = plan.log
      service.limitCache(to: plan.cacheSize, minimumFree: plan.minimumFree)
      logWriter.write(change.sentence)
    } catch {
      logWriter.write("the configuration stays as it is: \(error.sentence)")
    }
  }
}
