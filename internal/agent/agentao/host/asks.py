"""What Agentao waits for: confirmations and questions."""
import json
import threading

# How many different calls may be allowed for good.
MAX_ALLOWED = 10_000

ALLOW = ("allow_once", "allow_always")
GO_ON, STOP = "Go on", "Stop"


class Question:
    def __init__(self, turn, answered_by):
        self.turn = turn
        self.answered_by = answered_by  # the type of the command
        self.done = threading.Event()
        self.answer = None


class Asks:
    """The open questions of all turns, and what was allowed for good."""

    def __init__(self, wire):
        self.wire = wire
        self.lock = threading.Lock()  # for all below, and for Turn.cancelled
        self.questions = {}
        self.asked = 0
        self.allowed = set()

    def cancel(self, turn):
        """Leaves whatever a turn has asked without an answer, and refuses what
        it will ask."""
        with self.lock:
            turn.cancelled = True
            mine = [name for name, question in self.questions.items() if question.turn is turn]
            questions = [self.questions.pop(name) for name in mine]
        for question in questions:
            question.done.set()

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

    def ask(self, turn, kind, answered_by, **members):
        """Prints a question and waits for its answer, None where none comes."""
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
        """Whether a tool may run. With a note the answer is for this call alone,
        and none that was given before counts."""
        # For good means: for this very call. What was allowed for one command
        # says nothing about another.
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
    """The text of an answer, or "" if it was cancelled or has no text."""
    if answer is None or answer.get("cancelled"):
        return ""
    text = answer.get("answer")
    return text if isinstance(text, str) else ""


def fingerprint(tool, args):
    """The same for the same call alone, None where that cannot be told."""
    try:
        return tool, json.dumps(args, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
