import COpenSSL

/// Takes a picture's bytes as they arrive and gives their SHA-256 at the end.
///
/// Belongs to one task: a flight makes one, feeds it, and reads it once.
///
/// OpenSSL fails these calls only when memory has run out. Then the process ends, as it does wherever Swift finds no
/// memory: a digest made up instead could serve one picture under the name of another.
public final class DigestHasher {
  /// Owned here alone, freed in `deinit`.
  private let context: OpaquePointer
  private var digest: Digest?

  /// Starts with no bytes.
  public init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      fatalError("no memory left for a SHA-256")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds the bytes that follow. Not after ``finish()``.
  public func update(_ bytes: [UInt8]) {
    guard digest == nil else { return }
    let isAdded = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    guard isAdded == 1 else { fatalError("no memory left for a SHA-256") }
  }

  /// The digest of everything added so far, which ends the hasher: later bytes are not counted.
  public func finish() -> Digest {
    if let digest { return digest }
    var bytes = [UInt8](repeating: 0, count: Digest.byteCount)
    let isFinished = bytes.withUnsafeMutableBufferPointer { EVP_DigestFinal_ex(context, $0.baseAddress, nil) }
    guard isFinished == 1, let digest = Digest(bytes: bytes) else { fatalError("no memory left for a SHA-256") }
    self.digest = digest
    return digest
  }
}
