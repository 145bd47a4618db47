# @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
#
# Your own idea goes into `choose`.
use strict;
use warnings;
use JSON::PP;

# The answer to a turn: one of @{$turn->{legal}}, a card with or without `capture`.
#
# Some of what there is to know (a card is "7H", "TC": rank, then suit):
#   $turn->{hand}    your cards
#   $turn->{pile}    what lies on the table, bottom to top
#   $turn->{plays}   all plays of this deal: {seat => 1, card => "7H", took => 0}
#   $turn->{hands}   how many cards each seat holds; $turn->{stock}: how many are to come
#   $turn->{scores}  by side, before this deal
#   $rules           as in `hello`: $rules->{capture}, $rules->{points}{kseri}, ...
sub choose {
    my ($turn, $rules) = @_;
    for my $answer (@{ $turn->{legal} }) {
        return $answer if captures($answer, $turn->{pile}, $rules);
    }
    return $turn->{legal}[0];
}

# Whether this answer takes the pile. Where it may do so or not, it says which.
sub captures {
    my ($answer, $pile, $rules) = @_;
    return $answer->{capture} if exists $answer->{capture};
    return 0 if !@$pile;
    my ($rank, $top) = map { substr $_, 0, 1 } $answer->{card}, $pile->[-1];
    return $rank eq $top || $rank eq 'J' && $rules->{jack_captures};
}

# Answers every `turn`, remembers the rules, reads past everything else.
sub main {
    my $json = JSON::PP->new->ascii;
    my $rules = { jack_captures => 1 };
    $| = 1;
    while (defined(my $line = <STDIN>)) {
        next if $line !~ /\S/;
        my $message = $json->decode($line);
        $rules = $message->{rules} if $message->{type} eq 'hello';
        next if $message->{type} ne 'turn';
        my $answer = choose($message, $rules);
        print $json->encode({ %$answer, type => 'play', turn => $message->{turn} }), "\n";
    }
    return;
}

main() if !caller;
1;
