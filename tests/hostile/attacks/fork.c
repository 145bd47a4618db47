/* Processes at once. */
#include "bomb.h"

int main(int count, char **arguments)
{
    long most = bound(count, arguments, 300), made = 0;
    pid_t parent = getpid();
    signal(SIGTERM, SIG_IGN);
    for (; made < most; made++) {
        pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0) {
            end_with(parent);
            for (;;)
                pause();
        }
    }
    reached(made);
}
