/* Empty files: a file system of memory keeps a kilobyte of the kernel's for each. */
#include "bomb.h"

static void name(char *path, size_t size, const char *place, long number)
{
    snprintf(path, size, "%s/kseri-inode-%d-%ld", place, getpid(), number);
}

static long make(const char *place, long most)
{
    char path[64];
    long made = 0;
    for (; made < most; made++) {
        name(path, sizeof path, place, made);
        int file = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
        if (file < 0)
            break;
        close(file);
    }
    for (long number = 0; number < made; number++) {
        name(path, sizeof path, place, number);
        unlink(path);
    }
    return made;
}

int main(int count, char **arguments)
{
    long most = bound(count, arguments, 20000), total = 0;
    for (size_t i = 0; i < PLACE_COUNT && total < most; i++)
        total += make(PLACES[i], most - total);
    reached(total);
}
