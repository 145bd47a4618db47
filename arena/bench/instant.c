/* The fastest bot there is: answers every turn at once with the first legal play. A line with
   turns of several games is answered by one line. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 22], out[1 << 18];
static const char turn_begins[] = "{\"type\":\"turn\",\"game\":\"", turn_key[] = "\"turn\":",
                  legal_key[] = "\"legal\":[{";

static const char *after(const char *at, const char *end, const char *key)
{
    const char *found = memmem(at, (size_t)(end - at), key, strlen(key));
    return found ? found + strlen(key) : NULL;
}

/* Writes the answer to the turn that goes on at `game`, and returns how long it is. */
static int answer(char *to, size_t room, const char *game, const char *end)
{
    const char *turn = after(game, end, turn_key);
    const char *legal = turn ? after(turn, end, legal_key) : NULL;
    const char *legal_end = legal ? memchr(legal, '}', (size_t)(end - legal)) : NULL;
    const char *game_end = memchr(game, '"', (size_t)(end - game));
    if (!legal_end || !game_end)
        exit(1);
    return snprintf(to, room, "{\"type\":\"play\",\"game\":\"%.*s\",\"turn\":%ld,%.*s}",
                    (int)(game_end - game), game, strtol(turn, NULL, 10),
                    (int)(legal_end - legal), legal);
}

static void answer_all(const char *line, const char *end)
{
    const char *at = line;
    size_t length = 1;
    while ((at = after(at, end, turn_begins))) {
        length += (size_t)answer(out + length, sizeof out - length, at, end);
        out[length++] = ',';
    }
    if (length == 1)
        return;
    int several = *line == '[';
    out[0] = '[';
    length -= !several;
    if (several)
        out[length - 1] = ']';
    out[length++] = '\n';
    char *from = out + !several;
    length -= (size_t)!several;
    if (write(1, from, length) != (ssize_t)length)
        exit(1);
}

int main(void)
{
    size_t have = 0;
    for (;;) {
        ssize_t n = read(0, buffer + have, sizeof buffer - have);
        if (n <= 0)
            return 0;
        char *begin = buffer, *end, *seen = buffer + have;
        have += (size_t)n;
        while ((end = memchr(seen, '\n', (size_t)(buffer + have - seen)))) {
            answer_all(begin, end);
            seen = begin = end + 1;
        }
        have -= (size_t)(begin - buffer);
        memmove(buffer, begin, have);
    }
}
