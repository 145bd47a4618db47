// @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
//
// Your own idea goes into choose.
package main

import (
	"bufio"
	"encoding/json"
	"os"
)

// Answer is one of a turn's legal answers.
type Answer struct {
	Card    string `json:"card"`              // rank, then suit: "7H", "TC"
	Capture *bool  `json:"capture,omitempty"` // where the card may capture or not: which
}

// Turn is some of what there is to know at a turn.
type Turn struct {
	Turn   int      `json:"turn"`
	Legal  []Answer `json:"legal"`
	Hand   []string `json:"hand"`
	Pile   []string `json:"pile"`   // what lies on the table, bottom to top
	Hands  []int    `json:"hands"`  // how many cards each seat holds
	Stock  int      `json:"stock"`  // how many cards are to come
	Scores []int    `json:"scores"` // by side, before this deal
	Plays  []struct {
		Seat int    `json:"seat"`
		Card string `json:"card"`
		Took int    `json:"took"`
	} `json:"plays"` // all plays of this deal
}

// Rules are some of the rules, as in hello.
type Rules struct {
	Capture      string         `json:"capture"`
	JackCaptures bool           `json:"jack_captures"`
	Points       map[string]int `json:"points"`
}

// choose says which of turn.Legal the bot answers.
func choose(turn Turn, rules Rules) Answer {
	for _, answer := range turn.Legal {
		if captures(answer, turn.Pile, rules) {
			return answer
		}
	}
	return turn.Legal[0]
}

// captures says whether this answer takes the pile.
func captures(answer Answer, pile []string, rules Rules) bool {
	if answer.Capture != nil {
		return *answer.Capture
	}
	isJack := answer.Card[0] == 'J' && rules.JackCaptures
	return len(pile) > 0 && (isJack || answer.Card[0] == pile[len(pile)-1][0])
}

// play is what the bot writes: an answer with the number of its turn.
type play struct {
	Type string `json:"type"`
	Turn int    `json:"turn"`
	Answer
}

// main answers every turn, remembers the rules, reads past everything else.
func main() {
	input := bufio.NewReaderSize(os.Stdin, 65536)
	output := json.NewEncoder(os.Stdout)
	rules := Rules{JackCaptures: true}
	for {
		line, end := input.ReadBytes('\n')
		var message struct {
			Type  string `json:"type"`
			Rules *Rules `json:"rules"`
			Turn
		}
		if json.Unmarshal(line, &message) == nil {
			if message.Type == "hello" && message.Rules != nil {
				rules = *message.Rules
			} else if message.Type == "turn" {
				output.Encode(play{"play", message.Turn.Turn, choose(message.Turn, rules)})
			}
		}
		if end != nil {
			return
		}
	}
}
