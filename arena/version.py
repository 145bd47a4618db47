"""The version of the arena; the distribution takes it from here."""

VERSION = "0.1.0"
