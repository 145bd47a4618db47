// otter: keeps its jacks in its pouch, and leaves no lone card for others to eat.
//
//   - A card that matches takes, the richest capture first.
//   - A jack takes only a rich pile, or near the end of the deal, when saving it has no more use;
//     it is laid only when there is nothing else.
//   - What is laid on cards is safe from a kseri, so there the cheapest card goes that few copies
//     can match. On an empty table any card would lie alone: then the rank goes of which most
//     copies have been seen, best of all one that otter holds twice and can take back itself.
//
// It keeps nothing but the rules of the last hello: every turn tells the whole deal so far.
// No lambdas and no joined strings: they cost a Java program a good part of its start.

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

public final class Otter {
    private static final String RANKS = "A23456789TJQK";
    private static final int JACK = 10;
    private static final int FEW_CARDS_LEFT = 4;
    private static final double CARD_WORTH = 0.15; // the majority, spread over the cards
    private static final double RICH_PILE = 3.5; // what a jack must at least take
    private static final double PAIR = 0.5; // copies that a second one in the own hand counts for

    // ---- The rules of the last hello; before it, those of the preset kseri.

    private int decks = 1;
    private boolean jackCaptures = true;
    private int jackOnJack;
    private int ace = 1;
    private int jack = 1;
    private int tenOfDiamonds = 2;
    private int twoOfClubs = 2;
    private int kseri = 10;

    private void readRules(Line line, int object) {
        int points = line.field(object, "points");
        decks = line.number(line.field(object, "decks"), 1);
        jackCaptures = !line.is(line.field(object, "jack_captures"), "false");
        jackOnJack = line.number(line.field(object, "jack_on_jack"), 0);
        ace = line.number(line.field(points, "ace"), 1);
        jack = line.number(line.field(points, "jack"), 1);
        tenOfDiamonds = line.number(line.field(points, "ten_of_diamonds"), 2);
        twoOfClubs = line.number(line.field(points, "two_of_clubs"), 2);
        kseri = line.number(line.field(points, "kseri"), 10);
    }

    // ---- The table of one turn. A card is a number: rank times four plus suit.

    private static final int NONE = -1;
    private final int[] unseen = new int[RANKS.length()];
    private final int[] inHand = new int[RANKS.length()];
    private int pileSize;
    private int top;
    private int marker;
    private boolean onlyJacks;
    private double pileWorth;
    private int cardsLeft;

    private double worth(int card) {
        int points = 0;
        if (card / 4 == 0) points = ace;
        if (card / 4 == JACK) points = jack;
        if (card == 4 * 9 + 1) points = tenOfDiamonds;
        if (card == 4 * 1) points = twoOfClubs;
        return points + CARD_WORTH;
    }

    private void readTurn(Line line, int[] values) {
        Arrays.fill(unseen, 4 * decks);
        Arrays.fill(inHand, 0);
        int hand = values[Line.HAND];
        see(line, hand);
        see(line, values[Line.TAKEN]);
        see(line, line.field(values[Line.DEAL], "centre"));
        see(line, values[Line.PLAYS]);
        for (int at = line.first(hand); at != NONE; at = line.next(at)) {
            int card = line.card(at);
            if (card != NONE) inHand[card / 4]++;
        }
        cardsLeft = line.number(values[Line.STOCK], 0);
        for (int at = line.first(values[Line.HANDS]); at != NONE; at = line.next(at)) {
            cardsLeft += line.number(at, 0);
        }
        marker = line.card(values[Line.MARKER]);
        readPile(line, values[Line.PILE]);
    }

    /** Sees every card of an array, or the card of every play. */
    private void see(Line line, int array) {
        for (int at = line.first(array); at != NONE; at = line.next(at)) {
            int card = line.card(line.at(at) == '{' ? line.field(at, "card") : at);
            if (card != NONE) unseen[card / 4]--;
        }
    }

    private void readPile(Line line, int pile) {
        pileSize = 0;
        top = NONE;
        onlyJacks = true;
        pileWorth = 0;
        for (int at = line.first(pile); at != NONE; at = line.next(at)) {
            top = line.card(at);
            pileSize++;
            onlyJacks &= top / 4 == JACK;
            pileWorth += top == NONE ? 0 : worth(top);
        }
    }

    // ---- What otter does.

    private boolean byJack(int card) {
        return card / 4 == JACK && jackCaptures;
    }

    private boolean captures(Line line, int card, int said) {
        if (line.is(said, "false")) return false;
        if (pileSize == 0) {
            return line.is(said, "true") || (marker != NONE && marker / 4 == card / 4);
        }
        return byJack(card) || (top != NONE && top / 4 == card / 4);
    }

    /** Matches stand above 200, jacks that take above 100; what is laid is below zero. */
    private double value(Line line, int card, int said) {
        if (!captures(line, card, said)) return byJack(card) ? -10000 : -danger(card);
        double gain = pileWorth + worth(card);
        if (!byJack(card)) return 200 + gain + (pileSize < 2 ? kseri : 0);
        gain += onlyJacks ? jackOnJack : 0;
        return gain >= RICH_PILE || cardsLeft <= FEW_CARDS_LEFT ? 100 + gain : -5000;
    }

    /** What others may take by a match, times the copies they may match with. */
    private double danger(int card) {
        double copies = unseen[card / 4] - (inHand[card / 4] > 1 ? PAIR : 0);
        double alone = pileSize == 0 ? kseri : 0;
        return worth(card) + copies * (pileWorth + worth(card) + alone);
    }

    private void answer(Line line, int[] values, OutputStream output) throws IOException {
        int best = NONE;
        double bestValue = 0;
        int legal = values[Line.LEGAL];
        for (int option = line.first(legal); option != NONE; option = line.next(option)) {
            int card = line.card(line.field(option, "card"));
            if (card == NONE) continue;
            double value = value(line, card, line.field(option, "capture"));
            if (best == NONE || value > bestValue) {
                best = option;
                bestValue = value;
            }
        }
        if (best == NONE) return;
        StringBuilder text = new StringBuilder(64).append("{\"type\":\"play\",\"turn\":");
        text.append(line.number(values[Line.TURN], 0)).append(",\"card\":");
        line.copy(line.field(best, "card"), 4, text);
        int said = line.field(best, "capture");
        if (line.is(said, "true")) text.append(",\"capture\":true");
        if (line.is(said, "false")) text.append(",\"capture\":false");
        output.write(text.append("}\n").toString().getBytes());
    }

    private void receive(Line line, OutputStream output) throws IOException {
        int[] values = new int[Line.NAMES.length];
        line.fields(line.blanks(0), Line.NAMES, values);
        if (line.is(values[Line.TYPE], "\"hello\"")) readRules(line, values[Line.RULES]);
        if (!line.is(values[Line.TYPE], "\"turn\"")) return;
        readTurn(line, values);
        answer(line, values, output);
    }

    public static void main(String[] arguments) throws IOException {
        InputStream input = new FileInputStream(FileDescriptor.in);
        OutputStream output = new FileOutputStream(FileDescriptor.out);
        Otter otter = new Otter();
        byte[] buffer = new byte[65536];
        int used = 0;
        for (int read; (read = input.read(buffer, used, buffer.length - used)) > 0;) {
            int start = 0;
            for (int at = used; at < used + read; at++) {
                if (buffer[at] != '\n') continue;
                otter.receive(new Line(buffer, start, at), output);
                start = at + 1;
            }
            used += read - start;
            System.arraycopy(buffer, start, buffer, 0, used);
            if (used == buffer.length) buffer = Arrays.copyOf(buffer, 2 * used);
        }
    }

    /**
     * One line, read in place: a value is the place of its first byte, or NONE. What is not asked
     * for is skipped whole, so a key in a string or a nested object is never taken for another.
     */
    private static final class Line {
        static final String[] NAMES = {"type", "rules", "turn", "deal", "hand", "legal", "pile",
            "taken_centre", "marker", "stock", "hands", "plays"};
        static final int TYPE = 0, RULES = 1, TURN = 2, DEAL = 3, HAND = 4, LEGAL = 5, PILE = 6,
            TAKEN = 7, MARKER = 8, STOCK = 9, HANDS = 10, PLAYS = 11;
        private final byte[] bytes;
        private final int start;
        private final int end;

        Line(byte[] bytes, int start, int end) {
            this.bytes = bytes;
            this.start = start;
            this.end = end;
        }

        /** The byte at a place, 0 behind the end. */
        int at(int place) {
            return place >= 0 && start + place < end ? bytes[start + place] : 0;
        }

        int blanks(int place) {
            while (at(place) == ' ' || at(place) == '\t' || at(place) == '\r') place++;
            return place;
        }

        private int afterString(int place) {
            for (place++; at(place) != '"'; place++) {
                if (start + place >= end) return place;
                if (at(place) == '\\') place++;
            }
            return place + 1;
        }

        private int afterValue(int place) {
            for (int depth = 0; start + place < end;) {
                int found = at(place);
                if (depth == 0 && (found == ',' || found == '}' || found == ']')) return place;
                if (found == '{' || found == '[') depth++;
                if (found == '}' || found == ']') depth--;
                place = found == '"' ? afterString(place) : place + 1;
            }
            return place;
        }

        /** Sets values[i] to the value of the key names[i] of an object. */
        void fields(int place, String[] names, int[] values) {
            Arrays.fill(values, NONE);
            if (at(place) != '{') return;
            for (place = blanks(place + 1); at(place) == '"'; place = blanks(place + 1)) {
                int key = place;
                int keyEnd = afterString(place);
                place = blanks(keyEnd);
                if (at(place) != ':') return;
                place = blanks(place + 1);
                for (int i = 0; i < names.length; i++) {
                    if (names[i].length() == keyEnd - key - 2 && is(key + 1, names[i])) {
                        values[i] = place;
                    }
                }
                place = afterValue(place);
                if (at(place) != ',') return;
            }
        }

        int field(int object, String name) {
            int[] value = new int[1];
            fields(object, new String[] {name}, value);
            return value[0];
        }

        int first(int array) {
            int place = blanks(array + 1);
            return at(array) == '[' && at(place) != ']' && at(place) != 0 ? place : NONE;
        }

        int next(int element) {
            int place = afterValue(element);
            return at(place) == ',' ? blanks(place + 1) : NONE;
        }

        boolean is(int place, String text) {
            if (place == NONE) return false;
            for (int i = 0; i < text.length(); i++) {
                if (at(place + i) != text.charAt(i)) return false;
            }
            return true;
        }

        int number(int place, int otherwise) {
            boolean negative = at(place) == '-';
            int digit = negative ? place + 1 : place;
            if (at(digit) < '0' || at(digit) > '9') return otherwise;
            int number = 0;
            while (at(digit) >= '0' && at(digit) <= '9') number = 10 * number + at(digit++) - '0';
            return negative ? -number : number;
        }

        /** A card such as "7H" as a number, NONE for anything else. */
        int card(int place) {
            if (at(place) != '"' || at(place + 3) != '"') return NONE;
            int rank = RANKS.indexOf(at(place + 1));
            int suit = "CDHS".indexOf(at(place + 2));
            return rank < 0 || suit < 0 ? NONE : 4 * rank + suit;
        }

        void copy(int place, int length, StringBuilder text) {
            for (int i = 0; i < length; i++) text.append((char) at(place + i));
        }
    }
}
