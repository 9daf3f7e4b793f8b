// What SQLite itself gives: the statements of the server's committer in a bare loop, with the same group commit.
//
//   bench-storage DATABASE WRITERS SECONDS
//
// DATABASE has the server's tables and no streams. Each writer is a thread with a stream of its own, which appends
// 100 bytes and waits until they are committed. Prints appends per second.

#include <pthread.h>
#include <semaphore.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench-clock.h"

struct writer {
  sem_t stored;
  long stream, length;
  struct writer *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct writer *queue;
static atomic_int over;
static char text[100];

static void check(int code, const char *what) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "bench-storage: %s: %d\n", what, code);
  exit(74);
}

static void *write_on(void *argument) {
  struct writer *writer = argument;
  while (!over) {
    pthread_mutex_lock(&lock);
    if (!queue) pthread_cond_signal(&changed);
    writer->next = queue;
    queue = writer;
    pthread_mutex_unlock(&lock);
    sem_wait(&writer->stored);
  }
  return NULL;
}

static void step(sqlite3_stmt *statement) {
  check(sqlite3_step(statement), "step");
  sqlite3_reset(statement);
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), sql);
  return statement;
}

int main(int count, char **arguments) {
  if (count != 4) return 64;
  int writers = atoi(arguments[2]);
  double length = atof(arguments[3]);
  memset(text, 'a', sizeof text);
  sqlite3 *database;
  check(sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL), "open");
  check(
      sqlite3_exec(
          database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384", NULL, NULL,
          NULL),
      "pragma");
  sqlite3_stmt *begin = prepare(database, "BEGIN IMMEDIATE"), *commit = prepare(database, "COMMIT");
  sqlite3_stmt *chunk =
      prepare(database, "INSERT INTO chunks (stream, start, checksum, bytes) VALUES (?1, ?2, ?3, ?4)");
  sqlite3_stmt *row = prepare(database, "UPDATE streams SET length = ?2, checksum = ?3 WHERE incarnation = ?1");
  sqlite3_stmt *store = prepare(database, "UPDATE store SET bytes = ?1 WHERE id = 1");
  sqlite3_stmt *stream = prepare(
      database,
      "INSERT INTO streams (incarnation, path, configuration, length, is_closed, checksum) "
      "VALUES (?1, CAST('bare/' || ?1 AS BLOB), 1, 0, 0, 0)");
  struct writer *all = calloc(writers, sizeof *all);
  pthread_t *threads = calloc(writers, sizeof *threads);
  step(begin);
  for (int index = 0; index < writers; index++) {
    all[index].stream = 1000000 + index;
    sem_init(&all[index].stored, 0, 0);
    sqlite3_bind_int64(stream, 1, all[index].stream);
    step(stream);
  }
  step(commit);

  for (int index = 0; index < writers; index++) pthread_create(&threads[index], NULL, write_on, &all[index]);
  double start = seconds(CLOCK_MONOTONIC);
  long appends = 0, bytes = 0;
  while (!over) {
    pthread_mutex_lock(&lock);
    while (!queue) pthread_cond_wait(&changed, &lock);
    struct writer *batch = queue;
    queue = NULL;
    pthread_mutex_unlock(&lock);
    step(begin);
    for (struct writer *writer = batch; writer; writer = writer->next) {
      sqlite3_bind_int64(chunk, 1, writer->stream);
      sqlite3_bind_int64(chunk, 2, writer->length);
      sqlite3_bind_int64(chunk, 3, appends);
      sqlite3_bind_blob(chunk, 4, text, sizeof text, SQLITE_STATIC);
      step(chunk);
      writer->length += sizeof text;
      sqlite3_bind_int64(row, 1, writer->stream);
      sqlite3_bind_int64(row, 2, writer->length);
      sqlite3_bind_int64(row, 3, appends++);
      step(row);
    }
    sqlite3_bind_int64(store, 1, bytes = appends * sizeof text);
    step(store);
    step(commit);
    over = seconds(CLOCK_MONOTONIC) - start >= length;
    while (batch) {
      struct writer *next = batch->next;
      sem_post(&batch->stored);
      batch = next;
    }
  }
  printf("%.0f\n", appends / (seconds(CLOCK_MONOTONIC) - start));
  return 0;
}
