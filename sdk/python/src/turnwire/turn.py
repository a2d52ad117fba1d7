"""What a handler can do during a turn."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

if TYPE_CHECKING:
    from . import events as e
    from .agent import Agent

Args = Optional[Mapping[str, Any]]
Options = Optional[Sequence["e.ConfirmationOption"]]


class Cancelled(asyncio.CancelledError):
    """The user cancelled the turn. Don't catch it, or clean up and raise it again."""


class Answer:
    """The user's answer. It is false if there was no answer."""

    def __init__(self, r: e.QuestionResponseCommand) -> None:
        self.text = r.get("answer", "")
        self.choices, self.values = r.get("answers", []), r.get("values", {})
        self.cancelled, self.declined, self.reason = r.get("cancelled", False), r.get("declined", False), r.get("reason", "")

    def __bool__(self) -> bool:
        return not self.cancelled

    def __str__(self) -> str:
        return self.text


class Decided:
    """The user's decision. It is true only if the tool may run."""

    def __init__(self, r: e.ToolConfirmationResponseCommand) -> None:
        self.decision, self.option, self.reason = r["decision"], r.get("optionId", ""), r.get("reason", "")

    def __bool__(self) -> bool:
        return self.decision in ("allow_once", "allow_always")


class ToolResult:
    """The result of one of Turnwire's tools. It is true if the call succeeded."""

    def __init__(self, r: e.ToolResponseCommand) -> None:
        #: The result, or what went wrong, for the model.
        self.text = r["text"]
        self.ok, self.refused, self.truncated = r["ok"], r.get("refused", False), r.get("truncated", False)

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return self.text


class Tool:
    """A tool call. It succeeds if its with block does, and fails with the block's exception otherwise."""

    def __init__(self, turn: _BaseTurn, name: str, view: Dict[str, Any]) -> None:
        self.id = f"call-{next(turn.agent._ids)}"
        #: The call's result as text; set it in the block.
        self.result: Optional[str] = None
        #: Additional members of tool_end, such as exitCode and content.
        self.end: Dict[str, Any] = {}
        self._turn, self._view, self._ended = turn, view, False
        self._names = {"toolCallId": self.id, "toolName": name}

    def __enter__(self) -> Tool:
        if self._ended:
            raise RuntimeError("the call has ended: it was refused, or has run")
        self._turn.agent._write({"type": "tool_start", **self._names, **self._view}, self._turn)
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

    def _decided(self, r: e.ToolConfirmationResponseCommand) -> Decided:
        decided = Decided(r)
        if not decided:
            self._finish({"ok": False, "cancelled": True})
        return decided

    def _finish(self, event: Dict[str, Any]) -> None:
        if not self._ended:
            self._ended = True
            self._turn.agent._write({"type": "tool_end", **self._names, **event}, self._turn, always=True)


class _BaseTurn:
    """The common base of turns for both kinds of handlers."""

    def __init__(self, agent: Agent, prompt: Any) -> None:
        self.agent = agent
        self.prompt: str = prompt["text"]
        #: The prompt's blocks: text, images, files.
        self.content: List[e.ContentBlock] = prompt.get("prompt", [])
        self.cwd: str = prompt.get("cwd", "")
        #: The earlier conversation; only set for the first prompt, and with Agent(history=True).
        self.history: List[e.HistoryEntry] = prompt.get("history", [])
        #: How the turn ends, unless it is cancelled or fails.
        self.stop_reason: e.StopReason = "end_turn"
        self._id, self._over = prompt["turnId"], False
        self._cancelled = threading.Event()
        self._messages: List[e.SteerCommand] = []  # that the handler has not read
        self._stop: Callable[[], Any] = lambda: None

    @property
    def cancelled(self) -> bool:
        """Whether the user cancelled the turn. Long computations should check it."""
        return self._cancelled.is_set()

    @property
    def session(self) -> e.SessionCommand:
        """The session: the editor, the folders, the MCP servers, Turnwire's tools. Waits until Turnwire has sent it."""
        self.agent._opened.wait()
        return self.agent.session or {}

    @property
    def tools(self) -> List[e.OfferedTool]:
        """The session's tools, with a name, a description and parameters; needs Agent(tools=True)."""
        return self.session.get("tools", [])

    def messages(self) -> List[e.SteerCommand]:
        """Return the user's new messages during the turn, for the model's next request; needs Agent(steer={})."""
        messages = [self._messages.pop(0) for _ in range(len(self._messages))]
        for message in messages:
            self.emit({"type": "steered", "steerId": message["steerId"]})
        return messages

    def emit(self, event: e.AgentEvent) -> None:
        """Print any event; docs/events.md lists them."""
        if event["type"] in ("agent_info", "done") or event["type"] == "error" and event.get("fatal") is not False:
            raise ValueError("agent_info is for Agent to say, and a turn ends when its handler returns or raises")
        self.agent._write(event, self)

    def text(self, text: str) -> None:
        """Print a piece of the answer."""
        self.emit({"type": "text_delta", "text": text})

    def thinking(self, text: str) -> None:
        """Print a piece of the agent's thoughts."""
        self.emit({"type": "thinking_delta", "thinking": text})

    def notice(self, message: str, severity: e.NoticeSeverity = "info") -> None:
        """Show the user a notice that isn't part of the answer."""
        self.emit({"type": "notice", "message": message, "severity": severity})

    def plan(self, entries: Sequence[e.PlanEntry]) -> None:
        """Show the current plan, which replaces the last one."""
        self.emit({"type": "plan", "entries": list(entries)})

    def save(self, state: Any) -> None:
        """Store a value. It becomes agent.state, and is restored when the session continues later."""
        self.agent.state = state
        self.emit({"type": "state", "state": state})

    def tool(self, name: str, args: Args = None, *, title: Optional[str] = None, kind: Optional[e.ToolKind] = None, **view: Any) -> Tool:
        """Return a tool call, which `with` starts and ends. view may have locations and diffs."""
        return Tool(self, name, {"args": args, "title": title, "kind": kind, **view})

    def _question(self, question: str, options: Optional[Sequence[str]], more: Dict[str, Any]) -> Future[Answer]:
        for name in more.keys() - {"header", "multiple", "allowCustom", "fields", "url"}:
            raise TypeError(f"a question has no {name}")
        event = {"type": "question", "question": question, "options": options, **more}
        return self.agent._request(self, "questionId", event, Answer)

    def _permission(self, tool: Union[Tool, str], args: Args, reason: Optional[str], options: Options) -> Future[Decided]:
        call = self.tool(tool, args) if isinstance(tool, str) else tool
        event = {"type": "tool_confirmation_request", "reason": reason, "options": options, **call._names, **call._view}
        return self.agent._request(self, "confirmationId", event, call._decided)

    def _use(self, name: str, args: Args, limit: Optional[int]) -> Future[ToolResult]:
        return self.agent._request(self, "toolCallId", {"type": "tool_request", "toolName": name, "args": args, "limit": limit}, ToolResult)


class Turn(_BaseTurn):
    """A turn for a plain function: methods that ask block until the answer."""

    def ask(self, question: str, options: Optional[Sequence[str]] = None, **more: Any) -> Answer:
        """Ask the user. more may have header, multiple, allowCustom, fields and url."""
        return self._question(question, options, more).result()

    def confirm(self, tool: Union[Tool, str], args: Args = None, *, reason: Optional[str] = None, options: Options = None) -> Decided:
        """Ask whether a tool may run. If not, its call has ended."""
        return self._permission(tool, args, reason, options).result()

    def call_tool(self, name: str, args: Args = None, *, limit: Optional[int] = None) -> ToolResult:
        """Run one of Turnwire's tools. limit is the maximal length of the result in characters."""
        return self._use(name, args, limit).result()

    def editor(self, action: e.EditorAction, **fields: Any) -> Dict[str, Any]:
        """Make the editor read or write a file, or run a command in a terminal."""
        return self.agent._request(self, "requestId", {"type": "editor_request", "action": action, **fields}, dict).result()


class AsyncTurn(_BaseTurn):
    """A turn for an async handler: methods that ask are awaited, and otherwise like those of Turn."""

    async def ask(self, question: str, options: Optional[Sequence[str]] = None, **more: Any) -> Answer:
        return await asyncio.wrap_future(self._question(question, options, more))

    async def confirm(self, tool: Union[Tool, str], args: Args = None, *, reason: Optional[str] = None, options: Options = None) -> Decided:
        return await asyncio.wrap_future(self._permission(tool, args, reason, options))

    async def call_tool(self, name: str, args: Args = None, *, limit: Optional[int] = None) -> ToolResult:
        return await asyncio.wrap_future(self._use(name, args, limit))

    async def editor(self, action: e.EditorAction, **fields: Any) -> Dict[str, Any]:
        return await asyncio.wrap_future(self.agent._request(self, "requestId", {"type": "editor_request", "action": action, **fields}, dict))


def _message(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
