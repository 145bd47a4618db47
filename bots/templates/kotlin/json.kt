/**
 * A small reader for one line of JSON. A value is the part of the line where it stands, empty
 * where there is none. What is not asked for is skipped whole, so that a key in a string or in a
 * nested object is never taken for another.
 */
class Json private constructor(private val line: String) {
    private var at = 0

    private fun at(expected: Char) = at < line.length && line[at] == expected

    private fun skipBlanks() {
        while (at < line.length && line[at] <= ' ') at++
    }

    private fun skipString() {
        at++
        while (at < line.length && line[at] != '"') at += if (line[at] == '\\') 2 else 1
        at = minOf(at + 1, line.length)
    }

    /** The next value; stops behind it and the comma or colon that follows. */
    private fun take(): String {
        val begin = at
        var depth = 0
        while (at < line.length) {
            val found = line[at]
            if (depth == 0 && found in ",:]} \t\r\n") break
            if (found == '{' || found == '[') depth++
            if (found == '}' || found == ']') depth--
            if (found == '"') skipString() else at++
        }
        val value = line.substring(begin, at)
        skipBlanks()
        if (at(',') || at(':')) at++
        skipBlanks()
        return value
    }

    private fun enter(bracket: Char): Boolean {
        skipBlanks()
        if (!at(bracket)) return false
        at++
        skipBlanks()
        return true
    }

    companion object {
        /** The value of a key of an object. */
        fun get(value: String, key: String): String {
            val json = Json(value)
            if (!json.enter('{')) return ""
            while (json.at('"')) {
                val name = json.take()
                val found = json.take()
                if (text(name) == key) return found
            }
            return ""
        }

        /** The values of an array. */
        fun elements(array: String): List<String> {
            val found = ArrayList<String>()
            val json = Json(array)
            if (!json.enter('[')) return found
            while (json.at < array.length && !json.at(']')) found.add(json.take())
            return found
        }

        /** A string's text, as it stands there. */
        fun text(string: String) = if (string.length < 2) "" else string.substring(1, string.length - 1)
    }
}
