/* The fastest bot there is: answers every turn at once with the first legal play. A line with
   turns of several games is answered by one line. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 22], out[1 << 18];
static const char turn_begins[] = "{\"type\":\"turn\",\"game\":\"", turn_key[] = "\"turn\":",
                  legal_key[] = "\"legal\":[{", play_begins[] = "{\"type\":\"play\",\"game\":\"";

static const char *after(const char *at, const char *end, const char *key)
{
    const char *found = memmem(at, (size_t)(end - at), key, strlen(key));
    return found ? found + strlen(key) : NULL;
}

static char *add(char *to, const char *from, const char *end)
{
    if (end - from > out + sizeof out - 8 - to)
        exit(1);
    return mempcpy(to, from, (size_t)(end - from));
}

/* Writes the answer to the turn that goes on at `game`, and returns its end. What stands there, from
   the game's id to the turn's number, stands in the answer, too. */
static char *answer(char *to, const char *game, const char *end)
{
    const char *turn = after(game, end, turn_key);
    const char *turn_end = turn ? memchr(turn, ',', (size_t)(end - turn)) : NULL;
    const char *legal = turn_end ? after(turn_end, end, legal_key) : NULL;
    const char *legal_end = legal ? memchr(legal, '}', (size_t)(end - legal)) : NULL;
    if (!legal_end)
        exit(1);
    to = add(to, play_begins, play_begins + sizeof play_begins - 1);
    to = add(to, game, turn_end + 1);
    return add(to, legal, legal_end + 1);
}

static void answer_all(const char *line, const char *end)
{
    const char *at = line;
    char *from = out + (*line != '['), *to = out + 1;
    out[0] = '[';
    while ((at = after(at, end, turn_begins))) {
        to = answer(to, at, end);
        *to++ = ',';
    }
    if (to == out + 1)
        return;
    to[-1] = *line == '[' ? ']' : '\n';
    if (*line == '[')
        *to++ = '\n';
    if (write(1, from, (size_t)(to - from)) != to - from)
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
