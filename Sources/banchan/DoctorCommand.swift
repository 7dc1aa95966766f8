import Glibc
import Shop

/// `banchan doctor`: looks the shop over.
enum DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "Looks the shop over (folders, database, backups, machine) and says what to do; changes nothing."
  static let operand: String? = nil
  static let settings = Setting.named("data", "cache")
  static let flags = [
    Flag(name: "json", value: "", help: "print JSON"),
    Flag(name: "crash", value: "", help: "crash instead, to see that a backtrace arrives where messages go"),
  ]

  static func run(_ flags: Flags) throws(CommandFailure) {
    if flags.has("crash") {
      CrashReports.arrange()
      fatalError("this crash was asked for with --crash")
    }
    let doctor = Doctor(data: flags.settings.text("data"), cache: flags.settings.text("cache"))
    let diagnoses = doctor.examine()
    let failures = diagnoses.filter { $0.verdict == .failure }.count
    if flags.has("json") {
      try Output.write(Diagnosis.json(diagnoses) + [UInt8(ascii: "\n")])
    } else {
      for diagnosis in diagnoses {
        print("\(mark(diagnosis.verdict))  \(diagnosis.subject): \(diagnosis.finding)")
        if let advice = diagnosis.advice { print("         → \(advice)") }
      }
    }
    if failures > 0 { throw .failed("\(failures) of \(diagnoses.count) checks failed") }
  }

  private static func mark(_ verdict: Diagnosis.Verdict) -> String {
    switch verdict {
    case .ok: "ok     "
    case .warning: "warning"
    case .failure: "FAILURE"
    }
  }
}
