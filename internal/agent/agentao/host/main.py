"""Runs Agentao for Turnwire.

Commands come on stdin and events go to stdout, one JSON object per line: Agentao's
events, as from AgentEvent.to_dict, and the host's own lines, whose types begin with
"host.". Each process has one conversation.

One thread reads the commands, one runs Agentao, and the main thread decides what to
do next, without waiting for either. Only a confirmation with allow_once or
allow_always permits a tool. A cancel or EOF ends every open request without an
answer.

A cancelled turn ends within LATE seconds, even if Agentao is busy with it for longer.
The next prompt waits for Agentao. After PATIENCE seconds, another Agentao continues
the conversation.
"""
import json
import os
import queue
import sys
import threading
import time
from functools import partial

from .pending import Pending
from .memory import Memory
from .runtime import CANCELLED, COMMANDS, Runtime, repaired
from .settings import choose
from .turn import Turn
from .wire import Wire, take_stdin

# Seconds from EOF until the process is ended.
GRACE = 5
LATE = 0.25
PATIENCE = float(sys.argv[1]) if len(sys.argv) > 1 else 20

BUSY = "Agentao is still busy with the previous turn. Your prompt waits for it."
LEFT = (
    "Agentao is stuck in the previous turn and continues without it. "
    "It remembers the conversation. The cancelled work may still be running."
)


class Host:
    def __init__(self, wire):
        self.wire = wire
        self.pending = Pending(wire)
        self.inbox = queue.Queue()  # calls for the main thread; None ends it
        self.lock = threading.Lock()
        self.turns = []  # those that may be cancelled
        self.waiting = []  # the running one, then the queued ones
        self.runtime = None
        self.servers = []  # the editor's MCP servers
        self.memory = None  # until the session is known; its first prompt may arrive earlier

    # The thread that reads commands calls the following methods.

    def listen(self, commands):
        try:
            for raw in commands:
                try:
                    command = json.loads(raw)
                except (ValueError, RecursionError):
                    print("a command is not JSON, or too deeply nested", file=sys.stderr)
                    continue
                if isinstance(command, dict):
                    self.handle(command)
        finally:
            self.cancel(lambda turn: True)
            self.inbox.put(None)
            time.sleep(GRACE)
            os._exit(1)  # a tool or a request does not return

    def handle(self, command):
        kind = command.get("type")
        if kind == "prompt":
            turn = Turn(command)
            with self.lock:
                self.turns.append(turn)
            self.inbox.put(partial(self.enter, turn))
        elif kind == "session":
            self.inbox.put(partial(self.prepare, command))
        elif kind == "cancel":
            self.cancel(lambda turn: turn.id == command.get("turnId"))
        elif kind == "set_option":
            self.inbox.put(partial(self.choose, command))
        elif kind == "tool_confirmation_response":
            self.pending.answer(command.get("confirmationId") or command.get("toolCallId"), kind, command)
        elif kind == "question_response":
            self.pending.answer(command.get("questionId"), kind, command)

    def cancel(self, meant):
        with self.lock:
            turns = [turn for turn in self.turns if meant(turn)]
        for turn in turns:
            self.pending.cancel(turn)
            if turn.token is not None:
                turn.token.cancel(CANCELLED)
            self.inbox.put(self.go_on)
            self.later(LATE, partial(self.let_go, turn))

    def later(self, seconds, call):
        timer = threading.Timer(seconds, self.inbox.put, (call,))
        timer.daemon = True
        timer.start()

    # The main thread calls the following methods.

    def run(self):
        for call in iter(self.inbox.get, None):
            call()
        if self.runtime is not None:
            self.runtime.jobs.put(None)
            self.runtime.join()

    def prepare(self, command):
        """Starts Agentao before the first prompt, so that it reports modes and models."""
        servers, cwd = command.get("mcpServers"), command.get("cwd")
        self.servers = servers if isinstance(servers, list) else []
        if self.memory is None:
            self.memory = Memory(command.get("resume") is True, command.get("state"))
        if self.runtime is None and isinstance(cwd, str):
            self.runtime = self.new_runtime(cwd=cwd)
        self.go_on()

    def enter(self, turn):
        self.waiting.append(turn)
        self.go_on()

    def go_on(self):
        while self.waiting:
            turn, busy = self.waiting[0], self.runtime and self.runtime.turn
            if turn.ended:
                self.waiting.pop(0)
                with self.lock:
                    self.turns.remove(turn)
            elif turn is busy:
                return
            elif turn.cancelled:
                self.say_end(turn)
            elif busy:
                self.wait(turn, busy)
                return
            elif self.memory is None:
                return
            else:
                if self.runtime is None:
                    self.runtime = self.new_runtime()
                self.runtime.begin(turn)
                return

    def new_runtime(self, messages=None, cwd=None):
        return Runtime(self.wire, self.pending, lambda: self.inbox.put(self.go_on), self.memory, self.servers, messages, cwd)

    def say_end(self, turn):
        with self.wire.lock:
            if not turn.ended:
                turn.ended = True
                self.wire.send({"type": "host.done", "status": "cancelled", "text": ""})

    def let_go(self, turn):
        """Ends a turn that was cancelled a while ago, even if its work continues."""
        self.say_end(turn)
        self.go_on()

    def wait(self, turn, busy):
        if not turn.waits:
            turn.waits = True
            self.later(LATE, partial(self.announce, turn, busy))
            self.later(PATIENCE, partial(self.leave, turn, busy))

    def holds_up(self, busy, turn):
        return self.waiting and self.waiting[0] is turn and self.runtime.turn is busy

    def announce(self, turn, busy):
        if self.holds_up(busy, turn):
            self.wire.notice(BUSY)

    def leave(self, turn, busy):
        if not self.holds_up(busy, turn):
            return
        old = self.runtime
        with self.wire.lock:
            old.replaced = True
        old.jobs.put(None)  # it closes itself after its turn returns
        messages = repaired(old.agent.messages) if old.agent is not None else old.messages
        self.runtime = self.new_runtime(messages)
        self.wire.notice(LEFT)
        self.go_on()

    def choose(self, command):
        try:
            line = choose(self.runtime, command)
        except Exception as error:
            line = {"type": "host.refused", "option": command.get("optionId"), "message": str(error)}
        self.wire.send(line)


def main():
    wire = Wire()
    wire.send({"type": "host.hello", "commands": COMMANDS})
    commands = take_stdin()
    host = Host(wire)
    threading.Thread(target=host.listen, args=(commands,), daemon=True).start()
    host.run()


main()
