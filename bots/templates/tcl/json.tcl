# A small reader for one line of JSON: objects become dicts, arrays lists, everything else text.
# Escaped characters in strings stay as they are written: what a bot needs has none.
namespace eval json {
    # A string's text, a bracket, or a number or word.
    variable token {"((?:[^"\\]|\\.)*)"|([][{}])|([^][{}:,"\s]+)}
}

proc json::decode {line} {
    variable token
    set tokens {}
    foreach {all text bracket word} [regexp -all -inline $token $line] {
        lappend tokens $bracket $text$word
    }
    set at 0
    return [Read $tokens at]
}

# The value that begins at a token; `at` is then behind it.
proc json::Read {tokens name} {
    upvar 1 $name at
    lassign [lrange $tokens $at $at+1] bracket value
    incr at 2
    if {$bracket eq ""} {
        return $value
    }
    set values {}
    while {[lindex $tokens $at] ni {\} \]} && $at < [llength $tokens]} {
        lappend values [Read $tokens at]
    }
    incr at 2
    return $values
}
