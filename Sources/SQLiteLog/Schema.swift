/// The database's tables, and how those of an earlier version become these (Decision 0001).
enum Schema {
  /// `Moor`, in the file's header: whose database it is.
  static let applicationID = 0x4D6F_6F72

  /// What takes the database from each version to the next, in order; their number is the present version.
  /// Never changed once a version has been released, only added to.
  private static let upgrades = [
    """
    CREATE TABLE store (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      streams INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      last_incarnation INTEGER NOT NULL
    ) STRICT;
    INSERT INTO store VALUES (1, 0, 0, 0);

    CREATE TABLE configurations (
      id INTEGER PRIMARY KEY,
      json BLOB NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE streams (
      incarnation INTEGER PRIMARY KEY,
      path BLOB NOT NULL UNIQUE,
      configuration INTEGER NOT NULL,
      length INTEGER NOT NULL,
      is_closed INTEGER NOT NULL,
      sequence BLOB,
      closer_id BLOB,
      closer_epoch INTEGER,
      closer_sequence INTEGER,
      checksum INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE chunks (
      stream INTEGER NOT NULL,
      start INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (stream, start)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE producers (
      stream INTEGER NOT NULL,
      id BLOB NOT NULL,
      epoch INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      PRIMARY KEY (stream, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE chores (
      stream INTEGER PRIMARY KEY,
      kind INTEGER NOT NULL
    ) STRICT;
    """,

    // Forks, and streams that end by themselves. Rows of streams that are neither keep their checksums.
    """
    ALTER TABLE streams ADD COLUMN parent INTEGER;
    ALTER TABLE streams ADD COLUMN begin INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE streams ADD COLUMN is_kept INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE streams ADD COLUMN idle_seconds INTEGER;
    ALTER TABLE streams ADD COLUMN expires_at INTEGER;
    ALTER TABLE streams ADD COLUMN used_at INTEGER;
    ALTER TABLE streams ADD COLUMN deadline INTEGER;
    CREATE INDEX streams_by_parent ON streams (parent) WHERE parent IS NOT NULL;
    CREATE INDEX streams_by_deadline ON streams (deadline) WHERE deadline IS NOT NULL;
    """,
  ]

  /// The present version.
  static var version: Int { upgrades.count }

  /// The version of a database that is ours, 0 where there is nothing in it. Writes nothing.
  static func version(of connection: Connection, path: String) throws(SQLiteLogError) -> Int {
    let (version, isOurs): (Int, Bool)
    do throws(SQLiteError) {
      (version, isOurs) = try identify(connection)
    } catch {
      throw .sqlite(error, path: path)
    }
    guard isOurs else { throw .foreign(path: path) }
    guard version <= Self.version else {
      throw .newer(path: path, version: version, known: Self.version)
    }
    return version
  }

  /// Makes the tables in an empty file, or brings those of an earlier version up to the present one, or, in tests, to
  /// another.
  static func upgrade(
    _ connection: Connection, from version: Int, to last: Int = Self.version
  ) throws(SQLiteError) {
    for version in version..<last {
      // All of a step or nothing, its version too.
      try connection.run(
        """
        BEGIN IMMEDIATE;
        \(upgrades[version])
        PRAGMA user_version = \(version + 1);
        PRAGMA application_id = \(applicationID);
        COMMIT;
        """)
    }
  }

  /// An empty file is ours at version 0.
  private static func identify(_ connection: Connection) throws(SQLiteError) -> (version: Int, isOurs: Bool) {
    let version = try connection.number("PRAGMA user_version")
    let id = try connection.number("PRAGMA application_id")
    if id == applicationID { return (version, true) }
    let tables = try connection.number("SELECT count(*) FROM sqlite_schema")
    return (version, id == 0 && version == 0 && tables == 0)
  }
}
