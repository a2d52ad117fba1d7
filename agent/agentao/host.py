"""Runs Agentao for Turnwire.

Commands come on stdin and events go to stdout, one JSON object a line: Agentao's
events as AgentEvent.to_dict gives them, and lines of the host whose types begin
with "host.". One process is one conversation.

Agentao runs in the main thread, a second one reads the commands. What Agentao
waits for (a confirmation, an answer) is a Question; only a confirmation that
says allow_once or allow_always lets a tool run, and a cancel or the end of stdin
leaves every open question without an answer.
"""
import sys

if sys.path and sys.path[0] == "":
    # Under -c Python looks into the working directory first, where a project
    # could have put files with the names of modules.
    del sys.path[0]

import importlib
import json
import os
import queue
import threading
import time
import traceback

# How long the end of stdin may take to end the process.
GRACE_SECONDS = 5
# A longer line is not read by Turnwire, which would leave what it asks without
# an answer.
MAX_LINE = 30 << 20
# How much of a text is shown in its place.
MAX_SHOWN = 64 << 10
MAX_MEMBERS = 100
# How many different calls may be allowed for good.
MAX_ALLOWED = 10_000

ALLOW = ("allow_once", "allow_always")
GO_ON, STOP = "Go on", "Stop"
CANCELLED = "user-cancel"


class Refusal(Exception):
    """A turn that cannot begin. Its text is for the user."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class Wire:
    """The real stdout. Whatever Agentao, its tools and their children print
    goes to stderr instead."""

    def __init__(self):
        self._lock = threading.Lock()
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def send(self, line):
        data = encode(line)
        with self._lock:
            self._out.write(data)
            self._out.flush()


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
    """What can be shown of a value that has no JSON, and a mark for the rest:
    whoever is asked about it must see that there is more."""
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


class Question:
    """Something that Agentao waits for."""

    def __init__(self, answered_by):
        self.answered_by = answered_by  # the type of the command
        self.done = threading.Event()
        self.answer = None


class Turn:
    """A prompt, and how far it is."""

    def __init__(self, command):
        self.id = command.get("turnId")
        self.cwd = command.get("cwd") or os.getcwd()
        self.text = command.get("text") or ""
        self.blocks = command.get("prompt") or []
        self.cancelled = False
        self.ended = False  # Agentao has said so
        self.token = None


class Host:
    def __init__(self, wire):
        self.wire = wire
        self.agent = None
        self.new_token = None
        self.queue = queue.Queue()  # of turns; None is the end
        self.lock = threading.Lock()  # for all below
        self.turns = []  # those that wait, and the one that runs
        self.running = None
        self.questions = {}
        self.asked = 0
        self.allowed = set()
        self.closed = False

    # Commands, in the thread that reads them.

    def listen(self, commands):
        try:
            for raw in commands:
                try:
                    command = json.loads(raw)
                except (ValueError, RecursionError):
                    print("a command is not JSON, or nested too deep", file=sys.stderr)
                    continue
                if isinstance(command, dict):
                    self.take(command)
        finally:
            self.close()
            time.sleep(GRACE_SECONDS)
            os._exit(1)  # a tool or a request does not come back

    def take(self, command):
        kind = command.get("type")
        if kind == "prompt":
            turn = Turn(command)
            with self.lock:
                self.turns.append(turn)
            self.queue.put(turn)
        elif kind == "cancel":
            self.cancel(lambda turn: turn.id == command.get("turnId"))
        elif kind == "tool_confirmation_response":
            self.answer(command.get("confirmationId") or command.get("toolCallId"), kind, command)
        elif kind == "question_response":
            self.answer(command.get("questionId"), kind, command)

    def answer(self, name, kind, command):
        if not isinstance(name, str):
            return  # no question has such a name
        with self.lock:
            question = self.questions.get(name)
            if question is None or question.answered_by != kind:
                return
            del self.questions[name]
        question.answer = command
        question.done.set()

    def cancel(self, meant):
        with self.lock:
            turns = [turn for turn in self.turns if meant(turn)]
            for turn in turns:
                turn.cancelled = True
        for turn in turns:
            if turn.token is not None:
                turn.token.cancel(CANCELLED)
            if turn is self.running:
                self.release()

    def release(self):
        with self.lock:
            questions = list(self.questions.values())
            self.questions.clear()
        for question in questions:
            question.done.set()

    def close(self):
        with self.lock:
            self.closed = True
        self.cancel(lambda turn: True)
        self.release()
        self.queue.put(None)

    # Turns, in the main thread.

    def run(self):
        while True:
            turn = self.queue.get()
            if turn is None:
                break
            try:
                self.serve(turn)
            finally:
                with self.lock:
                    self.turns.remove(turn)
                    self.running = None
                self.release()
        if self.agent is not None:
            self.agent.close()

    def serve(self, turn):
        try:
            self.check(turn)
            if self.agent is None:
                self.agent = self.start(turn.cwd)
            with self.lock:
                self.running = turn
                turn.token = self.new_token()
                cancelled = turn.cancelled
            text = "" if cancelled else self.agent.chat(turn.text, cancellation_token=turn.token)
            if not turn.ended:
                status = "cancelled" if turn.cancelled else "ok"
                self.wire.send({"type": "host.done", "status": status, "text": text if isinstance(text, str) else ""})
        except Refusal as refusal:
            self.wire.send({"type": "host.error", "message": str(refusal), "code": refusal.code})
        except BaseException as error:
            # Also SystemExit: a tool that exits must not end the conversation.
            traceback.print_exc()
            if not turn.ended:
                message = f"Agentao failed: {type(error).__name__}: {error}"
                self.wire.send({"type": "host.error", "message": message, "code": "agent_failed"})

    def check(self, turn):
        for block in turn.blocks:
            if isinstance(block, dict) and block.get("type") in ("image", "audio"):
                raise Refusal(f"Agentao takes no {block['type']} here. Send the prompt without it.", "unsupported_content")

    def start(self, cwd):
        importlib.invalidate_caches()  # the package may have come since
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
            on_max_iterations=self.on_max_iterations,
        )
        try:
            agent = build_from_environment(working_directory=path(cwd), transport=transport)
        except ValueError as error:
            if "api_key" in str(error):
                raise Refusal(no_key(), "agent_unconfigured") from error
            raise
        self.new_token = CancellationToken
        self.wire.send({
            "type": "host.ready",
            "version": str(getattr(agentao, "__version__", "")),
            "python": sys.version.split()[0],
        })
        return agent

    # What Agentao calls, from any thread.

    def on_event(self, event):
        kind = getattr(event.type, "value", event.type)
        data = event.data or {}
        if kind in ("llm_call_delta", "llm_call_io"):
            # Whole conversations, which nobody needs who watches one.
            data = {k: len(v) if isinstance(v, (list, dict)) else v for k, v in data.items()}
        if kind == "turn_end" and self.running is not None:
            self.running.ended = True
        self.wire.send({"type": kind, "schema_version": getattr(event, "schema_version", 1), "data": data})

    def ask(self, kind, answered_by, **members):
        """Prints a question and waits for its answer, None where none comes."""
        question = Question(answered_by)
        with self.lock:
            if self.closed or self.running is None or self.running.cancelled:
                return None
            self.asked += 1
            name = f"{kind}-{self.asked}"
            self.questions[name] = question
        try:
            self.wire.send({"type": "host." + kind, "id": name, **members})
        except OSError:
            return None
        question.done.wait()
        with self.lock:
            # An answer that a cancel has overtaken is none.
            if self.closed or self.running is None or self.running.cancelled:
                return None
        return question.answer

    def confirm_tool(self, tool_name, description, args):
        # For good means: for this very call. What was allowed for one command
        # says nothing about another.
        call = fingerprint(tool_name, args)
        with self.lock:
            known = call is not None and call in self.allowed
            stopped = self.closed or self.running is None or self.running.cancelled
        if stopped:
            return False
        if known:
            return True
        answer = self.ask("confirm", "tool_confirmation_response", tool=tool_name, description=description, args=args)
        decision = None if answer is None else answer.get("decision")
        if decision == "allow_always" and call is not None:
            with self.lock:
                if len(self.allowed) < MAX_ALLOWED:
                    self.allowed.add(call)
        return decision in ALLOW

    def ask_user(self, question, header=None, options=None, multiple=False, allow_custom=True):
        answer = self.ask(
            "ask", "question_response",
            question=question, header=header, options=options, multiple=multiple, allow_custom=allow_custom,
        )
        return words(answer) or "(the user did not answer)"

    def on_max_iterations(self, count, messages):
        answer = self.ask("max_iterations", "question_response", count=count, options=[GO_ON, STOP])
        text = words(answer)
        if text == GO_ON:
            return {"action": "continue"}
        if text in ("", STOP):
            return {"action": "stop"}
        return {"action": "new_instruction", "message": text}


def words(answer):
    """The text of an answer, "" where there is none."""
    if answer is None or answer.get("cancelled"):
        return ""
    text = answer.get("answer")
    return text if isinstance(text, str) else ""


def fingerprint(tool_name, args):
    """The same for the same call alone, None where that cannot be told."""
    try:
        return tool_name, json.dumps(args, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None


def path(text):
    from pathlib import Path

    return Path(text)


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


def main():
    wire = Wire()
    commands = take_stdin()
    host = Host(wire)
    threading.Thread(target=host.listen, args=(commands,), daemon=True).start()
    host.run()


main()
