/* A small reader for one line of JSON. A value is a pointer to its first character, and NULL or
 * the end of the line where there is none. What is not asked for is skipped whole, so that a key
 * in a string or in a nested object is never taken for another. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline const char *json_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* The place behind a value. */
static inline const char *json_end(const char *value)
{
    int depth = 0;
    do {
        if (*value == '"') {
            for (value++; *value && *value != '"'; value++)
                if (*value == '\\' && value[1])
                    value++;
            value += *value == '"';
        } else if (depth == 0 && *value != '{' && *value != '[') {
            return value + strcspn(value, ",]} \t\r\n");
        } else {
            depth += (*value == '{' || *value == '[') - (*value == '}' || *value == ']');
            value++;
        }
    } while (*value && depth > 0);
    return value;
}

/* The value of a key of an object, or NULL. */
static inline const char *json_get(const char *object, const char *key)
{
    size_t length = strlen(key);
    if (!object || *object != '{')
        return NULL;
    for (const char *name = json_blanks(object + 1); *name == '"';) {
        const char *end = json_end(name), *value = json_blanks(end);
        if (*value != ':')
            return NULL;
        value = json_blanks(value + 1);
        if ((size_t)(end - name) == length + 2 && strncmp(name + 1, key, length) == 0)
            return value;
        name = json_blanks(json_end(value));
        name = *name == ',' ? json_blanks(name + 1) : name;
    }
    return NULL;
}

/* The first value of an array, or NULL. */
static inline const char *json_first(const char *array)
{
    if (!array || *array != '[')
        return NULL;
    array = json_blanks(array + 1);
    return *array && *array != ']' ? array : NULL;
}

/* The value that follows in an array, or NULL. */
static inline const char *json_next(const char *value)
{
    value = json_blanks(json_end(value));
    return *value == ',' ? json_blanks(value + 1) : NULL;
}

/* Whether a value begins so: json_is(value, "true"), json_is(value, "\"turn\""). */
static inline bool json_is(const char *value, const char *text)
{
    return value && strncmp(value, text, strlen(text)) == 0;
}

/* A whole number, 0 where there is none. */
static inline long json_number(const char *value)
{
    return value ? strtol(value, NULL, 10) : 0;
}

/* The rank of a card such as "7H", 0 where there is none. */
static inline char json_rank(const char *card)
{
    return card && *card == '"' ? card[1] : 0;
}
