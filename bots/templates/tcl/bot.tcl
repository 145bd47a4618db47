# @name@, a bot for Kseri Arena: captures if it can, else lays its first card.
#
# Your own idea goes into `choose`.
source [file join [file dirname [info script]] json.tcl]

# The answer to a turn: one of those in `legal`, a card with or without `capture`.
#
# Some of what there is to know (a card is 7H, TC: rank, then suit):
#   [dict get $turn hand]    your cards
#   [dict get $turn pile]    what lies on the table, bottom to top
#   [dict get $turn plays]   all plays of this deal: {seat 1 card 7H took 0}
#   [dict get $turn hands]   how many cards each seat holds; stock: how many are to come
#   [dict get $turn scores]  by side, before this deal
#   $rules                   as in `hello`: [dict get $rules points kseri], ...
proc choose {turn rules} {
    foreach answer [dict get $turn legal] {
        if {[captures $answer [dict get $turn pile] $rules]} {
            return $answer
        }
    }
    return [lindex [dict get $turn legal] 0]
}

# Whether this answer takes the pile. Where it may do so or not, it says which.
proc captures {answer pile rules} {
    if {[dict exists $answer capture]} {
        return [dict get $answer capture]
    }
    if {$pile eq ""} {
        return false
    }
    set rank [string index [dict get $answer card] 0]
    set is_jack [expr {$rank eq "J" && [dict get $rules jack_captures]}]
    return [expr {$is_jack || $rank eq [string index [lindex $pile end] 0]}]
}

proc play {turn answer} {
    set said ""
    if {[dict exists $answer capture]} {
        set said ",\"capture\":[dict get $answer capture]"
    }
    puts "{\"type\":\"play\",\"turn\":$turn,\"card\":\"[dict get $answer card]\"$said}"
    flush stdout
}

# Answers every `turn`, remembers the rules, reads past everything else.
set rules {jack_captures true}
while {[gets stdin line] >= 0} {
    if {[string trim $line] eq ""} continue
    set message [json::decode $line]
    switch [dict get $message type] {
        hello {set rules [dict get $message rules]}
        turn {play [dict get $message turn] [choose $message $rules]}
    }
}
