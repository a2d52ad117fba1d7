"""Does what each prompt says. The tests drive the same agent in all languages."""

import asyncio
import sys

from turnwire import Agent, AsyncTurn

agent = Agent("Everything", modes=[{"id": id, "name": id.upper()} for id in ("calm", "loud", "never")], resume=True, tools=True, steer={})
background = set()


@agent.option
def option(id: str, value: object) -> None:
    if value == "never":
        raise ValueError("Not that one")


@agent.prompt
async def answer(turn: AsyncTurn) -> None:
    print("stray\ntext")
    if turn.prompt == "say":
        turn.thinking("hm")
        turn.text("Grüße \u2028 😀\n")
        turn.emit({"type": "text_delta", "text": f"in mode {agent.mode}"})
    elif turn.prompt == "ask":
        kind = await turn.ask("Which?", ["idea", "task"])
        turn.text(f"It is: {kind}" if kind else "nothing")
    elif turn.prompt == "confirm":
        tool = turn.tool("save", {"note": "n"}, title="Save a note", kind="execute")
        if await turn.confirm(tool):
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
            await asyncio.sleep(3600)
    elif turn.prompt == "count":
        turn.save((agent.state or 0) + 1)
        turn.text(str(agent.state))
    elif turn.prompt == "write":
        done = await turn.editor("write_file", path="a.txt", text="new")
        turn.text("written" if done["ok"] else done["error"])
    elif turn.prompt == "use":
        turn.text(f"{len(turn.session['tools'])} tools: {await turn.call_tool('read_file', {'path': 'a.txt'}, limit=3)}")
        turn.text(str((await turn.call_tool("write_file", {"path": "b.txt", "content": "b"})).ok))
    elif turn.prompt == "steer":
        turn.text("waiting")
        while not (messages := turn.messages()):
            await asyncio.sleep(0.005)
        turn.text(messages[0]["text"])
    elif turn.prompt == "late":
        background.add(asyncio.ensure_future(late(turn)))
    else:
        turn.text("What?")


async def late(turn: AsyncTurn) -> None:
    try:
        while True:
            turn.thinking("")
            await asyncio.sleep(0)
    except RuntimeError as error:
        print("late:", error, file=sys.stderr)


agent.run()
