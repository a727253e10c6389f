/* File systems that miss something, by LD_PRELOAD: cc -shared -fPIC -o lacking.so lacking_disk.c -ldl
   SHIM=flock   flock() says ENOLCK, as NFS without lockd
   SHIM=shm     MAP_SHARED of a writable file says ENODEV/EINVAL, as some 9p and FUSE mounts
   SHIM=fcntl   byte locks say ENOLCK */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <fcntl.h>
#include <unistd.h>
#include <stdio.h>
static int is(const char *w) { const char *s = getenv("SHIM"); return s && strstr(s, w); }
static int under(int fd) {
    char p[64], t[4096]; snprintf(p, sizeof p, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(p, t, sizeof t - 1); if (n < 0) return 0; t[n] = 0;
    const char *w = getenv("SHIM_AT"); return w && strstr(t, w) != 0;
}
int flock(int fd, int op) {
    static int (*r)(int, int); if (!r) r = dlsym(RTLD_NEXT, "flock");
    if (is("flock") && under(fd)) { errno = ENOLCK; return -1; }
    return r(fd, op);
}
#define MMAP(name) \
void *name(void *a, size_t l, int p, int f, int fd, off_t o) { \
    void *(*r)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, #name); \
    if (is("shm") && fd >= 0 && (f & MAP_SHARED) && under(fd)) { errno = EINVAL; return MAP_FAILED; } \
    return r(a, l, p, f, fd, o); \
}
MMAP(mmap)
MMAP(mmap64)
static int lock(const char *name, int fd, int cmd, void *arg) {
    int (*r)(int, int, ...) = dlsym(RTLD_NEXT, name);
    if (is("fcntl") && (cmd == F_SETLK || cmd == F_SETLKW || cmd == F_OFD_SETLK) && under(fd)) { errno = ENOLCK; return -1; }
    return r(fd, cmd, arg);
}
int fcntl(int fd, int cmd, ...) { va_list v; va_start(v, cmd); void *a = va_arg(v, void *); va_end(v); return lock("fcntl", fd, cmd, a); }
int fcntl64(int fd, int cmd, ...) { va_list v; va_start(v, cmd); void *a = va_arg(v, void *); va_end(v); return lock("fcntl64", fd, cmd, a); }
