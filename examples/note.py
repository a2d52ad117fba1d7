#!/usr/bin/env python3
import json, sys

def emit(type, **members):
    print(json.dumps({"type": type, **members}), flush=True)

for line in sys.stdin.buffer:
    command = json.loads(line)
    if command["type"] == "prompt":
        note = command["text"] + "\n"
        emit("text_delta", text="You said: " + note)
        emit("tool_confirmation_request", toolCallId="save", toolName="save", title="Save a note", args={"note": note})
    elif command["type"] == "tool_confirmation_response" and command["decision"] != "cancelled":
        if allowed := command["decision"].startswith("allow"):
            with open("notes.txt", "a", encoding="utf-8") as notes:
                notes.write(note)
        emit("tool_end", toolCallId="save", ok=allowed)
        emit("done", text="", stopReason="end_turn")
    elif command["type"] == "cancel":
        emit("done", text="", stopReason="cancelled")
