"""The parts of README.md that are generated, and the test that they are up to date."""
