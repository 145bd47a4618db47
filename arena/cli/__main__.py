"""`python -m arena.cli` is the command `kseri`."""

from arena.cli import main

main()
