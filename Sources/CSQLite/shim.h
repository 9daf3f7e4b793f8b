#include <sqlite3.h>

/* What the macro SQLITE_TRANSIENT is, which Swift cannot see: SQLite copies what is bound. */
static inline int mooring_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}
