"""Imports what is not there."""

from a_module_that_nobody_has import evaluate

print(evaluate)
