// What the stand-ins for agents have in common: lines of JSON-RPC, written by hand,
// because they do what no library would let them.

import { createInterface } from "node:readline";

export function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

export const update = (update) => send({ method: "session/update", params: { sessionId: "s", update } });
export const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** Answers what every client says first, and hands on the rest. */
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
