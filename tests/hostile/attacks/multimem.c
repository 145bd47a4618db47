/* Memory of many processes together, in MiB: each stays below its own limit. */
#include "bomb.h"

#define EACH_MIB 96

static void hold(pid_t parent, int done)
{
    char *area = mmap(NULL, EACH_MIB * MIB, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    end_with(parent);
    if (area == MAP_FAILED)
        _exit(1);
    memset(area, 1, EACH_MIB * MIB);
    if (write(done, "x", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

int main(int count, char **arguments)
{
    long most = bound(count, arguments, 1536), total = 0;
    pid_t parent = getpid();
    int done[2];
    char answer;
    if (pipe(done) != 0)
        return 1;
    while (total < most) {
        pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0)
            hold(parent, done[1]);
        if (read(done[0], &answer, 1) != 1)
            break;
        reached(total += EACH_MIB);
    }
    reached(total);
}
