import JSON

/// Why a seed file cannot be imported.
public enum SeedFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is not JSON.
  case syntax(JSONSyntaxError)
  /// It breaks rules: these, in the order of the file, and `total` in all (more than are listed only past ten thousand).
  case faults([JSONFault], total: Int)

  /// One line for each thing that is wrong.
  public var description: String { lines(file: nil).joined(separator: "\n") }

  /// One line for each thing that is wrong, each naming the file.
  public func lines(file: String?) -> [String] {
    let name = file.map { "\($0): " } ?? ""
    switch self {
    case .syntax(let error):
      return [name + error.description]
    case .faults(let faults, let total):
      let more = total > faults.count ? ["\(name)… and \(total - faults.count) more faults."] : []
      return faults.map { name + $0.description } + more
    }
  }
}

/// Reads a seed or import file: a whole catalog or every fault in it, never half of either.
///
/// ```swift
/// let catalog = try SeedFile.read(bytes)
/// ```
public enum SeedFile {
  /// The most bytes that a seed or import file may have.
  public static let largestSize = 16 << 20

  /// The catalog that the bytes of a file hold. Takes about 20 ns a byte.
  ///
  /// - Throws: all faults at once, each with pointer, value and rule.
  public static func read(_ bytes: [UInt8]) throws(SeedFileError) -> SeedCatalog {
    let document: JSONValue
    do {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw .syntax(error)
    }
    let faults = JSONFaults()
    var reader = SeedReader()
    let catalog = reader.read(JSONField(document: document, faults: faults))
    guard let catalog, faults.total == 0 else { throw .faults(faults.list, total: faults.total) }
    return catalog
  }
}
