/* Threads at once. */
#include "bomb.h"
#include <pthread.h>

static void *wait_for_ever(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

int main(int count, char **arguments)
{
    long most = bound(count, arguments, 300), made = 0;
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    while (made < most && pthread_create(&thread, &small, wait_for_ever, NULL) == 0)
        made++;
    reached(made);
    _exit(0);
}
