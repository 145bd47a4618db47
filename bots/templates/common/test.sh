#!/bin/sh
# The bot's own test: lets it read lines.jsonl and compares what it answers with answers.jsonl.
# Change both along with its idea.
set -e
cd "$(dirname "$0")"
@build@@run@ <lines.jsonl | diff answers.jsonl -
echo "All answers are as expected."
