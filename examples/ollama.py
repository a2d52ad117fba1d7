#!/usr/bin/env python3
"""A model behind the OpenAI chat completions API, such as Ollama's, that reads and writes files."""
import asyncio, contextlib, http.client, json, os, pathlib, socket, sys, urllib.parse
sys.path.append(os.path.join(os.path.dirname(__file__), "..", "sdk", "python", "src"))
from turnwire import Agent, AsyncTurn

URL = urllib.parse.urlsplit(os.environ.get("OPENAI_BASE_URL", "http://localhost:11434/v1"))
HEADERS = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ.get("OPENAI_API_KEY", "none")}
TOOLS = [{"type": "function", "function": {"name": name, "parameters": {
    "type": "object", "properties": {arg: {"type": "string"} for arg in args}, "required": args}}}
    for name, args in {"read_file": ["path"], "write_file": ["path", "content"]}.items()]
messages = [{"role": "system", "content": "You help with the files of a project. Paths are relative to its folder."}]
agent = Agent("Ollama")

async def deltas():
    connection = (http.client.HTTPSConnection if URL.scheme == "https" else http.client.HTTPConnection)(URL.netloc)
    body = {"model": os.environ.get("OPENAI_MODEL", "qwen3"), "messages": messages, "tools": TOOLS, "stream": True}
    await asyncio.to_thread(connection.request, "POST", URL.path + "/chat/completions", json.dumps(body), HEADERS)
    sock = connection.sock
    try:
        response = await asyncio.to_thread(connection.getresponse)
        while not (line := await asyncio.to_thread(response.readline)).startswith(b"data: [DONE]"):
            chunk = json.loads(line[5:]) if line.startswith(b"data: {") else {}
            if response.status != 200 or "error" in chunk or not line:
                raise RuntimeError(f"the server's answer ({response.status}) ends with: {line.decode(errors='replace')}")
            yield chunk["choices"][0]["delta"] if chunk.get("choices") else {}
    finally:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)  # after a cancel, this unblocks the thread that reads

async def use(turn, name, arguments):
    try:
        args, project = json.loads(arguments), pathlib.Path(turn.cwd).resolve()
        path, writes = (project / args["path"]).resolve(), name == "write_file"
        path.relative_to(project)  # a ValueError if it is outside
        call = turn.tool(name, args, kind="edit" if writes else "read")
        if writes and not await turn.confirm(call):
            return "The user does not want that."
        with call:
            call.result = f"{path.write_text(args['content'], 'utf-8')} characters" if writes else path.read_text("utf-8")
        return call.result
    except (OSError, ValueError, LookupError, TypeError) as error:  # for the model to correct
        return f"{type(error).__name__}: {error}"

@agent.prompt
async def reply(turn: AsyncTurn) -> None:
    messages.append({"role": "user", "content": turn.prompt})
    calls = True
    while calls:
        text, calls = "", {}
        async for delta in deltas():
            text += delta.get("content") or ""
            turn.text(delta.get("content") or "")
            for part in delta.get("tool_calls") or []:  # calls arrive in pieces
                call = calls.setdefault(part["index"], {**part, "function": {**part["function"], "arguments": ""}})
                call["function"]["arguments"] += part["function"].get("arguments") or ""
        results = [{"role": "tool", "tool_call_id": c["id"], "content": await use(turn, **c["function"])} for c in calls.values()]
        messages.extend([{"role": "assistant", "content": text, **({"tool_calls": [*calls.values()]} if calls else {})}, *results])

agent.run()
