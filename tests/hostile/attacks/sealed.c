/* Memory that is written to and then made read-only, in MiB: from then on RLIMIT_DATA does not
 * count it, though it is held as before. */
#include "bomb.h"

int main(int count, char **arguments)
{
    long most = bound(count, arguments, 1536), total = 0;
    for (; total < most; total += STEP_MIB) {
        char *area = mmap(NULL, STEP_MIB * MIB, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (area == MAP_FAILED)
            break;
        memset(area, 1, STEP_MIB * MIB);
        mprotect(area, STEP_MIB * MIB, PROT_READ);
        reached(total + STEP_MIB);
    }
    reached(total);
}
