// Linux system calls that Foundation and Glibc do not show to Swift.
//
// _GNU_SOURCE is not defined here: it changes types (fd_set) that other modules have already read without it.
// What it would show is declared below, in words that need no type of another header.
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

struct sockaddr;

extern int accept4(int descriptor, struct sockaddr *address, unsigned int *length, int flags);
extern int pipe2(int descriptors[2], int flags);
extern long getrandom(void *buffer, unsigned long count, unsigned int flags);
extern void *memrchr(const void *bytes, int byte, unsigned long count);
extern void *memmem(const void *bytes, unsigned long count, const void *needle, unsigned long needleCount);
extern int pthread_setname_np(unsigned long thread, const char *name);

// prctl(2) takes a variable list of arguments, which Swift cannot call.
static inline int setTimerSlack(unsigned long nanoseconds) { return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0); }
