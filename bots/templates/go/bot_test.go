package main

import "testing"

var yes, no = true, false

// check chooses from legal with these cards on the table, and compares.
func check(t *testing.T, legal []Answer, pile []string, expected Answer) {
	t.Helper()
	found := choose(Turn{Legal: legal, Pile: pile}, Rules{JackCaptures: true})
	if found != expected {
		t.Errorf("expected %v, got %v", expected, found)
	}
}

func TestItCapturesIfItCan(t *testing.T) {
	legal := []Answer{{"KD", nil}, {"7H", &yes}, {"7H", &no}}
	check(t, legal, []string{"7S"}, legal[1])
}

func TestItCapturesWhereItMust(t *testing.T) {
	legal := []Answer{{"KD", nil}, {"JH", nil}}
	check(t, legal, []string{"7S"}, legal[1])
}

func TestElseItLaysItsFirstCard(t *testing.T) {
	legal := []Answer{{"JD", nil}, {"7H", nil}}
	check(t, legal, nil, legal[0])
}
