import SQLite

/// The shop's database, `banchan.db`, and every step that led to its present form.
enum CatalogSchema {
  /// `BANC`
  static let applicationID: Int32 = 0x4241_4E43

  static let current = Schema(applicationID: applicationID, migrations: [catalog, failures])

  /// Version 1. Lists of words and of references stand in one column, their entries apart by U+001F, which no text of the
  /// shop may hold: so a product is one row, and ten thousand are read in one pass at start.
  private static let catalog = Migration("the catalog") { (database) throws(SQLiteError) in
    try database.execute(
      """
      CREATE TABLE publication (
        id           INTEGER PRIMARY KEY CHECK (id = 1),
        version      INTEGER NOT NULL CHECK (version >= 0),
        published_at INTEGER NOT NULL
      ) STRICT;
      INSERT INTO publication VALUES (1, 0, 0);

      CREATE TABLE shop (
        id             INTEGER PRIMARY KEY CHECK (id = 1),
        name           TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
        placeholder    TEXT NOT NULL CHECK (placeholder <> ''),
        delivery_types TEXT NOT NULL CHECK (delivery_types <> ''),
        delivery_info  TEXT NOT NULL CHECK (length(delivery_info) <= 500),
        delivery_fee   TEXT NOT NULL CHECK (length(delivery_fee) <= 500),
        free_from      INTEGER CHECK (free_from BETWEEN 0 AND 1000000000)
      ) STRICT;

      CREATE TABLE section (
        id       TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 32 AND id NOT GLOB '*[^-A-Za-z0-9_]*'),
        position INTEGER NOT NULL CHECK (position >= 0),
        hidden   INTEGER NOT NULL CHECK (hidden IN (0, 1)),
        name     TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
        title    TEXT NOT NULL CHECK (length(title) <= 200)
      ) STRICT;

      CREATE TABLE product (
        id             TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 32 AND id NOT GLOB '*[^-A-Za-z0-9_]*'),
        section        TEXT NOT NULL REFERENCES section (id),
        position       INTEGER NOT NULL CHECK (position >= 0),
        title          TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 100),
        description    TEXT NOT NULL CHECK (length(description) <= 500),
        alt            TEXT CHECK (length(alt) BETWEEN 1 AND 200),
        price          INTEGER NOT NULL CHECK (price BETWEEN 0 AND 1000000000),
        list_price     INTEGER CHECK (list_price > price AND list_price <= 1000000000),
        badges         TEXT NOT NULL,
        delivery_types TEXT CHECK (delivery_types <> ''),
        status         TEXT NOT NULL CHECK (status IN ('onSale', 'soldOut', 'hidden')),
        stock          INTEGER CHECK (stock BETWEEN 0 AND 1000000000),
        image          TEXT NOT NULL CHECK (image <> ''),
        images         TEXT CHECK (images <> ''),
        details        TEXT NOT NULL,
        notices        TEXT NOT NULL,
        delivery_info  TEXT CHECK (length(delivery_info) <= 500),
        delivery_fee   TEXT CHECK (length(delivery_fee) <= 500),
        created_at     INTEGER NOT NULL,
        updated_at     INTEGER NOT NULL,
        CHECK ((delivery_info IS NULL) = (delivery_fee IS NULL))
      ) STRICT;
      CREATE INDEX product_section ON product (section);

      CREATE TABLE collection (
        id       TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 32 AND id NOT GLOB '*[^-A-Za-z0-9_]*'),
        position INTEGER NOT NULL CHECK (position >= 0),
        name     TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100)
      ) STRICT;

      CREATE TABLE collection_product (
        collection TEXT NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
        position   INTEGER NOT NULL CHECK (position >= 0),
        product    TEXT NOT NULL REFERENCES product (id) ON DELETE CASCADE,
        PRIMARY KEY (collection, position)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX collection_product_product ON collection_product (product);

      -- Kept also when no product refers to the picture any more: a revision never starts again at 1, because phones keep
      -- what they once fetched under a name for ever.
      CREATE TABLE picture (
        reference       TEXT PRIMARY KEY CHECK (reference <> ''),
        revision        INTEGER NOT NULL CHECK (revision >= 1),
        digest          BLOB CHECK (length(digest) = 32),
        format          TEXT,
        width           INTEGER CHECK (width BETWEEN 1 AND 65535),
        height          INTEGER CHECK (height BETWEEN 1 AND 65535),
        color           INTEGER CHECK (color BETWEEN 0 AND 16777215),
        placeholder     BLOB CHECK (length(placeholder) <= 64),
        failed_for_good INTEGER NOT NULL CHECK (failed_for_good IN (0, 1)),
        CHECK ((digest IS NULL) = (format IS NULL))
      ) STRICT;
      """)
  }

  /// Version 2. Why a picture failed for good is kept, in the place of whether it did.
  private static let failures = Migration("why pictures failed") { (database) throws(SQLiteError) in
    try database.execute(
      """
      ALTER TABLE picture ADD COLUMN failure TEXT CHECK (failure <> '');
      UPDATE picture SET failure = 'its origin had no picture when it was last asked' WHERE failed_for_good = 1;
      ALTER TABLE picture DROP COLUMN failed_for_good;
      """)
  }

  /// Several entries as a list in one column.
  static func list(_ entries: [String]) -> String { entries.joined(separator: "\u{1F}") }

  /// The entries of a list in one column.
  static func entries(of list: String) -> [String] {
    list.utf8.split(separator: 0x1F).map { String(Substring($0)) }
  }
}
