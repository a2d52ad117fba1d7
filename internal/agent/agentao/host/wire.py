"""Writes lines to Turnwire, and takes over stdin for its commands."""
import sys

if sys.path and sys.path[0] == "":
    # With -c, Python searches the working directory first, where a project's
    # files could replace modules.
    del sys.path[0]

import json
import os
import threading

# Turnwire doesn't read longer lines, so a request in one would get no answer.
MAX_LINE = 30 << 20
# The part of a longer text that is sent.
MAX_SHOWN = 64 << 10
MAX_MEMBERS = 100


class Wire:
    """The real stdout. Output of Agentao, its tools and their children goes to
    stderr instead."""

    def __init__(self):
        # Callers hold it to prevent other output.
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
    """Returns a line of strict JSON, whatever arguments a model chose."""
    try:
        try:
            text = json.dumps(line, allow_nan=False, default=str)
        except ValueError:
            # NaN and infinity become null, because JSON doesn't have them.
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
    """Returns stdin, and replaces it, so that Agentao's tools and their children
    can't read commands."""
    commands = os.fdopen(os.dup(0), "rb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return commands
