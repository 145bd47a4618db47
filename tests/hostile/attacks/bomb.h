/* What all bombs share. Each grows until it is stopped, or gives up at a bound of its own so that
 * a sandbox that fails does not take the machine with it. It tells how far it got, a number a
 * line, the last one counts. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1024L * 1024L)
#define STEP_MIB 16

static inline void reached(long amount)
{
    char line[24];
    int length = snprintf(line, sizeof line, "%ld\n", amount);
    if (write(1, line, length) != length)
        _exit(1);
}

/* The first argument, or `most`, whichever is less. */
static inline long bound(int count, char **arguments, long most)
{
    long asked = count > 1 ? atol(arguments[1]) : most;
    return asked < most ? asked : most;
}

/* In a child: end with the parent, even if that has ended already. */
static inline void end_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
}

/* Where a program might be able to write. */
static const char *const PLACES[] = {".", "/tmp", "/dev/shm", "/var/tmp", "/run", "/", "/dev"};
#define PLACE_COUNT (sizeof PLACES / sizeof PLACES[0])
