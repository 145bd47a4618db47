# The bot's own test: prove
use strict;
use warnings;
use Test::More tests => 3;

require './bot.pl';

my $rules = { jack_captures => 1 };

sub chosen {
    my ($legal, @pile) = @_;
    return choose({ legal => $legal, pile => \@pile }, $rules);
}

my @sevens = map { { card => '7H', capture => $_ } } 1, 0;
is_deeply chosen([{ card => 'KD' }, @sevens], '7S'), $sevens[0], 'it captures if it can';
is_deeply chosen([{ card => 'KD' }, { card => 'JH' }], '7S'), { card => 'JH' },
    'it captures where it must';
is_deeply chosen([{ card => 'JD' }, { card => '7H' }]), { card => 'JD' },
    'else it lays its first card';
