"""The agent's main loop, and its two pipes: events out, commands in."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import itertools
import json
import os
import queue
import sys
import threading
import traceback
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from .turn import AsyncTurn, Cancelled, Turn, _BaseTurn, _message

if TYPE_CHECKING:
    from . import events as e

R = TypeVar("R")
Value = Union[str, bool]
Handler = TypeVar("Handler", bound=Union[Callable[[Turn], None], Callable[[AsyncTurn], Awaitable[None]]])
OnOption = Callable[[str, Value], None]
#: The responses to a turn's requests, and the member with the request's id.
ANSWERS = {"question_response": "questionId", "editor_response": "requestId", "tool_confirmation_response": "confirmationId", "tool_response": "toolCallId"}


class Agent:
    """An agent. Set a handler with @agent.prompt, and run it."""

    def __init__(
        self, name: str, version: Optional[str] = None, *, commands: Sequence[e.SlashCommand] = (),
        modes: Sequence[e.Choice] = (), models: Sequence[e.Choice] = (), options: Sequence[e.ConfigOption] = (),
        prompt: Optional[e.PromptTakes] = None, mcp: Optional[e.MCPTakes] = None, history: bool = False, resume: bool = False,
        tools: bool = False, steer: Optional[e.PromptTakes] = None,
    ) -> None:
        self.options: Dict[str, e.ConfigOption] = {o["id"]: o for o in options}
        self.mode: Optional[str] = modes[0]["id"] if modes else None
        self.model: Optional[str] = models[0]["id"] if models else None
        #: The value stored by Turn.save, even by an earlier process; needs resume.
        self.state: Any = None
        #: The session command: the editor, the folders, the MCP servers.
        self.session: Optional[e.SessionCommand] = None
        self._modes, self._models = list(modes), list(models)
        self._info: Dict[str, Any] = {"name": name, "version": version, "commands": list(commands) or None, "prompt": prompt, "mcp": mcp}
        self._info.update(history=history or None, resume=resume or None, tools=tools or None, steer=steer)
        self._opened = threading.Event()  # set with the session, or at EOF
        self._handler: Any = None
        self._on_option: OnOption = lambda name, value: None
        self._current: Optional[_BaseTurn] = None
        self._turns: queue.Queue[Any] = queue.Queue()
        self._waiting: Dict[str, Tuple[Future[Any], Callable[[Any], Any]]] = {}
        self._lock, self._ids = threading.Lock(), itertools.count(1)

    def prompt(self, handler: Handler) -> Handler:
        """Decorate the function that answers a prompt: def f(turn) or async def f(turn)."""
        self._handler = handler
        return handler

    def option(self, handler: OnOption) -> OnOption:
        """Decorate the function that is called with an option's new value. Raising refuses the value."""
        self._on_option = handler
        return handler

    def run(self) -> None:
        """Serve the session until EOF on stdin."""
        if self._handler is None:
            raise RuntimeError("the agent has no handler: decorate one with @agent.prompt")
        # Nothing else may print to stdout or read from stdin, neither in this
        # process nor in those that it starts, so keep private copies.
        sys.stdout.flush()
        self._events, commands = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb")
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        self._write({"type": "agent_info", **self._info, **self._offered()})
        self._kind = AsyncTurn if inspect.iscoroutinefunction(self._handler) else Turn
        threading.Thread(target=self._read, args=[commands], daemon=True).start()
        if self._kind is AsyncTurn:
            return asyncio.run(self._serve())
        for turn in iter(self._turns.get, None):
            error: Optional[BaseException] = None
            try:
                if not turn.cancelled:
                    self._handler(turn)
            except BaseException as raised:
                error = raised
            self._end(turn, error)

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        while (turn := await loop.run_in_executor(None, self._turns.get)) is not None:
            task = asyncio.ensure_future(self._handler(turn))
            turn._stop = lambda task=task: loop.call_soon_threadsafe(task.cancel)
            if turn.cancelled:
                task.cancel()
            await asyncio.wait({task})
            self._end(turn, asyncio.CancelledError() if task.cancelled() else task.exception())

    def _end(self, turn: _BaseTurn, error: Optional[BaseException]) -> None:
        self._withdraw()
        event = {"type": "done", "text": "", "stopReason": turn.stop_reason}
        if turn.cancelled or isinstance(error, asyncio.CancelledError):
            event["stopReason"] = "cancelled"
        elif error is not None:
            traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
            event = {"type": "error", "error": _message(error)}
        with contextlib.suppress(Cancelled):  # nobody reads the output any more
            self._write(event, turn, always=True, last=True)
        if isinstance(error, (SystemExit, KeyboardInterrupt)):
            raise error

    def _write(self, event: Mapping[str, Any], turn: Optional[_BaseTurn] = None, *, always: bool = False, last: bool = False) -> None:
        """Write an event as one line, immediately. Raise an error if the turn has ended or, without always, if it is cancelled."""
        if turn:
            event = {**event, "turnId": turn._id}
        # Escape, so that a lone surrogate is no error; JSON has no NaN.
        line = json.dumps({k: v for k, v in event.items() if v is not None}, allow_nan=False).encode("ascii") + b"\n"
        with self._lock:
            if turn and turn._over:
                raise RuntimeError("the turn is over: nothing can be said in it any more")
            if turn and turn.cancelled and not always:
                raise Cancelled("the turn was cancelled")
            if turn:
                turn._over = last
            try:
                self._events.write(line)
                self._events.flush()
            except (BrokenPipeError, ValueError):
                raise Cancelled("nobody reads any more") from None

    def _request(self, turn: _BaseTurn, key: str, event: Dict[str, Any], result: Callable[[Any], R]) -> Future[R]:
        """Write a request, and return a future for the result of its response."""
        name, future = f"{key}-{next(self._ids)}", Future[R]()
        with self._lock:
            self._waiting[name] = future, result
        self._write({**event, key: name}, turn)
        if turn.cancelled:  # the cancel may have come before the request was registered
            self._withdraw()
        return future

    def _withdraw(self) -> None:
        """Tell all pending requests that no response will come."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for future, _ in waiting.values():
            if future.set_running_or_notify_cancel():
                future.set_exception(Cancelled("the turn was cancelled"))

    def _read(self, commands: Any) -> None:
        try:
            for line in commands:
                try:
                    self._command(json.loads(line))
                except (ValueError, KeyError, TypeError):
                    print(f"turnwire: not a command: {line[:200]!r}", file=sys.stderr)
        finally:
            self._opened.set()
            self._cancel(None)
            self._turns.put(None)

    def _command(self, command: Any) -> None:
        kind = command["type"]
        if kind == "prompt":
            self._current = self._kind(self, command)
            self._turns.put(self._current)
        elif kind == "steer" and self._current and command["turnId"] == self._current._id:
            self._current._messages.append(command)
        elif kind == "cancel":
            self._cancel(command.get("turnId"))
        elif kind == "session":
            self.session, self.state = command, command.get("state")
            self._opened.set()
        elif kind == "set_option":
            self._set(command["optionId"], command["value"])
        elif kind in ANSWERS:
            with self._lock:
                future, result = self._waiting.pop(command.get(ANSWERS[kind], ""), (None, None))
            if future and result and future.set_running_or_notify_cancel():
                try:
                    future.set_result(result(command))
                except BaseException as error:
                    future.set_exception(error)

    def _cancel(self, turn_id: Optional[str]) -> None:
        if self._current and turn_id in (None, self._current._id):
            self._current._cancelled.set()
            self._current._stop()
            self._withdraw()

    def _set(self, name: str, value: Value) -> None:
        try:
            if not (name in self.options or name == "mode" and self._modes or name == "model" and self._models):
                raise LookupError(f"There is no option {name}.")
            self._on_option(name, value)
        except Exception as error:
            self._write({"type": "option_refused", "optionId": name, "error": str(error.args[0] if error.args else _message(error))})
            return
        if name in self.options:
            self.options[name]["value"] = value
            self._write({"type": "config_options", "options": list(self.options.values())})
        else:
            setattr(self, name, value)
            self._write({"type": name + "_changed", **self._offered()[name + "s"]})

    def _offered(self) -> Dict[str, Any]:
        return {
            "modes": {"modeId": self.mode, "available": self._modes} if self._modes else None,
            "models": {"modelId": self.model, "available": self._models} if self._models else None,
            "options": list(self.options.values()) or None,
        }
