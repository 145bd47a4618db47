"""Is ready, then closes its output and lives on."""

import os
import sys

from talk import READY, say

say(READY)
os.close(1)
sys.stdin.read()
