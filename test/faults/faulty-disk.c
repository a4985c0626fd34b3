/*
 * Stands between a process and the C library (LD_PRELOAD), and makes chosen calls on chosen files
 * fail, come up short or take long. Built and steered by `faulty-disk.ts`, which shares the struct
 * below with it through a mapped file: nothing is decided when the process starts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { WRITES = 1, SYNCS = 2 };

struct control {
  int32_t calls;          /* WRITES, SYNCS or both: which calls are counted. */
  int32_t nth;            /* The first counted call that goes wrong, from 1; 0: none does. */
  int32_t times;          /* How many do, from then on. */
  int32_t error;          /* The errno of those; 0 for a write that comes up short and is no error. */
  int32_t then_error;     /* The errno of all but the first; 0: as the first. */
  int32_t delay_ms;       /* What each counted sync takes longer. */
  _Atomic int32_t seen;   /* Counted calls so far. */
  _Atomic int32_t failed; /* Calls that went wrong so far. */
  char part[256];         /* Files are meant whose path has this part. */
};

static struct control *control;

__attribute__((constructor)) static void open_control(void) {
  const char *path = getenv("FAULTY_DISK_CONTROL");
  int fd = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) control = mapped;
}

static int is_meant(int fd) {
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, control->part) != NULL;
}

/* What shall become of a call: -1 nothing, 0 it comes up short, else the errno that it gives. */
static int fate(int fd, int kind) {
  if (control == NULL || (control->calls & kind) == 0 || !is_meant(fd)) return -1;
  int number = atomic_fetch_add(&control->seen, 1) + 1;
  if (kind == SYNCS && control->delay_ms > 0) {
    struct timespec rest = {control->delay_ms / 1000, control->delay_ms % 1000 * 1000000L};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {}
  }
  if (control->nth == 0 || number < control->nth) return -1;
  if (number >= control->nth + control->times) return -1;
  atomic_fetch_add(&control->failed, 1);
  return number > control->nth && control->then_error ? control->then_error : control->error;
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define FAIL_OR(kind, fd, whole, shorter) \
  int end = fate(fd, kind); \
  if (end > 0) { \
    errno = end; \
    return -1; \
  } \
  return end < 0 ? (whole) : (shorter)

/* Half of what is asked, and a byte at least: what a short write gives. */
#define HALF(bytes) ((bytes) > 1 ? (bytes) / 2 : (bytes))

static struct iovec half_of_first(const struct iovec *parts) {
  struct iovec half = parts[0];
  half.iov_len = HALF(half.iov_len);
  return half;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  NEXT(write);
  FAIL_OR(WRITES, fd, next(fd, bytes, count), next(fd, bytes, HALF(count)));
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  NEXT(pwrite);
  FAIL_OR(WRITES, fd, next(fd, bytes, count, offset), next(fd, bytes, HALF(count), offset));
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  NEXT(pwrite64);
  FAIL_OR(WRITES, fd, next(fd, bytes, count, offset), next(fd, bytes, HALF(count), offset));
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  NEXT(writev);
  if (count < 1) return next(fd, parts, count);
  struct iovec half = half_of_first(parts);
  FAIL_OR(WRITES, fd, next(fd, parts, count), next(fd, &half, 1));
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  NEXT(pwritev);
  if (count < 1) return next(fd, parts, count, offset);
  struct iovec half = half_of_first(parts);
  FAIL_OR(WRITES, fd, next(fd, parts, count, offset), next(fd, &half, 1, offset));
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  NEXT(pwritev64);
  if (count < 1) return next(fd, parts, count, offset);
  struct iovec half = half_of_first(parts);
  FAIL_OR(WRITES, fd, next(fd, parts, count, offset), next(fd, &half, 1, offset));
}

int fsync(int fd) {
  NEXT(fsync);
  FAIL_OR(SYNCS, fd, next(fd), next(fd));
}

int fdatasync(int fd) {
  NEXT(fdatasync);
  FAIL_OR(SYNCS, fd, next(fd), next(fd));
}
