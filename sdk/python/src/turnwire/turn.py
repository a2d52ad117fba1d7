"""What a handler can do in a turn."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from .wire import Cancelled, Wire

if TYPE_CHECKING:
    from . import events as e
    from .agent import Agent

Args = Optional[Mapping[str, Any]]
Options = Optional[Sequence["e.ConfirmationOption"]]
Response = Dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What the user has answered. It is false if there was no answer."""

    text: str = ""
    choices: List[str] = field(default_factory=list)
    values: Dict[str, Any] = field(default_factory=dict)
    cancelled: bool = False
    declined: bool = False
    reason: str = ""

    def __bool__(self) -> bool:
        return not self.cancelled

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Decided:
    """What the user has decided. It is true if the tool may run, and only then."""

    decision: str
    option: str = ""
    reason: str = ""

    def __bool__(self) -> bool:
        return self.decision in ("allow_once", "allow_always")


class Tool:
    """A call of a tool. It ends well where its block does, and else says why not."""

    def __init__(self, turn: _Turn, name: str, view: Dict[str, Any]) -> None:
        self.id = turn._wire.new_id("call")
        #: What the call has resulted in, as a text; set it in the block.
        self.result: Optional[str] = None
        #: Further members of tool_end, such as exitCode and content.
        self.end: Dict[str, Any] = {}
        self._turn, self._view, self._ended = turn, view, False
        self._names = {"toolCallId": self.id, "toolName": name}

    def __enter__(self) -> Tool:
        if self._ended:
            raise RuntimeError("the call has ended: it was refused, or has run")
        self._turn._write({"type": "tool_start", **self._names, **self._view})
        return self

    def __exit__(self, kind: object, error: Optional[BaseException], trace: object) -> None:
        event: Dict[str, Any] = {"ok": error is None and not self._turn.cancelled, "result": self.result, **self.end}
        if self._turn.cancelled or isinstance(error, asyncio.CancelledError):
            event["cancelled"] = True
        elif error is not None:
            event["error"] = _message(error)
        self._finish(event)

    def output(self, text: str) -> None:
        """Print a piece of the call's output."""
        self._turn.emit({"type": "tool_output", "toolCallId": self.id, "text": text})

    def progress(self, message: str, percent: Optional[float] = None) -> None:
        """Say how far the call is."""
        self._turn._write({"type": "tool_progress", "toolCallId": self.id, "message": message, "percent": percent, "audience": "user"})

    def _finish(self, event: Dict[str, Any]) -> None:
        if not self._ended:
            self._ended = True
            self._turn._write({"type": "tool_end", **self._names, **event}, self._turn._open)

    def _decided(self, r: Response) -> Decided:
        decided = Decided(r["decision"], r.get("optionId", ""), r.get("reason", ""))
        if not decided:
            self._finish({"ok": False, "cancelled": True})
        return decided


class _Turn:
    """What sync and async turns have in common."""

    def __init__(self, agent: Agent, wire: Wire, prompt: Dict[str, Any]) -> None:
        self.agent = agent
        self.prompt: str = prompt["text"]
        #: The prompt's blocks: text, images, files.
        self.content: List[e.ContentBlock] = prompt.get("prompt", [])
        self.cwd: str = prompt.get("cwd", "")
        #: What was said before; only with the first prompt, and Agent(history=True).
        self.history: List[e.HistoryEntry] = prompt.get("history", [])
        #: How the turn ends, unless it is cancelled or fails.
        self.stop_reason: e.StopReason = "end_turn"
        self._wire = wire
        self._id: str = prompt["turnId"]
        self._cancelled = threading.Event()
        self._over = False

    @property
    def cancelled(self) -> bool:
        """Whether the user has stopped the turn. Long computations look at it."""
        return self._cancelled.is_set()

    def emit(self, event: e.AgentEvent) -> None:
        """Print any event; docs/events.md lists them."""
        if event["type"] in ("agent_info", "done") or event["type"] == "error" and event.get("fatal") is not False:
            raise ValueError("agent_info is for Agent to say, and a turn ends when its handler returns or raises")
        self._write(event)

    def text(self, text: str) -> None:
        """Print a piece of the answer."""
        self.emit({"type": "text_delta", "text": text})

    def thinking(self, text: str) -> None:
        """Print a piece of the agent's thoughts."""
        self.emit({"type": "thinking_delta", "thinking": text})

    def notice(self, message: str, severity: e.NoticeSeverity = "info") -> None:
        """Tell the user something that is no part of the answer."""
        self.emit({"type": "notice", "message": message, "severity": severity})

    def plan(self, entries: Sequence[e.PlanEntry]) -> None:
        """Show the whole current plan."""
        self.emit({"type": "plan", "entries": list(entries)})

    def save(self, state: Any) -> None:
        """Have Turnwire keep a value: agent.state, also when the session goes on later."""
        self.agent.state = state
        self.emit({"type": "state", "state": state})

    def tool(self, name: str, args: Args = None, *, title: Optional[str] = None, kind: Optional[e.ToolKind] = None, **view: Any) -> Tool:
        """Return a call of a tool. `with` starts and ends it. view may have locations and diffs."""
        return Tool(self, name, {"args": args, "title": title, "kind": kind, **view})

    def _open(self) -> None:
        if self._over:
            raise RuntimeError("the turn is over: nothing can be said in it any more")

    def _allowed(self) -> None:
        self._open()
        if self.cancelled:
            raise Cancelled("the turn was cancelled")

    def _close(self) -> None:
        self._open()
        self._over = True

    def _write(self, event: Mapping[str, Any], allowed: Optional[Callable[[], None]] = None) -> None:
        self._wire.write({**event, "turnId": self._id}, allowed or self._allowed)

    def _request(self, answer: str, key: str, event: Dict[str, Any]) -> Future[Response]:
        name = self._wire.new_id(key)
        future = self._wire.expect(answer, name)
        try:
            self._write({**event, key: name})
        except BaseException:
            self._wire.forget(answer, name)
            raise
        if self.cancelled:  # it may have come before anyone waited
            self._wire.withdraw()
        return future

    def _question(self, question: str, options: Optional[Sequence[str]], more: Dict[str, Any]) -> Future[Response]:
        for name in more.keys() - {"header", "multiple", "allowCustom", "fields", "url"}:
            raise TypeError(f"a question has no {name}")
        return self._request("question_response", "questionId", {"type": "question", "question": question, "options": options, **more})

    def _call(self, tool: Union[Tool, str], args: Args) -> Tool:
        return self.tool(tool, args) if isinstance(tool, str) else tool

    def _permission(self, call: Tool, reason: Optional[str], options: Options) -> Future[Response]:
        event = {"type": "tool_confirmation_request", "reason": reason, "options": options, **call._names, **call._view}
        return self._request("tool_confirmation_response", "confirmationId", event)

    def _edit(self, action: str, fields: Dict[str, Any]) -> Future[Response]:
        return self._request("editor_response", "requestId", {"type": "editor_request", "action": action, **fields})


class Turn(_Turn):
    """A turn of a handler that is a plain function: what asks waits."""

    def ask(self, question: str, options: Optional[Sequence[str]] = None, **more: Any) -> Answer:
        """Ask the user. more may have header, multiple, allowCustom, fields and url."""
        return _answer(self._question(question, options, more).result())

    def confirm(self, tool: Union[Tool, str], args: Args = None, *, reason: Optional[str] = None, options: Options = None) -> Decided:
        """Ask whether a tool may run. If not, its call has ended."""
        call = self._call(tool, args)
        return call._decided(self._permission(call, reason, options).result())

    def editor(self, action: e.EditorAction, **fields: Any) -> Response:
        """Have the editor read or write a file, or run a command in a terminal."""
        return self._edit(action, fields).result()


class AsyncTurn(_Turn):
    """A turn of an async handler: what asks is awaited."""

    async def ask(self, question: str, options: Optional[Sequence[str]] = None, **more: Any) -> Answer:
        """Ask the user. more may have header, multiple, allowCustom, fields and url."""
        return _answer(await asyncio.wrap_future(self._question(question, options, more)))

    async def confirm(self, tool: Union[Tool, str], args: Args = None, *, reason: Optional[str] = None, options: Options = None) -> Decided:
        """Ask whether a tool may run. If not, its call has ended."""
        call = self._call(tool, args)
        return call._decided(await asyncio.wrap_future(self._permission(call, reason, options)))

    async def editor(self, action: e.EditorAction, **fields: Any) -> Response:
        """Have the editor read or write a file, or run a command in a terminal."""
        return await asyncio.wrap_future(self._edit(action, fields))


def _answer(r: Response) -> Answer:
    found = {"choices" if key == "answers" else "text" if key == "answer" else key: value for key, value in r.items()}
    return Answer(**{key: found[key] for key in Answer.__dataclass_fields__ if key in found})


def _message(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
