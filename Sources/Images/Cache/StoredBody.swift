/// A body that the index knows: a file named by its digest.
struct StoredBody: Equatable, Sendable {
  /// Its row; rows are numbered in the order in which bodies came.
  let id: Int64
  let digest: Digest
  /// Its length in bytes.
  let bytes: Int
}

/// Where a body was found, for finding it again without the index.
struct BodyPlace: Sendable {
  let body: StoredBody
  /// What its file was like when its digest was found right; nil when that was too short a while ago to tell.
  let stamp: FileStamp?
  let visit: BodyVisit
}

/// How many bodies of a rank are stored, and how much they take.
struct BodyTotal: Equatable, Sendable {
  var bodies = 0
  /// The sum of their lengths.
  var bytes = 0
  /// The same in whole blocks of the disk.
  var diskBytes = 0
}

/// What the index says of itself and of all bodies after a transaction.
struct IndexSums: Equatable, Sendable {
  /// The length of its file in bytes.
  var fileBytes = 0
  private var totals: [BodyTotal] = BodyRank.allCases.map { _ in BodyTotal() }

  /// The bodies of a rank.
  subscript(rank: BodyRank) -> BodyTotal {
    get { totals[Int(rank.rawValue)] }
    set { totals[Int(rank.rawValue)] = newValue }
  }

  /// Bytes of the disk that all bodies take.
  var diskBytes: Int { totals.reduce(0) { $0 + $1.diskBytes } }
}
