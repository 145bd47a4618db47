/* pike: lies still until the water is safe.
 *
 * It counts the ranks that it has seen. What it lays is the card whose rank the next player is
 * least likely to hold, so that what lies on the table stays there until pike can take it:
 *   - a card that matches takes, most points first;
 *   - a jack takes only what is worth a jack;
 *   - otherwise the least likely rank is laid. The chance comes from the unseen copies of the
 *     rank, the unseen cards and the size of the next hand.
 * It keeps nothing but the rules of the last hello: every turn tells the whole deal so far.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 13, HAND = 4, JACK = 10, PILE_WORTH_A_JACK = 4, LIMIT = 1000000000 };
static const char RANK_LETTERS[] = "A23456789TJQK";
static const double CARD_WORTH = 0.15; /* the majority's points, spread over the cards */

/* ---- A reader for one line: it skips through JSON and remembers where the known keys are.
 * A value is a pointer to its first character; what is not understood is skipped whole, so a
 * key inside a string or in a nested object is never mistaken for one of ours. ---- */

static const char *blanks(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *after_string(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && p[1])
            p++;
    return *p ? p + 1 : p;
}

static const char *after_value(const char *p)
{
    int depth = 0;
    do {
        if (*p == '"') {
            p = after_string(p);
        } else if (depth == 0 && *p != '{' && *p != '[') {
            return p + strcspn(p, ",]} \t\r\n");
        } else {
            depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
            p++;
        }
    } while (*p && depth > 0);
    return p;
}

/* Sets values[i] to the value of the key names[i] of an object, NULL where there is none. */
static void fields(const char *p, int count, const char *const names[], const char *values[])
{
    for (int i = 0; i < count; i++)
        values[i] = NULL;
    if (!p || *p != '{')
        return;
    for (p = blanks(p + 1); *p == '"'; p = blanks(p + 1)) {
        const char *key = p + 1, *end = after_string(p);
        size_t length = (size_t)(end - key) - 1;
        p = blanks(end);
        if (*p != ':')
            return;
        p = blanks(p + 1);
        for (int i = 0; i < count; i++)
            if (strncmp(names[i], key, length) == 0 && names[i][length] == '\0')
                values[i] = p;
        p = blanks(after_value(p));
        if (*p != ',')
            return;
    }
}

static const char *first(const char *array)
{
    if (!array || *array != '[')
        return NULL;
    array = blanks(array + 1);
    return *array && *array != ']' ? array : NULL;
}

static const char *next(const char *element)
{
    element = blanks(after_value(element));
    return *element == ',' ? blanks(element + 1) : NULL;
}

/* A number cut to +-LIMIT, so that no sum of a few of them overflows. */
static long number(const char *value, long otherwise)
{
    char *end = NULL;
    long found = value ? strtol(value, &end, 10) : 0;
    if (!value || end == value)
        return otherwise;
    return found > LIMIT ? LIMIT : found < -LIMIT ? -LIMIT : found;
}

static bool is(const char *value, const char *quoted)
{
    return value && strncmp(value, quoted, strlen(quoted)) == 0;
}

/* The rank (0 to 12) of a card such as "7H", -1 for anything else. */
static int rank_of(const char *value)
{
    if (!value || value[0] != '"' || !value[1] || !value[2] || value[3] != '"')
        return -1;
    const char *letter = strchr(RANK_LETTERS, value[1]);
    return letter && strchr("CDHS", value[2]) ? (int)(letter - RANK_LETTERS) : -1;
}

/* ---- What pike knows ---- */

enum { ACE, JACKS, TEN_OF_DIAMONDS, TWO_OF_CLUBS, KSERI, POINTS };

static struct {
    long decks, points[POINTS];
    bool jack_captures;
} rules;

static struct {
    int pile_size, top, marker, seen[RANKS], unseen_cards, next_hand;
    double pile_worth;
} table;

static void read_rules(const char *object)
{
    static const char *const names[] = {"decks", "jack_captures", "points"};
    static const char *const point_names[] = {
        "ace", "jack", "ten_of_diamonds", "two_of_clubs", "kseri"};
    static const long usual[] = {1, 1, 2, 2, 10};
    const char *given[3], *points[POINTS];
    fields(object, 3, names, given);
    fields(given[2], POINTS, point_names, points);
    rules.decks = number(given[0], 1) == 2 ? 2 : 1;
    rules.jack_captures = !is(given[1], "false");
    for (int i = 0; i < POINTS; i++)
        rules.points[i] = number(points[i], usual[i]);
}

static double worth(const char *card)
{
    int rank = rank_of(card);
    int kind = rank == 0 ? ACE
        : rank == JACK ? JACKS
        : is(card, "\"TD") ? TEN_OF_DIAMONDS
        : is(card, "\"2C") ? TWO_OF_CLUBS
        : POINTS;
    return CARD_WORTH + (kind < POINTS ? (double)rules.points[kind] : 0.0);
}

static void see(const char *card)
{
    if (rank_of(card) >= 0) {
        table.seen[rank_of(card)]++;
        table.unseen_cards--;
    }
}

/* Sees every card of an array, or the card of every play. */
static void see_all(const char *array)
{
    static const char *const names[] = {"card"};
    for (const char *element = first(array); element; element = next(element)) {
        const char *card[] = {element};
        if (*element == '{')
            fields(element, 1, names, card);
        see(card[0]);
    }
}

static void read_pile(const char *pile)
{
    table.top = -1;
    for (const char *card = first(pile); card; card = next(card)) {
        table.pile_size++;
        table.top = rank_of(card);
        table.pile_worth += worth(card);
    }
}

/* Size of the hand that plays next; an empty one is filled from the stock first. */
static int next_hand(const char *hands, long seat, long stock)
{
    long place = 0, size = number(first(hands), 0);
    for (const char *hand = first(hands); hand; hand = next(hand))
        if (place++ == seat + 1)
            size = number(hand, 0);
    return size == 0 && stock > 0 ? HAND : (int)size;
}

/* ---- What pike does ---- */

/* Probability that the next hand holds a card of this rank. */
static double held(int rank)
{
    int copies = (int)rules.decks * 4 - table.seen[rank], cards = table.unseen_cards;
    double none = 1.0;
    for (int i = 0; i < table.next_hand && i < cards; i++)
        none *= cards - copies - i > 0 ? (double)(cards - copies - i) / (cards - i) : 0.0;
    return 1.0 - none;
}

static bool by_jack(int rank)
{
    return rank == JACK && rules.jack_captures;
}

static bool captures(int rank, const char *capture)
{
    if (is(capture, "false"))
        return false;
    if (table.pile_size == 0)
        return is(capture, "true") || table.marker == rank;
    return rank == table.top || by_jack(rank);
}

/* Captures stand above 100, what is laid below 1 less its worth, a wasted jack at the bottom. */
static double value(const char *card, const char *capture)
{
    int rank = rank_of(card);
    if (!captures(rank, capture))
        return 1.0 - held(rank) - worth(card) / 20.0 - (by_jack(rank) ? 10.0 : 0.0);
    double gain = table.pile_worth + worth(card);
    if (!by_jack(rank))
        return 100.0 + gain + (table.pile_size < 2 ? (double)rules.points[KSERI] : 0.0);
    return gain >= 3.0 || table.pile_size >= PILE_WORTH_A_JACK ? 100.0 + gain : -5.0;
}

static void answer(long turn, const char *legal)
{
    static const char *const names[] = {"card", "capture"};
    const char *best_card = NULL, *best_capture = NULL;
    double best = 0.0;
    for (const char *option = first(legal); option; option = next(option)) {
        const char *given[2];
        fields(option, 2, names, given);
        if (rank_of(given[0]) < 0)
            continue;
        double option_value = value(given[0], given[1]);
        if (!best_card || option_value > best) {
            best = option_value;
            best_card = given[0];
            best_capture = given[1];
        }
    }
    if (!best_card)
        return;
    printf("{\"type\":\"play\",\"turn\":%ld,\"card\":%.4s", turn, best_card);
    if (is(best_capture, "true") || is(best_capture, "false"))
        printf(",\"capture\":%s", *best_capture == 't' ? "true" : "false");
    puts("}");
    fflush(stdout);
}

static void receive(const char *line)
{
    enum { TYPE, RULES, TURN, SEAT, DEAL, CARDS, LEGAL, PILE, TAKEN, MARKER, STOCK, HANDS,
           PLAYS, COUNT };
    static const char *const names[] = {"type", "rules", "turn", "seat", "deal", "hand", "legal",
        "pile", "taken_centre", "marker", "stock", "hands", "plays"};
    static const char *const deal_names[] = {"centre"};
    const char *given[COUNT], *centre[1];
    fields(blanks(line), COUNT, names, given);
    if (is(given[TYPE], "\"hello\""))
        read_rules(given[RULES]);
    if (!is(given[TYPE], "\"turn\""))
        return;
    memset(&table, 0, sizeof table);
    table.unseen_cards = (int)rules.decks * 52;
    table.marker = rank_of(given[MARKER]);
    fields(given[DEAL], 1, deal_names, centre);
    see_all(given[CARDS]);
    see_all(given[TAKEN]);
    see_all(centre[0]);
    see_all(given[PLAYS]);
    read_pile(given[PILE]);
    table.next_hand = next_hand(given[HANDS], number(given[SEAT], 0), number(given[STOCK], 0));
    answer(number(given[TURN], 0), given[LEGAL]);
}

int main(void)
{
    static char buffer[65536];
    char *line = NULL;
    size_t capacity = 0;
    setvbuf(stdin, buffer, _IOFBF, sizeof buffer);
    read_rules(NULL);
    while (getline(&line, &capacity, stdin) != -1)
        receive(line);
    free(line);
    return 0;
}
