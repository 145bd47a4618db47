/* Writes lines without end to the descriptor named by the argument (1 or 2), up to a bound. */
#include "bomb.h"

int main(int count, char **arguments)
{
    static char block[65536];
    int descriptor = count > 1 ? atoi(arguments[1]) : 1;
    long left = 256 * MIB / (long)sizeof block;
    memset(block, 'x', sizeof block);
    for (size_t i = 99; i < sizeof block; i += 100)
        block[i] = '\n';
    while (left-- > 0 && write(descriptor, block, sizeof block) > 0)
        ;
}
