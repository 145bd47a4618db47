"""The machine that plays tournaments, stage by stage: what stands where.

One move goes one way through it, and every module is a stage of that way:

    bot's line → process (trio, sandboxed) → referee (pure) → rules (pure) → GameRecord
        → store → ratings → page

No stage reaches back; the only thing that returns to a bot is its next turn. The contract with
other programs (messages, records, files, rule sets) is the package `protocol`, below all of this;
the package `dashboard`, which shows what the store has, is above it.

Pure, knowing neither processes nor files nor clocks:
    game          the rules engine: cards, shuffle, deal, scoring, what one seat may know
    clock         move time and bank as arithmetic
    faults        which faults a game survives, and which forfeit it
    turn_line     the line that asks for a play, put together fast
    notebook      what the referee writes down of a game: times, notes, logs
    referee       one game as a state machine without I/O
    pairing       who meets whom: round robin, gauntlet, Swiss, knockouts, leagues
    schedule      a tournament file's pairings, matches, seeds; skips what is done
    replay        a recorded game played through the rules again
    verify        a recorded game against its seed, its commitment and the rules
    transcript    what one seat of a recorded game was sent and answered
    seen          what follows from what one seat was sent, and from nothing else
    diagnosis     a fault in plain words: what happened, why, what mends it
    luck          what the cards of a recorded game were worth to each side
    signals       a recorded game's hands beside the times thought over them
    reference     the protocol by example, and what each preset changes
    deal_script   deals without randomness, for other implementations of the rules
    rating        folds over results: Bradley-Terry, points, pairs, luck, sequential tests
    text          text of strangers made safe for a terminal or a page

Processes, knowing no cards:
    sandbox       what keeps bots apart from the machine
    process       a bot's process: lines in and out, standard error, its end

Where both meet:
    play          one chunk of games between the referee and the bots' processes
    bots          bots as files: found, read, hashed, built
    check         one bot tried in every way a game may go, step by step
    rerun         a bot given again what it got in a recorded game, to look at what it does
    continuation  a deal of a recorded game gone on with by other bots
    templates     bots to start from, one a language
    person        a person at the table, at a terminal or a page, where a bot's process would sit
    executor      where chunks are played: in this process, in worker processes, on a cluster

Tournaments:
    store         the SQLite database: one writer, named read-only queries, migrations
    submission    a bot that is handed in: read → built → checked → stored
    tournament    schedule → executor → store; stop and go on
    standings     ratings and counts of a tournament, from the store

For whoever stands before it:
    cli           the command `kseri`: one file a command group; nothing imports it
    doctor        what this machine can do for an arena
    bench         how fast this arena is on this machine
    train         the engine for those who train a bot: functions, vectors, PettingZoo
    testing       fakes for tests: bots in memory, whose thinking is trio's time
    errors        every exception, and whose fault it is
    version       the version

Who may import whom is a table in `tests/test_layers.py`.
"""
