"""Agentao's pending confirmations and questions."""
import json
import threading

# The limit for permanently allowed calls.
MAX_ALLOWED = 10_000

ALLOW = ("allow_once", "allow_always")
GO_ON, STOP = "Go on", "Stop"


class Question:
    def __init__(self, turn, answered_by):
        self.turn = turn
        self.answered_by = answered_by  # the type of the answering command
        self.done = threading.Event()
        self.answer = None


class Pending:
    """The open requests of all turns, and the permanently allowed calls."""

    def __init__(self, wire):
        self.wire = wire
        self.lock = threading.Lock()  # guards the members below, and Turn.cancelled
        self.questions = {}
        self.asked = 0
        self.allowed = set()

    def cancel(self, turn):
        """Ends a turn's open requests without an answer, and refuses later ones."""
        with self.lock:
            turn.cancelled = True
            mine = [name for name, question in self.questions.items() if question.turn is turn]
            questions = [self.questions.pop(name) for name in mine]
        for question in questions:
            question.done.set()

    def answer(self, name, kind, command):
        if not isinstance(name, str):
            return  # no request has such a name
        with self.lock:
            question = self.questions.get(name)
            if question is None or question.answered_by != kind:
                return
            del self.questions[name]
        question.answer = command
        question.done.set()

    def ask(self, turn, kind, answered_by, **members):
        """Sends a request and returns its answer, or None if there is no answer."""
        question = Question(turn, answered_by)
        with self.lock:
            if turn is None or turn.cancelled:
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
            # Drop the answer if the turn was cancelled in the meantime.
            return None if turn.cancelled else question.answer

    def confirm(self, turn, tool, description, args, note=None):
        """Reports whether a tool may run. With a note, earlier permissions don't
        count, and the answer applies to this call only."""
        # A permanent permission is for exactly this call, because allowing one
        # command says nothing about another.
        call = fingerprint(tool, args) if note is None else None
        with self.lock:
            if turn is None or turn.cancelled:
                return False
            if call is not None and call in self.allowed:
                return True
        answer = self.ask(
            turn, "confirm", "tool_confirmation_response",
            tool=tool, description=note or description, args=args, once=note is not None,
        )
        decision = None if answer is None else answer.get("decision")
        if decision == "allow_always" and call is not None:
            with self.lock:
                if len(self.allowed) < MAX_ALLOWED:
                    self.allowed.add(call)
        return decision in ALLOW

    def question(self, turn, question, header, options, multiple, allow_custom):
        answer = self.ask(
            turn, "ask", "question_response",
            question=question, header=header, options=options, multiple=multiple, allow_custom=allow_custom,
        )
        return words(answer) or "(the user did not answer)"

    def go_on(self, turn, count):
        text = words(self.ask(turn, "max_iterations", "question_response", count=count, options=[GO_ON, STOP]))
        if text == GO_ON:
            return {"action": "continue"}
        if text in ("", STOP):
            return {"action": "stop"}
        return {"action": "new_instruction", "message": text}


def words(answer):
    """Returns an answer's text, or "" if it was cancelled or has no text."""
    if answer is None or answer.get("cancelled"):
        return ""
    text = answer.get("answer")
    return text if isinstance(text, str) else ""


def fingerprint(tool, args):
    """Returns a value that only equal calls share, or None if args are not JSON."""
    try:
        return tool, json.dumps(args, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
