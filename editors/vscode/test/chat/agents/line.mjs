// Shared by the stand-ins for agents: lines of JSON-RPC, written by hand, because
// libraries wouldn't allow what they do.

import { createInterface } from "node:readline";

export function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

export const update = (update) => send({ method: "session/update", params: { sessionId: "s", update } });
export const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** Answers every client's initialize request, and passes on the rest. */
export function listen(handlers, initialize = {}) {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line);
    const { id, method } = message;
    if (handlers[method]) handlers[method](message);
    else if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [], ...initialize } });
    else if (method === "session/new") send({ id, result: { sessionId: "s" } });
    else if (method === undefined) handlers.answer?.(message);
    else if (id !== undefined) send({ id, error: { code: -32601, message: "no such method" } });
  });
}
