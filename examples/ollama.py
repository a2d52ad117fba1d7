#!/usr/bin/env python3
"""A model behind the OpenAI chat completions API, such as Ollama's, that reads and writes files."""
import asyncio, http.client, json, os, pathlib, socket, sys, urllib.parse

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "sdk", "python", "src"))
from turnwire import Agent, AsyncTurn

BASE = os.environ.get("OPENAI_BASE_URL") or "http://localhost:11434/v1"
MODEL = os.environ.get("OPENAI_MODEL") or "qwen3"
HEADERS = {"Content-Type": "application/json", "Authorization": "Bearer " + (os.environ.get("OPENAI_API_KEY") or "none")}
TOOLS = {  # name: what it does, its arguments, its icon
    "read_file": ("Read a file of the project", ["path"], "read"),
    "list_folder": ("List a folder of the project; the project itself is .", ["path"], "search"),
    "write_file": ("Write a file of the project, in place of what it holds", ["path", "content"], "edit"),
}
messages = [{"role": "system", "content": "You help with the files of a project. Paths are relative to its folder."}]
agent = Agent("Ollama")

async def chunks(body):
    """Yield the pieces of an answer. A cancel closes the connection, also while the model says nothing."""
    url = urllib.parse.urlsplit(BASE)
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = kind(url.hostname, url.port, timeout=10)
    try:
        await asyncio.to_thread(connection.connect)
    except OSError as error:
        raise ConnectionError(f"no server answers at {BASE} ({error}): start it (ollama serve), or set OPENAI_BASE_URL") from None
    sock = connection.sock
    sock.settimeout(None)  # a model may think for long
    try:
        await asyncio.to_thread(connection.request, "POST", url.path.rstrip("/") + "/chat/completions", json.dumps(body), HEADERS)
        response = await asyncio.to_thread(connection.getresponse)
        if response.status != 200:
            raise RuntimeError(f"the server refuses ({response.status}): {(await asyncio.to_thread(response.read, 2000)).decode(errors='replace')}")
        while (line := await asyncio.to_thread(response.readline)) and line.strip() != b"data: [DONE]":
            if line.startswith(b"data:"):
                yield json.loads(line[5:])
    finally:
        try:
            sock.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads
        except OSError:
            pass
        connection.close()

async def ask_model(turn):
    """Show an answer while it comes, and return it whole."""
    said, calls, ended = {"role": "assistant", "content": ""}, {}, None
    tools = [{"type": "function", "function": {"name": name, "description": what, "parameters": {
        "type": "object", "properties": {a: {"type": "string"} for a in args}, "required": args}}} for name, (what, args, _) in TOOLS.items()]
    async for chunk in chunks({"model": MODEL, "messages": messages, "tools": tools, "stream": True}):
        if "error" in chunk:
            raise RuntimeError(f"the server stops: {chunk['error']}")
        for choice in chunk.get("choices", [])[:1]:
            delta, ended = choice.get("delta", {}), choice.get("finish_reason") or ended
            if thought := delta.get("reasoning") or delta.get("reasoning_content"):
                turn.thinking(thought)
            if text := delta.get("content"):
                turn.text(text)
                said["content"] += text
            for part in delta.get("tool_calls") or []:  # a call comes in pieces
                call = calls.setdefault(part.get("index", 0), {"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
                call["id"] += part.get("id") or ""
                for key, piece in part.get("function", {}).items():
                    call["function"][key] += piece or ""
    if not ended:
        raise RuntimeError("the server has stopped in the middle of its answer")
    return {**said, "tool_calls": list(calls.values())} if calls else said, ended

async def use(turn, name, arguments):
    """Run a tool, and return what the model is told."""
    try:
        args = json.loads(arguments)
        path = pathlib.Path(turn.cwd, args["path"]).resolve()
        call = turn.tool(name, args, kind=TOOLS[name][2])
        if not path.is_relative_to(pathlib.Path(turn.cwd).resolve()):
            raise PermissionError(f"{args['path']} is outside of the project")
        if name == "write_file" and not await turn.confirm(call):
            return "The user does not want that."
        with call:
            if name == "read_file":
                call.result = path.read_text("utf-8", "replace")
            elif name == "list_folder":
                call.result = "\n".join(sorted(p.name + "/" * p.is_dir() for p in path.iterdir()))
            else:
                path.write_text(args["content"], "utf-8")
                call.result = "written"
        return call.result
    except (OSError, ValueError, LookupError, TypeError) as error:  # for the model to mend
        return f"{type(error).__name__}: {error}"

@agent.prompt
async def reply(turn: AsyncTurn) -> None:
    messages.append({"role": "user", "content": turn.prompt})
    for _ in range(50):
        said, ended = await ask_model(turn)
        results = [{"role": "tool", "tool_call_id": c["id"], "content": await use(turn, **c["function"])} for c in said.get("tool_calls", [])]
        messages.extend([said, *results])  # together: a call without its result is an error to the model's server
        if not results:
            turn.stop_reason = {"length": "max_tokens", "content_filter": "refusal"}.get(ended, "end_turn")
            return
    turn.stop_reason = "max_turn_requests"

agent.run()
