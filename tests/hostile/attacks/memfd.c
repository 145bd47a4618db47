/* Memory in files without a name, in MiB. */
#include "bomb.h"

int main(int count, char **arguments)
{
    long most = bound(count, arguments, 1536), total = 0;
    static char block[1024 * 1024];
    signal(SIGXFSZ, SIG_IGN);
    memset(block, 1, sizeof block);
    while (total < most) {
        int file = syscall(SYS_memfd_create, "bomb", 0);
        long before = total;
        for (int i = 0; file >= 0 && i < STEP_MIB; i++)
            total += write(file, block, sizeof block) == sizeof block;
        if (total == before)
            break;
        reached(total);
    }
    reached(total);
}
