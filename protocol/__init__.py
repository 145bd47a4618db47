"""The contract: everything that another program may read from the arena or write to it.

Structs only, and how they become JSON; no I/O. `protocol.messages` are the lines between arena
and bot, `protocol.records` the log of a game, `protocol.manifest` and `protocol.tournament` the
files that people write, `protocol.rules` the rule sets, `protocol.deal_script` deals for tests.
"""
