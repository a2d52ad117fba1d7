"""The loop of an agent."""

from __future__ import annotations

import asyncio
import inspect
import queue
import sys
import threading
import traceback
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Optional, Sequence, TypeVar, Union

from .turn import AsyncTurn, Turn, _message, _Turn
from .wire import Cancelled, Wire

if TYPE_CHECKING:
    from . import events as e

Value = Union[str, bool]
Handler = Union[Callable[[Turn], None], Callable[[AsyncTurn], Awaitable[None]]]
H = TypeVar("H", bound=Handler)
O = TypeVar("O", bound=Callable[[str, Value], None])


class Agent:
    """An agent. Give it a handler with @agent.prompt, and run it."""

    def __init__(
        self,
        name: str,
        version: Optional[str] = None,
        *,
        commands: Sequence[e.SlashCommand] = (),
        modes: Sequence[e.Choice] = (),
        models: Sequence[e.Choice] = (),
        options: Sequence[e.ConfigOption] = (),
        prompt: Optional[e.PromptTakes] = None,
        mcp: Optional[e.MCPTakes] = None,
        history: bool = False,
        resume: bool = False,
    ) -> None:
        self.options: Dict[str, e.ConfigOption] = {o["id"]: o for o in options}
        self.mode: Optional[str] = modes[0]["id"] if modes else None
        self.model: Optional[str] = models[0]["id"] if models else None
        #: What Turn.save has kept, also in a process before this one; needs resume.
        self.state: Any = None
        #: The command session: the editor, the folders, the MCP servers.
        self.session: Optional[e.SessionCommand] = None
        self._modes, self._models = list(modes), list(models)
        self._info: Dict[str, Any] = {"name": name, "version": version, "commands": list(commands) or None, "prompt": prompt}
        self._info.update(mcp=mcp, history=history or None, resume=resume or None)
        self._handler: Any = None
        self._on_option: Optional[Callable[[str, Value], None]] = None
        self._current: Optional[_Turn] = None
        self._task: Optional[asyncio.Task[None]] = None
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._turns: queue.Queue[Any] = queue.Queue()
        self._lock = threading.Lock()

    def prompt(self, handler: H) -> H:
        """Decorate the function that answers a prompt: def f(turn) or async def f(turn)."""
        self._handler = handler
        return handler

    def option(self, handler: O) -> O:
        """Decorate a function that is told of an option's new value. Raising refuses it."""
        self._on_option = handler
        return handler

    def run(self) -> None:
        """Serve the session until stdin ends."""
        if self._handler is None:
            raise RuntimeError("the agent has no handler: decorate one with @agent.prompt")
        self._wire = Wire()
        self._wire.write({"type": "agent_info", **self._info, **self._offered()})
        self._kind = AsyncTurn if inspect.iscoroutinefunction(self._handler) else Turn
        threading.Thread(target=self._read, daemon=True).start()
        if self._kind is AsyncTurn:
            asyncio.run(self._serve())
            return
        for turn in iter(self._turns.get, None):
            error: Optional[BaseException] = None
            try:
                if not turn.cancelled:
                    self._handler(turn)
            except BaseException as raised:
                error = raised
            self._end(turn, error)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        while (turn := await self._loop.run_in_executor(None, self._turns.get)) is not None:
            with self._lock:
                task = self._task = asyncio.ensure_future(self._handler(turn))
                if turn.cancelled:
                    task.cancel()
            await asyncio.wait({task})
            self._end(turn, asyncio.CancelledError() if task.cancelled() else task.exception())

    def _end(self, turn: _Turn, error: Optional[BaseException]) -> None:
        with self._lock:
            self._current = self._task = None
        self._wire.withdraw()
        try:
            if turn.cancelled or isinstance(error, asyncio.CancelledError):
                turn._write({"type": "done", "text": "", "stopReason": "cancelled"}, turn._close)
            elif error is None:
                turn._write({"type": "done", "text": "", "stopReason": turn.stop_reason}, turn._close)
            else:
                traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
                turn._write({"type": "error", "error": _message(error)}, turn._close)
        except Cancelled:
            pass  # nobody reads any more
        if isinstance(error, (SystemExit, KeyboardInterrupt)):
            raise error

    def _read(self) -> None:
        try:
            self._wire.read(self._command)
        finally:
            self._cancel(None)
            self._turns.put(None)

    def _command(self, command: Dict[str, Any]) -> None:
        kind = command["type"]
        if kind == "prompt":
            turn = self._kind(self, self._wire, command)
            with self._lock:
                self._current = turn
            self._turns.put(turn)
        elif kind == "cancel":
            self._cancel(command.get("turnId"))
        elif kind == "session":
            self.session, self.state = command, command.get("state")  # type: ignore[assignment]
        elif kind == "set_option":
            self._set(command["optionId"], command["value"])

    def _cancel(self, turn_id: Optional[str]) -> None:
        with self._lock:
            if self._current is None or turn_id not in (None, self._current._id):
                return
            self._current._cancelled.set()
            if self._task and self._loop:
                self._loop.call_soon_threadsafe(self._task.cancel)
        self._wire.withdraw()

    def _set(self, name: str, value: Value) -> None:
        try:
            if not (name in self.options or name == "mode" and self._modes or name == "model" and self._models):
                raise LookupError(f"There is no option {name}.")
            if self._on_option:
                self._on_option(name, value)
        except Exception as error:
            self._wire.write({"type": "option_refused", "optionId": name, "error": str(error.args[0] if error.args else _message(error))})
            return
        if name in self.options:
            self.options[name]["value"] = value
            self._wire.write({"type": "config_options", "options": list(self.options.values())})
        else:
            setattr(self, name, value)
            self._wire.write({"type": name + "_changed", **self._offered()[name + "s"]})

    def _offered(self) -> Dict[str, Any]:
        return {
            "modes": {"modeId": self.mode, "available": self._modes} if self._modes else None,
            "models": {"modelId": self.model, "available": self._models} if self._models else None,
            "options": list(self.options.values()) or None,
        }
