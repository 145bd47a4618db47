/* Processes that detach themselves and mind no signal; then the program itself stays too. */
#include "bomb.h"

#define GIVE_UP_S 30

static void stay(void)
{
    prctl(PR_SET_PDEATHSIG, 0);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    alarm(GIVE_UP_S);
    for (;;)
        pause();
}

/* A grandchild in a session of its own, whose parent is gone. */
static int detach(void)
{
    pid_t child = fork();
    if (child < 0)
        return 0;
    if (child == 0) {
        setsid();
        if (fork() == 0)
            stay();
        _exit(0);
    }
    waitpid(child, NULL, 0);
    return 1;
}

int main(void)
{
    int made = 0;
    for (int i = 0; i < 3; i++)
        made += detach();
    reached(made);
    stay();
}
