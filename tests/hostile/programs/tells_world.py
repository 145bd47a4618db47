"""Plays well, and logs what it finds itself in."""

import json
import os
import resource

from talk import play_on, say

world = {
    "environment": dict(os.environ),
    "folder": os.getcwd(),
    "leads_session": os.getsid(0) == os.getpid(),
    "descriptors": sorted(os.listdir("/proc/self/fd")),
    "data_bytes": resource.getrlimit(resource.RLIMIT_DATA)[1],
}
say(json.dumps({"type": "log", "text": json.dumps(world)}) + "\n")
play_on()
