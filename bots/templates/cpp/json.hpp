// A small reader for one line of JSON. A value is the part of the line where it stands, empty
// where there is none. What is not asked for is skipped whole, so that a key in a string or in a
// nested object is never taken for another.
#pragma once
#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

namespace json {

using Value = std::string_view;

inline Value blanks(Value text)
{
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

// How long the value is that the text begins with.
inline std::size_t length(Value text)
{
    std::size_t at = 0;
    int depth = 0;
    do {
        if (at >= text.size())
            break;
        if (text[at] == '"') {
            for (at++; at < text.size() && text[at] != '"'; at++)
                at += text[at] == '\\';
            at++;
        } else if (depth == 0 && text[at] != '{' && text[at] != '[') {
            at = text.find_first_of(",]} \t\r\n", at);
        } else {
            depth += (text[at] == '{' || text[at] == '[') - (text[at] == '}' || text[at] == ']');
            at++;
        }
    } while (depth > 0);
    return std::min(at, text.size());
}

// Takes a value off the text, and the comma or colon behind it.
inline Value take(Value &text)
{
    Value value = text.substr(0, length(text));
    text = blanks(text.substr(value.size()));
    if (!text.empty() && (text[0] == ',' || text[0] == ':'))
        text = blanks(text.substr(1));
    return value;
}

// The value of a key of an object.
inline Value get(Value object, Value key)
{
    if (object.empty() || object[0] != '{')
        return {};
    for (Value rest = blanks(object.substr(1)); !rest.empty() && rest[0] == '"';) {
        Value name = take(rest), value = take(rest);
        if (name.size() == key.size() + 2 && name.substr(1, key.size()) == key)
            return value;
    }
    return {};
}

// The values of an array.
inline std::vector<Value> elements(Value array)
{
    std::vector<Value> found;
    if (array.empty() || array[0] != '[')
        return found;
    for (Value rest = blanks(array.substr(1)); !rest.empty() && rest[0] != ']';)
        found.push_back(take(rest));
    return found;
}

// A string's text, as it stands there.
inline Value text(Value string)
{
    return string.size() < 2 || string[0] != '"' ? Value{} : string.substr(1, string.size() - 2);
}

// A whole number, 0 where there is none.
inline long number(Value value)
{
    long found = 0;
    std::from_chars(value.data(), value.data() + value.size(), found);
    return found;
}

} // namespace json
