/* Open descriptors. */
#include "bomb.h"

int main(int count, char **arguments)
{
    long most = bound(count, arguments, 5000), made = 0;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    while (made < most && dup(0) >= 0)
        made++;
    reached(made);
}
