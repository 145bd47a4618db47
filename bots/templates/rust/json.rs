//! A small reader for one line of JSON. A value is the part of the line where it stands, empty
//! where there is none. What is not asked for is skipped whole, so that a key in a string or in a
//! nested object is never taken for another.

/// How long the value is that the text begins with.
fn length(text: &str) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            if !in_string && depth == 0 {
                return at + 1;
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 1 => depth -= 1,
            b'}' | b']' => return at + depth,
            b',' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// A value, and what follows behind the comma or colon after it.
fn take(text: &str) -> (&str, &str) {
    let (value, rest) = text.split_at(length(text));
    let rest = rest.trim_start();
    (value, rest.strip_prefix([',', ':']).unwrap_or(rest).trim_start())
}

/// The value of a key of an object.
pub fn get<'a>(object: &'a str, key: &str) -> &'a str {
    let mut rest = object.strip_prefix('{').unwrap_or("").trim_start();
    while rest.starts_with('"') {
        let (name, after) = take(rest);
        let (value, after) = take(after);
        if text(name) == key {
            return value;
        }
        rest = after;
    }
    ""
}

/// The values of an array.
pub fn elements(array: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = array.strip_prefix('[').unwrap_or("").trim_start();
    while !rest.is_empty() && !rest.starts_with(']') {
        let (value, after) = take(rest);
        found.push(value);
        rest = after;
    }
    found
}

/// A string's text, as it stands there.
pub fn text(string: &str) -> &str {
    string.trim_matches('"')
}
