/* @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
 *
 * Your own idea goes into `choose`.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

#include "json.h"

/* Whether this answer takes the pile. Where it may do so or not, it says which. */
static bool captures(const char *answer, const char *pile, const char *rules)
{
    char top = 0, rank = json_rank(json_get(answer, "card"));
    const char *capture = json_get(answer, "capture");
    if (capture)
        return json_is(capture, "true");
    for (const char *card = json_first(pile); card; card = json_next(card))
        top = json_rank(card);
    bool is_jack = rank == 'J' && !json_is(json_get(rules, "jack_captures"), "false");
    return top && (is_jack || rank == top);
}

/* The answer to a turn: one of `legal`, a card with or without `capture`.
 *
 * Some of what there is to know, to be read with json.h (a card is "7H", "TC": rank, then suit):
 *   json_get(turn, "hand")    your cards
 *   json_get(turn, "pile")    what lies on the table, bottom to top
 *   json_get(turn, "plays")   all plays of this deal: {"seat": 1, "card": "7H", "took": 0}
 *   json_get(turn, "hands")   how many cards each seat holds; "stock": how many are to come
 *   json_get(turn, "scores")  by side, before this deal
 *   json_get(rules, ...)      as in `hello`: "capture", "points", ...
 */
static const char *choose(const char *turn, const char *rules)
{
    const char *legal = json_get(turn, "legal"), *pile = json_get(turn, "pile");
    for (const char *answer = json_first(legal); answer; answer = json_next(answer))
        if (captures(answer, pile, rules))
            return answer;
    return json_first(legal);
}

/* An answer of `legal` as it stands there, with the number of its turn. */
static void play(const char *turn, const char *answer)
{
    long number = json_number(json_get(turn, "turn"));
    int length = (int)(json_end(answer) - answer) - 1;
    printf("{\"type\":\"play\",\"turn\":%ld,%.*s\n", number, length, answer + 1);
    fflush(stdout);
}

/* Answers every `turn`, remembers the rules, reads past everything else. */
int main(void)
{
    char *line = NULL, *hello = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) != -1) {
        const char *message = json_blanks(line), *type = json_get(message, "type");
        if (json_is(type, "\"hello\"")) {
            free(hello);
            hello = strdup(message);
        } else if (json_is(type, "\"turn\"")) {
            play(message, choose(message, json_get(hello, "rules")));
        }
    }
    free(line);
    free(hello);
    return 0;
}
