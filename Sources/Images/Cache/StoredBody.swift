/// A body that the index knows: a file named by its digest.
struct StoredBody: Equatable, Sendable {
  /// Its row; rows are numbered in the order in which bodies came.
  let id: Int64
  let digest: Digest
  /// Its length in bytes.
  let bytes: Int
}

/// How many bodies of a rank are stored, and how much they take.
struct BodyTotal: Equatable, Sendable {
  var bodies = 0
  /// The sum of their lengths.
  var bytes = 0
  /// The same in whole blocks of the disk.
  var diskBytes = 0
}
