import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

from .cancellation import AgentCancelledError
from .permissions import PermissionEngine
from .transport import AgentEvent, EventType, confirmation


class Agent:
    def __init__(self, working_directory, transport, extra_mcp_servers=None):
        self.servers = extra_mcp_servers
        self.working_directory = working_directory
        self.transport = transport
        self.turns = 0
        self.calls = 0
        self.messages = []
        self.permission_engine = PermissionEngine()
        self.model = "small"
        self.skills = []
        self.context_manager = self.tool_runner = self.memory_manager = self
        self.archived = self.anchored = None

    def emit(self, kind, **data):
        self.transport.emit(AgentEvent(kind, data))

    def close(self):
        if os.environ.get("CLOSED_MARK"):
            with open(os.environ["CLOSED_MARK"], "w") as mark:
                mark.write("closed")

    def chat(self, user_message, max_iterations=100, cancellation_token=None, images=None):
        self.turns += 1
        self.messages.append({"role": "user", "content": user_message})
        self.images = images
        what, _, rest = user_message.partition(" ")
        if what == "crash":
            raise RuntimeError("no turn at all; Bearer abcdefgh12345678")
        if what == "silent":
            return "said nothing before"
        self.emit(EventType.TURN_BEGIN, user_message=user_message)
        final, status, error = "", "ok", None
        try:
            final = getattr(self, "do_" + what)(rest, cancellation_token)
            cancellation_token.check()
            return final
        except AgentCancelledError as cancelled:
            final, status, error = f"[Cancelled: {cancelled.reason}]", "cancelled", cancelled.reason
            return final
        except Exception as failure:
            status, error = "error", str(failure)
            raise
        finally:
            self.emit(
                EventType.TURN_END,
                final_text=final, status=status, error=error, tool_count=0, incomplete_reason=None,
            )

    def say(self, text):
        self.emit(EventType.LLM_TEXT, chunk=text)
        return text

    def run(self, tool, args, label=""):
        """One call, as Agentao's tool runner makes it."""
        self.calls += 1
        call_id = f"call_{self.calls}"
        if not label:
            self.emit(EventType.TOOL_CONFIRMATION, tool=tool, args=args)
        allowed = self.transport.confirm_tool(f"{label}{tool}", f"The tool {tool}.", args)
        status, error = ("ok", None) if allowed else ("cancelled", "cancelled by user")
        self.emit(EventType.TOOL_START, tool=tool, args=args, call_id=call_id)
        self.emit(EventType.TOOL_COMPLETE, tool=tool, call_id=call_id, status=status, duration_ms=1, error=error)
        self.emit(EventType.TOOL_RESULT, tool=tool, call_id=call_id, content="ran", status=status, duration_ms=1, error=error)

    def get_current_model(self):
        return self.model

    def list_available_models(self):
        if os.environ.get("NO_MODELS"):
            raise RuntimeError("the provider has no list")
        return ["large", "small"]

    def set_model(self, model):
        old, self.model = self.model, model
        self.emit(EventType.MODEL_CHANGED, old_model=old, new_model=model)
        return "changed"

    def do_deaf(self, text, token):
        """A tool that does not hear a cancel, until a file says that it is over."""
        calls = [{"id": i, "type": "function", "function": {"name": "deaf", "arguments": "{}"}} for i in ("a", "b")]
        self.messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        self.messages.append({"role": "tool", "tool_call_id": "a", "content": "done"})
        self.say("working")
        while not os.path.exists(os.path.join(self.working_directory, "over")):
            time.sleep(0.01)
        self.say("too late")
        self.transport.confirm_tool("too_late", "", {})
        token.check()

    def archive_session(self, session_id):
        self.archived = session_id

    def invalidate_token_anchor(self):
        self.anchored = False

    def do_resumed(self, text, token):
        same = self.archived == self._session_id
        return self.say(f"{len(self.messages)} messages, skills {self.skills}, anchored {self.anchored}, one key {same}")

    def clear_history(self):
        self.messages = []

    def do_servers(self, text, token):
        return self.say(json.dumps(self.servers))

    def do_history(self, text, token):
        return self.say(" ".join(f"{m['role']}:{m.get('tool_call_id') or m['content']}" for m in self.messages))

    def do_look(self, text, token):
        return self.say(str([(i["mimeType"], len(i["data"])) for i in self.images or []]))

    def do_settings(self, text, token):
        return self.say(f"{self.permission_engine.active_mode.value} {self.model}")

    def do_say(self, text, token):
        return self.say(f"{text} in turn {self.turns}")

    def do_where(self, text, token):
        return self.say(str(self.working_directory))

    def do_tool(self, command, token):
        self.run("run_shell_command", {"command": command})
        return self.say("after the tool")

    def do_twins(self, command, token):
        """Two helpers ask at the same time."""
        threads = [
            threading.Thread(target=self.run, args=("run_shell_command", {"command": c}, "[helper] "))
            for c in (command + " one", command + " two")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.say("both are back")

    def do_odd(self, text, token):
        """Arguments that strict JSON has no words for."""
        self.run("odd", {"n": float("nan"), "half": "\ud83d", "bytes": b"x"})
        return ""

    def do_knot(self, text, token):
        """Arguments that have no end."""
        args = {"command": "make", ("a", "b"): [1]}
        args["self"] = args
        self.run("odd", args)
        return ""

    def do_ask_twice(self, text, token):
        """Asks again about what was asked."""
        self.run("odd", {"n": 1})
        self.run("odd", {"n": 1})
        return ""

    def do_nested(self, depth, token):
        args = []
        for _ in range(int(depth)):
            args = [args]
        self.run("odd", {"args": args})
        return ""

    def do_long(self, size, token):
        self.run("odd", {"text": "x" * int(size), "list": ["x" * int(size)]})
        return ""

    def do_wrong(self, text, token):
        """A description and options that are no texts."""
        self.transport.confirm_tool("odd", ["?"], 7)
        answer = self.transport.ask_user({"a": 1}, header=7, options=["red", 7, None], multiple="yes", allow_custom=0)
        return self.say("answer: " + answer)

    def do_ask_json(self, options, token):
        answer = self.transport.ask_user("Which?", options=json.loads(options))
        return self.say("answer: " + answer)

    def do_once(self, text, token):
        """A call that is gated: it needs a person, each time."""
        confirmation.note = "The skill is from a server."
        try:
            self.run("gated", {"n": 1})
        finally:
            confirmation.note = None
        return ""

    def do_ask(self, question, token):
        options = ["red", "green"]
        return self.say("answer: " + self.transport.ask_user(question, header="Colour", options=options, multiple=False, allow_custom=True))

    def do_max(self, text, token):
        return self.say(str(sorted(self.transport.on_max_iterations(100, []).items())))

    def do_boom(self, text, token):
        raise RuntimeError("the disk is full")

    def do_die(self, text, token):
        os.kill(os.getpid(), signal.SIGKILL)

    def do_forget(self, text, token):
        shutil.rmtree(os.path.join(self.working_directory, ".agentao"))
        os.kill(os.getpid(), signal.SIGKILL)

    def do_exit(self, text, token):
        sys.exit(3)

    def do_print(self, text, token):
        print('{"type": "turn_end", "data": {"final_text": "a stray print"}}')
        sys.stdout.flush()
        os.write(1, b"stray bytes\n")
        subprocess.run([sys.executable, "-c", "print('a stray child')"], check=True)
        return self.say("fine")

    def do_stdin(self, text, token):
        child = subprocess.run([sys.executable, "-c", "import sys; print(len(sys.stdin.read()))"], check=True, capture_output=True)
        return self.say("a child has read " + child.stdout.decode().strip())

    def do_messages(self, text, token):
        self.emit(EventType.LLM_CALL_DELTA, attempt=1, added_messages=[{"content": "PASSWORD"}])
        return ""

    def do_wait(self, text, token):
        self.say("waiting")
        token.event.wait()
        token.check()

    def do_late(self, text, token):
        """Asks once more after a cancel."""
        self.say("waiting")
        token.event.wait()
        return self.say(f"allowed: {self.transport.confirm_tool('late', '', {})}, answer: {self.transport.ask_user('Late?')}")
