/* Undoes SIGSTOP: asks the kernel for a SIGCONT every hundredth of a second, and works on meanwhile. */
#include "bomb.h"
#include <time.h>

#define GIVE_UP_CPU_S 10
#define TIMERS 16
#define APART_NS 10000000L

static volatile long woken;

static void wake(int number)
{
    (void)number;
    woken++;
}

/* Many, one after another: SIGSTOP takes back a SIGCONT that is just arriving, and that one's
 * timer never comes again. */
static int by_timers(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    for (long i = 1; i <= TIMERS; i++) {
        timer_t timer;
        struct itimerspec often = {{0, TIMERS * APART_NS}, {0, i * APART_NS}};
        if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
            return 0;
        if (timer_settime(timer, 0, &often, NULL) != 0)
            return 0;
    }
    return 1;
}

int main(void)
{
    struct rlimit limit = {GIVE_UP_CPU_S, GIVE_UP_CPU_S};
    signal(SIGCONT, wake);
    setrlimit(RLIMIT_CPU, &limit);
    reached(by_timers());
    for (;;)
        ;
}
