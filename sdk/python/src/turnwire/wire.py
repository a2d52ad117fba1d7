"""The two pipes: events out, commands in. A handler never sees this module."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from concurrent.futures import Future
from typing import Any, BinaryIO, Callable, Dict, Mapping, Optional, Tuple


class Cancelled(asyncio.CancelledError):
    """The user has stopped the turn. Let it pass, or clean up and raise it again."""


class Wire:
    """Writes whole lines, and gives each answer to the one that waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: Dict[Tuple[str, str], Future[Dict[str, Any]]] = {}
        self._ids = 0
        # What prints to stdout, or reads from stdin, is not to touch the pipes:
        # neither in this process nor in those that it starts.
        self._commands: BinaryIO = os.fdopen(os.dup(0), "rb")
        sys.stdout.flush()
        self._events: BinaryIO = os.fdopen(os.dup(1), "wb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    def new_id(self, kind: str) -> str:
        with self._lock:
            self._ids += 1
            return f"{kind}-{self._ids}"

    def write(self, event: Mapping[str, Any], allowed: Optional[Callable[[], None]] = None) -> None:
        """Write an event as one line, at once. What allowed raises keeps it back."""
        # Escaped, so that a lone surrogate is no error; NaN is none of JSON's.
        line = json.dumps({k: v for k, v in event.items() if v is not None}, allow_nan=False).encode("ascii") + b"\n"
        with self._lock:
            if allowed:
                allowed()
            try:
                self._events.write(line)
                self._events.flush()
            except (BrokenPipeError, ValueError):
                raise Cancelled("nobody reads any more") from None

    def expect(self, answer: str, name: str) -> Future[Dict[str, Any]]:
        """Return what will hold the command of type answer that has this id."""
        future: Future[Dict[str, Any]] = Future()
        with self._lock:
            self._waiting[answer, name] = future
        return future

    def forget(self, answer: str, name: str) -> None:
        with self._lock:
            self._waiting.pop((answer, name), None)

    def withdraw(self) -> None:
        """Tell everyone who waits that no answer will come."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if future.set_running_or_notify_cancel():
                future.set_exception(Cancelled("the turn was cancelled"))

    def read(self, other: Callable[[Dict[str, Any]], None]) -> None:
        """Read commands up to the end. Those that are no answers go to other."""
        ids = {"question_response": "questionId", "editor_response": "requestId", "tool_confirmation_response": "confirmationId"}
        for line in self._commands:
            try:
                command = json.loads(line)
                kind = command["type"]
            except (ValueError, KeyError, TypeError):
                print(f"turnwire: not a command: {line[:200]!r}", file=sys.stderr)
                continue
            if kind not in ids:
                other(command)
                continue
            with self._lock:
                future = self._waiting.pop((kind, command.get(ids[kind], "")), None)
            if future and future.set_running_or_notify_cancel():
                future.set_result(command)
