/* A second stack that grows by itself, in MiB: the limit of data does not count it. */
#include "bomb.h"

#ifndef MAP_GROWSDOWN
#define MAP_GROWSDOWN 0x100
#endif

int main(int count, char **arguments)
{
    long most = bound(count, arguments, 1536), total = 0;
    for (; total < most; total += STEP_MIB) {
        char *area = mmap(NULL, STEP_MIB * MIB, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
        if (area == MAP_FAILED)
            break;
        memset(area, 1, STEP_MIB * MIB);
    }
    reached(total);
}
