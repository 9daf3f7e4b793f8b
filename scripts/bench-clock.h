// What clocks say, for the measuring programs beside this file.
#include <time.h>

static inline double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}
