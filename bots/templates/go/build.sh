#!/bin/sh
# Builds the bot where there is no home to keep files in: Go's go into a hidden folder here.
set -e
mkdir -p .build
GOCACHE="$PWD/.build" GOTMPDIR="$PWD/.build" GOFLAGS=-buildvcs=false go build -o bot .
