"""`python3 -I -S attacks [NAME…] < targets.json`: a bot that attacks whatever it is started in.

It needs the standard library alone, and of this repository only its own folder.
"""

import os
import sys
from importlib import import_module

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import_module("attacks.run").main()
