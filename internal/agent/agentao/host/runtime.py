"""Agentao itself, in a separate thread."""
import contextlib
import copy
import importlib
import os
import queue
import sys
import threading
import traceback
from functools import partial
from pathlib import Path

from .memory import FORGOTTEN, attempt
from .settings import report
from .turn import Refusal, images

CANCELLED = "user-cancel"
SETTINGS = ("permission_mode_changed", "model_changed")


class Runtime(threading.Thread):
    """One Agentao and its conversation. A cancelled turn may take as long as its
    tool or the model to return."""

    def __init__(self, wire, pending, on_done, memory, servers=(), messages=None, cwd=None):
        super().__init__(daemon=True)
        self.wire, self.pending, self.on_done, self.memory = wire, pending, on_done, memory
        self.servers = servers
        self.cwd = cwd  # where to start at once
        self.messages = messages  # of its predecessor
        self.agent = None
        self.turn = None  # the current one
        self.replaced = False  # by another one
        self.muted = False  # the code that sets options reports them
        self.idle = threading.Event()
        self.jobs = queue.Queue()
        self.start()

    def begin(self, turn):
        self.idle.clear()
        self.turn = turn
        self.jobs.put(turn)

    def run(self):
        if self.cwd is not None:
            try:
                self.agent = self.build(self.cwd)
            except BaseException:
                traceback.print_exc()  # the first prompt tries again, and reports it
        for turn in iter(self.jobs.get, None):
            try:
                self.serve(turn)
                self.save()
            finally:
                self.turn = None
                self.idle.set()
                self.on_done()
        if self.agent is not None:
            self.agent.close()

    def serve(self, turn):
        try:
            pictures = images(turn.blocks)
            if self.agent is None:
                self.agent = self.build(turn.cwd)
            turn.token = self.new_token()
            if turn.cancelled:
                text = ""
            elif turn.text.strip() in HANDLERS:
                text = HANDLERS[turn.text.strip()](self)
            else:
                extra = {"images": pictures} if pictures else {}
                text = self.agent.chat(turn.text, cancellation_token=turn.token, **extra)
            self.end(turn, text)
        except Refusal as refusal:
            self.say(turn, {"type": "host.error", "message": str(refusal), "code": refusal.code}, last=True)
        except BaseException as error:
            # Also SystemExit: a tool that exits must not end the conversation.
            traceback.print_exc()
            message = f"Agentao failed: {type(error).__name__}: {error}"
            self.say(turn, {"type": "host.error", "message": message, "code": "agent_failed"}, last=True)

    def name_memory(self, agent):
        """Reports the key under which the conversation will be saved."""
        attempt(self.memory.bind, agent)
        self.say(None, {"type": "host.state", "state": self.memory.key})

    def save(self):
        """Saves the conversation, unless its successor does."""
        if self.agent is not None and not self.replaced:
            attempt(self.memory.save, self.agent)

    def end(self, turn, text=""):
        """Reports the end of a turn, unless it was reported already."""
        status = "cancelled" if turn.cancelled else "ok"
        text = text if isinstance(text, str) else ""
        self.say(turn, {"type": "host.done", "status": status, "text": text}, last=True)

    def say(self, turn, line, last=False):
        """Writes a line of a turn, unless the turn has ended or was abandoned."""
        with self.wire.lock:
            if self.replaced or turn is not None and turn.ended:
                return
            if last and turn is not None:
                turn.ended = True
            self.wire.send(line)

    @contextlib.contextmanager
    def setting(self):
        self.muted = True
        try:
            yield
        finally:
            self.muted = False

    def build(self, cwd):
        importlib.invalidate_caches()  # the package may have been installed since
        try:
            import agentao
            from agentao.cancellation import CancellationToken
            from agentao.embedding import build_from_environment
            from agentao.transport import SdkTransport
        except ImportError as error:
            raise Refusal(missing(error), "agent_missing") from error
        transport = SdkTransport(
            on_event=self.on_event,
            confirm_tool=self.confirm_tool,
            ask_user=self.ask_user,
            on_max_iterations=lambda count, messages: self.pending.go_on(self.turn, count),
        )
        try:
            servers = translated(self.servers)
            extra = {"extra_mcp_servers": servers} if servers else {}
            agent = build_from_environment(working_directory=Path(cwd), transport=transport, **extra)
        except ValueError as error:
            if "api_key" in str(error):
                raise Refusal(no_key(), "agent_unconfigured") from error
            raise
        self.new_token = CancellationToken
        if self.messages is not None:
            agent.messages = self.messages
            attempt(self.memory.bind, agent)
            return agent
        if self.memory.resumes and not attempt(self.memory.recall, agent):
            self.say(None, {"type": "host.notice", "message": FORGOTTEN})
            self.memory.begin()
        self.memory.resumes = False
        self.name_memory(agent)
        self.say(None, {
            "type": "host.ready",
            "version": str(getattr(agentao, "__version__", "")),
            "python": sys.version.split()[0],
        })
        report(agent, partial(self.say, None))
        return agent

    # Agentao calls the following methods, from any thread.

    def on_event(self, event):
        kind = getattr(event.type, "value", event.type)
        if kind == "readonly_mode_changed" or self.muted and kind in SETTINGS:
            return
        data = event.data or {}
        if kind in ("llm_call_delta", "llm_call_io"):
            # Observers don't need whole conversations.
            data = {k: len(v) if isinstance(v, (list, dict)) else v for k, v in data.items()}
        line = {"type": kind, "schema_version": getattr(event, "schema_version", 1), "data": data}
        self.say(self.turn, line, last=kind == "turn_end")

    def confirm_tool(self, tool_name, description, args):
        return self.pending.confirm(self.turn, tool_name, description, args, gate())

    def ask_user(self, question, header=None, options=None, multiple=False, allow_custom=True):
        return self.pending.question(self.turn, question, header, options, multiple, allow_custom)


def clear(runtime):
    runtime.agent.clear_history()
    # The old conversation stays on disk, as with Agentao's own /clear.
    runtime.memory.begin()
    runtime.name_memory(runtime.agent)
    return "The conversation is forgotten."


def compact(runtime):
    outcome = runtime.agent.compact()
    return f"Compaction: {outcome.status}. {outcome.detail or ''}".strip()


HANDLERS = {"/clear": clear, "/compact": compact}
COMMANDS = [
    {"name": "clear", "description": "Forget the conversation"},
    {"name": "compact", "description": "Summarize the conversation so far, to make room"},
]


def translated(servers):
    """Returns an editor's MCP servers in Agentao's own form."""
    if not servers:
        return {}
    from agentao.acp.mcp_translate import translate_acp_mcp_servers

    return translate_acp_mcp_servers(servers)


def gate():
    """Returns why the user must decide this call separately, or None if a permanent
    permission counts."""
    try:
        from agentao.transport.confirmation import gate_note
    except ImportError:
        return None  # before Agentao 0.5
    return gate_note()


def repaired(messages):
    """Returns a copy of an interrupted conversation in which every tool call has a
    result, because models insist on that."""
    whole = []
    for message in copy.deepcopy(list(messages)):
        if isinstance(message, dict) and message.get("role") != "tool":
            whole += unanswered(whole)
        whole.append(message)
    whole += unanswered(whole)
    if whole and whole[-1].get("role") != "assistant":
        whole.append({"role": "assistant", "content": f"[Cancelled: {CANCELLED}]"})
    return whole


def unanswered(messages):
    """Returns results for the last calls in messages that have none."""
    answered = set()
    for message in reversed(messages):
        if message.get("role") == "tool":
            answered.add(message.get("tool_call_id"))
            continue
        calls = message.get("tool_calls") or []
        return [
            {"role": "tool", "tool_call_id": call.get("id"), "content": "Cancelled by the user."}
            for call in calls if call.get("id") not in answered
        ]
    return []


def missing(error):
    pip = f"{sys.executable} -m pip install --upgrade agentao"
    name = error.name or ""
    if name == "agentao":
        return f"The Python package agentao is not installed for {sys.executable}. Run `{pip}`, or name another Python in the settings."
    if name.startswith("agentao"):
        return f"The installed Agentao is too old or broken: {error}. Run `{pip}`."
    return f"Agentao cannot be loaded: {error}. Run `{pip}`."


def no_key():
    provider = os.environ.get("LLM_PROVIDER", "OPENAI").strip().upper()
    names = ", ".join(f"{provider}_{part}" for part in ("API_KEY", "BASE_URL", "MODEL"))
    return f"Agentao needs a model and a key for it. Set {names} in the environment or in a file .env of the project."
