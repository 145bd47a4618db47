/* The stack, in MiB, with the limit raised as far as it goes. */
#include "bomb.h"

static long most, deep;

static void too_deep(int number)
{
    (void)number;
    reached(deep);
    _exit(0);
}

/* Downwards a MiB a call, every page touched. */
static void __attribute__((noinline)) descend(void)
{
    volatile char frame[1024 * 1024];
    for (long i = sizeof frame - 1; i >= 0; i -= 4096)
        frame[i] = 1;
    if (++deep < most)
        descend();
    frame[0] = 2;
}

int main(int count, char **arguments)
{
    struct rlimit limit;
    static char elsewhere[65536];
    stack_t other = {.ss_sp = elsewhere, .ss_size = sizeof elsewhere};
    struct sigaction action = {.sa_handler = too_deep, .sa_flags = SA_ONSTACK};
    most = bound(count, arguments, 1536);
    getrlimit(RLIMIT_STACK, &limit);
    if (limit.rlim_cur != limit.rlim_max) {
        /* The room that is left for the stack is settled when a program starts. */
        limit.rlim_cur = limit.rlim_max;
        if (setrlimit(RLIMIT_STACK, &limit) == 0)
            execv(arguments[0], arguments);
    }
    sigaltstack(&other, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    descend();
    reached(deep);
}
