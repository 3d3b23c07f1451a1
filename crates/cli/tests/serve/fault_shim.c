/* Makes system calls on the files of a database fail, for tests. Loaded with LD_PRELOAD on Linux.
 *
 * AZULEJO_FAULT_PREFIX: only files whose paths begin with this text are affected.
 * AZULEJO_FAULT_FILE: while this file exists, it says what fails and how: words like "write" or
 * "fsync" or "open" (for writing), and then the number of the error, like "write open 30". */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The error that a call on a path fails with, or 0. */
static int fault(const char *call, const char *path) {
    const char *prefix = getenv("AZULEJO_FAULT_PREFIX");
    const char *control = getenv("AZULEJO_FAULT_FILE");
    if (!prefix || !control || strncmp(path, prefix, strlen(prefix)) != 0) return 0;
    /* The system call itself, because `open` is one of the functions below. */
    int file = (int)syscall(SYS_openat, AT_FDCWD, control, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[128] = {0};
    ssize_t n = read(file, text, sizeof text - 1);
    close(file);
    if (n <= 0 || !strstr(text, call)) return 0;
    const char *number = strpbrk(text, "0123456789");
    return number ? atoi(number) : 0;
}

static int fault_of_file(const char *call, int file) {
    int saved = errno;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t n = readlink(link, path, sizeof path - 1);
    errno = saved;
    if (n <= 0) return 0;
    path[n] = 0;
    return fault(call, path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define FAIL_IF(error)          \
    do {                        \
        int failed = (error);   \
        if (failed) {           \
            errno = failed;     \
            return -1;          \
        }                       \
    } while (0)

ssize_t write(int file, const void *bytes, size_t n) {
    FAIL_IF(fault_of_file("write", file));
    return NEXT(write)(file, bytes, n);
}

ssize_t pwrite(int file, const void *bytes, size_t n, off_t at) {
    FAIL_IF(fault_of_file("write", file));
    return NEXT(pwrite)(file, bytes, n, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t n, off64_t at) {
    FAIL_IF(fault_of_file("write", file));
    return NEXT(pwrite64)(file, bytes, n, at);
}

int ftruncate(int file, off_t n) {
    FAIL_IF(fault_of_file("write", file));
    return NEXT(ftruncate)(file, n);
}

int ftruncate64(int file, off64_t n) {
    FAIL_IF(fault_of_file("write", file));
    return NEXT(ftruncate64)(file, n);
}

int fsync(int file) {
    FAIL_IF(fault_of_file("fsync", file));
    return NEXT(fsync)(file);
}

int fdatasync(int file) {
    FAIL_IF(fault_of_file("fsync", file));
    return NEXT(fdatasync)(file);
}

/* `open` takes a mode only if it may create a file. */
#define OPEN(name)                                                             \
    int name(const char *path, int flags, ...) {                              \
        va_list rest;                                                          \
        va_start(rest, flags);                                                 \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                          \
        if (flags & (O_WRONLY | O_RDWR | O_CREAT)) FAIL_IF(fault("open", path)); \
        return NEXT(name)(path, flags, mode);                                  \
    }

OPEN(open)
OPEN(open64)
