// Tests of the tests: they find violations of the schema and of the laws.

import assert from "node:assert/strict";
import { test } from "node:test";

import { broken } from "./laws.mjs";
import { Transcript } from "./transcript.mjs";

const newSession = [
  ["client", { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/w", mcpServers: [] } }],
  ["agent", { jsonrpc: "2.0", id: 1, result: { sessionId: "s" } }],
];
const prompt = ["client", { jsonrpc: "2.0", id: 2, method: "session/prompt", params: { sessionId: "s", prompt: [] } }];
const update = (fields, sessionId = "s") => ["agent", { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: fields } }];
const call = (id, fields = {}) => update({ sessionUpdate: "tool_call", toolCallId: id, title: "T", ...fields });
const text = update({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text: "x" } });
const ask = (toolCall, options = []) => [
  "agent",
  { jsonrpc: "2.0", id: 9, method: "session/request_permission", params: { sessionId: "s", toolCall, options } },
];
const terminal = [
  ["agent", { jsonrpc: "2.0", id: 7, method: "terminal/create", params: { sessionId: "s", command: "ls" } }],
  ["client", { jsonrpc: "2.0", id: 7, result: { terminalId: "x" } }],
];
const release = (id) => ["agent", { jsonrpc: "2.0", id, method: "terminal/release", params: { sessionId: "s", terminalId: "x" } }];
const choice = (fields) => ({ id: "o", name: "O", type: "select", currentValue: "a", options: [{ value: "a", name: "A" }], ...fields });
const optionUpdate = (configOptions) => update({ sessionUpdate: "config_option_update", configOptions });
const end = ["agent", { jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } }];

function record(...lines) {
  const transcript = new Transcript();
  for (const [from, message] of lines) transcript.feed(from, Buffer.from(JSON.stringify(message) + "\n"));
  return transcript;
}

const option = { optionId: "o", name: "O", kind: "allow_once" };
const breaches = {
  "an update before its session": [/sessionFirst/, text],
  "a tool call left open": [/toolCalls: t is left pending/, ...newSession, prompt, call("t", { status: "pending" }), end],
  "an update of a call that was never announced": [/toolCalls/, ...newSession, prompt, update({ sessionUpdate: "tool_call_update", toolCallId: "t" }), end],
  "a call announced twice": [/announced twice/, ...newSession, prompt, call("t", { status: "failed" }), call("t", { status: "failed" }), end],
  "a request about a call that was never announced": [/permissions/, ...newSession, prompt, ask({ toolCallId: "t" })],
  "a request that leaves something out": [/another title/, ...newSession, prompt, call("t"), ask({ toolCallId: "t" })],
  "two options of one id": [/same optionId/, ...newSession, prompt, call("t"), ask({ toolCallId: "t", title: "T" }, [option, { ...option, name: "P" }])],
  "text after the end of its turn": [/turns/, ...newSession, prompt, end, text],
  "a capability that was not offered": [/capabilities/, ...newSession, prompt, update({ sessionUpdate: "notice", severity: "info", title: "T" })],
  "two options of an id": [/same id/, ...newSession, optionUpdate([choice({}), choice({})])],
  "two choices of a value": [/same value/, ...newSession, optionUpdate([choice({ options: [{ value: "a", name: "A" }, { value: "a", name: "B" }] })])],
  "a value that is no choice": [/none of a/, ...newSession, optionUpdate([choice({ currentValue: "b" })])],
  "a boolean that was not offered": [/boolean/, ...newSession, optionUpdate([choice({ type: "boolean", currentValue: true })])],
  "a mode that is told in one way alone": [/the mode is undefined/, ...newSession, optionUpdate([choice({ category: "mode" })])],
  "a terminal that nobody made": [
    /was never made/, ...newSession, prompt, call("t", { content: [{ type: "terminal", terminalId: "x" }] }),
  ],
  "a terminal that is left": [/is never released/, ...newSession, ...terminal],
  "a terminal that is released twice": [/is not there/, ...newSession, ...terminal, release(8), release(9)],
  "a chunk without a message": [/messageIds/, ...newSession, prompt, update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "" } })],
};
for (const [what, [expected, ...lines]] of Object.entries(breaches)) {
  test(`${what} is found`, () => assert.match(broken(record(...lines), {}).join("\n"), expected));
}

const faults = {
  "a member that is missing": [/stopReason/, ...newSession, prompt, ["agent", { jsonrpc: "2.0", id: 2, result: {} }]],
  "a value of the wrong type": [/type/, ...newSession, prompt, call(7)],
  "an update that does not exist": [/oneOf|match/, ...newSession, prompt, update({ sessionUpdate: "dance" })],
  "an answer that nobody asked for": [/answers nothing/, ["agent", { jsonrpc: "2.0", id: 5, result: {} }]],
  "a method that does not exist": [/unknown method/, ["agent", { jsonrpc: "2.0", method: "session/dance" }]],
  "no version": [/jsonrpc/, ["agent", { id: null, error: { code: 1, message: "" } }]],
};
for (const [what, [expected, ...lines]] of Object.entries(faults)) {
  test(`${what} is found`, () => assert.match(record(...lines).faults.join("\n"), expected));
}

test("valid sessions have no findings", () => {
  const transcript = record(...newSession, prompt, text, call("t", { status: "completed" }), end);
  transcript.end();
  assert.deepEqual([...transcript.faults, ...broken(transcript, {})], []);
});
