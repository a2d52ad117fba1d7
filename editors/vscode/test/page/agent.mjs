// A stand-in for an agent that does what its prompt says, line by line:
//   say TEXT      says it, word by word
//   until FILE    waits until the file exists, and says its content
//   change PATH   asks for permission to change that file
//   ask QUESTION  asks the question, with a form
//   print N       makes a call that prints the numbers up to N
//   fail          ends the turn with an error

import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const sessions = new Map();
const waiting = new Map();
let next = 0;

const does = {
  async say(update, text) {
    for (const word of text.split(/(?<=\s)/)) update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: word } });
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "\n\n" } });
  },
  async until(update, file, session) {
    // A file exists before its text is written.
    const text = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
    while (text() === "" && !session.cancelled) await new Promise((tick) => setTimeout(tick, 20));
    if (!session.cancelled) await does.say(update, text());
  },
  async change(update, path, session, sessionId) {
    const toolCallId = `call-${++next}`;
    const content = [{ type: "diff", path, oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\nfour\n" }];
    update({ sessionUpdate: "tool_call", toolCallId, title: `Change ${path.split("/").at(-1)}`, kind: "edit", status: "pending", content });
    const answer = await ask("session/request_permission", {
      sessionId, toolCall: { toolCallId, content },
      options: [
        { optionId: "once", name: "Allow once", kind: "allow_once" },
        { optionId: "always", name: "Allow in this session", kind: "allow_always" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ],
    });
    const { outcome } = answer.result ?? { outcome: { outcome: "error" } };
    update({ sessionUpdate: "tool_call_update", toolCallId, status: outcome.optionId === "once" || outcome.optionId === "always" ? "completed" : "failed" });
    await does.say(update, `The answer was ${outcome.optionId ?? outcome.outcome}.`);
  },
  async print(update, last) {
    const text = Array.from({ length: Number(last) }, (_, i) => `${i + 1}\n`).join("");
    const content = [{ type: "content", content: { type: "text", text } }];
    update({ sessionUpdate: "tool_call", toolCallId: `call-${++next}`, title: `Print ${last} numbers`, kind: "execute", status: "failed", content });
  },
  async ask(update, message, session, sessionId) {
    const requestedSchema = { type: "object", required: ["answer"], properties: { answer: { type: "string", title: "Answer" } } };
    const { result } = await ask("elicitation/create", { sessionId, mode: "form", message, requestedSchema });
    await does.say(update, `The answer was ${result.content?.answer ?? result.action}.`);
  },
};

/** Sends the client a request and returns its response. */
function ask(method, params) {
  const id = `r${++next}`;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });
}

async function prompt({ id, params }) {
  const { sessionId } = params;
  const session = sessions.get(sessionId);
  session.cancelled = false;
  const update = (update) => send({ method: "session/update", params: { sessionId, update } });
  for (const line of params.prompt[0].text.split("\n")) {
    const [word, ...rest] = line.split(" ");
    if (word === "fail") return send({ id, error: { code: -32603, message: "It has failed." } });
    if (!session.cancelled) await does[word]?.(update, rest.join(" "), session, sessionId);
  }
  send({ id, result: { stopReason: session.cancelled ? "cancelled" : "end_turn" } });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  else if (method === "session/new") {
    const sessionId = `session-${++next}`;
    sessions.set(sessionId, { cancelled: false });
    send({ id, result: { sessionId } });
  } else if (method === "session/prompt") void prompt(message);
  else if (method === "session/cancel") sessions.get(params.sessionId).cancelled = true;
  else if (method === undefined) {
    waiting.get(id)?.(message);
    waiting.delete(id);
  } else if (id !== undefined) send({ id, error: { code: -32601, message: "no such method" } });
});
