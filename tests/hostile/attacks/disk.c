/* Bytes on disk or in a file system of memory, in MiB. */
#include "bomb.h"

static long fill(const char *place, long most)
{
    static char block[1024 * 1024];
    char path[64];
    long written = 0;
    for (int number = 0; written < most; number++) {
        long before = written;
        snprintf(path, sizeof path, "%s/kseri-bomb-%d-%d", place, getpid(), number);
        int file = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
        if (file < 0)
            break;
        /* Without its name it takes room as before, and cannot be left behind. */
        unlink(path);
        while (written < before + STEP_MIB && write(file, block, sizeof block) == sizeof block)
            written++;
        if (written == before)
            break;
    }
    return written;
}

int main(int count, char **arguments)
{
    long most = bound(count, arguments, 640), total = 0;
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < PLACE_COUNT && total < most; i++)
        total += fill(PLACES[i], most - total);
    reached(total);
}
