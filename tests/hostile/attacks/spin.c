/* Works on every core that it can get, up to a bound. */
#include "bomb.h"
#include <pthread.h>

#define GIVE_UP_CPU_S 20

static void *work(void *nothing)
{
    for (;;)
        ;
    return nothing;
}

int main(void)
{
    struct rlimit limit = {GIVE_UP_CPU_S, GIVE_UP_CPU_S};
    pthread_t thread;
    setrlimit(RLIMIT_CPU, &limit);
    signal(SIGTERM, SIG_IGN);
    reached(pthread_create(&thread, NULL, work, NULL) == 0);
    work(NULL);
}
