import DeriveWire
import FoundationEssentials
import Glibc
import HTTP
import OriginScripts

@testable import Images

/// The programs that the tests derive with: `banchan-derive`, and one that does what a picture tells it.
enum Workers {
  /// A program beside the test bundle.
  static func path(_ name: String) throws -> String {
    var folders = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    if readlink("/proc/self/exe", &buffer, Int(PATH_MAX)) > 0 {
      folders.append(String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    for folder in folders {
      let path = (folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ".") + "/\(name)"
      if access(path, X_OK) == 0 { return path }
    }
    throw ScriptFault(call: "finding \(name)")
  }

  static func bad(workers: Int = 1) throws -> DerivingConfiguration {
    DerivingConfiguration(executable: try path("bad-worker"), workers: workers)
  }

  static func real(workers: Int = 1) throws -> DerivingConfiguration {
    DerivingConfiguration(executable: try path("banchan-derive"), workers: workers)
  }

  /// What the server takes for a JPEG, and the bad worker for an order.
  static func order(_ words: String) -> [UInt8] { [0xFF, 0xD8, 0xFF, 0xE0] + Array(words.utf8) }

  /// A grey JPEG of 8 × 8; a number makes its bytes its own.
  static func picture(_ number: Int = 0) -> [UInt8] {
    let grey =
      Data(
        base64Encoded:
          "/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAABf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8Aaf/Z"
      ).map { Array($0) } ?? []
    return grey[..<2] + [0xFF, 0xFE, 0, 6] + withUnsafeBytes(of: UInt32(number)) { Array($0) } + grey[2...]
  }

  static let thumb = [DeriveTarget(width: 320, format: .jpeg)].compactMap { $0 }
}

extension WorkerPool {
  func derive(_ bytes: [UInt8]) async -> Result<DerivedPictures, DerivingFailure> {
    await derive(.bytes(bytes), Workers.thumb, wantsLook: true)
  }
}
