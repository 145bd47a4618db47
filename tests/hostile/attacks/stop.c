/* Undoes SIGSTOP: asks the kernel for a SIGCONT every millisecond, and works on meanwhile. */
#include "bomb.h"
#include <time.h>

#define GIVE_UP_CPU_S 10

static volatile long woken;

static void wake(int number)
{
    (void)number;
    woken++;
}

static int by_timer(void)
{
    timer_t timer;
    struct itimerspec often = {{0, 1000000}, {0, 1000000}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
        return 0;
    return timer_settime(timer, 0, &often, NULL) == 0;
}

int main(void)
{
    struct rlimit limit = {GIVE_UP_CPU_S, GIVE_UP_CPU_S};
    signal(SIGCONT, wake);
    setrlimit(RLIMIT_CPU, &limit);
    reached(by_timer());
    for (;;)
        ;
}
