"""Plays the first legal answer."""

from talk import play_on

play_on()
