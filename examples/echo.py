#!/usr/bin/env python3
import json, sys

def emit(type, **fields):
    print(json.dumps({"type": type, **fields}), flush=True)

def receive(*types):
    for line in sys.stdin.buffer:
        command = json.loads(line)
        if command["type"] in types:
            return command
    sys.exit()  # EOF means stop

def turn(text):
    for piece in "Hello! ", "You said: ", text, "\n":
        emit("text_delta", text=piece)
    emit("question", questionId="kind", question="What is that?", options=["idea", "task"])
    answer = receive("question_response", "cancel")
    if answer["type"] == "cancel":
        return "cancelled"
    note = answer["answer"] + ": " + text + "\n"
    emit("tool_confirmation_request", toolCallId="save", toolName="save", args={"note": note}, title="Save a note")
    decision = receive("tool_confirmation_response", "cancel").get("decision", "cancelled")
    if allowed := decision in ("allow_once", "allow_always"):
        with open("notes.txt", "a", encoding="utf-8") as notes:
            notes.write(note)
    emit("tool_end", toolCallId="save", ok=allowed, cancelled=not allowed)
    return "cancelled" if decision == "cancelled" else "end_turn"

while True:
    emit("done", text="", stopReason=turn(receive("prompt")["text"]))
