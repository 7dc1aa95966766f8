import DeriveWire
import FoundationEssentials
import OriginScripts
import Testing

@testable import Derive

/// Pillow says what each picture shows and how it looks at the size; ours may differ by so little that nobody sees it.
@Suite("Against Pillow, a derived picture")
struct OracleTests {
  /// The pictures that the oracle makes.
  private static let pictures = [
    "baseline-444.jpg", "baseline-422.jpg", "baseline-420.jpg", "large.jpg", "progressive.jpg", "gray.jpg",
    "gray-profile.jpg", "rough.jpg", "arithmetic.jpg", "orientation-1.jpg", "orientation-2.jpg", "orientation-3.jpg",
    "orientation-4.jpg", "orientation-5.jpg", "orientation-6.jpg", "orientation-7.jpg", "orientation-8.jpg",
    "display-p3.jpg", "adobe-rgb.jpg", "no-profile-in-profile.jpg", "profile-of-other-pixels.jpg", "cmyk-adobe.jpg",
    "cmyk-adobe-profile.jpg", "cmyk.jpg", "cmyk-profile.jpg", "ycck.jpg", "rgb.png", "alpha.png", "palette.png",
    "palette-transparent.png", "one-bit.png", "gray.png", "gray-alpha.png", "transparent-color.png",
    "sixteen-bit.png", "interlaced.png", "interlaced-alpha.png", "display-p3.png", "turned.png", "lossy.webp",
    "lossless.webp", "lossy-alpha.webp", "lossless-alpha.webp", "turned.webp", "display-p3.webp", "one-pixel.jpg",
    "one-pixel.png", "one-pixel.webp", "narrower.jpg", "exactly.jpg", "one-more.png", "odd.jpg", "wide.jpg",
    "tall.jpg", "line.png",
  ]
  /// How much a derived picture may differ, of 255, in the mean over all pixels and channels: what resampling, colours and
  /// alpha come to is seen in PNG, and the others add what two encoders make of the same pixels.
  private static let bounds = ["png": 0.5, "png(alpha)": 0.5, "jpeg": 2.5, "webp": 3.5, "webp(alpha)": 1.5]

  /// What the oracle found: for each derived file its size and difference.
  private struct Findings: Sendable {
    var lines: [String: (width: Int, height: Int, difference: Double)] = [:]
    var sizes: [String: (width: Int, height: Int, hasAlpha: Bool)] = [:]
    var refused: [String: DeriveRefusal] = [:]
  }

  private static let findings = Result { try findAll() }

  private static func findAll() throws -> Findings {
    let folder = try TemporaryFolder()
    try oracle("make", in: folder)
    var findings = Findings()
    for name in folder.files() where !name.hasSuffix(".truth.png") && name != "output.log" {
      let bytes = try contents(of: "\(folder.path)/\(name)")
      do throws(DeriveRefusal) {
        let size = try deriver.derive(bytes, [])
        findings.sizes[name] = (size.width, size.height, size.hasAlpha)
        let formats = size.hasAlpha ? DerivedFormat.allCases : [.jpeg, .webp]
        let targets = formats.map { target(320, $0) }
        for (format, derived) in zip(formats, try deriver.derive(bytes, targets).pictures) {
          try? folder.write("\(name).derived.\(format)", derived)
        }
      } catch {
        findings.refused[name] = error
      }
    }
    for line in try oracle("compare", in: folder).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 4, let width = Int(words[1]), let height = Int(words[2]), let difference = Double(words[3])
      else { continue }
      findings.lines[String(words[0])] = (width, height, difference)
    }
    return findings
  }

  /// Runs the script with a Python that has Pillow: Debian's, else whichever comes first.
  @discardableResult
  private static func oracle(_ word: String, in folder: TemporaryFolder) throws -> String {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Oracle/oracle.py").path
    let python =
      "if /usr/bin/python3 -c 'import PIL' 2>/dev/null; then exec /usr/bin/python3 \"$@\"; else exec python3 \"$@\"; fi"
    let process = try ChildProcess(["sh", "-c", python, "sh", script, word, "."], in: folder)
    let status = process.wait()
    let output = String(decoding: try contents(of: "\(folder.path)/output.log"), as: UTF8.self)
    try #require(status == 0, "oracle.py \(word) failed: \(output)")
    return output
  }

  @Test("has the right size and looks the same", arguments: pictures)
  func looks(_ name: String) throws {
    let findings = try Self.findings.get()
    #expect(findings.refused[name] == nil)
    let size = try #require(findings.sizes[name])
    let width = min(320, size.width)
    let exact = Double(size.height) * Double(width) / Double(size.width)
    let lines = findings.lines.filter { $0.key.hasPrefix("\(name).derived.") }
    // A JPEG and a WebP; with alpha also a PNG, and the alpha of WebP and PNG apart.
    #expect(lines.count == (size.hasAlpha ? 5 : 2), "\(lines.keys.sorted())")
    for (derived, line) in lines {
      #expect(line.width == width, "\(derived)")
      #expect(abs(Double(line.height) - max(1, exact)) <= 0.5, "\(derived)")
      let format = String(derived.suffix(from: derived.index(after: derived.lastIndex(of: ".") ?? derived.startIndex)))
      #expect(line.difference <= Self.bounds[format] ?? 0, "\(derived)")
    }
  }

  @Test("is made of every picture that the oracle makes")
  func all() throws {
    #expect(Set(try Self.findings.get().sizes.keys) == Set(Self.pictures))
  }
}
