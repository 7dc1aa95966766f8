import Glibc

/// Where the parts of this program stand, seen from its executable.
///
/// In a build folder the parts are beside it. `make install` puts them where a Unix system has such things:
///
///     PREFIX/bin/banchan
///     PREFIX/libexec/banchan/banchan-derive, swift-backtrace-static
///     PREFIX/share/banchan/Public, seed
enum Installation {
  /// The picture worker; nil when there is none.
  static var worker: String? { program("banchan-derive") }

  /// The Swift toolchain's program that writes backtraces; nil when there is none.
  static var backtracer: String? { program("swift-backtrace-static") }

  /// The pages that were installed with this program, else `Public` in the working folder or beside the program; nil
  /// for none. In this order, as a home folder may well have a `Public` of another kind.
  static var pages: String? {
    (candidates("../share/banchan/Public") + ["Public"] + candidates("Public")).first(where: Paths.isFolder)
  }

  /// `seed` in the working folder, else the demo shop that was installed with this program.
  static var seed: String {
    guard !Paths.exists("seed/catalog.json") else { return "seed" }
    return candidates("../share/banchan/seed").first(where: Paths.isFolder) ?? "seed"
  }

  private static func program(_ name: String) -> String? {
    candidates(name, "../libexec/banchan/\(name)").first { access($0, X_OK) == 0 }
  }

  private static func candidates(_ names: String...) -> [String] {
    guard let folder else { return [] }
    return names.map { name in
      // Shown to people, so without the way back.
      guard name.hasPrefix("../"), let slash = folder.lastIndex(of: "/") else { return "\(folder)/\(name)" }
      return "\(folder[..<slash])/\(name.dropFirst(3))"
    }
  }

  /// The path of this program; nil where there is no /proc to tell it.
  static let executable: String? = {
    let path = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) { text in
        max(0, text.baseAddress.map { readlink("/proc/self/exe", $0, text.count) } ?? 0)
      }
    }
    return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
  }()

  private static let folder: String? = executable.flatMap { path in
    path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}
