#ifndef BANCHAN_CSQLITE_H
#define BANCHAN_CSQLITE_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift does not import: "copy these bytes before the call returns".
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// sqlite3_db_config is variadic. No schema or statement may weaken the file, call functions from a view or trigger that are
// not safe for strangers' schemas, or take "a misspelt column" for a string.
static inline int csqlite_harden(sqlite3 *database) {
  static const int on[] = {SQLITE_DBCONFIG_DEFENSIVE};
  static const int off[] = {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML};
  int result = SQLITE_OK;
  for (unsigned i = 0; i < sizeof on / sizeof *on && result == SQLITE_OK; i++)
    result = sqlite3_db_config(database, on[i], 1, (int *)0);
  for (unsigned i = 0; i < sizeof off / sizeof *off && result == SQLITE_OK; i++)
    result = sqlite3_db_config(database, off[i], 0, (int *)0);
  return result;
}

#endif
