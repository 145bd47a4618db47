/* Page tables, in MiB: memory that is only reserved and read costs none but these. */
#include "bomb.h"

#define GIB (1024L * MIB)
#define TABLE_SPANS (2 * MIB)
#define TABLE_BYTES 4096

static long touch(char *area)
{
    long touched = 0;
    volatile char seen;
    for (char *place = area; place < area + GIB; place += TABLE_SPANS, touched++)
        seen = *place;
    (void)seen;
    return touched;
}

int main(int count, char **arguments)
{
    long most = bound(count, arguments, 256), tables = 0;
    while (tables * TABLE_BYTES / MIB < most) {
        char *area = mmap(NULL, GIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (area == MAP_FAILED)
            break;
        /* A huge zero page would need no table. */
        madvise(area, GIB, MADV_NOHUGEPAGE);
        tables += touch(area);
    }
    reached(tables * TABLE_BYTES / MIB);
}
