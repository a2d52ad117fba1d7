#!/usr/bin/env python3
"""{{name}}: an agent that any editor can show."""

from turnwire import Agent, AsyncTurn

agent = Agent("{{name}}", "0.1.0")


@agent.prompt
async def reply(turn: AsyncTurn) -> None:
    turn.text(f"You said: {turn.prompt}\n")
    answer = await turn.ask("What is that?", ["idea", "task"])
    kind = answer.text or "note"
    save = turn.tool("save", {"note": turn.prompt}, title=f"Keep the {kind}", kind="edit")
    if await turn.confirm(save, reason="It is written to notes.txt"):
        with save, open("notes.txt", "a", encoding="utf-8") as notes:
            notes.write(f"{kind}: {turn.prompt}\n")
            save.result = "It is in notes.txt."


agent.run()
