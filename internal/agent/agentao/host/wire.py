"""Lines to Turnwire, and the commands from it."""
import sys

if sys.path and sys.path[0] == "":
    # Under -c Python looks into the working directory first, where a project
    # could have put files with the names of modules.
    del sys.path[0]

import json
import os
import threading

# A longer line is not read by Turnwire, which would leave what it asks without
# an answer.
MAX_LINE = 30 << 20
# How much of a text is shown in its place.
MAX_SHOWN = 64 << 10
MAX_MEMBERS = 100


class Wire:
    """The real stdout. Whatever Agentao, its tools and their children print
    goes to stderr instead."""

    def __init__(self):
        # Held by who must know that nothing is said meanwhile.
        self.lock = threading.RLock()
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def send(self, line):
        data = encode(line)
        with self.lock:
            self._out.write(data)
            self._out.flush()

    def notice(self, message):
        self.send({"type": "host.notice", "message": message})


def encode(line):
    """A line of strict JSON, whatever a model has put into the arguments."""
    try:
        try:
            text = json.dumps(line, allow_nan=False, default=str)
        except ValueError:
            # NaN and the infinities, which JSON does not have, become null.
            text = json.dumps(line, default=str)
            text = json.dumps(json.loads(text, parse_constant=lambda _: None))
    except (TypeError, ValueError, RecursionError):
        text = json.dumps({k: plain(v) for k, v in line.items()})
    if len(text) > MAX_LINE:
        text = json.dumps({k: plain(v) for k, v in line.items()})
    return text.encode("ascii") + b"\n"


def plain(value, inner=False):
    """Converts a value to JSON. Marks omitted parts, so that the user notices
    them in a request."""
    if isinstance(value, str) and len(value) > MAX_SHOWN:
        return value[:MAX_SHOWN] + "… (the rest cannot be shown)"
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, dict) and not inner and len(value) <= MAX_MEMBERS:
        return {plain(str(k)): plain(v, inner=True) for k, v in value.items()}
    return "(cannot be shown)"


def take_stdin():
    """stdin, out of reach of Agentao's tools and their children, which would
    read commands that are not theirs."""
    commands = os.fdopen(os.dup(0), "rb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return commands
