// An agent that sends everything in the official schema. Its arguments are the
// schema's file, and a file to which it writes each line it receives.
//
// It answers a client's request with the sample whose number is in
// _meta.sample, or with an error. The text of a prompt chooses what the turn
// sends.

import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { Schema } from "./sample.mjs";

const [schemaFile, heard] = process.argv.slice(2);
const schema = new Schema(schemaFile);
const waiting = new Map(); // id → resolve
let lastID = 0;
let sessions = 0;

const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
const notify = (method, params) => write({ method, params });
const update = (sessionId, fields) => notify("session/update", { sessionId, update: fields, _meta: { "example.org/seen": true } });
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = ++lastID % 2 ? lastID : `ask ${lastID}`;
    waiting.set(id, resolve);
    write({ id, method, params });
  });

// says is a turn's content, by the text of its prompt.
const says = {
  async updates(sessionId) {
    const calls = schema.samples("SessionUpdate").filter((u) => u.toolCallId);
    update(sessionId, { ...calls.find((u) => u.sessionUpdate === "tool_call"), status: "pending" });
    for (const u of calls) update(sessionId, u);
    update(sessionId, { sessionUpdate: "tool_call_update", toolCallId: "toolCallId", status: "completed" });
    for (const u of schema.samples("SessionUpdate").filter((u) => !u.toolCallId)) update(sessionId, u);
    update(sessionId, { sessionUpdate: "_example.org/dance", steps: [1, 2, { three: null }], "": "no name" });
    update(sessionId, { sessionUpdate: "tool_call_update", toolCallId: "toolCallId", futureMember: { a: [1.5e300, -0, 12345678901234567890n.toString()] } });
    for (const [method, { params }] of schema.notifications("client")) {
      if (method !== "session/update") for (const sample of schema.samples(params)) notify(method, withSession(sample, sessionId));
    }
    notify("_example.org/notified", { sessionId, deep: { deeper: ["é", "\u2028", "😀", "\\", "\u0000"] } });
    notify("_example.org/without");
  },
  async asks(sessionId, id) {
    update(sessionId, { sessionUpdate: "tool_call", toolCallId: "toolCallId", title: "title" });
    for (const [method, { params }] of schema.requests("client")) {
      for (const sample of schema.samples(params)) {
        if ("requestId" in sample && method === "elicitation/create") sample.requestId = id;
        await ask(method, withSession(sample, sessionId));
      }
    }
    await Promise.all([ask("_example.org/asked", { a: 1 }), ask("_example.org/asked", [1, 2]), ask("_example.org/unknown", {})]);
    update(sessionId, { sessionUpdate: "tool_call_update", toolCallId: "toolCallId", status: "failed" });
  },
};

function withSession(sample, sessionId) {
  return "sessionId" in sample ? { ...sample, sessionId } : sample;
}

async function answer({ id, method, params }) {
  const known = schema.methods.get(method);
  const count = params?._meta?.sample ?? 0;
  if (params?._meta?.fail) {
    write({ id, error: { code: -32000, message: "Authentication required", data: { details: "log in", more: [null, { a: 1 }] } } });
    return;
  }
  const results = known?.result ? schema.samples(known.result) : [{ echoed: params }];
  const result = results[count % results.length];
  switch (method) {
    case "initialize":
      result.protocolVersion = 1;
      break;
    case "session/new":
    case "session/fork":
      result.sessionId = `session ${++sessions}`;
      break;
    case "session/load":
      update(params.sessionId, { sessionUpdate: "user_message_chunk", content: { type: "text", text: "what was said" } });
      update(params.sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "what was answered" } });
      break;
    case "session/prompt":
      await says[params.prompt[0]?.text]?.(params.sessionId, id);
  }
  write({ id, result });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  appendFileSync(heard, line + "\n");
  const message = JSON.parse(line);
  if ("method" in message) {
    if ("id" in message) answer(message);
    return;
  }
  waiting.get(message.id)?.();
  waiting.delete(message.id);
});
