import JSON

/// One thing that `banchan doctor` looked at, and what it found.
public struct Diagnosis: Equatable, Sendable {
  /// How bad it is.
  public enum Verdict: String, Sendable {
    /// As it should be.
    case ok
    /// It works, and could go wrong.
    case warning
    /// The shop does not work, or may lose something.
    case failure
  }

  /// How it is.
  public let verdict: Verdict
  /// What was looked at: “data folder”, “clock”.
  public let subject: String
  /// What was found, in one sentence without a full stop.
  public let finding: String
  /// What to do about it; nil when all is well.
  public let advice: String?

  static func ok(_ subject: String, _ finding: String) -> Diagnosis {
    Diagnosis(verdict: .ok, subject: subject, finding: finding, advice: nil)
  }

  static func warning(_ subject: String, _ finding: String, _ advice: String) -> Diagnosis {
    Diagnosis(verdict: .warning, subject: subject, finding: finding, advice: advice)
  }

  static func failure(_ subject: String, _ finding: String, _ advice: String) -> Diagnosis {
    Diagnosis(verdict: .failure, subject: subject, finding: finding, advice: advice)
  }

  /// Several of them in JSON.
  public static func json(_ diagnoses: [Diagnosis]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("checks")
      writer.array { writer in
        for diagnosis in diagnoses {
          writer.object { writer in
            writer.member("subject", diagnosis.subject)
            writer.member("verdict", diagnosis.verdict.rawValue)
            writer.member("finding", diagnosis.finding)
            writer.key("advice")
            if let advice = diagnosis.advice { writer.write(advice) } else { writer.writeNull() }
          }
        }
      }
    }
    return writer.bytes
  }
}
