#!/usr/bin/env python3
"""Runs examples/ollama.py with a scripted model: any prompt makes it read, edit and run sum.py.

A prompt about parts makes it edit sum.py in two places, and repeat the tool's result.
"""
import http.server, json, os, pathlib, runpy, threading

STEPS = [
    ("read_file", {"path": "sum.py"}),
    ("edit_file", {"path": "sum.py", "edits": [{"old_text": "a - b", "new_text": "a + b"}]}),
    ("run_command", {"command": "python3 sum.py"}),
]
PARTS = [
    ("edit_file", {"path": "sum.py", "edits": [
        {"old_text": "a - b", "new_text": "a + b"},
        {"old_text": '"2 + 3 ="', "new_text": '"Sum:"'},
    ]}),
]


def answer(messages):
    """Returns the deltas of the model's next message: a call, or what the calls have returned."""
    asked = max(i for i, message in enumerate(messages) if message["role"] == "user")
    results = [message["content"] for message in messages[asked:] if message["role"] == "tool"]
    parts = "parts" in messages[asked]["content"]
    steps = PARTS if parts else STEPS
    if len(results) == len(steps):
        said = f"```\n{results[-1]}```" if parts else results[-1].splitlines()[0] + "."
        return [{"content": "The tool says\n" if parts else "The program says "}, {"content": said}]
    name, args = steps[len(results)]
    text = json.dumps(args)
    function = {"name": name, "arguments": text[:9]}
    return [
        {"reasoning": f"Now {name}. "},
        {"tool_calls": [{"index": 0, "id": f"call_{len(results)}", "type": "function", "function": function}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": text[9:]}}]},
    ]


class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()
        for delta in answer(request["messages"]):
            self.wfile.write(f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta}]})}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_):  # stderr belongs to the agent
        pass


server = http.server.ThreadingHTTPServer(("localhost", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ["OPENAI_BASE_URL"] = f"http://localhost:{server.server_port}/v1"
runpy.run_path(str(pathlib.Path(__file__).parent.parent / "examples" / "ollama.py"))
