// @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
//
// Your own idea goes into `choose`.

/**
 * The answer to a turn: one of `legal`, a card with or without `capture`.
 *
 * Some of what there is to know, to be read with Json (a card is "7H", "TC": rank, then suit):
 *   Json.get(turn, "hand")    your cards
 *   Json.get(turn, "pile")    what lies on the table, bottom to top
 *   Json.get(turn, "plays")   all plays of this deal: {"seat": 1, "card": "7H", "took": 0}
 *   Json.get(turn, "hands")   how many cards each seat holds; "stock": how many are to come
 *   Json.get(turn, "scores")  by side, before this deal
 *   Json.get(rules, ...)      as in `hello`: "capture", "points", ...
 */
fun choose(turn: String, rules: String): String {
    val legal = Json.elements(Json.get(turn, "legal"))
    val pile = Json.elements(Json.get(turn, "pile"))
    return legal.firstOrNull { captures(it, pile, rules) } ?: legal[0]
}

/** Whether this answer takes the pile. Where it may do so or not, it says which. */
fun captures(answer: String, pile: List<String>, rules: String): Boolean {
    val said = Json.get(answer, "capture")
    if (said != "") return said == "true"
    if (pile.isEmpty()) return false
    val rank = Json.text(Json.get(answer, "card"))[0]
    val isJack = rank == 'J' && Json.get(rules, "jack_captures") != "false"
    return isJack || rank == Json.text(pile.last())[0]
}

/** Answers every `turn`, remembers the rules, reads past everything else. */
fun main() {
    val input = System.`in`.bufferedReader()
    var rules = ""
    while (true) {
        val line = input.readLine() ?: return
        when (Json.get(line, "type")) {
            "\"hello\"" -> rules = Json.get(line, "rules")
            "\"turn\"" -> {
                // As it stands in `legal`, with the number of its turn.
                val answer = choose(line, rules).substring(1)
                print("{\"type\":\"play\",\"turn\":${Json.get(line, "turn")},$answer\n")
                System.out.flush()
            }
        }
    }
}
