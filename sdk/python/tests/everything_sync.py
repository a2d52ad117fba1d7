"""Does what each prompt says. The tests drive the same agent in all languages."""

import subprocess
import sys
import threading
import time

from turnwire import Agent, Turn

agent = Agent("Everything", modes=[{"id": id, "name": id.upper()} for id in ("calm", "loud", "never")], resume=True, tools=True, steer={})


@agent.option
def option(id: str, value: object) -> None:
    if value == "never":
        raise ValueError("Not that one")


@agent.prompt
def answer(turn: Turn) -> None:
    print("stray\ntext")
    subprocess.run([sys.executable, "-c", "print('stray'); input()"], stderr=subprocess.DEVNULL)
    if turn.prompt == "say":
        turn.thinking("hm")
        turn.text("Grüße \u2028 😀\n")
        turn.emit({"type": "text_delta", "text": f"in mode {agent.mode}"})
    elif turn.prompt == "ask":
        kind = turn.ask("Which?", ["idea", "task"])
        turn.text(f"It is: {kind}" if kind else "nothing")
    elif turn.prompt == "confirm":
        tool = turn.tool("save", {"note": "n"}, title="Save a note", kind="execute")
        if turn.confirm(tool):
            with tool:
                tool.output("saved\n")
        turn.text("after")
    elif turn.prompt == "broken tool":
        try:
            with turn.tool("save"):
                raise OSError("the disk is full")
        except OSError:
            pass
    elif turn.prompt in ("fail", "panic"):
        raise ValueError("it is broken")
    elif turn.prompt == "wait":
        turn.text("waiting")
        with turn.tool("sleep"):
            while True:
                time.sleep(0.005)
                turn.thinking("")
    elif turn.prompt == "count":
        turn.save((agent.state or 0) + 1)
        turn.text(str(agent.state))
    elif turn.prompt == "write":
        done = turn.editor("write_file", path="a.txt", text="new")
        turn.text("written" if done["ok"] else done["error"])
    elif turn.prompt == "use":
        turn.text(f"{len(turn.tools)} tools: {turn.call_tool('read_file', {'path': 'a.txt'}, limit=3)}")
        turn.text(str((turn.call_tool("write_file", {"path": "b.txt", "content": "b"})).ok))
    elif turn.prompt == "steer":
        turn.text("waiting")
        while not (messages := turn.messages()):
            time.sleep(0.005)
        turn.text(messages[0]["text"])
    elif turn.prompt == "late":
        threading.Thread(target=late, args=[turn]).start()
    else:
        turn.text("What?")


def late(turn: Turn) -> None:
    try:
        while True:
            turn.thinking("")
    except RuntimeError as error:
        print("late:", error, file=sys.stderr)


agent.run()
