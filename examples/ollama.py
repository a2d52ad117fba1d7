#!/usr/bin/env python3
"""A coding agent: a model behind the OpenAI chat completions API, such as Ollama's, with Turnwire's tools."""
import asyncio, contextlib, http.client, json, os, socket, sys, urllib.parse
sys.path.append(os.path.join(os.path.dirname(__file__), "..", "sdk", "python", "src"))
from turnwire import Agent, AsyncTurn

URL = urllib.parse.urlsplit(os.environ.get("OPENAI_BASE_URL", "http://localhost:11434/v1"))
HEADERS = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ.get("OPENAI_API_KEY", "none")}
SYSTEM = {"role": "system", "content": "You are a coding agent in the user's editor. Use the tools to look at the project before you "
          "answer, to change files and to run commands. After a change, run what checks it. Be brief."}
ROLES = {"user": "user", "agent": "assistant"}
messages = [SYSTEM]
agent = Agent("Ollama", tools=True, history=True, steer={}, commands=[{"name": "clear", "description": "Forget the conversation"}])

async def deltas(tools):
    connection = (http.client.HTTPSConnection if URL.scheme == "https" else http.client.HTTPConnection)(URL.netloc)
    body = {"model": os.environ.get("OPENAI_MODEL", "qwen3"), "messages": messages, "tools": tools, "stream": True}
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
        return (await turn.call_tool(name, json.loads(arguments or "{}"))).text
    except ValueError as error:  # for the model to correct
        return f"The arguments are not JSON: {error}"

@agent.prompt
async def reply(turn: AsyncTurn) -> None:
    if turn.prompt.strip() == "/clear":
        messages[:] = [SYSTEM]
        return turn.text("The conversation is forgotten.")
    if turn.history:  # the session was opened again
        messages[:] = [SYSTEM, *({"role": ROLES[m["role"]], "content": m["text"]} for m in turn.history)]
    messages.append({"role": "user", "content": turn.prompt})
    tools, more = [{"type": "function", "function": tool} for tool in turn.tools], True
    while more:
        text, calls = "", {}
        async for delta in deltas(tools):
            turn.thinking(delta.get("reasoning") or delta.get("reasoning_content") or "")
            turn.text(delta.get("content") or "")
            text += delta.get("content") or ""
            for part in delta.get("tool_calls") or []:  # calls arrive in pieces
                call = calls.setdefault(part["index"], {**part, "function": {**part["function"], "arguments": ""}})
                call["function"]["arguments"] += part["function"].get("arguments") or ""
        results = [{"role": "tool", "tool_call_id": c["id"], "content": await use(turn, **c["function"])} for c in calls.values()]
        messages.extend([{"role": "assistant", "content": text, **({"tool_calls": [*calls.values()]} if calls else {})}, *results])
        messages.extend(steered := [{"role": "user", "content": m["text"]} for m in turn.messages()])  # entered meanwhile
        more = calls or steered

agent.run()
