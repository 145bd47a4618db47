// @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
//
// Your own idea goes into `choose`.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;

public final class Bot {
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
    static String choose(String turn, String rules) {
        List<String> legal = Json.elements(Json.get(turn, "legal"));
        List<String> pile = Json.elements(Json.get(turn, "pile"));
        for (String answer : legal) {
            if (captures(answer, pile, rules)) return answer;
        }
        return legal.get(0);
    }

    /** Whether this answer takes the pile. Where it may do so or not, it says which. */
    static boolean captures(String answer, List<String> pile, String rules) {
        String said = Json.get(answer, "capture");
        if (!said.isEmpty()) return said.equals("true");
        if (pile.isEmpty()) return false;
        char rank = Json.text(Json.get(answer, "card")).charAt(0);
        boolean isJack = rank == 'J' && !Json.get(rules, "jack_captures").equals("false");
        return isJack || rank == Json.text(pile.get(pile.size() - 1)).charAt(0);
    }

    /** Answers every `turn`, remembers the rules, reads past everything else. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in), 65536);
        String rules = "";
        for (String line; (line = input.readLine()) != null;) {
            String type = Json.get(line, "type");
            if (type.equals("\"hello\"")) {
                rules = Json.get(line, "rules");
            } else if (type.equals("\"turn\"")) {
                String number = Json.get(line, "turn");
                // As it stands in `legal`, with the number of its turn.
                String answer = choose(line, rules).substring(1);
                System.out.print("{\"type\":\"play\",\"turn\":" + number + "," + answer + "\n");
                System.out.flush();
            }
        }
    }
}
