# Never flushes: Perl keeps what it prints until there are 8 KiB of it.
while (my $line = <STDIN>) {
    next unless $line =~ /^\{"type":"turn"/;
    my ($turn) = $line =~ /"turn":(\d+)/;
    my ($card) = $line =~ /"legal":\[\{"card":"(..)"/;
    print qq({"type":"play","turn":$turn,"card":"$card"}\n);
}
