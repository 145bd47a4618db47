<?php
// @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
//
// Your own idea goes into `choose`.

// The answer to a turn: one of $turn['legal'], a card with or without 'capture'.
//
// Some of what there is to know (a card is '7H', 'TC': rank, then suit):
//   $turn['hand']    your cards
//   $turn['pile']    what lies on the table, bottom to top
//   $turn['plays']   all plays of this deal: ['seat' => 1, 'card' => '7H', 'took' => 0]
//   $turn['hands']   how many cards each seat holds; $turn['stock']: how many are to come
//   $turn['scores']  by side, before this deal
//   $rules           as in `hello`: $rules['capture'], $rules['points']['kseri'], ...
function choose(array $turn, array $rules): array
{
    foreach ($turn['legal'] as $answer) {
        if (captures($answer, $turn['pile'], $rules)) {
            return $answer;
        }
    }
    return $turn['legal'][0];
}

// Whether this answer takes the pile. Where it may do so or not, it says which.
function captures(array $answer, array $pile, array $rules): bool
{
    if (isset($answer['capture'])) {
        return $answer['capture'];
    }
    if (!$pile) {
        return false;
    }
    $rank = $answer['card'][0];
    return $rank === end($pile)[0] || ($rank === 'J' && $rules['jack_captures']);
}

// Answers every `turn`, remembers the rules, reads past everything else.
$rules = ['jack_captures' => true];
while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, true);
    $type = $message['type'] ?? null;
    if ($type === 'hello') {
        $rules = $message['rules'];
    } elseif ($type === 'turn') {
        $play = ['type' => 'play', 'turn' => $message['turn']] + choose($message, $rules);
        fwrite(STDOUT, json_encode($play) . "\n");
    }
}
