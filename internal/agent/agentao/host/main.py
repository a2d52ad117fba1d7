"""Runs Agentao for Turnwire.

Commands come on stdin and events go to stdout, one JSON object per line: Agentao's
events as AgentEvent.to_dict gives them, and lines of the host whose types begin
with "host.". One process is one conversation.

One thread reads the commands, one runs Agentao, and the main thread decides what
is next: it never waits for either. Only a confirmation that says allow_once or
allow_always lets a tool run, and a cancel or the end of stdin leaves every open
question without an answer.

A cancelled turn ends within LATE seconds, though Agentao may be busy with it for
longer. The next prompt waits for that, and after PATIENCE seconds another
Agentao gets the conversation and goes on with it.
"""
import json
import os
import queue
import sys
import threading
import time
from functools import partial

from .asks import Asks
from .memory import Memory
from .runtime import CANCELLED, COMMANDS, Runtime, mended
from .settings import choose
from .turn import Turn
from .wire import Wire, take_stdin

# How long the end of stdin may take to end the process.
GRACE = 5
LATE = 0.25
PATIENCE = float(sys.argv[1]) if len(sys.argv) > 1 else 20

BUSY = "Agentao is still busy with the turn before. Your prompt waits for it."
LEFT = (
    "Agentao does not come back from the turn before, and goes on without it. "
    "It remembers the conversation. What was cancelled may still be at work."
)


class Host:
    def __init__(self, wire):
        self.wire = wire
        self.asks = Asks(wire)
        self.inbox = queue.Queue()  # of calls for the main thread; None is the end
        self.lock = threading.Lock()
        self.turns = []  # all that may be cancelled
        self.waiting = []  # the one that runs, and those behind it
        self.runtime = None
        self.servers = []  # of MCP, as the editor gives them
        self.memory = None  # until the session is known, whose first prompt may be there before

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
            self.cancel(lambda turn: True)
            self.inbox.put(None)
            time.sleep(GRACE)
            os._exit(1)  # a tool or a request does not come back

    def take(self, command):
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
            self.asks.answer(command.get("confirmationId") or command.get("toolCallId"), kind, command)
        elif kind == "question_response":
            self.asks.answer(command.get("questionId"), kind, command)

    def cancel(self, meant):
        with self.lock:
            turns = [turn for turn in self.turns if meant(turn)]
        for turn in turns:
            self.asks.cancel(turn)
            if turn.token is not None:
                turn.token.cancel(CANCELLED)
            self.inbox.put(self.go_on)
            self.later(LATE, partial(self.let_go, turn))

    def later(self, seconds, call):
        timer = threading.Timer(seconds, self.inbox.put, (call,))
        timer.daemon = True
        timer.start()

    # What is next, in the main thread.

    def run(self):
        for call in iter(self.inbox.get, None):
            call()
        if self.runtime is not None:
            self.runtime.jobs.put(None)
            self.runtime.join()

    def prepare(self, command):
        """Starts Agentao before the first prompt: it has modes and models to tell."""
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
        return Runtime(self.wire, self.asks, lambda: self.inbox.put(self.go_on), self.memory, self.servers, messages, cwd)

    def say_end(self, turn):
        with self.wire.lock:
            if not turn.ended:
                turn.ended = True
                self.wire.send({"type": "host.done", "status": "cancelled", "text": ""})

    def let_go(self, turn):
        """Ends a turn that was cancelled a while ago, whatever is at work."""
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
        left = self.runtime
        with self.wire.lock:
            left.left = True
        left.jobs.put(None)  # it closes itself once it comes back
        messages = mended(left.agent.messages) if left.agent is not None else left.messages
        self.runtime = self.new_runtime(messages)
        self.wire.notice(LEFT)
        self.go_on()

    def choose(self, command):
        try:
            said = choose(self.runtime, command)
        except Exception as error:
            said = {"type": "host.refused", "option": command.get("optionId"), "message": str(error)}
        self.wire.send(said)


def main():
    wire = Wire()
    wire.send({"type": "host.hello", "commands": COMMANDS})
    commands = take_stdin()
    host = Host(wire)
    threading.Thread(target=host.listen, args=(commands,), daemon=True).start()
    host.run()


main()
