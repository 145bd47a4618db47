# The bot's own test: prove
#
# It reads lines.jsonl, and must give one legal answer to every turn, whichever that is.
use strict;
use warnings;
use JSON::PP;
use Test::More;

# Whether it is this legal answer; without `capture` a card captures if it can.
sub is_meant {
    my ($answer, $legal) = @_;
    return 0 if $answer->{card} ne $legal->{card};
    return 1 if !exists $answer->{capture};
    return exists $legal->{capture} && !$answer->{capture} == !$legal->{capture};
}

open my $lines, '<', 'lines.jsonl' or die $!;
my @turns = grep { $_->{type} eq 'turn' } map { decode_json($_) } grep { /\S/ } <$lines>;
my @answers = map { decode_json($_) } `perl bot.pl < lines.jsonl`;
is $?, 0, 'it ends when its input does';
is_deeply [map { $_->{turn} } @answers], [map { $_->{turn} } @turns], 'one answer to every turn';
for my $place (0 .. $#answers) {
    my $answer = $answers[$place];
    my @legal = grep { is_meant($answer, $_) } @{ $turns[$place]{legal} };
    ok $answer->{type} eq 'play' && @legal, "a legal answer to turn $answer->{turn}";
}
done_testing;
