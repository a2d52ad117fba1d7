"""Drives an agent behind Turnwire with the official Python SDK, and prints what was seen, as probe.mjs does."""

import asyncio
import json
import os
import sys

import acp

task = json.loads(sys.argv[1])
words, says, folder = task["words"], task["says"], task["folder"]


class Client:
    """A client that answers permission requests, and collects text."""

    def __init__(self):
        self.answer, self.asked, self.kinds, self.text, self.heard = "reject", 0, [], "", asyncio.Event()

    async def request_permission(self, session_id, tool_call, options, **_):
        self.asked += 1
        option = next(o for o in options if o.kind == self.answer + "_once")
        return acp.RequestPermissionResponse.model_validate({"outcome": {"outcome": "selected", "optionId": option.option_id}})

    async def session_update(self, session_id, update, **_):
        if update.session_update == "agent_message_chunk":
            self.text += getattr(update.content, "text", "")
            self.heard.set()

    def on_connect(self, connection):
        pass


def see(column, seen, note=""):
    print(json.dumps({"column": column, "seen": seen, "note": note}), flush=True)


async def step(column, run):
    try:
        await asyncio.wait_for(run, task["seconds"])
    except Exception as error:  # any failure is what was seen
        see(column, "failed", f"{type(error).__name__}: {error}")
    else:
        see(column, "yes")


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


async def prompt(connection, client, session, text, *more):
    client.text, client.asked = "", 0
    client.heard.clear()
    return (await connection.prompt(session_id=session, prompt=[acp.text_block(text), *more])).stop_reason


def connect(client):
    # Some agents send long lines.
    program, *args = task["command"]
    return acp.spawn_agent_process(client, program, *args, env=dict(os.environ), cwd=folder, transport_kwargs={"limit": 1 << 26})


async def first(client):
    """Run the steps of one connection, and return its session."""
    async with connect(client) as (connection, _):
        await connection.initialize(protocol_version=acp.PROTOCOL_VERSION)
        session = await connection.new_session(cwd=folder, mcp_servers=[])
        name = session.session_id

        async def turn():
            await prompt(connection, client, name, words["hello"])
            expect(says["greeting"] in client.text, client.text)

        async def decide(answer, file, exists):
            client.answer = answer
            await prompt(connection, client, name, words["run"].replace("%s", file))
            expect(client.asked == 1, f"{client.asked} permission requests")
            expect(os.path.exists(os.path.join(folder, file)) == exists, "the answer didn't count")

        async def cancel():
            running = asyncio.create_task(prompt(connection, client, name, words["wait"]))
            await client.heard.wait()
            await connection.cancel(session_id=name)
            reason = await running
            expect(reason == "cancelled", f"the turn ended with {reason}")

        async def images():
            await prompt(connection, client, name, words["image"], acp.image_block(task["image"], "image/png"))
            expect(says["seen"] in client.text, client.text)

        async def modes():
            other = next(m.id for m in session.modes.available_modes if m.id != session.modes.current_mode_id)
            await connection.set_session_mode(session_id=name, mode_id=other)

        await step("turn", turn())
        await step("allow", decide("allow", "allowed.txt", True))
        await step("refuse", decide("reject", "refused.txt", False))
        client.heard.clear()
        await step("cancel", cancel())
        await step("images", images())
        await step("modes", modes())
        return name


async def load(name):
    client = Client()
    async with connect(client) as (connection, _):
        await connection.initialize(protocol_version=acp.PROTOCOL_VERSION)
        await connection.load_session(cwd=folder, session_id=name, mcp_servers=[])
        expect(says["greeting"] in client.text, "the conversation isn't replayed")
        await prompt(connection, client, name, words["recall"])
        expect(says["known"] in client.text, client.text)


async def main():
    await step("load", load(await first(Client())))


asyncio.run(main())
