import Glibc

/// The program: finds the subcommand and runs it.
@main
struct Banchan {
  static let version = "0.1.0"

  static var commands: [any Command.Type] {
    [
      ServeCommand.self, ImportCommand.self, ExportCommand.self, SyncCommand.self, GetCommand.self, OriginCommand.self,
      BackupCommand.self, RestoreCommand.self, MigrateCommand.self, DoctorCommand.self, ImagesCommand.self,
      PullCommand.self,
      HealthcheckCommand.self, ConfigCommand.self,
    ]
  }

  /// Not isolated to the main actor: the main thread waits for signals, and never runs a task.
  nonisolated static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do throws(CommandFailure) {
      try run(arguments)
    } catch {
      Messages.write(error.message)
      exit(error.exitCode)
    }
  }

  private static func run(_ arguments: [String]) throws(CommandFailure) {
    guard let name = arguments.first else {
      Messages.write(usage)
      throw .usage("name a subcommand")
    }
    switch name {
    case "--help", "-h", "help": print(usage)
    case "--version", "version": print("banchan \(version)")
    default:
      guard let command = commands.first(where: { $0.name == name }) else {
        let guess = Suggestion.words(for: name, among: commands.map { $0.name })
        throw .usage("there is no subcommand '\(name)'\(guess.isEmpty ? "; " : "\(guess) ")`banchan --help` lists them")
      }
      let rest = Array(arguments.dropFirst())
      guard !rest.contains("--help"), !rest.contains("-h") else { return print(help(for: command)) }
      try command.run(try Flags(rest, for: command))
    }
  }

  private static var usage: String {
    let lines = commands.map { "  \(padded($0.name, to: 10)) \($0.summary)" }
    return """
      banchan \(version): a side-dish shop's catalog and pictures over HTTP

      usage: banchan SUBCOMMAND [FLAGS]
      \(lines.joined(separator: "\n"))

      `banchan SUBCOMMAND --help` lists the flags of one.
      """
  }

  private static func help(for command: any Command.Type) -> String {
    let lines = command.allFlags.map { flag in
      "  \(padded("--\(flag.name) \(flag.value)", to: 32)) \(flag.help)"
    }
    return """
      usage: banchan \(command.name)\(command.operand.map { " \($0)" } ?? "") [FLAGS]

      \(command.summary)

      \(lines.joined(separator: "\n"))
      """
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
