// What HTTP adds to durable appends: writers on keep-alive connections over loopback, each of which appends 100 bytes
// to a stream of its own and waits for the answer before the next.
//
//   bench-storage-http PORT WRITERS SECONDS PROCESS
//
// PORT is a server's with `durability: full`, which answers when an append is committed, and PROCESS its ID. An answer
// that is not 200 with the position behind the append ends this with status 74. Prints appends per second, the median
// and the 99th percentile of their latencies in milliseconds, and the microseconds of processor time that the server
// and this client took for each.

#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "bench-clock.h"

enum { text_bytes = 100, answer_bytes = 4096, patience = 10 /* seconds */ };

struct writer {
  int descriptor, number, received;
  // How long the stream is by the answers.
  long length;
  double sent;
  char answer[answer_bytes + 1];
};

static char text[text_bytes + 1];
static float *latencies;
static long appends, room;

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "bench-storage-http: %s: %s\n", what, strerror(errno));
  exit(74);
}

static void refuse(const struct writer *writer, const char *why) {
  fprintf(
      stderr, "bench-storage-http: stream %d at %ld bytes: %s: %s\n", writer->number, writer->length, why,
      writer->answer);
  exit(74);
}

static void open_connection(struct writer *writer, int port) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  // Holds for connect, too.
  struct timeval limit = {.tv_sec = patience};
  writer->descriptor = socket(AF_INET, SOCK_STREAM, 0);
  require(writer->descriptor >= 0, "socket");
  setsockopt(writer->descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  require(connect(writer->descriptor, (void *)&address, sizeof address) == 0, "connect");
}

static void append(struct writer *writer) {
  char request[512];
  int bytes = snprintf(
      request, sizeof request,
      "POST /v1/blocks/bench/http/%d HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/markdown\r\n"
      "Content-Length: %d\r\n\r\n%s",
      writer->number, text_bytes, text);
  writer->received = 0;
  writer->sent = seconds(CLOCK_MONOTONIC);
  require(send(writer->descriptor, request, bytes, MSG_NOSIGNAL) == bytes, "send");
}

// What follows a field's name in the answer's head.
static const char *field(const struct writer *writer, const char *name) {
  const char *found = strcasestr(writer->answer, name);
  if (!found) refuse(writer, "an answer without a field");
  return found + strlen(name);
}

// Whether the answer is there as a whole; one that does not say that the append is committed ends the program.
static int has_answer(struct writer *writer) {
  long count =
      recv(writer->descriptor, writer->answer + writer->received, answer_bytes - writer->received, MSG_DONTWAIT);
  if (count < 0 && errno == EAGAIN) return 0;
  require(count >= 0, "recv");
  writer->answer[writer->received += count] = 0;
  if (count == 0) refuse(writer, "the connection is closed, or an answer is longer than 4096 bytes");
  char *end = strstr(writer->answer, "\r\n\r\n");
  if (!end) return 0;
  long missing = end + 4 - writer->answer + atol(field(writer, "\r\nContent-Length: ")) - writer->received;
  if (missing > 0) return 0;
  if (missing < 0) refuse(writer, "more than an answer");
  if (strncmp(writer->answer, "HTTP/1.1 200 ", 13)) refuse(writer, "an append is not answered with 200");
  const char *position = strchr(field(writer, "\r\nStream-Next-Offset: "), '_');
  if (!position || atol(position + 1) != writer->length + text_bytes)
    refuse(writer, "not the position behind the append");
  writer->length += text_bytes;
  return 1;
}

static void count_append(const struct writer *writer, double now) {
  if (appends == room) {
    room = room ? 2 * room : 65536;
    latencies = realloc(latencies, room * sizeof *latencies);
    require(latencies != NULL, "memory");
  }
  latencies[appends++] = (now - writer->sent) * 1e3;
}

static int ascending(const void *first, const void *second) {
  float difference = *(const float *)first - *(const float *)second;
  return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
  if (count != 5) return 64;
  int port = atoi(arguments[1]), writers = atoi(arguments[2]);
  double length = atof(arguments[3]);
  clockid_t server;
  errno = clock_getcpuclockid(atoi(arguments[4]), &server);
  require(errno == 0, "the server's processor time");
  memset(text, 'a', text_bytes - 1);
  text[text_bytes - 1] = '\n';
  struct writer *all = calloc(writers, sizeof *all);
  int poll_descriptor = epoll_create1(0);
  for (int index = 0; index < writers; index++) {
    all[index].number = index;
    open_connection(&all[index], port);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[index]};
    require(epoll_ctl(poll_descriptor, EPOLL_CTL_ADD, all[index].descriptor, &event) == 0, "epoll_ctl");
  }

  double start = seconds(CLOCK_MONOTONIC), now = start;
  double servers = seconds(server), own = seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (int index = 0; index < writers; index++) append(&all[index]);
  while (now - start < length) {
    struct epoll_event events[256];
    errno = ETIMEDOUT;
    int ready = epoll_wait(poll_descriptor, events, 256, patience * 1000);
    require(ready > 0, "an answer");
    for (int index = 0; index < ready; index++) {
      struct writer *writer = events[index].data.ptr;
      if (!has_answer(writer)) continue;
      count_append(writer, now = seconds(CLOCK_MONOTONIC));
      append(writer);
    }
  }
  servers = seconds(server) - servers;
  own = seconds(CLOCK_PROCESS_CPUTIME_ID) - own;
  qsort(latencies, appends, sizeof *latencies, ascending);
  printf(
      "%.0f %.3f %.3f %.1f %.1f\n", appends / (now - start), latencies[appends / 2], latencies[appends * 99 / 100],
      servers / appends * 1e6, own / appends * 1e6);
  return 0;
}
