// Live delivery, from the readers' side, and what it costs at least.
//
//   bench-http floor CONNECTIONS BYTES RATE SECONDS
//     One send to each of many connections over loopback, in a bare loop, while another thread receives: RATE times a
//     second by the clock; 0: once every connection has the one before. Prints the microseconds of processor time that the
//     sending thread takes for a send, sends a second, and the milliseconds from the moment at which a send was due until
//     it had come, of half and of 99 of 100.
//
//   bench-http live PORT READERS RATE SECONDS
//     Readers of one stream of a server at 127.0.0.1, and a writer that appends 20 bytes to it RATE times a second by
//     the clock; 0: once every reader has the append before. Prints `ready` once every reader has its snapshot, waits
//     for a line, and prints how many deliveries there were, the seconds, and the milliseconds from the moment at which an
//     append was to be sent until a reader had it, of half and of 99 of 100 deliveries.

#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "bench-clock.h"

static int poll_descriptor;

static void require(int holds, const char *what) {
  if (holds) return;
  if (errno) perror(what);
  else fprintf(stderr, "%s\n", what);
  exit(74);
}

static void raise_descriptor_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static int connect_to(int port) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
  int descriptor = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  require(connect(descriptor, (void *)&address, sizeof address) == 0, "connect");
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return descriptor;
}

static void send_all(int descriptor, const char *bytes, size_t count) {
  require(send(descriptor, bytes, count, MSG_NOSIGNAL) == (ssize_t)count, "send");
}

// MARK: - By the clock

enum { MAX_ROUNDS = 1 << 20, BUCKETS = 1 << 20 };
// A latency's bucket is its microseconds.
static unsigned histogram[BUCKETS];
// When each round of sends, or each append, was due.
static double *scheduled;
static int rate;
static double length;

static void note_latency(long round, double now) {
  double latency = (now - scheduled[round]) * 1e6;
  histogram[latency < BUCKETS - 1 ? (int)latency : BUCKETS - 1]++;
}

static double percentile(long count, double share) {
  long left = count * share;
  for (int bucket = 0; bucket < BUCKETS; bucket++)
    if ((left -= histogram[bucket]) < 0) return bucket / 1e3;
  return BUCKETS / 1e3;
}

// Waits for the moment at which the round is due, and gives it.
static double await_round(double begin, long round) {
  double due = begin + (double)round / rate;
  struct timespec time = {.tv_sec = (time_t)due, .tv_nsec = (long)((due - (time_t)due) * 1e9)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
  return due;
}

// MARK: - The floor

struct receiver {
  int descriptor;
  long bytes;
};

static atomic_long received;
static struct receiver *receivers;
static int send_bytes;

static void *receive(void *none) {
  static char buffer[65536];
  struct epoll_event events[256];
  for (;;) {
    int count = epoll_wait(poll_descriptor, events, 256, -1);
    double now = seconds(CLOCK_MONOTONIC);
    for (int index = 0; index < count; index++) {
      struct receiver *receiver = events[index].data.ptr;
      long bytes = recv(receiver->descriptor, buffer, sizeof buffer, MSG_DONTWAIT);
      if (bytes <= 0) continue;
      long has = receiver->bytes / send_bytes;
      receiver->bytes += bytes;
      for (; has < receiver->bytes / send_bytes; has++) note_latency(has, now);
      atomic_fetch_add(&received, bytes);
    }
  }
  return none;
}

static void measure_floor(int connections) {
  int *descriptors = calloc(connections, sizeof *descriptors);
  receivers = calloc(connections, sizeof *receivers);
  scheduled = calloc(MAX_ROUNDS, sizeof *scheduled);
  char *data = calloc(1, send_bytes);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  require(bind(listener, (void *)&address, size) == 0 && listen(listener, 1024) == 0, "listen");
  getsockname(listener, (void *)&address, &size);
  for (int index = 0; index < connections; index++) {
    receivers[index].descriptor = connect_to(ntohs(address.sin_port));
    descriptors[index] = accept(listener, NULL, NULL);
    require(descriptors[index] >= 0, "accept");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &receivers[index]};
    epoll_ctl(poll_descriptor, EPOLL_CTL_ADD, receivers[index].descriptor, &event);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, receive, NULL);
  long sent = 0, count = 0;
  double begin = seconds(CLOCK_MONOTONIC), before = seconds(CLOCK_THREAD_CPUTIME_ID);
  for (long round = 0; round < MAX_ROUNDS; round++) {
    double due = rate ? await_round(begin, round) : seconds(CLOCK_MONOTONIC);
    if (due - begin >= length) break;
    scheduled[round] = due;
    for (int index = 0; index < connections; index++, count++) {
      long result = send(descriptors[index], data, send_bytes, MSG_NOSIGNAL);
      require(result == send_bytes, "send");
      sent += result;
    }
    // As a server's readers, every one has the one before when the next is sent.
    while (!rate && atomic_load(&received) < sent) usleep(50);
  }
  double spent = seconds(CLOCK_THREAD_CPUTIME_ID) - before, elapsed = seconds(CLOCK_MONOTONIC) - begin;
  while (atomic_load(&received) < sent) usleep(50);
  printf("%.3f %.0f %.3f %.3f\n", spent / count * 1e6, count / elapsed, percentile(count, 0.5), percentile(count, 0.99));
}

// MARK: - Live readers

enum { APPEND_BYTES = 20, ID_BYTES = 37 };
static atomic_long appended, behind;
static long readers_count;
static int port, has_begun;
static char path[64];

struct reader {
  int descriptor;
  // The appends that it has, and the end of what it got, in which an event's id may begin.
  long has;
  char rest[ID_BYTES];
  int rest_count;
};

// Reads an answer to an append.
static void read_answer(int descriptor) {
  char answer[8192];
  size_t count = 0;
  for (;;) {
    ssize_t got = recv(descriptor, answer + count, sizeof answer - 1 - count, 0);
    require(got > 0, "no answer to an append");
    answer[count += got] = 0;
    require(count < 12 || !memcmp(answer + 9, "200", 3), answer);
    char *end = strstr(answer, "\r\n\r\n"), *field = strcasestr(answer, "content-length:");
    if (end && field && count >= (size_t)(end + 4 - answer) + atol(field + 15)) return;
  }
}

static void append_text(int descriptor, const char *text) {
  char request[512];
  int count = snprintf(request, sizeof request,
                       "POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: text/markdown\r\nContent-Length: %zu\r\n\r\n%s", path,
                       strlen(text), text);
  send_all(descriptor, request, count);
  read_answer(descriptor);
}

static void *write_appends(void *none) {
  int descriptor = connect_to(port);
  double begin = seconds(CLOCK_MONOTONIC);
  for (long number = 0; number < MAX_ROUNDS; number++) {
    double due;
    if (rate) {
      due = await_round(begin, number);
    } else {
      due = seconds(CLOCK_MONOTONIC);
      while (atomic_load(&behind)) usleep(20);
    }
    if (due - begin >= length) break;
    scheduled[number] = due;
    if (!rate) atomic_store(&behind, readers_count);
    atomic_store(&appended, number + 1);
    append_text(descriptor, " and twenty more byt");
  }
  has_begun = 2;
  return none;
}

// Notes what a reader has by the ids of the events that it got: the positions after them.
static void note(struct reader *reader, const char *bytes, ssize_t count, double now) {
  for (const char *at = bytes; (at = memmem(at, bytes + count - at, "id: ", 4)); at += 4) {
    if (bytes + count - at < ID_BYTES) break;
    long has = atol(at + 4 + 17) / APPEND_BYTES - 1;
    for (; reader->has < has; reader->has++) {
      note_latency(reader->has, now);
      if (!rate) atomic_fetch_sub(&behind, 1);
    }
  }
  reader->rest_count = count < ID_BYTES - 1 ? count : ID_BYTES - 1;
  memmove(reader->rest, bytes + count - reader->rest_count, reader->rest_count);
}

static void measure_readers(void) {
  static char buffer[ID_BYTES + 65536];
  struct reader *readers = calloc(readers_count, sizeof *readers);
  scheduled = calloc(MAX_ROUNDS, sizeof *scheduled);
  snprintf(path, sizeof path, "/v1/blocks/live-%d-%ld", getpid(), (long)(seconds(CLOCK_MONOTONIC) * 1e6));
  // As long as an append, so that an append's number is its end's position over that.
  append_text(connect_to(port), "the beginning, as is");
  char request[256];
  int count = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n", path);
  for (long index = 0; index < readers_count; index++) {
    struct reader *reader = &readers[index];
    reader->descriptor = connect_to(port);
    send_all(reader->descriptor, request, count);
    ssize_t total = 0;
    do {
      ssize_t got = recv(reader->descriptor, buffer + total, 8192, 0);
      require(got > 0 && total < 32768, "no snapshot");
      total += got;
    } while (!memmem(buffer, total, "event: snapshot", 15));
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = reader};
    epoll_ctl(poll_descriptor, EPOLL_CTL_ADD, reader->descriptor, &event);
  }
  printf("ready\n");
  fflush(stdout);
  getchar();
  pthread_t thread;
  double begin = seconds(CLOCK_MONOTONIC), last = begin;
  pthread_create(&thread, NULL, write_appends, NULL);
  struct epoll_event events[256];
  for (;;) {
    int ready = epoll_wait(poll_descriptor, events, 256, 100);
    double now = seconds(CLOCK_MONOTONIC);
    if (ready > 0) last = now;
    // Nothing has come for some time after the last append.
    if (ready == 0 && has_begun == 2) break;
    require(now - last < 20, "no delivery for 20 seconds");
    for (int index = 0; index < ready; index++) {
      struct reader *reader = events[index].data.ptr;
      memcpy(buffer, reader->rest, reader->rest_count);
      ssize_t got = recv(reader->descriptor, buffer + reader->rest_count, 65536, MSG_DONTWAIT);
      if (got < 0 && errno == EAGAIN) continue;
      require(got > 0, "a reader was cut off");
      note(reader, buffer, reader->rest_count + got, now);
    }
  }
  long deliveries = 0;
  for (long index = 0; index < readers_count; index++) {
    require(readers[index].has == atomic_load(&appended), "a reader has not every append");
    deliveries += readers[index].has;
  }
  printf("%ld %.3f %.3f %.3f\n", deliveries, last - begin, percentile(deliveries, 0.5), percentile(deliveries, 0.99));
}

int main(int argc, char **argv) {
  raise_descriptor_limit();
  poll_descriptor = epoll_create1(0);
  if (argc == 6 && !strcmp(argv[1], "floor")) {
    send_bytes = atoi(argv[3]), rate = atoi(argv[4]), length = atof(argv[5]);
    measure_floor(atoi(argv[2]));
  } else if (argc == 6 && !strcmp(argv[1], "live")) {
    port = atoi(argv[2]), readers_count = atol(argv[3]), rate = atoi(argv[4]), length = atof(argv[5]);
    measure_readers();
  } else {
    fprintf(stderr, "usage: bench-http floor CONNECTIONS BYTES RATE SECONDS | live PORT READERS RATE SECONDS\n");
    return 64;
  }
  return 0;
}
