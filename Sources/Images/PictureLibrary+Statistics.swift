extension PictureLibrary {
  /// How pictures are being fetched, made and kept just now, for metrics and readiness.
  public struct Statistics: Sendable {
    /// How the origins are doing.
    public let origins: OriginsState
    /// How many pictures are being fetched, for whomever.
    public let flights: Int
    /// The making of sizes; nil where none are made.
    public let deriving: Deriving?
    /// What is kept on the disk; nil as long as the cache folder cannot be used.
    public let disk: Disk?
    /// Bytes that bodies in memory take.
    public let memoryBytes: Int
    /// Whether the pictures that products show found no room together, since they last changed.
    public let isCrowded: Bool

    /// The making of sizes.
    public struct Deriving: Sendable {
      /// How many pictures are being worked on.
      public let working: Int
      /// How many wait for a worker.
      public let waiting: Int
    }

    /// What is kept on the disk.
    public struct Disk: Sendable {
      /// Bytes in use, of files on their way in and of the index too.
      public let used: Int
      /// Bytes that may be in use.
      public let limit: Int
      /// What is stored, and what has gone, by how dear it is. Every rank has its entry.
      public let ranks: [BodyRank: Rank]
    }

    /// The bodies of one rank.
    public struct Rank: Sendable {
      /// What is stored.
      public let stored: Total
      /// How many went to make room for others, in this run.
      public let evictions: Int
    }
  }

  /// The numbers of this moment. Taken without a look at the disk or the index: some locks, each for some lines.
  public var statistics: Statistics {
    Statistics(
      origins: origins.state, flights: courier.flightCount,
      deriving: deriver.map {
        let load = $0.load
        return Statistics.Deriving(working: load.inside, waiting: load.waiting)
      },
      disk: store.budget.map(Statistics.Disk.init), memoryBytes: store.hot.bytes, isCrowded: store.isCrowded)
  }
}

extension PictureLibrary.Statistics.Disk {
  fileprivate init(_ budget: DiskBudget) {
    var ranks: [BodyRank: PictureLibrary.Statistics.Rank] = [:]
    for rank in BodyRank.allCases {
      let total = budget.total(of: rank)
      ranks[rank] = PictureLibrary.Statistics.Rank(
        stored: PictureLibrary.Total(files: total.bodies, bytes: total.bytes), evictions: budget.evictions(of: rank))
    }
    self.init(used: budget.used, limit: budget.limit, ranks: ranks)
  }
}
