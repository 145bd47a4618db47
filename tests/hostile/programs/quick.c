/* Plays the first legal answer; starts in a millisecond. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        char *card = strstr(line, "\"legal\":[{\"card\":\"");
        char *turn = strstr(line, "\"turn\":");
        if (strncmp(line, "{\"type\":\"turn\"", 14) || !card || !turn)
            continue;
        printf("{\"type\":\"play\",\"turn\":%d,\"card\":\"%.2s\"}\n", atoi(turn + 7), card + 18);
        fflush(stdout);
    }
    return 0;
}
