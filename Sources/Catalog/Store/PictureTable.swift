import SQLite

/// The table of what is known of pictures, whether the catalog refers to them now or did once.
struct PictureTable {
  let database: Database

  /// Every picture in the table.
  func all() throws(SQLiteError) -> [PictureReference: Picture] {
    let row = try database.prepare("SELECT \(Self.columns) FROM picture")
    var pictures: [PictureReference: Picture] = [:]
    while try row.step() {
      let picture = try picture(row)
      pictures[picture.reference] = picture
    }
    return pictures
  }

  /// Those of some pictures that are in the table.
  func pictures(_ references: Set<PictureReference>) throws(SQLiteError) -> [Picture] {
    let row = try database.prepare("SELECT \(Self.columns) FROM picture WHERE reference = ?")
    var pictures: [Picture] = []
    for reference in references {
      try row.bind(reference.description, at: 1)
      if try row.step() { pictures.append(try picture(row)) }
      row.reset()
    }
    return pictures
  }

  func put(_ pictures: [Picture]) throws(SQLiteError) {
    let put = try database.prepare(
      "INSERT OR REPLACE INTO picture (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for picture in pictures {
      let facts = picture.state.facts
      try put.bind(picture.reference.description, at: 1)
      try put.bind(picture.state.revision, at: 2)
      try put.bind(facts?.digest, at: 3)
      try put.bind(facts?.format.rawValue, at: 4)
      try put.bind(facts?.width.map(Int64.init), at: 5)
      try put.bind(facts?.height.map(Int64.init), at: 6)
      try put.bind(facts?.color.map(Int64.init), at: 7)
      try put.bind(facts?.placeholder, at: 8)
      try put.bind(picture.state.failure, at: 9)
      try put.run()
    }
  }

  private static let columns =
    "reference, revision, digest, format, width, height, color, placeholder, failure"

  private func picture(_ row: Statement) throws(SQLiteError) -> Picture {
    Picture(
      PictureReference(stored: try row.text(0)),
      state: PictureState(
        revision: try row.integer(1), facts: try facts(row), failure: try row.optionalText(8)))
  }

  /// Facts of a format that this program does not know are as good as none: the picture is fetched again.
  private func facts(_ row: Statement) throws(SQLiteError) -> PictureFacts? {
    guard let digest = try row.optionalBytes(2), let format = OriginalFormat(rawValue: try row.text(3)) else {
      return nil
    }
    return PictureFacts(
      digest: digest, format: format, width: try row.optionalInteger(4).map { Int($0) },
      height: try row.optionalInteger(5).map { Int($0) },
      color: try row.optionalInteger(6).map { UInt32(clamping: $0) },
      placeholder: try row.optionalBytes(7))
  }
}
