#!/usr/bin/env python3
import json, sys

def emit(type, **fields):
    print(json.dumps({"type": type, **fields}), flush=True)

session = {"editor": {}}

def receive(*types):
    for line in sys.stdin.buffer:
        command = json.loads(line)
        if command["type"] == "session":  # the first prompt may come before it
            session.update(command)
        elif command["type"] in types:
            return command
    sys.exit()  # EOF means stop

class Cancelled(Exception):
    pass

def ask(answer, type, **fields):  # send a request and wait for the answer
    emit(type, **fields)
    command = receive(answer, "cancel")
    if command["type"] == "cancel":
        raise Cancelled
    return command

def editor(action, **fields):  # send the editor a request
    return ask("editor_response", "editor_request", requestId=action, action=action, **fields)

def order(prompt):
    images = sum(block["type"] == "image" for block in prompt["prompt"])
    emit("text_delta", text=f"Tea for {session['editor'].get('name', 'you')}, with {images} pictures.\n")
    tea = ask("question_response", "question", questionId="tea", question="How do you like it?", fields=[
        {"name": "leaf", "required": True, "options": [{"value": "assam", "title": "Assam"}, {"value": "ceylon"}]},
        {"name": "cups", "type": "integer", "minimum": 1, "default": 2},
        {"name": "hot", "type": "boolean", "default": True},
    ])
    if tea.get("cancelled"):
        return emit("text_delta", text="No tea then.\n")
    text = json.dumps(tea["values"], sort_keys=True) + "\n"
    choice = ask("tool_confirmation_response", "tool_confirmation_request", toolCallId="order", toolName="order",
                 title="Order tea", args=tea["values"], options=[
        {"id": "now", "name": "Yes, now", "kind": "allow_once"},
        {"id": "daily", "name": "Yes, and daily", "kind": "allow_once"},
        {"id": "no", "name": "No", "kind": "reject_once"}])
    ok = choice["decision"].startswith("allow")
    if ok and session["editor"].get("writeFile"):
        ok = editor("write_file", path="order.txt", text=choice.get("optionId", "") + " " + text)["ok"]
    emit("tool_end", toolCallId="order", ok=ok)
    if ok and session["editor"].get("terminal"):
        made = editor("create_terminal", command="cat", args=["order.txt"])
        if made["ok"]:
            emit("tool_start", toolCallId="slip", toolName="slip", title="Print the order", kind="execute",
                 terminalId=made["terminalId"])  # the editor shows the terminal in the call
            code = editor("wait_for_terminal", terminalId=made["terminalId"]).get("exitCode")
            emit("tool_end", toolCallId="slip", ok=code == 0, exitCode=code)
            emit("text_delta", text=editor("terminal_output", terminalId=made["terminalId"]).get("output", ""))
            editor("release_terminal", terminalId=made["terminalId"])

emit("agent_info", name="Tea", version="1", prompt={"image": True},
     modes={"modeId": "polite", "available": [{"id": "polite", "name": "Polite"}, {"id": "brisk", "name": "Brisk"}]},
     commands=[{"name": "order", "description": "Order tea"}])
while True:
    command = receive("prompt", "set_option")
    if command["type"] == "set_option":
        emit("mode_changed", modeId=command["value"])
        continue
    reason = "end_turn"
    try:
        order(command)
    except Cancelled:
        reason = "cancelled"
    emit("done", text="", stopReason=reason)
