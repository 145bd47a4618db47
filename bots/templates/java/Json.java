import java.util.ArrayList;
import java.util.List;

/**
 * A small reader for one line of JSON. A value is the part of the line where it stands, empty
 * where there is none. What is not asked for is skipped whole, so that a key in a string or in a
 * nested object is never taken for another.
 */
final class Json {
    private final String line;
    private int at;

    private Json(String line) {
        this.line = line;
    }

    private boolean is(char expected) {
        return at < line.length() && line.charAt(at) == expected;
    }

    private void skipBlanks() {
        while (at < line.length() && line.charAt(at) <= ' ') at++;
    }

    private void skipString() {
        for (at++; at < line.length() && !is('"'); at++) {
            if (is('\\')) at++;
        }
        at = Math.min(at + 1, line.length());
    }

    /** The next value; stops behind it and the comma or colon that follows. */
    private String take() {
        int begin = at;
        for (int depth = 0; at < line.length();) {
            char found = line.charAt(at);
            if (depth == 0 && (",:]} \t\r\n".indexOf(found) >= 0)) break;
            if (found == '{' || found == '[') depth++;
            if (found == '}' || found == ']') depth--;
            if (found == '"') skipString();
            else at++;
        }
        String value = line.substring(begin, at);
        skipBlanks();
        if (is(',') || is(':')) at++;
        skipBlanks();
        return value;
    }

    private boolean enter(char bracket) {
        skipBlanks();
        if (!is(bracket)) return false;
        at++;
        skipBlanks();
        return true;
    }

    /** The value of a key of an object. */
    static String get(String object, String key) {
        Json json = new Json(object);
        for (boolean inside = json.enter('{'); inside && json.is('"');) {
            String name = json.take();
            String value = json.take();
            if (text(name).equals(key)) return value;
        }
        return "";
    }

    /** The values of an array. */
    static List<String> elements(String array) {
        List<String> found = new ArrayList<>();
        Json json = new Json(array);
        for (boolean inside = json.enter('['); inside && json.at < array.length() && !json.is(']');) {
            found.add(json.take());
        }
        return found;
    }

    /** A string's text, as it stands there. */
    static String text(String string) {
        return string.length() < 2 ? "" : string.substring(1, string.length() - 1);
    }
}
