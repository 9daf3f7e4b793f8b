// What deliveries cost at least: one send to each of many connections over loopback, in a bare loop, while another
// thread receives.
//
//   bench-http CONNECTIONS BYTES SECONDS
//
// Prints the microseconds of processor time that the sending thread takes for a send, and sends per second.

#define _GNU_SOURCE
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench-clock.h"

static int poll_descriptor;
static atomic_long received;

static void require(int holds, const char *what) {
  if (holds) return;
  perror(what);
  exit(74);
}

static void *receive(void *none) {
  static char buffer[65536];
  struct epoll_event events[256];
  for (;;) {
    int count = epoll_wait(poll_descriptor, events, 256, -1);
    for (int index = 0; index < count; index++) {
      long bytes = recv(events[index].data.fd, buffer, sizeof buffer, MSG_DONTWAIT);
      if (bytes > 0) atomic_fetch_add(&received, bytes);
    }
  }
  return none;
}

int main(int argc, char **argv) {
  require(argc == 4, "usage: bench-http CONNECTIONS BYTES SECONDS");
  int connections = atoi(argv[1]), bytes = atoi(argv[2]);
  double length = atof(argv[3]);
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  int *descriptors = calloc(connections, sizeof *descriptors);
  char *data = calloc(1, bytes);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  require(bind(listener, (void *)&address, size) == 0 && listen(listener, 1024) == 0, "listen");
  getsockname(listener, (void *)&address, &size);
  poll_descriptor = epoll_create1(0);
  for (int index = 0; index < connections; index++) {
    int reader = socket(AF_INET, SOCK_STREAM, 0);
    require(connect(reader, (void *)&address, size) == 0, "connect");
    descriptors[index] = accept(listener, NULL, NULL);
    require(descriptors[index] >= 0, "accept");
    struct epoll_event event = {.events = EPOLLIN, .data.fd = reader};
    epoll_ctl(poll_descriptor, EPOLL_CTL_ADD, reader, &event);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, receive, NULL);
  long sent = 0, count = 0;
  double begin = seconds(CLOCK_MONOTONIC), before = seconds(CLOCK_THREAD_CPUTIME_ID);
  while (seconds(CLOCK_MONOTONIC) - begin < length) {
    for (int index = 0; index < connections; index++, count++) {
      long result = send(descriptors[index], data, bytes, MSG_NOSIGNAL);
      require(result == bytes, "send");
      sent += result;
    }
    // As a server's readers, every one has the one before when the next is sent.
    while (atomic_load(&received) < sent) usleep(50);
  }
  double spent = seconds(CLOCK_THREAD_CPUTIME_ID) - before, elapsed = seconds(CLOCK_MONOTONIC) - begin;
  printf("%.3f %.0f\n", spent / count * 1e6, count / elapsed);
  return 0;
}
